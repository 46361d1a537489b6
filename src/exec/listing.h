// listing.h - an executable as text, and the text read back: what `inspect --bytecode` prints and tests write by hand.
//
// One entry a line, `#` starts a comment. Entries are numbered from 0 in order, table by table:
//   constant 0 tensor float32 (2,) 0000803f00000040
//   constant 1 shape (2, 2)
//   constant 2 scalar int64 -1
//   constant 3 string "x"
//   annotation 0 tensor float32 2 (bind s0 "n", check [4] "4") {} "R.Tensor(…)"
//   annotation 1 tuple void -1 () {a0, a0} "R.Tuple(…)"
//   import 0 builtin vm.reshape 1
//   weight 0 w float32 (2,) layout "" bytes 8
//   kernel 0 add buffers 3 scalars 1 outputs 1 grid [s0] scratch [0] flops [s0] assert "n > 0"
//   function 0 main public inputs 1 registers 3 slots 1 result a0
//     param x a0
//     symbol n s0 from 0 to 4096 multiple 1
//     alloc_storage %1, [s0 16 *]
//     alloc_tensor %2, %1, [0], float32, ([s0], [4])
//     launch add, (%0, %0, %2), ([s0])
//     ret %2
//   end
//   block 0 [s0 16 *] "n * 16" "lv"
//   metadata source "model.py"
//   replacement 1 f0 f2       (in variant 1 function 2 runs in the place of function 0)
// Operands are written as opcodes.def lists them: registers %0 (or _ for none), constants c0, programs in postfix [s0 1
// +], functions, kernels and imports by name (or #number where the name is not unique), annotations a0, dtypes, slots
// s0, numbers, jumps L4 to a line `L4:`, lists in parentheses. Names that aren't plain words are quoted.
#ifndef EXEC_LISTING_H
#define EXEC_LISTING_H
#include "exec/exec.h"
#include "exec/memory.h"
#include "exec/writer.h"

// The words before the programs of exec_kernel.work: flops, doubles, dots, touched.
extern const char *const exec_work_name[EXEC_WORK];

// Appends the text to `out` (growing of bytes, not NUL-terminated). With `function` other than EXEC_NONE only its code.
// RX_OUT_OF_MEMORY.
RX_MUST_USE rx_status exec_print(const executable *e, uint32_t function, growing *out);

// Puts together what a text says. Machine code and weights are not in it: they come from `base` (may be NULL), the
// weights and the kernels of the same names; base must outlive the writer. On failure a sentence with the line's number
// in `why` (EXEC_WHY).
RX_MUST_USE rx_status exec_parse(const char *text, size_t size, const executable *base, exec_writer **out, char *why);
#endif
