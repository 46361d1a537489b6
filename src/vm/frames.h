// frames.h - the stack of a context: frames with their registers and slots.
#ifndef VM_FRAMES_H
#define VM_FRAMES_H
#include "vm/context.h"

// Pushes a frame for a function, or for what runs in its place with the variant that was chosen (frame_top says which);
// its registers are null, its slots 0. The stack may move. RX_OUT_OF_MEMORY, also when calls are nested deeper than
// VM_MAX_FRAMES.
RX_MUST_USE rx_status frame_push(rx_context *c, uint32_t function);
// Pops the top frame and releases what its registers hold.
void frame_pop(rx_context *c);

// The frame that runs, and where its registers and slots are now. There must be one.
static inline vm_frame *frame_top(rx_context *c) { return &c->frame[c->frames - 1]; }
static inline vm_value *frame_registers(rx_context *c) { return c->reg + frame_top(c)->registers; }
static inline int64_t *frame_slots(rx_context *c) { return c->slot + frame_top(c)->slots; }
#endif
