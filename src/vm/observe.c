// observe.c - work that is timed and shown to whoever observes the context.
#include "base/clock.h"
#include "vm/instructions.h"

// What an observer gets a pointer to: the public part first.
typedef struct vm_event {
    rx_event shown;
    const vm_value *r;
    const uint32_t *reg; // of the arguments
} vm_event;

// The work of a launch over its scalars, which the launch left in c->scalar.
static void add_work(const rx_context *c, const uint32_t *code, rx_event *e) {
    int64_t *const out[EXEC_WORK] = {[EXEC_FLOPS] = &e->flops,
                                     [EXEC_DOUBLES] = &e->double_flops,
                                     [EXEC_DOTS] = &e->dot_ops,
                                     [EXEC_TOUCHED] = &e->bytes};
    for (int w = 0; w < EXEC_WORK; w++) {
        uint32_t known = (code[0] & 0xff) == OP_LAUNCH ? c->exe->kernel[code[1]].work[w] : 0;
        const exec_program *p = known ? &c->exe->program[known - 1] : NULL;
        if (!p || !exec_program_value(p, c->scalar, c->exe->kernel[code[1]].scalars, out[w])) *out[w] = RX_WORK_UNKNOWN;
    }
}

// How kernels, builtins and external functions name what they work on (opcodes.def).
static void describe(const rx_context *c, const uint32_t *code, vm_event *e) {
    if ((code[0] & 0xff) == OP_LAUNCH) {
        const exec_kernel *k = &c->exe->kernel[code[1]];
        e->shown.work = RX_WORK_KERNEL;
        e->shown.name = exec_string(c->exe, k->name);
        e->shown.outputs = k->outputs;
        e->shown.values = code[2];
        if (k->phase) e->shown.phase = exec_string(c->exe, k->phase - 1);
        e->reg = code + 3;
        return;
    }
    const vm_import *import = &c->import[code[2]];
    e->shown.work = (code[0] & 0xff) == OP_BUILTIN ? RX_WORK_BUILTIN : RX_WORK_EXTERNAL;
    e->shown.name = exec_string(c->exe, c->exe->import[code[2]].name);
    if (import->tensors && !import->tensors->allocates) e->shown.outputs = import->tensors->outs;
    e->shown.values = code[3];
    e->reg = code + 4;
}

// The event is the first member of what `observed` made, so the pointer leads to the rest.
rx_value *rx_event_tensor(const rx_event *e, uint32_t i) {
    const vm_event *inside = (const vm_event *)(const void *)e;
    if (!e || i >= e->values) return NULL;
    const vm_value *v = &inside->r[inside->reg[i]];
    return v->kind == VM_TENSOR ? v->obj : NULL;
}

// A failed piece of work is not shown; what the observer returns stops the call.
rx_status observed(rx_context *c, instruction *run, const uint32_t *code, vm_value *r, int64_t *s) {
    vm_event e = {.shown = {.struct_size = sizeof e.shown, .function = here(c)}, .r = r};
    char message[RX_MESSAGE] = "";
    const vm_frame *top = &c->frame[c->frames - 1];
    e.shown.word = (uint32_t)(code - c->exe->code) - c->exe->function[top->function].code;
    describe(c, code, &e);
    c->mark = &e.shown.phase_end;
    e.shown.begin = clock_nanoseconds();
    rx_status ran = run(c, code, r, s);
    e.shown.end = clock_nanoseconds();
    c->mark = NULL;
    RX_TRY(ran);
    if (!e.shown.phase_end) e.shown.phase = NULL; // nothing ran
    add_work(c, code, &e.shown);
    rx_status said = c->observer(c->observer_user, &e.shown, message), status = vm_status_of_caller(said);
    if (status == RX_OK) return RX_OK;
    message[RX_MESSAGE - 1] = 0;
    if (*message) return vm_fail(c, status, "%s", message);
    return status == said ? vm_fail(c, status, "the observer returned %s", rx_status_name(status))
                          : vm_fail(c, status, "the observer returned %d, which is no status", (int)said);
}
