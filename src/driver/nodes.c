// nodes.c - bound nodes to instructions, and the bodies they stand in.
#include "driver/emit.h"
#include "graph/deduce.h"
#include "ops/infer.h"
#include "pass/memory.h"
#include <string.h>

// --- Results. A `_` that nobody reads needs no register, nor do empty tuples: they are made where they are read.

static bool is_wanted(const function_emission *f, const node *n) {
    return (strcmp(n->name, "_") != 0 || f->uses[n->id]) && !is_empty_tuple(n->type);
}

static uint32_t wanted_result(function_emission *f, const node *n) {
    return is_wanted(f, n) ? register_of(f, n) : NO_REGISTER;
}

static bool copy_result(function_emission *f, const node *n, const node *from) {
    uint32_t r;
    if (!value_of(f, from, &r)) return false;
    uint32_t d = register_of(f, n);
    instruction(f, OP_COPY);
    operand(f, d);
    operand(f, r);
    return true;
}

// --- Calls.

// An instruction with a result, a callee's number and registers.
static bool emit_apply_to(function_emission *f, const node *n, opcode code, uint32_t callee, const node *const *arg,
                          uint32_t args, uint32_t *d) {
    uint32_t *reg = ARENA_NEW(f->e->mem, uint32_t, args);
    if (!values_of(f, arg, args, reg)) return false;
    *d = wanted_result(f, n);
    instruction(f, code);
    operand(f, *d);
    operand(f, callee);
    operands(f, reg, args);
    return true;
}

static bool emit_apply(function_emission *f, const node *n, opcode code, uint32_t callee, const node *const *arg,
                       uint32_t args) {
    uint32_t d;
    return emit_apply_to(f, n, code, callee, arg, args, &d);
}

// What a function from outside gives is what the text says of it, or the call fails: kernels rely on it.
static bool emit_extern(function_emission *f, const node *n, const char *name, const node *const *arg, uint32_t args) {
    uint32_t d;
    if (!emit_apply_to(f, n, OP_EXTERN, exec_writer_import(f->e->w, IMPORT_EXTERNAL, name, 0), arg, args, &d))
        return false;
    return n->type->kind == ANN_OBJECT || d == NO_REGISTER ||
           emit_match(f, d, n->type, arena_format(f->e->mem, "the result of %s", name), n->at);
}

// An empty tuple stands for a destination that is not wanted: null.
static bool builtin_argument(function_emission *f, const node *n, uint32_t *out) {
    if (n->op->form != FORM_TUPLE || n->count) return value_of(f, n, out);
    uint32_t null = exec_writer_constant(f->e->w, &(exec_constant){.kind = CONSTANT_NULL});
    *out = register_temp(f);
    instruction(f, OP_CONST);
    operand(f, *out);
    operand(f, null);
    return true;
}

static bool emit_builtin(function_emission *f, const node *n, const char *name, const node *const *arg, uint32_t args) {
    uint32_t *reg = ARENA_NEW(f->e->mem, uint32_t, args);
    for (uint32_t i = 0; i < args; i++)
        if (!builtin_argument(f, arg[i], &reg[i])) return false;
    uint32_t d = wanted_result(f, n);
    instruction(f, OP_BUILTIN);
    operand(f, d);
    operand(f, exec_writer_import(f->e->w, IMPORT_BUILTIN, name, 1));
    operands(f, reg, args);
    return true;
}

bool emit_function_call(function_emission *f, const node *n, uint32_t index, const node *const *arg, uint32_t args) {
    return emit_apply(f, n, OP_CALL, index, arg, args);
}

static bool emit_global_call(function_emission *f, const node *n, const char *name, const node *const *arg,
                             uint32_t args) {
    const module_func *callee = module_find(f->e->m, name);
    switch (callee->kind) {
    case FUNC_LOOP: return emit_program_call(f, n, callee, arg, args);
    case FUNC_EXTERN: return emit_extern(f, n, callee->symbol, arg, args);
    case FUNC_GRAPH: break;
    }
    uint32_t index = (uint32_t)((uintptr_t)text_map_find(&f->e->functions, name) - 1);
    return emit_function_call(f, n, index, arg, args);
}

static bool emit_invoke(function_emission *f, const node *n, const node *closure, const node *const *arg,
                        uint32_t args) {
    uint32_t reg;
    return value_of(f, closure, &reg) && emit_apply(f, n, OP_INVOKE, reg, arg, args);
}

