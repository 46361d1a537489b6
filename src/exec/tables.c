// tables.c - the tables of an executable, field by field, in the order of format 1.
#include "base/cpu.h"
#include "exec/codec.h"
#include "exec/format.h"
#include <string.h>

// The codec of a table sets the pointers of what it read; what is written may be constant memory, so functions that are
// called for single entries (annotations, constants) get a copy of the entry and leave its arrays alone.

// Codes a field of a narrower type through 32 bits.
static uint32_t code_small(codec *c, uint32_t x, uint32_t limit) {
    code_u32(c, &x);
    if (x >= limit) c->bad = true;
    return c->bad ? 0 : x;
}

// ---- one table each; `e` is only read when the codec writes ----
static void code_strings(codec *c, executable *e) {
    exec_bytes *at = code_array(c, e->string, &e->strings, sizeof *at);
    for (uint32_t i = 0; i < e->strings; i++) code_bytes(c, &at[i]);
    e->string = at;
}

// Their kinds and the slots they read are found again when the file is verified.
static void code_programs(codec *c, executable *e) {
    exec_program *at = code_array(c, e->program, &e->programs, sizeof *at);
    for (uint32_t i = 0; i < e->programs; i++) code_bytes(c, &at[i].bytes);
    e->program = at;
}

// Enums are coded by their numbers, which are part of the format.
static void code_dim(codec *c, exec_dim *d) {
    uint32_t kind = code_small(c, d->kind, DIM_CHECK + 1);
    if (!c->writing) d->kind = (exec_dim_kind)kind;
    code_u32(c, &d->index);
    code_u32(c, &d->text);
}

void code_annotation(codec *c, exec_annotation *a) {
    a->kind = (exec_annotation_kind)code_small(c, a->kind, ANNOTATION_KINDS);
    code_dtype(c, &a->type);
    uint32_t rank = (uint32_t)a->rank;
    code_u32(c, &rank);
    a->rank = (int32_t)rank;
    exec_dim *dim = code_array(c, a->dim, &a->dims, sizeof *dim);
    for (uint32_t i = 0; i < a->dims; i++) code_dim(c, &dim[i]);
    a->dim = dim;
    code_u32s(c, &a->field, &a->fields);
    code_u32(c, &a->text);
}

static void code_annotations(codec *c, executable *e) {
    exec_annotation *at = code_array(c, e->annotation, &e->annotations, sizeof *at);
    for (uint32_t i = 0; i < e->annotations; i++) code_annotation(c, &at[i]);
    e->annotation = at;
}

static void code_param(codec *c, exec_param *p) {
    code_u32(c, &p->name);
    code_u32(c, &p->annotation);
    code_u32(c, &p->weight);
    code_u32(c, &p->flags);
}

// Bounds and multiple are promises of the caller's, checked at each call.
static void code_symbol(codec *c, exec_symbol *s) {
    code_u32(c, &s->name);
    code_u32(c, &s->slot);
    code_i64(c, &s->lower);
    code_i64(c, &s->upper);
    code_i64(c, &s->multiple);
}

// Its code is a range of the bytecode section; the signature's text is composed at load.
static void code_function(codec *c, exec_function *f) {
    code_u32(c, &f->name);
    code_u32(c, &f->flags);
    exec_param *param = code_array(c, f->param, &f->params, sizeof *param);
    for (uint32_t i = 0; i < f->params; i++) code_param(c, &param[i]);
    f->param = param;
    code_u32(c, &f->num_input);
    code_u32(c, &f->result);
    exec_symbol *symbol = code_array(c, f->symbol, &f->symbols, sizeof *symbol);
    for (uint32_t i = 0; i < f->symbols; i++) code_symbol(c, &symbol[i]);
    f->symbol = symbol;
    code_u32(c, &f->registers);
    code_u32(c, &f->slots);
    code_u32(c, &f->code);
    code_u32(c, &f->words);
}

static void code_functions(codec *c, executable *e) {
    exec_function *at = code_array(c, e->function, &e->functions, sizeof *at);
    for (uint32_t i = 0; i < e->functions; i++) code_function(c, &at[i]);
    e->function = at;
}

