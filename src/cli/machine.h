// machine.h - what this machine can do at most: operations a second, bytes read a second from each level of memory.
//
// Measured by small kernels that our own compiler makes for the host, so the limits are those of the instructions that
// kernels have: fused multiply-adds on full vectors, dot products of bytes, plain loads. Takes about half a second.
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H
#include "base/arena.h"
#include "base/text.h"
#include "relax/runtime.h"

typedef enum machine_level { MACHINE_L1, MACHINE_L2, MACHINE_L3, MACHINE_MEMORY, MACHINE_LEVELS } machine_level;

// All of it for `threads` threads together.
typedef struct machine_limits {
    unsigned threads;
    double flops, double_flops, dot_ops; // operations a second: on float32, float64, within dot products of bytes
    double read[MACHINE_LEVELS];         // bytes a second
    uint64_t room[MACHINE_LEVELS];       // bytes that the level holds; 0: this machine has no such level
} machine_limits;

// What some kernels came to.
typedef struct machine_work {
    double flops, double_flops, dot_ops, bytes;
    bool known; // the numbers are complete
} machine_work;
machine_work machine_work_of(const rx_event *e);

// `threads` 0: as many as a context gets. False after a message on stderr.
bool machine_measure(arena *mem, unsigned threads, machine_limits *out);
// The least time the work can take: that of the slowest of its parts, where its bytes come from the smallest level
// that holds those of one run (`run_bytes`).
double machine_least_seconds(const machine_limits *m, const machine_work *w, double run_bytes);
void machine_print(const machine_limits *m, text *t);
void machine_print_json(const machine_limits *m, text *t); // an object
#endif