static bool emit_call(function_emission *f, const node *n) {
    const node *callee = deduce_callee(n->in[0]);
    if (callee->op->form == FORM_GLOBAL) return emit_global_call(f, n, callee->as.text.bytes, n->in + 1, n->count - 1);
    if (callee->op->form == FORM_EXTERN) return emit_extern(f, n, callee->as.text.bytes, n->in + 1, n->count - 1);
    return emit_invoke(f, n, n->in[0], n->in + 1, n->count - 1);
}

// --- Memory.

static bool emit_storage_of(function_emission *f, uint32_t d, const expr *bytes, loc at) {
    uint32_t program;
    if (!program_of(f, bytes, at, &program)) return false;
    instruction(f, OP_ALLOC_STORAGE);
    operand(f, d);
    operand(f, program);
    return true;
}

// A file is for one device (0; -1 is the host, which is the same), whose memory is all of one kind.
static bool check_place(function_emission *f, const node *n) {
    for (uint32_t i = 1; i < n->count; i++) {
        const node *in = n->in[i];
        int64_t device = 0;
        if (in->op->form == FORM_STRING && strcmp(in->as.text.bytes, "global") != 0)
            return diag_error(f->e->d, n->at, "%s: %s: memory scope \"%s\": the processor has \"global\" alone",
                              f->f->name, n->op->name, in->as.text.bytes);
        bool given = in->op->form == FORM_PRIM && expr_const_int(in->as.value, &device);
        if (given && device != 0 && device != -1)
            return diag_error(f->e->d, n->at, "%s: %s: device %lld: a file is for one device, 0", f->f->name,
                              n->op->name, (long long)device);
    }
    return true;
}

// R.memory.alloc_storage(size, …), R.vm.alloc_storage(shape, …)
static bool emit_alloc_storage(function_emission *f, const node *n) {
    const ann *size = n->in[0]->type;
    if (!size->dim || size->rank != 1)
        return diag_error(f->e->d, n->at, "%s: %s: want the size as R.shape([bytes])", f->f->name, n->op->name);
    return check_place(f, n) && emit_storage_of(f, register_of(f, n), size->dim[0], n->at);
}

static bool emit_tensor_in(function_emission *f, const node *n, uint32_t d, uint32_t storage, const expr *offset,
                           const ann *shape, dtype type) {
    uint32_t start;
    if (!shape->dim) return diag_error(f->e->d, n->at, "%s: %s: the dims must be known", f->f->name, n->op->name);
    if (!program_of(f, offset, n->at, &start)) return false;
    uint32_t *dim = ARENA_NEW(f->e->mem, uint32_t, (size_t)shape->rank);
    if (!programs_of(f, shape->dim, (uint32_t)shape->rank, n->at, dim)) return false;
    instruction(f, OP_ALLOC_TENSOR);
    operand(f, d);
    operand(f, storage);
    operand(f, start);
    operand(f, op_dtype(type));
    operands(f, dim, (uint32_t)shape->rank);
    return true;
}

// R.memory.alloc_tensor(storage, offset, shape, dtype, …) and R.vm.alloc_tensor
bool emit_placed_tensor(function_emission *f, const node *n, uint32_t reg) {
    uint32_t storage;
    const expr *offset = scalar_of(f, n->in[1]);
    if (!offset || !value_of(f, n->in[0], &storage)) return false;
    return emit_tensor_in(f, n, reg, storage, offset, n->in[2]->type, n->in[3]->as.type);
}

static bool emit_alloc_tensor(function_emission *f, const node *n) {
    return tensor_waits(f, n) || emit_placed_tensor(f, n, register_of(f, n));
}

// R.builtin.alloc_tensor(shape, dtype, …): a storage of its own, or the machine's allocation where dims are values.
static bool emit_own_tensor(function_emission *f, const node *n) {
    const ann *shape = n->in[0]->type;
    dtype type = n->in[1]->as.type;
    expr_session *s = f->e->m->exprs;
    if (!check_place(f, n)) return false;
    if (!shape->dim) {
        const node *in[] = {n->in[0], n->in[1]};
        return emit_builtin(f, n, "vm.new_tensor", in, COUNT(in));
    }
    const expr *bits = expr_i64(s, dtype_bits(type) * dtype_lanes(type));
    for (int32_t i = 0; i < shape->rank; i++) bits = expr_binary(s, EXPR_MUL, bits, shape->dim[i]);
    const expr *up = expr_binary(s, EXPR_ADD, bits, expr_i64(s, 7));
    uint32_t storage = register_temp(f);
    if (!emit_storage_of(f, storage, expr_binary(s, EXPR_FLOOR_DIV, up, expr_i64(s, 8)), n->at)) return false;
    return emit_tensor_in(f, n, register_of(f, n), storage, expr_i64(s, 0), shape, type);
}

