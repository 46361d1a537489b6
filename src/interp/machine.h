// machine.h - the inside of the loop interpreter: views of memory, threads, failures.
#ifndef INTERP_MACHINE_H
#define INTERP_MACHINE_H
#include "interp/program.h"

// Where a buffer lies now.
typedef struct view {
    const buffer *buf;
    storage *owner;   // retained; NULL: memory of an argument
    tensor *argument; // borrowed: the argument it is the whole of; NULL: none
    uint8_t *data;    // of the memory, not of the first element
    uint8_t *written; // bits of that memory; NULL: all of it is
    size_t base;      // bytes from the owner's beginning to data
    int64_t room;     // elements (lanes) from data on
    int64_t offset;   // elements from data to the first element
    uint8_t kind;     // dtype_kind
    uint8_t bytes;    // of a lane; 0: less than one
    uint16_t lanes;
    uint32_t rank;
    int64_t dim[TENSOR_MAX_RANK], stride[TENSOR_MAX_RANK];
} view;

typedef enum thread_status { THREAD_READY, THREAD_WAITS, THREAD_DONE } thread_status;

// One thread of control. Everything it needs to stop and go on is here.
typedef struct thread {
    uint32_t pc;
    thread_status status;
    scalar *reg;
    view **slot; // what each buffer is now; NULL: nothing
    view *own;   // views this thread made, by slot
    int64_t index[3];
} thread;

typedef struct machine {
    run *r;
    const program *p;
    const value *arg;
    thread main;
    struct group *group; // of the threads that run now; NULL: none
    bool returned;
    scalar result;
} machine;

typedef enum run_end { RUN_ENDED, RUN_WAITS, RUN_FAILED } run_end;
// Runs a thread until it ends or waits at a barrier. `limit` of steps is the run's.
run_end machine_go(machine *m, thread *t);
bool machine_group(machine *m, thread *parent, const fork *f); // all threads of a block
bool machine_setup(machine *m, thread *t, const setup *s);
bool machine_fill(machine *m, thread *t, const setup *s, view *v); // into a view of the caller's
bool machine_shared(machine *m, thread *t, const setup *s);        // memory that all threads of the block share
bool machine_call(machine *m, thread *t, const call *c);
bool thread_init(machine *m, thread *t);
void thread_drop(thread *t, uint32_t slot);
void thread_free(machine *m, thread *t);

// Reports at the instruction a thread is at. False.
bool machine_fail(machine *m, const thread *t, const char *format, ...) RX_PRINTF(3, 4);
bool machine_step(machine *m, const thread *t);
bool machine_load(machine *m, thread *t, const access *a, scalar *out);
bool machine_store(machine *m, thread *t, const access *a, scalar s);
#endif
