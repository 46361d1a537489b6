// emit.h - a lowered module into the tables of an executable; for the files of driver/ alone.
//
// Graph functions are expected as LowerRuntimeBuiltin leaves them: no dataflow blocks, explicit destinations. Symbolic
// sizes need no lowering before: every symbol gets a slot, every size becomes an integer program over slots.
#ifndef DRIVER_EMIT_H
#define DRIVER_EMIT_H
#include "driver/driver.h"
#include "ops/ops.h"
#include "pass/support.h"

// What to do about texts from behind TVM's VMShapeLower, a C string literal.
#define NO_SHAPE_HEAP "sizes need no heap of their own; compile the module as it was before VMShapeLower"

// Measures the stages of a compilation, one after the other.
typedef struct stage_clock {
    const driver_options *o; // who wants to know; NULL: nobody
    arena *mem;
    double since; // when the present stage began
} stage_clock;
void stage_end(stage_clock *c, const char *name); // and the next begins

// One loop program that becomes machine code.
typedef struct kernel_entry {
    const loop_func *func;
    kernel_info info;
    uint32_t index;      // in the executable's table
    const char *spelled; // its text, without its name
} kernel_entry;

// What several emissions into one file have once.
typedef struct emitted_once {
    text_map texts; // string constants -> index + 1
    map constants;  // MAP_KEY(tensor) -> index + 1
    text_map rows;  // programs' names and texts -> index of the kernel + 1
} emitted_once;

// A parameter's value that the file brings along.
typedef struct bound_weight {
    const char *name;
    uint32_t index; // in the weight table
    bool waits;     // a transformation gives it while the file is written
} bound_weight;

// A module on its way into a file. A file for several machines has one emission for each module that schedules made of
// it.
typedef struct emission {
    module *m;
    exec_writer *w;
    diag *d;
    arena *mem;
    text_map functions;         // graph functions -> index + 1
    map kernels;                // MAP_KEY(loop_func) -> kernel_entry *, in the order of the table
    VEC(kernel_entry *) kernel; // the same as a list
    text_map weights;           // "function.parameter" -> bound_weight *
    text_map *only;             // names of the graph functions that are emitted; NULL: all
    emitted_once *once;
    const struct emission *first; // NULL: this is it. Others hold functions that stand in for the first one's
    map donated;                  // MAP_KEY(parameter) -> non-NULL: its memory is written
    text bindings;                // metadata "bindings": which binding a piece of work belongs to
    loc seen;                     // the line that was looked at last, which starts at
    const char *seen_line;        // this byte of its source
} emission;

// One function on its way to bytecode.
typedef struct function_emission {
    emission *e;
    const graph_func *f;
    uint32_t index;
    facts *facts;
    const node *node;           // being emitted
    uint32_t start;             // label of the first instruction
    uint32_t *param_annotation; // one per parameter
    uint32_t *reg;              // by node id: register + 1
    uint32_t *uses;             // by node id: how often it is read
    uint32_t *made_at;          // by node id: how many `if`s were open
    uint32_t depth;
    uint32_t dispatch_depth; // of programs that call programs
    map slots;               // MAP_KEY(var) -> slot + 1
    uint32_t slot_count;
    map bound;           // MAP_KEY(var) -> non-NULL: its slot has a value already
    VEC(uint32_t) free;  // registers that can be used again
    VEC(uint32_t) dying; // registers to be emptied before the next instruction
    VEC(uint32_t) temps; // registers of the node that is being emitted
    uint32_t registers;
    VEC(struct emitted_symbol) symbols;
    map late_nodes;               // MAP_KEY(allocation) -> non-NULL: made where a program is chosen that uses it
    VEC(struct late_tensor) late; // of them those of the next call
} function_emission;
// An allocation that waits for a use.
typedef struct late_tensor {
    uint32_t reg;
    const node *n;
    bool made; // on the way to the next instruction
} late_tensor;
typedef struct emitted_symbol {
    const expr *var;
    bool is_size; // bound by a dim: never negative
} emitted_symbol;

emission emission_open(module *m, diag *d); // w is NULL if there was no memory
// Another module into the file of `first`, which is emitted already.
emission emission_beside(const emission *first, module *m);

// --- The module (emit.c). Everything but kernels' code and weights' bytes. False after reporting.
bool emit_module(emission *e);

// --- Parameters whose memory is written (donations.c).
void find_donations(emission *e);