// In a branch of an `if`, what was made before it is only emptied: the other branch may still use its register.
static bool emit_kill(function_emission *f, const node *n) {
    const node *value = n->in[0];
    uint32_t r;
    if (!value->name || (is_empty_tuple(value->type) && value->owner == f->f && !f->reg[value->id])) return true;
    if (!value_of(f, value, &r)) return false;
    if (f->made_at[value->id] == f->depth) {
        register_kill(f, r);
        f->reg[value->id] = 0;
    } else {
        instruction(f, OP_KILL);
        operands(f, &r, 1);
    }
    return true;
}

// --- Views.

static bool emit_view(function_emission *f, const node *n) {
    uint32_t r;
    bool same = n->op->view && n->count == 1 && n->op != &op_memory_view;
    if (!n->type->dim && n->type->rank != 0) {
        if (same) return copy_result(f, n, n->in[0]);
        if (n->count == 2 && n->in[1]->type->kind == ANN_SHAPE)
            return emit_builtin(f, n, "vm.reshape", n->in, n->count);
        return diag_error(f->e->d, n->at, "%s: %s: the dims of the result must be known", f->f->name, n->op->name);
    }
    uint32_t rank = (uint32_t)n->type->rank, *dim = ARENA_NEW(f->e->mem, uint32_t, rank);
    if (!value_of(f, n->in[0], &r) || !programs_of(f, n->type->dim, rank, n->at, dim)) return false;
    uint32_t d = register_of(f, n);
    instruction(f, OP_RESHAPE);
    operand(f, d);
    operand(f, r);
    operands(f, dim, rank);
    return true;
}

// R.memory.view(data, shape, dtype, offset): other dims, another dtype, from some byte on.
static bool emit_memory_view(function_emission *f, const node *n) {
    uint32_t r, start, rank = (uint32_t)n->type->rank, *dim = ARENA_NEW(f->e->mem, uint32_t, rank);
    bool moved = n->count > 3 && n->in[3]->type->kind == ANN_PRIM;
    const expr *offset = moved ? scalar_of(f, n->in[3]) : expr_i64(f->e->m->exprs, 0);
    if (!n->type->dim && rank)
        return diag_error(f->e->d, n->at, "%s: %s: the dims of the result must be known", f->f->name, n->op->name);
    if (!offset || !value_of(f, n->in[0], &r) || !program_of(f, offset, n->at, &start)) return false;
    if (!programs_of(f, n->type->dim, rank, n->at, dim)) return false;
    uint32_t d = register_of(f, n);
    instruction(f, OP_VIEW);
    operand(f, d);
    operand(f, r);
    operand(f, start);
    operand(f, op_dtype(n->type->type));
    operands(f, dim, rank);
    return true;
}

// The length of the operator's name in "matmul_dim", "matmul_dim1" (LegalizeOps); other names are meant as they are.
static int asking_op(const char *name) {
    const char *end = strstr(name, "_dim");
    bool asked = end && strspn(end + 4, "0123456789") == strlen(end + 4);
    return (int)(asked ? (size_t)(end - name) : strlen(name));
}

// What messages call the value that is cast: its name, or the cast's where it stands inside of that. A size of its own,
// such as what a call leaves to the run (op_undecided), is said as it is written, with its line: "matmul: m * 2 (line
// 9)", of the cast called matmul_dim.
static const char *cast_name(const function_emission *f, const node *n) {
    const node *from = n->in[0];
    if (node_cast_name(n)) return node_cast_name(n);
    if (from->op->form != FORM_SHAPE || !n->name || !n->at.src || !n->at.line) return n->name;
    if (from->as.shape.rank != 1) return arena_format(f->e->mem, "%s (line %u)", n->name, n->at.line);
    return arena_format(f->e->mem, "%.*s: %s (line %u)", asking_op(n->name), n->name,
                        op_dim_text(f->e->mem, from->as.shape.dim[0]), n->at.line);
}

static bool emit_cast(function_emission *f, const node *n) {
    uint32_t r;
    if (!value_of(f, n->in[0], &r)) return false;
    const char *name = cast_name(f, n);
    return emit_match(f, r, n->type_arg[0], name, n->at) && copy_result(f, n, n->in[0]);
}

