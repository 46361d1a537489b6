// frames.c - the stack of a context; it grows while the model warms up and then stays.
#include "vm/frames.h"
#include <string.h>

// Moves an array into one with room for `want` elements; false: no memory.
static bool grow(rx_context *c, void **at, uint32_t *room, uint32_t used, uint64_t want, size_t size) {
    if (want <= *room) return true;
    uint64_t bigger = *room ? *room : 64;
    while (bigger < want) bigger *= 2;
    void *moved = bigger <= UINT32_MAX ? heap_memory(c->heap, (size_t)bigger * size) : NULL;
    if (!moved) return false;
    if (used) memcpy(moved, *at, used * size);
    heap_memory_free(c->heap, *at, *room * size);
    *at = moved;
    *room = (uint32_t)bigger;
    return true;
}

// Arrays that have grown stay, even if another one then finds no memory.
rx_status frame_push(rx_context *c, uint32_t function) {
    if (c->body) function = c->body[function];
    if (function == EXEC_NONE)
        return vm_fail(c, RX_BAD_FILE, "a function is called that the file has no code of for this machine");
    const exec_function *f = &c->exe->function[function];
    uint64_t regs = (uint64_t)c->regs + f->registers, slots = (uint64_t)c->slots + f->slots;
    if (c->frames >= VM_MAX_FRAMES || regs > VM_MAX_REGISTERS || slots > VM_MAX_REGISTERS)
        return vm_fail(c, RX_OUT_OF_MEMORY, "%s: calls are nested too deep (%u)", exec_string(c->exe, f->name),
                       c->frames);
    void *reg = c->reg, *slot = c->slot, *frame = c->frame;
    bool fits = grow(c, &reg, &c->reg_room, c->regs, regs, sizeof *c->reg);
    c->reg = reg;
    fits = fits && grow(c, &slot, &c->slot_room, c->slots, slots, sizeof *c->slot);
    c->slot = slot;
    fits = fits && grow(c, &frame, &c->frame_room, c->frames, c->frames + 1, sizeof *c->frame);
    c->frame = frame;
    if (!fits) return vm_no_memory(c);
    c->frame[c->frames++] =
        (vm_frame){.function = function, .registers = c->regs, .slots = c->slots, .result = NO_REGISTER};
    if (f->registers) memset(c->reg + c->regs, 0, f->registers * sizeof *c->reg);
    if (f->slots) memset(c->slot + c->slots, 0, f->slots * sizeof *c->slot);
    c->regs = (uint32_t)regs;
    c->slots = (uint32_t)slots;
    return RX_OK;
}

// The registers are what keeps temporary values alive: with them goes what the function didn't return.
void frame_pop(rx_context *c) {
    enum { AHEAD = 8 }; // registers, while one is released
    const vm_frame *f = frame_top(c);
    for (vm_value *r = c->reg + f->registers, *end = c->reg + c->regs; r < end; r++) {
        if (end - r > AHEAD) value_ask(r + AHEAD);
        value_release(c->heap, r);
    }
    c->regs = f->registers;
    c->slots = f->slots;
    c->frames--;
}