static void code_code(codec *c, executable *e) { code_u32s(c, &e->code, &e->words); }

static void code_constant(codec *c, exec_constant *k) {
    k->kind = (exec_constant_kind)code_small(c, k->kind, CONSTANT_KINDS);
    code_dtype(c, &k->type);
    code_i64s(c, &k->dim, &k->dims);
    code_i64(c, &k->bits);
    code_aligned_bytes(c, &k->bytes);
}

// Data is aligned within the section, and sections within the file: kernels read constants where they are mapped.
static void code_constants(codec *c, executable *e) {
    exec_constant *at = code_array(c, e->constant, &e->constants, sizeof *at);
    for (uint32_t i = 0; i < e->constants; i++) code_constant(c, &at[i]);
    e->constant = at;
}

// The bytes themselves lie in a section of their own, which is mapped and not decoded.
static void code_weights(codec *c, executable *e) {
    exec_weight *at = code_array(c, e->weight, &e->weights, sizeof *at);
    for (uint32_t i = 0; i < e->weights; i++) {
        exec_weight *w = &at[i];
        code_u32(c, &w->name);
        code_dtype(c, &w->type);
        code_i64s(c, &w->dim, &w->dims);
        code_u32(c, &w->layout);
        code_u64(c, &w->bytes);
        code_u64(c, &w->offset);
    }
    e->weight = at;
}

// Without the work, the extents and the phases: they came later, in sections of their own.
static void code_kernels(codec *c, executable *e) {
    exec_kernel *at = code_array(c, e->kernel, &e->kernels, sizeof *at);
    for (uint32_t i = 0; i < e->kernels; i++) {
        exec_kernel *k = &at[i];
        code_u32(c, &k->name);
        code_u32(c, &k->buffers);
        code_u32(c, &k->scalars);
        code_u32(c, &k->outputs);
        code_u32(c, &k->grid);
        code_u32(c, &k->scratch);
        code_u32s(c, &k->assertion, &k->asserts);
    }
    e->kernel = at;
}

// Kernels without numbers, and files without the section, have zeros.
static void code_work(codec *c, executable *e) {
    uint32_t kernels = e->kernels;
    code_u32(c, &kernels);
    if (kernels != e->kernels) c->bad = true;
    for (uint32_t i = 0; i < e->kernels && !c->bad; i++) {
        exec_kernel *k = (exec_kernel *)(uintptr_t)&e->kernel[i];
        for (int w = 0; w < EXEC_WORK; w++) code_u32(c, &k->work[w]);
    }
}

static void code_extents(codec *c, executable *e) {
    uint32_t kernels = e->kernels;
    code_u32(c, &kernels);
    if (kernels != e->kernels) c->bad = true;
    for (uint32_t i = 0; i < e->kernels && !c->bad; i++) code_u32(c, (uint32_t *)(uintptr_t)&e->kernel[i].extent);
}

// Pairs of a kernel and the name of its first phase.
static void code_phases(codec *c, executable *e) {
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < e->kernels; i++) count += e->kernel[i].phase != 0;
    code_u32(c, &count);
    for (; count && !c->bad; count--, next++) {
        while (c->writing && !e->kernel[next].phase) next++;
        uint32_t name = c->writing ? e->kernel[next].phase - 1 : 0;
        code_u32(c, &next);
        code_u32(c, &name);
        if (next >= e->kernels || name == UINT32_MAX) c->bad = true;
        if (!c->bad) ((exec_kernel *)(uintptr_t)&e->kernel[next])->phase = name + 1;
    }
}