// --- Functions of the runtime called by TVM's names.

// R.call_packed("vm.builtin.reshape", x, shape)
static bool emit_packed_reshape(function_emission *f, const node *n) {
    uint32_t r;
    const ann *shape = n->count == 3 ? n->in[2]->type : NULL;
    if (!shape || shape->kind != ANN_SHAPE || !shape->dim)
        return emit_builtin(f, n, "vm.reshape", n->in + 1, n->count - 1);
    uint32_t *dim = ARENA_NEW(f->e->mem, uint32_t, (size_t)shape->rank);
    if (!value_of(f, n->in[1], &r) || !programs_of(f, shape->dim, (uint32_t)shape->rank, n->at, dim)) return false;
    uint32_t d = register_of(f, n);
    instruction(f, OP_RESHAPE);
    operand(f, d);
    operand(f, r);
    operands(f, dim, (uint32_t)shape->rank);
    return true;
}

static bool emit_packed_copy(function_emission *f, const node *n) { return copy_result(f, n, n->in[1]); }

static bool emit_packed_shape_of(function_emission *f, const node *n) {
    return emit_builtin(f, n, "vm.shape_of", n->in + 1, n->count - 1);
}

static bool emit_packed_to_shape(function_emission *f, const node *n) {
    return emit_builtin(f, n, "vm.tensor_to_shape", n->in + 1, n->count - 1);
}

// make_closure(f, captured…), invoke_closure(closure, arguments…): arguments as they are or as one tuple.
static bool spread_of(const node *n, uint32_t from, const node *const **arg, uint32_t *args) {
    *arg = n->in + from;
    *args = n->count - from;
    bool tuple = *args == 1 && n->in[from]->op->form == FORM_TUPLE;
    if (!tuple) return true;
    *args = n->in[from]->count;
    *arg = n->in[from]->in;
    return true;
}

static bool emit_invoke_value(function_emission *f, const node *n, uint32_t first) {
    const node *const *arg;
    uint32_t args;
    return spread_of(n, first + 1, &arg, &args) && emit_invoke(f, n, n->in[first], arg, args);
}

static bool emit_make_closure_of(function_emission *f, const node *n, uint32_t first) {
    const node *const *arg, *callee = deduce_callee(n->in[first]);
    uint32_t args;
    uintptr_t index = 0;
    if (callee->op->form == FORM_GLOBAL) index = (uintptr_t)text_map_find(&f->e->functions, callee->as.text.bytes);
    if (!index)
        return diag_error(f->e->d, n->at, "%s: %s: want a graph function of the module", f->f->name, n->op->name);
    return spread_of(n, first + 1, &arg, &args) && emit_apply(f, n, OP_CLOSURE, (uint32_t)(index - 1), arg, args);
}

static bool emit_make_closure(function_emission *f, const node *n) { return emit_make_closure_of(f, n, 0); }
static bool emit_invoke_closure(function_emission *f, const node *n) { return emit_invoke_value(f, n, 0); }
static bool emit_packed_make_closure(function_emission *f, const node *n) { return emit_make_closure_of(f, n, 1); }
static bool emit_packed_invoke(function_emission *f, const node *n) { return emit_invoke_value(f, n, 1); }

// The last argument is R.shape([n]): its dims are the program's scalars.
static bool emit_dyn(function_emission *f, const node *n, const node *func, const node *const *arg, uint32_t args) {
    const module_func *program = deduce_loop(f->e->m, func);
    if (!program)
        return diag_error(f->e->d, n->at, "%s: %s: want a loop program and its arguments", f->f->name, n->op->name);
    return emit_program_call(f, n, program, arg, args);
}

// R.vm.call_tir_dyn(cls.f, (x, …, R.shape([n])))
static bool emit_call_dyn(function_emission *f, const node *n) {
    const node *args = n->in[1];
    if (args->op->form != FORM_TUPLE)
        return diag_error(f->e->d, n->at, "%s: %s: want a tuple of arguments", f->f->name, n->op->name);
    return emit_dyn(f, n, n->in[0], args->in, args->count);
}

// R.call_packed("vm.builtin.call_tir_dyn", cls.f, x, …, R.shape([n]))
static bool emit_packed_dyn(function_emission *f, const node *n) {
    if (n->count < 2) return diag_error(f->e->d, n->at, "%s: %s: want a loop program", f->f->name, n->op->name);
    return emit_dyn(f, n, n->in[1], n->in + 2, n->count - 2);
}

