// context.h - the state of a context, shared by the files of the VM.
#ifndef VM_CONTEXT_H
#define VM_CONTEXT_H
#include "base/postfix.h"
#include "builtin/builtin.h"
#include "device/device.h"
#include "vm/builtins.h"
#include "vm/heap.h"
#include "vm/object.h"

// Limits of one call: what a program may use of the machine's stack-like memory.
enum { VM_MAX_FRAMES = 10000, VM_MAX_REGISTERS = 1 << 22, VM_CAPTURES = 8 };

// What happens with the value a frame returns.
typedef enum frame_kind {
    FRAME_CALL,    // into the caller's register
    FRAME_CACHED,  // also kept under a number
    FRAME_CAPTURE, // its launches were recorded: they run now, then as CALL
} frame_kind;

typedef struct vm_frame {
    uint32_t function, pc;     // pc: of the next instruction, as a word of the function
    uint32_t registers, slots; // where its own begin
    uint32_t result;           // register of the caller, or NO_REGISTER
    frame_kind kind;
    uint32_t number;            // CACHED, CAPTURE
    struct vm_capture *capture; // CAPTURE: being filled
} vm_frame;

// One recorded list of launches and what it is good for: the programs' values, then data and dims of each argument.
typedef struct vm_capture {
    device_list *list; // NULL: free
    int64_t *key;
    uint32_t key_len;
    vm_value result;
    uint64_t used; // when it ran last
} vm_capture;

typedef struct vm_import { // an external function or a builtin, found when the context was made
    rx_external *call;
    void *user;
    const builtin *tensors;   // works on tensors
    const vm_builtin *values; // works on values
} vm_import;

// What is computed from weights alone, once for the weights that are set (weights_once.c).
typedef struct vm_once {
    uint32_t transform, variant; // functions: of the weights; what takes its results behind the inputs
    vm_value kept;               // the tuple of results; null: not made yet
} vm_once;

// Per public function: its arguments between calls.
enum { INPUT_ACCEPTED = 1, INPUT_PASSING };
typedef struct vm_inputs {
    vm_value *value;   // by parameter; weights are not here
    uint8_t *accepted; // by parameter: 0: to be checked; ACCEPTED: checked already, and its annotation depends on
                       // nothing else; PASSING: given for one call, the check says nothing about the next
    vm_once *once;     // NULL: nothing of the kind
} vm_inputs;

struct rx_context {
    const executable *exe;
    device *dev;
    const device_functions *f; // of dev
    device_code *code;         // NULL without kernels
    const exec_variant *variant;
    uint32_t *body; // by function: what runs in its place with this variant; NULL: each function itself
    vm_heap *heap;
    unsigned threads;

    // The stack. Registers beyond `regs` and slots beyond `slots_used` are free; they move when the stack grows.
    vm_value *reg;
    int64_t *slot;
    vm_frame *frame;
    uint32_t regs, reg_room, slots, slot_room, frames, frame_room;

    // One launch is put together here: room for the largest kernel.
    void **buffer;
    int64_t *scalar;
    uint8_t *workers;
    size_t workers_room;
    device_list *recording; // NULL: launches run

    vm_value *constant; // by constant
    vm_value *weight;   // by weight
    vm_import *import;
    vm_value *cached; // by number
    vm_capture (*capture)[VM_CAPTURES];
    vm_inputs *inputs;
    uint32_t *public_function; // by public number: index of the function
    uint32_t publics;
    uint32_t widest_buffers, widest_scalars;

    rx_observer *observer; // NULL: none
    void *observer_user;
    uint64_t *mark; // during an observed launch: where the end of its first phase goes

    rx_allocator allocator;                      // of the context itself
    uint64_t steps, step_limit, calls, launches; // step_limit: UINT64_MAX if there is none
    _Atomic uintptr_t runner; // the thread whose call is on its way; 0: none. A second call is refused
    atomic_bool cancelled;
    char message[RX_MESSAGE];
};

