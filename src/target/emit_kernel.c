// emit_kernel.c - the frame of a kernel: arguments to buffers and scalars, the grid, the call that hides aliasing.
#include "target/emit_kernel.h"
#include "loop/walk.h"
#include "target/emit_debug.h"
#include "target/launch.h"
#include <stdio.h>
#include <string.h>

LLVMValueRef emit_refuse(emitter *e, loc at, LLVMTypeRef t, const char *format, ...) {
    if (!e->failed) {
        va_list args;
        va_start(args, format);
        const char *what = arena_vformat(e->mem, format, args);
        va_end(args);
        diag_error(e->d, at.src ? at : e->func->at, "%s: %s", e->func->name, what);
    }
    e->failed = true;
    return LLVMConstNull(t);
}

// Index 0 is the result, then the parameters; LLVMAttributeFunctionIndex is the function.
static void add_attribute(emitter *e, LLVMValueRef fn, unsigned index, const char *name, uint64_t value) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    CHECK(kind);
    LLVMAddAttributeAtIndex(fn, index, LLVMCreateEnumAttribute(e->c, kind, value));
}

// Neither sizes nor places in a grid are below 0.
static void add_range(emitter *e, LLVMValueRef fn, unsigned index) {
    const uint64_t low = 0, end = (uint64_t)1 << 63;
    unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
    LLVMAddAttributeAtIndex(fn, index, LLVMCreateConstantRangeAttribute(e->c, kind, 64, &low, &end));
}

static void add_text_attribute(emitter *e, LLVMValueRef fn, const char *key, const char *value) {
    LLVMAttributeRef a = LLVMCreateStringAttribute(e->c, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex, a);
}

// LLVM chooses instructions and widths by these, function by function. A smaller legal width would halve vectors.
static void describe_machine(emitter *e, LLVMValueRef fn) {
    char width[16];
    add_text_attribute(e, fn, "target-cpu", e->arch->cpu);
    add_text_attribute(e, fn, "target-features", e->arch->llvm_features);
    // Without these LLVM splits 512-bit vectors into halves on most processors.
    snprintf(width, sizeof width, "%u", e->arch->vector_bytes * 8);
    add_text_attribute(e, fn, "prefer-vector-width", width);
    add_text_attribute(e, fn, "min-legal-vector-width", width);
    // SVE's registers are vscale * 16 bytes; at least so many, at most what the architecture allows.
    const uint64_t most_vscale = 16;
    if (e->arch->sve_bytes)
        add_attribute(e, fn, LLVMAttributeFunctionIndex, "vscale_range",
                      (uint64_t)e->arch->sve_bytes / 16 << 32 | most_vscale);
    add_attribute(e, fn, LLVMAttributeFunctionIndex, "nounwind", 0);
}

// LLVM's types belong to a context, of which each compilation has its own.
static void open_types(emitter *e) {
    e->i1 = LLVMInt1TypeInContext(e->c);
    e->i8 = LLVMInt8TypeInContext(e->c);
    e->i32 = LLVMInt32TypeInContext(e->c);
    e->i64 = LLVMInt64TypeInContext(e->c);
    e->f32 = LLVMFloatTypeInContext(e->c);
    e->f64 = LLVMDoubleTypeInContext(e->c);
    e->ptr = LLVMPointerTypeInContext(e->c, 0);
}

// The inner function: (buffers…, scalars as i64…, rx_kernel_args where there is a first phase, begin, end, scratch).
// Its pointers are told apart for LLVM.
static LLVMValueRef declare_body(emitter *e) {
    uint32_t args = e->info->buffers + e->info->scalars, n = args + e->phased + 3;
    LLVMTypeRef *type = ARENA_NEW(e->mem, LLVMTypeRef, n);
    for (uint32_t i = 0; i < n; i++) type[i] = i < e->info->buffers || i == n - 1 ? e->ptr : e->i64;
    if (e->phased) type[args] = e->ptr;
    const char *name = arena_format(e->mem, "%s.body", e->func->name);
    LLVMValueRef fn = LLVMAddFunction(e->module, name, LLVMFunctionType(e->i32, type, n, false));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    bool noalias = attr_is_true(e->func->attrs, "tirx.noalias") || attr_is_true(e->func->attrs, "tir.noalias");
    for (uint32_t i = 0; i < e->info->buffers && noalias; i++) add_attribute(e, fn, i + 1, "noalias", 0);
    expr_list dims = {0};
    loop_func_dim_vars(e->func, e->mem, &dims);
    for (uint32_t i = 0; i < dims.len && i < e->info->scalars; i++)
        if (dtype_bits(dims.at[i]->type) == 64) add_range(e, fn, e->info->buffers + i + 1);
    for (uint32_t i = n - 2; i < n; i++) add_range(e, fn, i); // begin and end
    add_attribute(e, fn, n, "noalias", 0);
    add_attribute(e, fn, n, "align", LOCAL_ALIGN);
    add_attribute(e, fn, LLVMAttributeFunctionIndex, "noinline", 0);
    describe_machine(e, fn);
    return fn;
}