typedef bool emit_function(function_emission *f, const node *n);

static const struct {
    const char *name;
    emit_function *emit;
} packed[] = {
    {"vm.builtin.reshape", emit_packed_reshape},           {"vm.builtin.copy", emit_packed_copy},
    {"vm.builtin.shape_of", emit_packed_shape_of},         {"vm.builtin.tensor_to_shape", emit_packed_to_shape},
    {"vm.builtin.make_closure", emit_packed_make_closure}, {"vm.builtin.invoke_closure", emit_packed_invoke},
    {"vm.builtin.call_tir_dyn", emit_packed_dyn},
};

static bool emit_call_packed(function_emission *f, const node *n) {
    const node *callee = deduce_callee(n->in[0]);
    if (callee->op->form == FORM_GLOBAL) return emit_global_call(f, n, callee->as.text.bytes, n->in + 1, n->count - 1);
    if (callee->op->form != FORM_EXTERN) return emit_invoke(f, n, n->in[0], n->in + 1, n->count - 1);
    const char *name = callee->as.text.bytes;
    for (size_t i = 0; i < COUNT(packed); i++)
        if (strcmp(packed[i].name, name) == 0) return packed[i].emit(f, n);
    if (text_starts(name, BUILTIN_PREFIX))
        return emit_builtin(f, n, name + strlen(BUILTIN_PREFIX), n->in + 1, n->count - 1);
    return emit_extern(f, n, name, n->in + 1, n->count - 1);
}

// --- R.inspect.*: known fields of a tensor are numbers, others are asked when it runs.

static bool emit_inspect(function_emission *f, const node *n) {
    const char *field = n->op->name + strlen("inspect.");
    uint32_t program;
    if (text_ends(field, "_offset")) return emit_builtin(f, n, "vm.tensor_offset", n->in, n->count);
    if (n->type->kind != ANN_PRIM || !n->type->value)
        return emit_builtin(f, n, arena_format(f->e->mem, "vm.%s", field), n->in, n->count);
    if (!program_of(f, n->type->value, n->at, &program)) return false;
    uint32_t d = register_of(f, n);
    instruction(f, OP_PRIM);
    operand(f, d);
    operand(f, op_dtype(n->type->value->type));
    operand(f, program);
    return true;
}

// --- Shapes from elements and back; messages.

static bool emit_to_shape(function_emission *f, const node *n) {
    return emit_builtin(f, n, "vm.tensor_to_shape", n->in, n->count);
}

static bool emit_shape_to_tensor(function_emission *f, const node *n) {
    return emit_builtin(f, n, "vm.shape_to_tensor", n->in, n->count);
}

// A builtin of the operands before `values`, the format, and the others as one tuple.
static bool emit_message(function_emission *f, const node *n, const char *name, uint32_t values) {
    uint32_t reg[3], *item = ARENA_NEW(f->e->mem, uint32_t, n->count);
    const attr *format = node_attr(n, "format");
    const char *message = format->kind == ATTR_STRING ? format->as.text : "";
    if (!values_of(f, n->in, n->count, item)) return false;
    memcpy(reg, item, values * sizeof *reg);
    reg[values] = register_temp(f);
    reg[values + 1] = register_temp(f);
    uint32_t constant = text_constant(f, message, strlen(message));
    instruction(f, OP_CONST);
    operand(f, reg[values]);
    operand(f, constant);
    instruction(f, OP_TUPLE);
    operand(f, reg[values + 1]);
    operands(f, item + values, n->count - values);
    instruction(f, OP_BUILTIN);
    operand(f, NO_REGISTER);
    operand(f, exec_writer_import(f->e->w, IMPORT_BUILTIN, name, 1));
    operands(f, reg, values + 2);
    return true;
}

static bool emit_print(function_emission *f, const node *n) { return emit_message(f, n, "vm.print", 0); }
static bool emit_assert(function_emission *f, const node *n) { return emit_message(f, n, "vm.assert", 1); }

// --- Operators.