// A list of feature names <-> bits. A name this build doesn't know makes the variant unusable here, not the file bad.
static void code_required(codec *c, exec_variant *v) {
    uint32_t count = (uint32_t)__builtin_popcountll(v->required);
    code_u32(c, &count);
    if (!c->writing) v->required = 0;
    uint64_t bits = v->required;
    for (uint32_t i = 0; i < count && !c->bad && !c->no_memory; i++) {
        exec_bytes name = {0};
        cpu_feature f = bits ? (cpu_feature)__builtin_ctzll(bits) : (cpu_feature)0;
        if (c->writing) name = (exec_bytes){(const uint8_t *)cpu_feature_name(f), strlen(cpu_feature_name(f))};
        bits &= bits - 1;
        code_bytes(c, &name);
        if (c->writing) continue;
        if (cpu_feature_find((const char *)name.at, name.size, &f))
            v->required |= UINT64_C(1) << f;
        else
            v->unknown = (const char *)name.at;
    }
}

// The entries are in the order of the kernels' table: one per kernel, whatever the machine.
static void code_variant(codec *c, exec_variant *v, uint32_t kernels) {
    code_u32(c, &v->device);
    code_u32(c, &v->arch);
    code_required(c, v);
    uint32_t entries = kernels;
    uint64_t *entry = code_array(c, v->entry, &entries, sizeof *entry);
    if (entries != kernels) c->bad = true;
    for (uint32_t i = 0; i < entries; i++) code_u64(c, &entry[i]);
    v->entry = entry;
    code_aligned_bytes(c, &v->image);
}

static void code_variants(codec *c, executable *e) {
    exec_variant *at = code_array(c, e->variant, &e->variants, sizeof *at);
    for (uint32_t i = 0; i < e->variants; i++) code_variant(c, &at[i], e->kernels);
    e->variant = at;
}

// By name: a runtime that is built otherwise has its builtins at other places.
static void code_imports(codec *c, executable *e) {
    exec_import *at = code_array(c, e->import, &e->imports, sizeof *at);
    for (uint32_t i = 0; i < e->imports; i++) {
        at[i].kind = (exec_import_kind)code_small(c, at[i].kind, IMPORT_KINDS);
        code_u32(c, &at[i].name);
        code_u32(c, &at[i].version);
    }
    e->import = at;
}

static void code_blocks(codec *c, executable *e) {
    exec_plan_block *at = code_array(c, e->block, &e->blocks, sizeof *at);
    for (uint32_t i = 0; i < e->blocks; i++) {
        code_u32(c, &at[i].function);
        code_u32(c, &at[i].bytes);
        code_u32(c, &at[i].text);
        code_u32(c, &at[i].holds);
    }
    e->block = at;
}

// Values are aligned, so that a reader may map large ones (a vocabulary) as arrays.
static void code_metas(codec *c, executable *e) {
    exec_metadata *at = code_array(c, e->meta, &e->metas, sizeof *at);
    for (uint32_t i = 0; i < e->metas; i++) {
        code_u32(c, &at[i].key);
        code_aligned_bytes(c, &at[i].value);
    }
    e->meta = at;
}

static void code_replacements(codec *c, executable *e) {
    exec_replacement *at = code_array(c, e->replacement, &e->replacements, sizeof *at);
    for (uint32_t i = 0; i < e->replacements; i++) {
        code_u32(c, &at[i].variant);
        code_u32(c, &at[i].function);
        code_u32(c, &at[i].by);
    }
    e->replacement = at;
}

// A new table is appended with a new number; numbers are never used again. Readers refuse what they don't know unless
// it is optional.
const section_info section_table[SECTION_TABLES] = {
    {1, "strings", code_strings, 0, false},
    {2, "programs", code_programs, 0, false},
    {3, "annotations", code_annotations, 0, false},
    {4, "functions", code_functions, 0, false},
    {5, "bytecode", code_code, 0, false},
    {6, "constants", code_constants, 0, false},
    {7, "weights", code_weights, 0, false},
    {8, "kernels", code_kernels, 0, false},
    {9, "variants", code_variants, 0, false},
    {10, "imports", code_imports, 0, false},
    {11, "plan", code_blocks, 0, false},
    {12, "metadata", code_metas, 0, false},
    {13, "work", code_work, SECTION_OPTIONAL, false},
    {14, "replacements", code_replacements, 0, true},
    {15, "extents", code_extents, SECTION_OPTIONAL, false},
    {16, "phases", code_phases, 0, true},
};
