// instructions.h - what the instructions do that are more than a line; run.c calls them.
//
// `code` points at the instruction's first word, `r` and `s` at the registers and slots of its frame. The verifier has
// checked indices and counts; kinds of values are checked here.
#ifndef VM_INSTRUCTIONS_H
#define VM_INSTRUCTIONS_H
#include "vm/context.h"

typedef rx_status instruction(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s);
instruction do_shape, do_tuple, do_item, do_alloc_storage, do_alloc_tensor, do_reshape, do_view, do_assert, do_launch;
instruction do_builtin, do_extern, do_closure;
// Work with an observer: runs it, and tells.
RX_MUST_USE rx_status observed(rx_context *c, instruction *run, const uint32_t *code, vm_value *r, int64_t *s);
// Reads a bool scalar or a bool tensor without dims; refused while launches are recorded, as its value isn't known
// then.
RX_MUST_USE rx_status read_condition(rx_context *c, const vm_value *v, bool *out);
// Puts a value into a register (taking it over) after dropping what was there.
static inline void set_register(rx_context *c, vm_value *r, vm_value v) {
    value_release(c->heap, r);
    *r = v;
}
// Fails for a register of the wrong kind: a bug of whoever made the bytecode.
rx_status fail_register(rx_context *c, const uint32_t *code, uint32_t reg, const vm_value *v, unsigned want);
// The name of the running function, and the spelling of the instruction.
const char *here(const rx_context *c);

// capture.c: finds the recorded list for this call (RX_OK and *hit), or prepares a frame that records.
RX_MUST_USE rx_status capture_begin(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s, vm_capture **entry,
                                    bool *hit);
// Replays for the first time.
RX_MUST_USE rx_status capture_end(rx_context *c, vm_capture *entry, const vm_value *result);
RX_MUST_USE rx_status capture_replay(rx_context *c, vm_capture *entry);
// Forgets a recorded list and what it keeps alive; the entry can be used again.
void capture_free(rx_context *c, vm_capture *entry);
#endif
