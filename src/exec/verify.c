// verify.c - the tables of an executable: every index in range, every program well formed, every size right.
#include "exec/verify.h"
#include "base/count_noun.h"
#include "base/postfix.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool verify_fail(verifier *v, const char *format, ...) {
    if (v->status != RX_OK) return false;
    v->status = RX_BAD_FILE;
    va_list args;
    va_start(args, format);
    if (v->why) vsnprintf(v->why, EXEC_WHY, format, args);
    va_end(args);
    return false;
}

static bool dtype_known(dtype t) { return t.kind > DTYPE_VOID && t.kind < DTYPE_KINDS; }

// A string that can be shown: in range and without NUL inside. EXEC_NONE is allowed where `optional`.
static bool check_string(verifier *v, const char *what, uint32_t i, bool optional) {
    if (optional && i == EXEC_NONE) return true;
    const executable *e = v->e;
    if (i >= e->strings) return verify_fail(v, "%s: string %u of %u", what, i, e->strings);
    if (memchr(e->string[i].at, 0, e->string[i].size)) return verify_fail(v, "%s: a name holds a NUL byte", what);
    return true;
}

static bool check_program_index(verifier *v, const char *what, uint32_t i, uint32_t slots) {
    const executable *e = v->e;
    if (i >= e->programs) return verify_fail(v, "%s: program %u of %u", what, i, e->programs);
    if (e->program[i].slots > slots)
        return verify_fail(v, "%s: program %u reads slot %u of %u", what, i, e->program[i].slots - 1, slots);
    return true;
}

// ---- programs ----

// One more than the highest slot that a checked program reads.
static uint32_t slots_read(exec_bytes b) {
    uint32_t slots = 0;
    for (size_t i = 0; i < b.size; i += postfix_size(b.at + i)) {
        if (b.at[i] != POSTFIX_SLOT) continue;
        uint32_t slot = (uint32_t)postfix_operand(b.at + i);
        if (slot >= slots) slots = slot + 1;
    }
    return slots;
}

// `slot`, `constant`, `slot constant op`.
static void classify(exec_program *p) {
    const uint8_t *first = p->bytes.at, *end = first + p->bytes.size, *second = first + postfix_size(first);
    bool slot = first[0] == POSTFIX_SLOT;
    p->slots = slots_read(p->bytes);
    p->kind = second < end ? PROGRAM_BYTES : slot ? PROGRAM_SLOT : PROGRAM_CONST;
    if (slot) p->slot = (uint32_t)postfix_operand(first);
    if (p->kind == PROGRAM_CONST) p->value = postfix_operand(first);
    if (p->kind != PROGRAM_BYTES || !slot || (second[0] != POSTFIX_SMALL && second[0] != POSTFIX_CONST)) return;
    const uint8_t *op = second + postfix_size(second);
    if (op + 1 != end || (op[0] != POSTFIX_MUL && op[0] != POSTFIX_LE)) return;
    p->kind = op[0] == POSTFIX_MUL ? PROGRAM_TIMES : PROGRAM_AT_MOST;
    p->value = postfix_operand(second);
}

static bool check_programs(verifier *v) {
    exec_program *p = (exec_program *)(uintptr_t)v->e->program;
    for (uint32_t i = 0; i < v->e->programs; i++) {
        // The largest slot index is refused, so that "one more" fits.
        if (!postfix_check(p[i].bytes.at, p[i].bytes.size, EXEC_MAX_SLOTS))
            return verify_fail(v, "program %u is malformed", i);
        classify(&p[i]);
    }
    return true;
}

// ---- annotations ----

static bool check_dim(verifier *v, const exec_dim *d, annotation_facts *facts) {
    uint32_t needed = 0;
    if (d->kind == DIM_BIND) {
        if (d->index >= EXEC_MAX_SLOTS) return verify_fail(v, "annotation: slot %u", d->index);
        needed = d->index + 1;
    } else if (d->kind == DIM_CHECK) {
        if (!check_program_index(v, "annotation", d->index, EXEC_MAX_SLOTS)) return false;
        needed = v->e->program[d->index].slots;
    }
    if (needed > facts->slots) facts->slots = needed;
    return check_string(v, "annotation", d->text, true);
}

