// kernels.h - a kernel image for tests: C functions compiled into an ELF image at run time, as generated code would be.
#ifndef SUPPORT_KERNELS_H
#define SUPPORT_KERNELS_H
#include <stddef.h>
#include <stdint.h>

// The image of these kernels, malloc'd; NULL where there is no C compiler (then the test is skipped):
//   add_f32    (a, b, out; n)      grid n: out[i] = a[i] + b[i]
//   scale_f32  (a, out; n, s)      grid n: out[i] = a[i] * s (a float by its bits)
//   row_sum    (a, out; n, m)      grid n: out[i] = sum of a[i][0 .. m-1], by way of m floats of scratch
//   positive   (a; n)              grid n: fails with assertion 2 at a negative element
//   table      (out; n)            grid n: out[i] = a constant found through a table of addresses
//   count_calls(out;)              grid 1: out[0] += 1
uint8_t *test_kernels(size_t *size);
#endif