// --- Registers and instructions (registers.c).
uint32_t register_new(function_emission *f);
uint32_t register_of(function_emission *f, const node *n); // a new one for what the node gives
uint32_t register_temp(function_emission *f);              // given back when the node is done
void register_kill(function_emission *f, uint32_t r);      // emptied before the next instruction, then free
void registers_done(function_emission *f);                 // the node is done: its temporaries are free
void instruction(function_emission *f, opcode code);       // then its operands
void operand(function_emission *f, uint32_t word);
void operands(function_emission *f, const uint32_t *word, uint32_t count); // with their count
uint32_t text_constant(function_emission *f, const char *bytes, size_t size);

// --- Integer programs (programs.c).
uint32_t slot_of(function_emission *f, const expr *var); // makes one
// False after reporting: not computable from the symbols that have values.
bool program_of(function_emission *f, const expr *e, loc at, uint32_t *out);
bool programs_of(function_emission *f, const expr *const *e, uint32_t count, loc at, uint32_t *out);
// The value of a scalar operand as an expression; scalars that are only known at run time get a slot.
const expr *scalar_of(function_emission *f, const node *n);

// --- Annotations (annotations.c).
// Its entry; the first mention of a symbol binds its slot (if `binds`), others are checked. *open: a dim was left out
// because a symbol in it has no value yet.
bool annotation_of(function_emission *f, const ann *a, bool binds, loc at, uint32_t *out, bool *open);
// `match` of a register, in messages called `name`.
bool emit_match(function_emission *f, uint32_t reg, const ann *a, const char *name, loc at);
// The dims of a tensor operand; those that are not known are read at run time.
const ann *dims_of(function_emission *f, const node *n, uint32_t reg);

// --- Values (values.c).
bool is_empty_tuple(const ann *a); // its value says nothing, so that calls need not give it
bool value_of(function_emission *f, const node *n, uint32_t *out); // its register
bool values_of(function_emission *f, const node *const *n, uint32_t count, uint32_t *out);
bool leaf_into(function_emission *f, const node *n, uint32_t reg); // a node that holds a value itself

// --- Nodes (nodes.c).
bool emit_node(function_emission *f, const node *n);
// R.memory.alloc_tensor or R.vm.alloc_tensor into this register.
bool emit_placed_tensor(function_emission *f, const node *n, uint32_t reg);

// --- Tensors that a choice of programs may not need (late_tensors.c).
void find_late_tensors(function_emission *f);           // before the first node
bool tensor_waits(function_emission *f, const node *n); // it has its register then, and no instruction
bool make_late_tensors(function_emission *f, const uint32_t *reg, uint32_t count); // those that a launch takes
// Around a branch: which were made before it, and only those again.
bool *late_tensors_made(const function_emission *f);
void late_tensors_reset(function_emission *f, const bool *made);
void late_tensors_done(function_emission *f); // behind the call

// --- Bodies and choices (control.c).
// `tail`: the body's result is the function's. *result is NO_REGISTER where the body ends by starting the function
// anew.
bool emit_body(function_emission *f, const graph_body *body, bool tail, uint32_t *result);
bool emit_if(function_emission *f, const node *n, bool tail);

// --- Calls of programs (launch.c).
bool emit_program_call(function_emission *f, const node *at, const module_func *callee, const node *const *arg,
                       uint32_t args);

// A call of the graph function with that index.
bool emit_function_call(function_emission *f, const node *n, uint32_t index, const node *const *arg, uint32_t args);

// --- Calls that get the machine itself (captures.c).
bool emit_with_machine(function_emission *f, const node *n);

// --- Machine code (kernels.c).
// Made at the first call, which is at a place of the text; NULL after reporting.
kernel_entry *kernel_of(emission *e, const loop_func *f, loc called);
// Compiles all kernels of each target's emission (all into one file) and adds the variants. False after reporting.
// Where a target has no linker yet (NULL) one is started when it is needed; all are the caller's.
bool kernels_compile(emission *const *e, const driver_options *o, const arch *const *target, uint32_t targets,
                     target_linker **linker, stage_clock *clock);
// What the module of each target puts in the place of the first one's functions. After the variants.
void emit_replacements(emission *const *e, uint32_t targets);
// Metadata "bindings", or "bindings@MACHINE" of functions that stand in for the first module's.
void emit_bindings(emission *e, const char *machine);
// Kernels of one target in another form, one after the other.
bool kernels_print(emission *e, const driver_options *o, const arch *target, target_output what, compiled *out);
#endif