// Either all dims are stated or none; a scalar has at most its value.
static bool dims_fit(const exec_annotation *a) {
    bool ranked = a->kind == ANNOTATION_TENSOR || a->kind == ANNOTATION_SHAPE;
    if (ranked) return a->rank >= -1 && a->rank <= TENSOR_MAX_RANK && (!a->dims || (int64_t)a->dims == a->rank);
    return a->dims <= (a->kind == ANNOTATION_PRIM ? 1u : 0u);
}

// Only smaller indices: no cycles, and facts are known when they are needed. Depth and size are bounded because a few
// entries can describe a tree with 2**60 leaves.
static bool check_fields(verifier *v, uint32_t index, annotation_facts *facts) {
    const exec_annotation *a = &v->e->annotation[index];
    bool takes_fields = a->kind == ANNOTATION_TUPLE || a->kind == ANNOTATION_CALLABLE;
    if ((a->fields && !takes_fields) || (a->kind == ANNOTATION_CALLABLE && !a->fields))
        return verify_fail(v, "annotation %u: %s", index, COUNTED(a->fields, "field"));
    for (uint32_t i = 0; i < a->fields; i++) {
        if (a->field[i] >= index) return verify_fail(v, "annotation %u: field %u is not before it", index, a->field[i]);
        annotation_facts f = v->facts[a->field[i]];
        if (f.slots > facts->slots) facts->slots = f.slots;
        if (f.depth + 1 > facts->depth) facts->depth = f.depth + 1;
        facts->nodes += f.nodes;
        if (facts->depth > EXEC_MAX_ANNOTATION_DEPTH || facts->nodes > EXEC_MAX_ANNOTATION_NODES)
            return verify_fail(v, "annotation %u is nested too deep", index);
    }
    return true;
}

static bool check_annotation(verifier *v, uint32_t i) {
    const exec_annotation *a = &v->e->annotation[i];
    annotation_facts *facts = &v->facts[i];
    *facts = (annotation_facts){.nodes = 1 + a->dims};
    if (a->type.kind != DTYPE_VOID && !dtype_known(a->type)) return verify_fail(v, "annotation %u: unknown dtype", i);
    if (!dims_fit(a)) return verify_fail(v, "annotation %u: rank %d with %s", i, (int)a->rank, COUNTED(a->dims, "dim"));
    for (uint32_t d = 0; d < a->dims; d++)
        if (!check_dim(v, &a->dim[d], facts)) return false;
    return check_fields(v, i, facts) && check_string(v, "annotation", a->text, true);
}

// ---- functions ----

static bool check_param(verifier *v, const exec_function *f, const exec_param *p) {
    const executable *e = v->e;
    if (!check_string(v, "parameter", p->name, false)) return false;
    const char *name = exec_string(e, p->name);
    if (p->annotation >= e->annotations) return verify_fail(v, "parameter %s: annotation %u", name, p->annotation);
    if (v->facts[p->annotation].slots > f->slots)
        return verify_fail(v, "parameter %s: its annotation needs %s, its function has %u", name,
                           COUNTED(v->facts[p->annotation].slots, "slot"), f->slots);
    if (p->weight != EXEC_NONE && p->weight >= e->weights)
        return verify_fail(v, "parameter %s: weight %u of %u", name, p->weight, e->weights);
    return true;
}

// Bounds that no value keeps to would refuse every call: a bug of the compiler.
static bool check_symbol(verifier *v, const exec_function *f, const exec_symbol *s) {
    if (!check_string(v, "symbol", s->name, false)) return false;
    if (s->slot >= f->slots || s->multiple < 1 || s->lower > s->upper)
        return verify_fail(v, "symbol %s: slot %u of %u, or bounds that no value keeps to", exec_string(v->e, s->name),
                           s->slot, f->slots);
    return true;
}