static const struct {
    const op *op;
    emit_function *emit;
} operators[] = {
    {&op_builtin_alloc_tensor, emit_own_tensor},
    {&op_memory_alloc_storage, emit_alloc_storage},
    {&op_vm_alloc_storage, emit_alloc_storage},
    {&op_memory_alloc_tensor, emit_alloc_tensor},
    {&op_vm_alloc_tensor, emit_alloc_tensor},
    {&op_memory_kill_storage, emit_kill},
    {&op_memory_kill_tensor, emit_kill},
    {&op_vm_kill_object, emit_kill},
    {&op_memory_view, emit_memory_view},
    {&op_vm_call_tir_dyn, emit_call_dyn},
    {&op_call_packed, emit_call_packed},
    {&op_call_pure_packed, emit_call_packed},
    {&op_call_builtin_with_ctx, emit_with_machine},
    {&op_make_closure, emit_make_closure},
    {&op_invoke_closure, emit_invoke_closure},
    {&op_invoke_pure_closure, emit_invoke_closure},
    {&op_tensor_to_shape, emit_to_shape},
    {&op_shape_to_tensor, emit_shape_to_tensor},
    {&op_print, emit_print},
    {&op_assert_op, emit_assert},
    {&op_inspect_tensor_dtype_code, emit_inspect},
    {&op_inspect_tensor_dtype_bits, emit_inspect},
    {&op_inspect_tensor_dtype_lanes, emit_inspect},
    {&op_inspect_tensor_ndim, emit_inspect},
    {&op_inspect_tensor_shape_i, emit_inspect},
    {&op_inspect_tensor_stride_i, emit_inspect},
    {&op_inspect_tensor_byte_offset, emit_inspect},
    {&op_inspect_tensor_elem_offset, emit_inspect},
};

static bool is_known(const ann *a) { return a->kind != ANN_TENSOR || (has_dims(a) && a->type.kind != DTYPE_VOID); }

// An operator that is left: the pipeline has no pass that makes it a program, or the pass couldn't.
static bool no_form(function_emission *f, const node *n) {
    bool known = is_known(n->type);
    for (uint32_t i = 0; i < n->count && known; i++) known = is_known(n->in[i]->type);
    return diag_error(f->e->d, n->at, "%s: R.%s has no machine form: %s", f->f->name, n->op->name,
                      known ? "no pass of the pipeline turned it into calls of programs in memory that is planned, as "
                              "those of --pipeline default do"
                            : "its shapes or dtypes are not known well enough (state them with R.match_cast)");
}

static bool emit_operator(function_emission *f, const node *n) {
    for (size_t i = 0; i < COUNT(operators); i++)
        if (operators[i].op == n->op) return operators[i].emit(f, n);
    if (is_view(n)) return emit_view(f, n);
    if (n->op == &op_null_value)
        return diag_error(f->e->d, n->at, "%s: R.null_value can't be compiled: " NO_SHAPE_HEAP, f->f->name);
    if (n->op->refused) return diag_error(f->e->d, n->at, "%s: R.%s has no meaning here", f->f->name, n->op->name);
    return no_form(f, n);
}

// --- All forms.

static bool emit_form(function_emission *f, const node *n) {
    switch (n->op->form) {
    case FORM_OPERATOR: return emit_operator(f, n);
    case FORM_CALL: return emit_call(f, n);
    case FORM_IF: return emit_if(f, n, false);
    case FORM_MATCH_CAST: return emit_cast(f, n);
    case FORM_BIND: return copy_result(f, n, n->in[0]);
    case FORM_CLOSURE:
        return diag_error(f->e->d, n->at, "%s: %s is a local function; run LambdaLift before emission", f->f->name,
                          n->name);
    case FORM_CONSTANT:
    case FORM_SHAPE:
    case FORM_PRIM:
    case FORM_STRING:
    case FORM_DTYPE:
    case FORM_TUPLE:
    case FORM_ITEM:
    case FORM_GLOBAL:
    case FORM_EXTERN:
    case FORM_PARAM: break;
    }
    return leaf_into(f, n, register_of(f, n));
}

// What the text states beyond what the call says is checked when it runs.
static bool check_written(function_emission *f, const node *n) {
    if (!n->written || !n->op->infer || !f->reg[n->id]) return true;
    infer_ctx c = {.m = f->e->m, .mem = f->e->mem, .exprs = f->e->m->exprs, .facts = f->facts, .d = f->e->d};
    const ann *deduced = n->op->infer(&c, n);
    if (!deduced || ann_fits(c.exprs, deduced, n->written, f->facts) == ANN_YES) return true;
    return emit_match(f, f->reg[n->id] - 1, n->written, n->name, n->at);
}

bool emit_node(function_emission *f, const node *n) {
    f->node = n;
    if (!emit_form(f, n) || !check_written(f, n)) return false;
    registers_done(f);
    return true;
}
