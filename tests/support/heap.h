// heap.h - malloc and its kin as a test wants them: counted, and failing at a call of its choice.
//
// For the programs that tests/CMakeLists.txt links so; in others nothing is replaced. Thread-safe.
#ifndef TESTS_SUPPORT_HEAP_H
#define TESTS_SUPPORT_HEAP_H
#include <stdatomic.h>
#include <stdbool.h>

// The programs' code has one allocator, so this is the one place that has to know its state.
typedef struct test_heap {
    atomic_bool armed;          // nothing is counted, nothing fails while it isn't
    atomic_uint calls, fail_at; // number of the call that fails; 0: none does
    atomic_int live;            // blocks that were made while armed and not freed
} test_heap;
extern test_heap heap;

// For what else a test has replaced: whether this call is to fail (errno is ENOMEM), and the block that it made.
bool heap_fails(void);
void *heap_counted(void *at);
#endif