static bool check_function(verifier *v, uint32_t index, uint32_t code) {
    const exec_function *f = &v->e->function[index];
    if (!check_string(v, "function", f->name, false)) return false;
    const char *name = exec_string(v->e, f->name);
    if (f->params > EXEC_MAX_PARAMS || f->registers < f->params || f->registers > EXEC_MAX_REGISTERS ||
        f->slots > EXEC_MAX_SLOTS || f->num_input > f->params)
        return verify_fail(v, "function %s: %s, %s, %s", name, COUNTED(f->params, "parameter"),
                           COUNTED(f->registers, "register"), COUNTED(f->slots, "slot"));
    for (uint32_t i = 0; i < f->params; i++)
        if (!check_param(v, f, &f->param[i])) return false;
    for (uint32_t i = 0; i < f->symbols; i++)
        if (!check_symbol(v, f, &f->symbol[i])) return false;
    if (f->result != EXEC_NONE && f->result >= v->e->annotations)
        return verify_fail(v, "function %s: annotation %u", name, f->result);
    // Ranges lie one after the other, so that the work of checking is bounded by the size of the code.
    if (f->code != code || f->words > v->e->words - code)
        return verify_fail(v, "function %s: code at %u, want %u", name, f->code, code);
    return true;
}

static bool check_functions(verifier *v) {
    uint32_t code = 0;
    for (uint32_t i = 0; i < v->e->functions; i++) {
        if (!check_function(v, i, code)) return false;
        code += v->e->function[i].words;
    }
    return code == v->e->words ||
           verify_fail(v, "%s of code belong to no function", COUNTED(v->e->words - code, "word"));
}

// ---- data ----

// The bytes must be exactly those of the shape: builtins and kernels trust it.
static bool check_constant(verifier *v, uint32_t i) {
    const exec_constant *k = &v->e->constant[i];
    size_t bytes = 0;
    switch (k->kind) {
    case CONSTANT_TENSOR:
        if (shape_bytes(k->type, k->dims, k->dim, &bytes) && bytes == k->bytes.size) return true;
        return verify_fail(v, "constant %u: a tensor whose bytes don't match its shape", i);
    case CONSTANT_SHAPE:
        // A shape has the dims of a tensor of bytes.
        return shape_bytes(DTYPE_OF(U8), k->dims, k->dim, &bytes) || verify_fail(v, "constant %u: not a shape", i);
    case CONSTANT_PRIM: return dtype_known(k->type) || verify_fail(v, "constant %u: unknown dtype", i);
    case CONSTANT_NULL:
    case CONSTANT_STRING:
    case CONSTANT_KINDS: break;
    }
    return true;
}

static bool check_weight(verifier *v, uint32_t i) {
    const exec_weight *w = &v->e->weight[i];
    size_t bytes;
    if (!check_string(v, "weight", w->name, false) || !check_string(v, "weight", w->layout, true)) return false;
    const char *name = exec_string(v->e, w->name);
    if (!shape_bytes(w->type, w->dims, w->dim, &bytes)) return verify_fail(v, "weight %s: not a tensor", name);
    // A packed layout may pad; less than the shape says would let builtins read past the end.
    bool plain = !*exec_string(v->e, w->layout);
    if (w->bytes < bytes || (plain && w->bytes != bytes))
        return verify_fail(v, "weight %s: %s, its shape needs %zu", name, COUNTED(w->bytes, "byte"), bytes);
    if (w->offset % MEMORY_ALIGN || w->offset > v->e->file_size || w->bytes > v->e->file_size - w->offset)
        return verify_fail(v, "weight %s lies outside the file", name);
    return true;
}