// A scalar arrives as 64 bits; its variable has its own type.
static LLVMValueRef scalar_value(emitter *e, const expr *var, LLVMValueRef slot) {
    dtype t = var->type;
    if (dtype_is_float(t)) {
        LLVMTypeRef bits = LLVMIntTypeInContext(e->c, dtype_bits(t));
        LLVMValueRef low = LLVMBuildTrunc(e->b, slot, bits, "");
        return from_storage(e, t, LLVMBuildBitCast(e->b, low, storage_type(e, t), ""));
    }
    return LLVMBuildTrunc(e->b, slot, compute_type(e, t), var->as.var->name);
}

// The inner function's parameters get their names as values: buffers as places, dims and scalars as variables.
static void bind_parameters(emitter *e) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < e->func->params; i++) {
        const loop_param *p = &e->func->param[i];
        if (!p->buf) continue;
        place *where = ARENA_NEW(e->mem, place, 1);
        where->base = LLVMGetParam(e->fn, at++);
        LLVMSetValueName2(where->base, p->buf->name, strlen(p->buf->name));
        map_put(&e->place, MAP_KEY(p->buf), where);
        map_put(&e->var, MAP_KEY(p->buf->data), where->base);
        must_store(e, "parameter", p->buf);
    }
    expr_list dims = {0};
    loop_func_dim_vars(e->func, e->mem, &dims);
    for (uint32_t i = 0; i < e->info->scalars; i++) {
        const expr *var = e->info->scalar[i];
        map_put(&e->var, MAP_KEY(var), scalar_value(e, var, LLVMGetParam(e->fn, at++)));
        if (i < dims.len) map_put(&e->non_negative, MAP_KEY(var), e); // dims of tensors
    }
}

// All local buffers get their place before the first loop, in the order describe.c counts them.
static void place_locals(emitter *e, const stmt *st) {
    for (uint32_t i = 0; st->kind == STMT_BLOCK && i < st->as.block->allocs; i++)
        place_local(e, st->as.block->alloc[i]);
    for (uint32_t i = 0; stmt_child(st, i); i++) place_locals(e, stmt_child(st, i));
}

// A statement may be emitted several times, and keeps its number.
static void number_assertions(emitter *e) {
    uintptr_t number = 0;
    for (stmt_walk w = stmt_walk_from(e->mem, e->func->body); stmt_walk_next(&w);)
        if (!w.leaving && w.st->kind == STMT_ASSERT) {
            number++;
            if (!map_has(&e->assertion, MAP_KEY(w.st))) map_put(&e->assertion, MAP_KEY(w.st), (void *)number);
        }
}

// Tells whoever wants to know that the first phase is done: args->mark(args), the third word.
static void emit_mark(emitter *e) {
    LLVMValueRef args = LLVMGetParam(e->fn, LLVMCountParams(e->fn) - 4), third = const_i64(e, 2);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(e->b, e->ptr, args, &third, 1, "");
    LLVMValueRef mark = LLVMBuildLoad2(e->b, e->ptr, at, "mark");
    LLVMBasicBlockRef wanted = new_block(e, "marked"), on = new_block(e, "on");
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, mark, ""), on, wanted);
    LLVMPositionBuilderAtEnd(e->b, wanted);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->c), &e->ptr, 1, false);
    LLVMBuildCall2(e->b, type, mark, &args, 1, "");
    LLVMBuildBr(e->b, on);
    LLVMPositionBuilderAtEnd(e->b, on);
    emit_forget(e);
}

// The grid: units begin <= u < end of so many iterations of the parallel loop each (the last one may have fewer),
// behind the first phase; or the whole program once.
static void emit_grid(emitter *e) {
    unsigned n = LLVMCountParams(e->fn);
    LLVMValueRef begin = LLVMGetParam(e->fn, n - 3), end = LLVMGetParam(e->fn, n - 2);
    const stmt *loop = launch_loop(e->func);
    const block *root;
    const stmt *body = launch_body(e->func, &root);
    place_locals(e, e->func->body);
    if (!loop) {
        emit_stmt(e, body);
        return;
    }
    if (e->phased) {
        emit_stmt(e, launch_first_phase(e->func, e->mem));
        emit_mark(e);
    }
    LLVMValueRef low = LLVMBuildSExt(e->b, emit_expr(e, loop->as.loop.min), e->i64, "");
    const launch_units u = launch_units_of(e->mem, loop);
    if (u.alone > 1) {
        LLVMValueRef extent = LLVMBuildSExt(e->b, emit_expr(e, loop->as.loop.extent), e->i64, "");
        LLVMValueRef few = LLVMBuildICmp(e->b, LLVMIntSLE, extent, const_i64(e, u.alone), "");
        LLVMValueRef grain = LLVMBuildSelect(e->b, few, const_i64(e, u.alone), const_i64(e, u.grain), "");
        begin = LLVMBuildNSWMul(e->b, begin, grain, "");
        end = LLVMBuildNSWMul(e->b, end, grain, "");
        end = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, end, extent, ""), end, extent, "");
    }
    LLVMTypeRef type = compute_type(e, loop->as.loop.var->type);
    LLVMValueRef from = LLVMBuildTrunc(e->b, LLVMBuildNSWAdd(e->b, low, begin, ""), type, "");
    LLVMValueRef to = LLVMBuildTrunc(e->b, LLVMBuildNSWAdd(e->b, low, end, ""), type, "");
    emit_range(e, loop, from, to);
}

