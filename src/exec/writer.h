// writer.h - puts an executable together and writes it: what the compiler's driver calls.
//
// Nothing here fails one by one: the writer remembers the first failure (memory, a limit) and exec_writer_save
// returns it. Structs, arrays and bytes that are passed in are copied, unless said otherwise. Equal strings, programs
// and annotations are kept once. The same calls give the same bytes. Not thread-safe.
//
//   exec_writer *w = exec_writer_new();
//   uint32_t n4 = exec_writer_program(w, bytes, size);
//   uint32_t f = exec_writer_function(w, &(exec_function){.name = exec_writer_string(w, "main"), ...});
//   exec_writer_begin(w, f);
//   exec_writer_op(w, OP_ALLOC_STORAGE); exec_writer_operand(w, 3); exec_writer_operand(w, n4);
//   exec_writer_op(w, OP_LAUNCH); exec_writer_operand(w, kernel);
//   exec_writer_list(w, buffers, 3); exec_writer_list(w, scalars, 1);
//   exec_writer_op(w, OP_RET); exec_writer_operand(w, 4);
//   status = exec_writer_save(w, "out.rlx", why);
//   exec_writer_free(w);
#ifndef EXEC_WRITER_H
#define EXEC_WRITER_H
#include "exec/exec.h"

typedef struct exec_writer exec_writer;
exec_writer *exec_writer_new(void);    // NULL: no memory
void exec_writer_free(exec_writer *w); // NULL is allowed; an unfinished file disappears

// Tables. Each returns the index of the new (or equal) entry.
uint32_t exec_writer_string(exec_writer *w, const char *text);
uint32_t exec_writer_string_n(exec_writer *w, const char *text, size_t size); // may contain any byte
uint32_t exec_writer_program(exec_writer *w, const uint8_t *bytes, size_t size);
uint32_t exec_writer_int(exec_writer *w, int64_t value);  // the program that is a constant
uint32_t exec_writer_slot(exec_writer *w, uint32_t slot); // the program that is a slot
uint32_t exec_writer_annotation(exec_writer *w, const exec_annotation *a);
uint32_t exec_writer_constant(exec_writer *w, const exec_constant *c); // bytes of tensors are copied too
uint32_t exec_writer_import(exec_writer *w, exec_import_kind kind, const char *name, uint32_t version);
uint32_t exec_writer_kernel(exec_writer *w, const exec_kernel *k);
// After all kernels. Entries are found in the image by the kernels' names, or by `symbol` (one per kernel) if not NULL;
// kernels whose symbol is NULL have no code in it.
void exec_writer_variant(exec_writer *w, const char *device, const char *arch, uint64_t required, const void *image,
                         size_t size, const char *const *symbol);
// The same with entries that are known; image and required come from *v, its strings from the arguments.
void exec_writer_variant_at(exec_writer *w, const exec_variant *v, const char *device, const char *arch,
                            const uint64_t *entry);
void exec_writer_replacement(exec_writer *w, const exec_replacement *r);
void exec_writer_block(exec_writer *w, const exec_plan_block *b);
void exec_writer_metadata(exec_writer *w, const char *key, const void *bytes, size_t size);
// `data` may be NULL (then see exec_writer_start); else it is not copied and must stay until the file is written.
uint32_t exec_writer_weight(exec_writer *w, const exec_weight *weight);

// A function; code, words and text of *f are ignored. Functions may be declared before any is filled, so that calls
// can name those that come later. `registers` and `slots` can be raised afterwards.
uint32_t exec_writer_function(exec_writer *w, const exec_function *f);
void exec_writer_sizes(exec_writer *w, uint32_t function, uint32_t registers, uint32_t slots);
// From here on instructions go to this function, which must have none yet.
void exec_writer_begin(exec_writer *w, uint32_t function);
void exec_writer_op(exec_writer *w, opcode op);
uint32_t exec_writer_word(const exec_writer *w); // where the last instruction stands in its function
void exec_writer_operand(exec_writer *w, uint32_t word);
void exec_writer_list(exec_writer *w, const uint32_t *word, uint32_t count); // the count and the words
uint32_t exec_writer_label(exec_writer *w);                                  // a place not known yet
void exec_writer_place(exec_writer *w, uint32_t label);                      // here it is: the next instruction
void exec_writer_jump(exec_writer *w, uint32_t label);                       // the operand `j`

// Checks what was put together as the loader would, and writes it under `path`, whole or not at all.
RX_MUST_USE rx_status exec_writer_save(exec_writer *w, const char *path, char *why);
// The same into memory: *out is 64-byte aligned and freed with free().
RX_MUST_USE rx_status exec_writer_bytes(exec_writer *w, uint8_t **out, size_t *size, char *why);

// For weights that are made while writing: start writes all but the weights; then each weight without data is mapped,
// in the order of the table, and filled before the next is asked for; finish makes the file appear.
RX_MUST_USE rx_status exec_writer_start(exec_writer *w, const char *path, char *why);
RX_MUST_USE rx_status exec_writer_map_weight(exec_writer *w, uint32_t weight, uint8_t **out);
const char *exec_writer_why(const exec_writer *w); // the sentence of the first failure; "" before one
RX_MUST_USE rx_status exec_writer_finish(exec_writer *w, char *why);
#endif