// Both functions or none; `message` may be NULL.
bool vm_check_allocator(const rx_allocator *a, char *message);
// RX_INVALID_ARGUMENT: those, or `e` is NULL.
RX_MUST_USE rx_status vm_read_options(const rx_executable *e, const rx_context_options *from, rx_context_options *out,
                                      char *message);

// A context belongs to one thread at a time. Debug builds end the process where a caller gets that wrong: at a call, a
// change or the release of a context while another thread runs it, and at a release from inside of its own call.
#ifndef RELAX_DEBUG
static inline void vm_check_alone(const rx_context *c, const char *done) { (void)c, (void)done; }
#else
RX_NORETURN void vm_misused(const char *done);
static inline void vm_check_alone(const rx_context *c, const char *done) {
    if (atomic_load(&c->runner)) vm_misused(done);
}
#endif

// A status that code of the caller's returned: what is none of the enum counts as RX_INTERNAL.
static inline rx_status vm_status_of_caller(rx_status s) { return (unsigned)s <= RX_INTERNAL ? s : RX_INTERNAL; }

// Writes the message and returns the status.
rx_status vm_fail(rx_context *c, rx_status status, const char *format, ...) RX_PRINTF(3, 4);
rx_status vm_no_memory(rx_context *c);

// The value of a program over the slots s. (vm_eval_more: one of several instructions.)
rx_status vm_eval_more(rx_context *c, const exec_program *p, const int64_t *s, int64_t *out);
static inline rx_status vm_eval(rx_context *c, uint32_t program, const int64_t *s, int64_t *out) {
    const exec_program *p = &c->exe->program[program];
    if (p->kind > PROGRAM_SLOT) return vm_eval_more(c, p, s, out);
    *out = p->kind == PROGRAM_CONST ? p->value : s[p->slot];
    return RX_OK;
}

// A call from outside in three steps: a frame; its parameters, to be filled (they are null); then the run, or giving
// up. `accepted` as in vm_inputs, may be NULL.
RX_MUST_USE rx_status vm_enter(rx_context *c, uint32_t function);
vm_value *vm_parameters(rx_context *c);
RX_MUST_USE rx_status vm_finish(rx_context *c, uint8_t *accepted, vm_value *result);
// The check alone, and then the run.
RX_MUST_USE rx_status vm_match_top(rx_context *c);
RX_MUST_USE rx_status vm_finish_matched(rx_context *c, vm_value *result);
void vm_abandon(rx_context *c);

// Scalars in an argument, also inside of tuples, and tuples of integers become what the annotation wants where they
// have a value there (admit.c); the rest is left to the check.
RX_MUST_USE rx_status vm_admit(rx_context *c, uint32_t annotation, vm_value *v);

// Checks v against an annotation and binds slots. `name` is the value's in messages; `function` whose slots these are.
RX_MUST_USE rx_status vm_match(rx_context *c, uint32_t function, int64_t *slot, uint32_t annotation, const vm_value *v,
                               const char *name);
// What happens whenever a function is entered: all its parameters, then the bounds of its symbols.
RX_MUST_USE rx_status vm_match_params(rx_context *c, uint32_t function, int64_t *slot, const vm_value *arg,
                                      uint8_t *accepted);

// The elements of a tensor under other dims, sharing its memory. RX_SHAPE_MISMATCH if their number differs.
RX_MUST_USE rx_status vm_reshape(rx_context *c, vm_tensor *from, uint32_t rank, const int64_t *dim, vm_value *out);
// The message for a kernel that returned an assertion's number.
rx_status vm_fail_kernel(rx_context *c, uint32_t kernel, int32_t failed, const tensor *first);
// A tensor in new storage of the heap, contents undefined.
RX_MUST_USE rx_status vm_new_tensor(rx_context *c, dtype t, uint32_t rank, const int64_t *dim, vm_value *out);
#endif