// The inner function: memory that is asked for goes to `entry`, which is ended only by its jump to `start`.
static void emit_body(emitter *e) {
    e->fn = declare_body(e);
    e->entry = LLVMAppendBasicBlockInContext(e->c, e->fn, "entry");
    LLVMBasicBlockRef start = new_block(e, "start");
    debug_function(e, e->fn, arena_format(e->mem, "%s.body", e->func->name));
    LLVMPositionBuilderAtEnd(e->b, e->entry);
    LLVMValueRef jump = LLVMBuildBr(e->b, start);
    LLVMPositionBuilderBefore(e->b, jump);
    LLVMPositionBuilderAtEnd(e->b, start);
    e->scratch = LLVMGetParam(e->fn, LLVMCountParams(e->fn) - 1);
    e->scratch_used = const_i64(e, 0);
    bind_parameters(e);
    if (!e->failed) emit_grid(e);
    LLVMBuildRet(e->b, LLVMConstInt(e->i32, 0, false));
}

// The exported function unpacks rx_kernel_args {void *const *buffer; const int64_t *scalar;} and calls the body. There
// is nothing in it to optimise, and looking for it takes a twentieth of LLVM's time.
static void emit_entry(emitter *e, LLVMValueRef body) {
    LLVMTypeRef type[] = {e->ptr, e->i64, e->i64, e->ptr};
    LLVMValueRef fn = LLVMAddFunction(e->module, e->func->name, LLVMFunctionType(e->i32, type, 4, false));
    describe_machine(e, fn);
    add_attribute(e, fn, LLVMAttributeFunctionIndex, "noinline", 0);
    add_attribute(e, fn, LLVMAttributeFunctionIndex, "optnone", 0);
    LLVMPositionBuilderAtEnd(e->b, LLVMAppendBasicBlockInContext(e->c, fn, "entry"));
    debug_function(e, fn, e->func->name);
    LLVMValueRef args = LLVMGetParam(fn, 0), one = const_i64(e, 1);
    LLVMValueRef buffers = LLVMBuildLoad2(e->b, e->ptr, args, "buffers");
    LLVMValueRef scalars =
        LLVMBuildLoad2(e->b, e->ptr, LLVMBuildInBoundsGEP2(e->b, e->ptr, args, &one, 1, ""), "scalars");
    uint32_t n = e->info->buffers + e->info->scalars, at = 0;
    LLVMValueRef *pass = ARENA_NEW(e->mem, LLVMValueRef, n + 4);
    for (; at < n; at++) {
        bool pointer = at < e->info->buffers;
        LLVMValueRef index = const_i64(e, pointer ? at : at - e->info->buffers);
        LLVMTypeRef t = pointer ? e->ptr : e->i64;
        LLVMValueRef slot = LLVMBuildInBoundsGEP2(e->b, t, pointer ? buffers : scalars, &index, 1, "");
        pass[at] = LLVMBuildLoad2(e->b, t, slot, "");
    }
    if (e->phased) pass[at++] = args;
    for (unsigned i = 1; i < 4; i++) pass[at++] = LLVMGetParam(fn, i);
    LLVMTypeRef body_type = LLVMGlobalGetValueType(body);
    LLVMValueRef result = LLVMBuildCall2(e->b, body_type, body, pass, at, "");
    LLVMBuildRet(e->b, result);
    debug_nowhere(e);
}

bool emit_kernel(emitter *e) {
    open_types(e);
    e->var = MAP_IN(e->mem);
    e->meaning = MAP_IN(e->mem);
    e->non_negative = MAP_IN(e->mem);
    e->place = MAP_IN(e->mem);
    e->assertion = MAP_IN(e->mem);
    e->known = (known_guard){0};
    e->phased = launch_first_phase(e->func, e->mem) != NULL;
    e->cache = MAP_IN(e->mem);
    e->epoch = ++e->last_epoch;
    number_assertions(e);
    emit_find_exact(e);
    emit_body(e);
    LLVMValueRef body = e->fn;
    if (!e->failed) emit_entry(e, body);
    return !e->failed;
}
