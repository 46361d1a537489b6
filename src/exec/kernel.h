// kernel.h - how generated code is called. The version of this contract is in the file (RX_KERNEL_ABI).
#ifndef EXEC_KERNEL_H
#define EXEC_KERNEL_H
#include <stdint.h>

enum { RX_KERNEL_ABI = 1 };

// Buffers in the order of the program's signature; scalars as 64-bit slots (floats by their bits).
// A kernel with a first phase does that before its iterations in every run, into `scratch` and memory of its own, and
// then calls `mark` unless it is NULL. Other kernels don't look at it; runtimes without it refuse files with phases.
typedef struct rx_kernel_args {
    void *const *buffer;
    const int64_t *scalar;
    void (*mark)(const struct rx_kernel_args *args);
} rx_kernel_args;

// Runs iterations begin <= i < end of the grid. Returns 0, or the number of a failed assertion of the program.
// `scratch` is this worker's own memory, 64-byte aligned, of the size the kernel table states.
typedef int32_t rx_kernel(const rx_kernel_args *args, int64_t begin, int64_t end, void *scratch);
#endif