// The grid, the scratch and the work read the kernel's scalars and nothing else, the extent one slot more.
static bool check_kernel(verifier *v, uint32_t i) {
    const exec_kernel *k = &v->e->kernel[i];
    if (!check_string(v, "kernel", k->name, false)) return false;
    const char *name = exec_string(v->e, k->name);
    if (k->outputs > k->buffers || k->buffers > OP_MAX_WORDS || k->scalars > OP_MAX_WORDS)
        return verify_fail(v, "kernel %s: %s among %s, %s", name, COUNTED(k->outputs, "output"),
                           COUNTED(k->buffers, "buffer"), COUNTED(k->scalars, "scalar"));
    for (uint32_t a = 0; a < k->asserts; a++)
        if (!check_string(v, "kernel", k->assertion[a], false)) return false;
    for (int w = 0; w < EXEC_WORK; w++)
        if (k->work[w] && !check_program_index(v, name, k->work[w] - 1, k->scalars)) return false;
    if (k->phase && !check_string(v, "the first phase of a kernel", k->phase - 1, false)) return false;
    if (k->extent && !k->buffers) return verify_fail(v, "kernel %s: an extent of indices, but no buffer", name);
    if (k->extent && !check_program_index(v, name, k->extent - 1, k->scalars + 1)) return false;
    return check_program_index(v, name, k->grid, k->scalars) && check_program_index(v, name, k->scratch, k->scalars);
}

static bool check_variant(verifier *v, uint32_t i) {
    const exec_variant *x = &v->e->variant[i];
    return check_string(v, "variant", x->device, false) && check_string(v, "variant", x->arch, false);
}

static bool check_import(verifier *v, uint32_t i) { return check_string(v, "import", v->e->import[i].name, false); }

static bool check_block(verifier *v, uint32_t i) {
    const exec_plan_block *b = &v->e->block[i];
    if (b->function >= v->e->functions) return verify_fail(v, "plan: function %u", b->function);
    return check_program_index(v, "plan", b->bytes, v->e->function[b->function].slots) &&
           check_string(v, "plan", b->text, true) && check_string(v, "plan", b->holds, true);
}

static bool check_meta(verifier *v, uint32_t i) { return check_string(v, "metadata", v->e->meta[i].key, false); }

// What the caller of a function relies on is the same in what stands in for it.
static bool stands_in(const executable *e, const exec_function *f, const exec_function *by) {
    if (f->params != by->params || f->num_input != by->num_input) return false;
    for (uint32_t i = 0; i < f->params; i++) {
        const exec_param *p = &f->param[i], *q = &by->param[i];
        const exec_annotation *a = &e->annotation[p->annotation], *b = &e->annotation[q->annotation];
        if (p->weight != q->weight || p->flags != q->flags || a->kind != b->kind) return false;
    }
    return true;
}

static bool check_replacement(verifier *v, uint32_t i) {
    const executable *e = v->e;
    const exec_replacement *r = &e->replacement[i];
    if (r->variant >= e->variants || r->function >= e->functions || r->by >= e->functions)
        return verify_fail(v, "replacement %u: variant %u, functions %u and %u", i, r->variant, r->function, r->by);
    const exec_function *f = &e->function[r->function], *by = &e->function[r->by];
    if (by->flags & FUNCTION_PUBLIC) return verify_fail(v, "replacement %u: function %u is public", i, r->by);
    return stands_in(e, f, by) ||
           verify_fail(v, "replacement %u: function %u takes other values than %u", i, r->by, r->function);
}

static bool check_each(verifier *v, uint32_t count, bool (*check)(verifier *v, uint32_t i)) {
    for (uint32_t i = 0; i < count; i++)
        if (!check(v, i)) return false;
    return true;
}

static bool check_tables(verifier *v, memory_blocks *mem) {
    const executable *e = v->e;
    return check_programs(v) && check_each(v, e->annotations, check_annotation) && check_functions(v) &&
           check_each(v, e->constants, check_constant) && check_each(v, e->weights, check_weight) &&
           check_each(v, e->kernels, check_kernel) && check_each(v, e->variants, check_variant) &&
           check_each(v, e->imports, check_import) && check_each(v, e->blocks, check_block) &&
           check_each(v, e->metas, check_meta) && check_each(v, e->replacements, check_replacement) &&
           verify_code(v, mem);
}

rx_status exec_verify(executable *e, memory_blocks *mem, char *why) {
    verifier v = {.e = e, .why = why, .facts = blocks_take(mem, e->annotations, sizeof *v.facts)};
    if (!v.facts) {
        if (why) snprintf(why, EXEC_WHY, "no memory to check the file");
        return RX_OUT_OF_MEMORY;
    }
    check_tables(&v, mem);
    return v.status;
}
