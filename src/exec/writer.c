// writer.c - the tables of an executable, put together entry by entry.
#include "base/map.h"
#include "base/postfix.h"
#include "exec/elf.h"
#include "exec/writer_inside.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first failure is the cause; what comes after it is a consequence.
void writer_fail(exec_writer *w, rx_status status, const char *format, ...) {
    if (w->status != RX_OK) return;
    w->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(w->why, sizeof w->why, format, args);
    va_end(args);
}

static void no_memory(exec_writer *w) { writer_fail(w, RX_OUT_OF_MEMORY, "no memory to put the executable together"); }

// NULL when there is no memory; everything later is remembered in w->status.
exec_writer *exec_writer_new(void) {
    exec_writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->string = (growing){.item = sizeof(exec_bytes)};
    w->program = (growing){.item = sizeof(exec_program)};
    w->annotation = (growing){.item = sizeof(exec_annotation)};
    w->annotation_key = (growing){.item = sizeof(exec_bytes)};
    w->function = (growing){.item = sizeof(exec_function)};
    w->constant = (growing){.item = sizeof(exec_constant)};
    w->weight = (growing){.item = sizeof(exec_weight)};
    w->kernel = (growing){.item = sizeof(exec_kernel)};
    w->variant = (growing){.item = sizeof(exec_variant)};
    w->import = (growing){.item = sizeof(exec_import)};
    w->block = (growing){.item = sizeof(exec_plan_block)};
    w->meta = (growing){.item = sizeof(exec_metadata)};
    w->replacement = (growing){.item = sizeof(exec_replacement)};
    w->code = (growing){.item = sizeof(uint32_t)};
    w->label = (growing){.item = sizeof(writer_label)};
    w->jump = (growing){.item = sizeof(writer_jump)};
    w->body = (growing){.item = sizeof(growing)};
    w->sum = (growing){.item = sizeof(uint64_t)};
    w->current = w->mapped = EXEC_NONE;
    return w;
}

// Everything handed in was copied into w->mem, so that the caller's arenas may go before the writer does.
void exec_writer_free(exec_writer *w) {
    if (!w) return;
    new_file_discard(w->file);
    for (size_t i = 0; i < w->body.len; i++) growing_free(&((growing *)w->body.at)[i]);
    growing *all[] = {&w->string, &w->program, &w->annotation, &w->annotation_key, &w->function, &w->constant,
                      &w->weight, &w->kernel,  &w->variant,    &w->import,         &w->block,    &w->meta,
                      &w->code,   &w->label,   &w->jump,       &w->body,           &w->sum,      &w->replacement};
    for (size_t i = 0; i < COUNT(all); i++) growing_free(all[i]);
    writer_index *indices[] = {&w->strings, &w->programs, &w->annotations};
    for (size_t i = 0; i < COUNT(indices); i++) free(indices[i]->slot);
    blocks_free(&w->mem);
    free(w);
}

// ---- copies and tables ----

static const void *copy(exec_writer *w, const void *from, size_t count, size_t size) {
    if (!count) return NULL;
    void *at = blocks_take(&w->mem, count, size);
    if (at)
        memcpy(at, from, count * size);
    else
        no_memory(w);
    return at;
}

// A copy with a NUL after it.
static exec_bytes copy_bytes(exec_writer *w, const void *from, size_t size) {
    uint8_t *at = size < SIZE_MAX ? blocks_take(&w->mem, size + 1, 1) : NULL;
    if (!at) {
        no_memory(w);
        return (exec_bytes){(const uint8_t *)"", 0};
    }
    if (size) memcpy(at, from, size);
    return (exec_bytes){at, size};
}

// Appends an entry; its index.
static uint32_t add(exec_writer *w, growing *table, const void *entry) {
    if (table->len >= EXEC_NONE - 1) writer_fail(w, RX_UNSUPPORTED, "a table of the executable is full");
    void *at = w->status == RX_OK ? growing_add(table, 1) : NULL;
    if (!at) {
        no_memory(w);
        return 0;
    }
    memcpy(at, entry, table->item);
    return (uint32_t)table->len - 1;
}

// ---- entries that are kept once ----

typedef exec_bytes key_of(const exec_writer *w, uint32_t i);

// How each index finds the bytes of entry i.
static exec_bytes string_key(const exec_writer *w, uint32_t i) { return ((const exec_bytes *)w->string.at)[i]; }
static exec_bytes program_key(const exec_writer *w, uint32_t i) {
    return ((const exec_program *)w->program.at)[i].bytes;
}
static exec_bytes annotation_key(const exec_writer *w, uint32_t i) {
    return ((const exec_bytes *)w->annotation_key.at)[i];
}

// Linear probing; at most half of the slots are taken (index_grow), so the search ends.
static uint32_t *slot_of(const exec_writer *w, writer_index *x, exec_bytes key, key_of *get) {
    uint32_t mask = x->slots - 1, at = (uint32_t)hash_bytes(key.at, key.size, 0) & mask;
    for (; x->slot[at]; at = (at + 1) & mask) {
        exec_bytes other = get(w, x->slot[at] - 1);
        if (other.size == key.size && memcmp(other.at, key.at, key.size) == 0) break;
    }
    return &x->slot[at];
}

// Makes room for one more entry; false when there is no memory.
static bool index_grow(exec_writer *w, writer_index *x, key_of *get) {
    if (x->len * 2 < x->slots) return true;
    writer_index bigger = {.slots = x->slots ? x->slots * 2 : 64, .len = x->len};
    bigger.slot = calloc(bigger.slots, sizeof *bigger.slot);
    if (!bigger.slot) {
        no_memory(w);
        return false;
    }
    for (uint32_t i = 0; i < x->len; i++) *slot_of(w, &bigger, get(w, i), get) = i + 1;
    free(x->slot);
    *x = bigger;
    return true;
}

// The place of an equal entry (its index + 1, or 0 to be filled in); NULL after a failure.
static uint32_t *find(exec_writer *w, writer_index *x, exec_bytes key, key_of *get) {
    return w->status == RX_OK && index_grow(w, x, get) ? slot_of(w, x, key, get) : NULL;
}

// Names occur many times (imports, parameters, annotations' texts), so equal texts are one entry.
uint32_t exec_writer_string_n(exec_writer *w, const char *text, size_t size) {
    uint32_t *slot = find(w, &w->strings, (exec_bytes){(const uint8_t *)text, size}, string_key);
    if (!slot) return 0;
    if (*slot) return *slot - 1;
    exec_bytes b = copy_bytes(w, text, size);
    uint32_t i = add(w, &w->string, &b);
    if (w->status == RX_OK) *slot = ++w->strings.len;
    return i;
}

uint32_t exec_writer_string(exec_writer *w, const char *text) { return exec_writer_string_n(w, text, strlen(text)); }

// Most programs are a constant or one slot, and a model repeats a few dozen of them.
uint32_t exec_writer_program(exec_writer *w, const uint8_t *bytes, size_t size) {
    uint32_t *slot = find(w, &w->programs, (exec_bytes){bytes, size}, program_key);
    if (!slot) return 0;
    if (*slot) return *slot - 1;
    exec_program p = {.bytes = copy_bytes(w, bytes, size)};
    uint32_t i = add(w, &w->program, &p);
    if (w->status == RX_OK) *slot = ++w->programs.len;
    return i;
}

uint32_t exec_writer_int(exec_writer *w, int64_t value) {
    uint8_t bytes[POSTFIX_LONGEST];
    return exec_writer_program(w, bytes, postfix_put_int(value, bytes));
}

uint32_t exec_writer_slot(exec_writer *w, uint32_t slot) {
    uint8_t bytes[POSTFIX_LONGEST];
    return exec_writer_program(w, bytes, postfix_put(POSTFIX_SLOT, slot, bytes));
}

// Two annotations are one if they are coded as the same bytes: the codec is the only place that lists their fields.
uint32_t exec_writer_annotation(exec_writer *w, const exec_annotation *a) {
    growing bytes = {.item = 1};
    codec c = {.writing = true, .out = &bytes};
    exec_annotation entry = *a;
    code_annotation(&c, &entry);
    if (c.no_memory) no_memory(w);
    uint32_t *slot = find(w, &w->annotations, (exec_bytes){bytes.at, bytes.len}, annotation_key), i = 0;
    if (slot && *slot) {
        i = *slot - 1;
    } else if (slot) {
        entry.dim = copy(w, a->dim, a->dims, sizeof *a->dim);
        entry.field = copy(w, a->field, a->fields, sizeof *a->field);
        exec_bytes key = copy_bytes(w, bytes.at, bytes.len);
        add(w, &w->annotation_key, &key);
        i = add(w, &w->annotation, &entry);
        if (w->status == RX_OK) *slot = ++w->annotations.len;
    }
    growing_free(&bytes);
    return i;
}

// Few enough for a search from the front.
uint32_t exec_writer_import(exec_writer *w, exec_import_kind kind, const char *name, uint32_t version) {
    exec_import entry = {.kind = kind, .name = exec_writer_string(w, name), .version = version};
    const exec_import *at = w->import.at;
    for (uint32_t i = 0; i < w->import.len; i++)
        if (at[i].kind == kind && at[i].name == entry.name && at[i].version == version) return i;
    return add(w, &w->import, &entry);
}

// ---- plain entries ----

// Not shared, unlike strings: constants are large and mostly differ.
uint32_t exec_writer_constant(exec_writer *w, const exec_constant *c) {
    exec_constant entry = *c;
    entry.dim = copy(w, c->dim, c->dims, sizeof *c->dim);
    entry.bytes = copy_bytes(w, c->bytes.at, c->bytes.size);
    return add(w, &w->constant, &entry);
}

// In the order they come: bytecode and variants name kernels by number.
uint32_t exec_writer_kernel(exec_writer *w, const exec_kernel *k) {
    exec_kernel entry = *k;
    entry.assertion = copy(w, k->assertion, k->asserts, sizeof *k->assertion);
    return add(w, &w->kernel, &entry);
}

static const char *string_at(const exec_writer *w, uint32_t i) {
    return i < w->string.len ? (const char *)((const exec_bytes *)w->string.at)[i].at : "";
}

// Kernels must all be added before: the entries are in their order.
void exec_writer_variant(exec_writer *w, const char *device, const char *arch, uint64_t required, const void *image,
                         size_t size, const char *const *symbol) {
    exec_variant entry = {.device = exec_writer_string(w, device),
                          .arch = exec_writer_string(w, arch),
                          .required = required,
                          .image = copy_bytes(w, image, size)};
    elf_image elf;
    char why[ELF_WHY];
    uint64_t *at = blocks_take(&w->mem, w->kernel.len, sizeof *at);
    if (!at)
        no_memory(w);
    else if (!elf_open(entry.image.at, size, &elf, why))
        writer_fail(w, RX_INVALID_ARGUMENT, "kernels for %s: %s", arch, why);
    for (uint32_t i = 0; w->status == RX_OK && i < w->kernel.len; i++) {
        const char *name = symbol ? symbol[i] : string_at(w, ((const exec_kernel *)w->kernel.at)[i].name);
        at[i] = 0;
        if (name && (!elf_find(&elf, name, &at[i]) || !elf_covers(&elf, at[i], 1, true)))
            writer_fail(w, RX_NOT_FOUND, "kernels for %s: the image has no function %s", arch, name);
    }
    entry.entry = at;
    add(w, &w->variant, &entry);
}

// For code that was linked before: its entries are known, so no symbols are looked up.
void exec_writer_variant_at(exec_writer *w, const exec_variant *v, const char *device, const char *arch,
                            const uint64_t *entry) {
    exec_variant x = {.device = exec_writer_string(w, device),
                      .arch = exec_writer_string(w, arch),
                      .required = v->required,
                      .entry = copy(w, entry, w->kernel.len, sizeof *entry),
                      .image = copy_bytes(w, v->image.at, v->image.size)};
    add(w, &w->variant, &x);
}

void exec_writer_replacement(exec_writer *w, const exec_replacement *r) { add(w, &w->replacement, r); }

void exec_writer_block(exec_writer *w, const exec_plan_block *b) { add(w, &w->block, b); }

void exec_writer_metadata(exec_writer *w, const char *key, const void *bytes, size_t size) {
    exec_metadata entry = {.key = exec_writer_string(w, key), .value = copy_bytes(w, bytes, size)};
    add(w, &w->meta, &entry);
}

// The data comes now, or later with exec_writer_map_weight.
uint32_t exec_writer_weight(exec_writer *w, const exec_weight *weight) {
    exec_weight entry = *weight;
    entry.dim = copy(w, weight->dim, weight->dims, sizeof *weight->dim);
    return add(w, &w->weight, &entry);
}

// ---- functions and their code ----

// Its code follows with exec_writer_begin; functions may be announced in any order before that.
uint32_t exec_writer_function(exec_writer *w, const exec_function *f) {
    exec_function entry = *f;
    entry.param = copy(w, f->param, f->params, sizeof *f->param);
    entry.symbol = copy(w, f->symbol, f->symbols, sizeof *f->symbol);
    entry.code = entry.words = 0;
    entry.text = NULL;
    growing body = {.item = sizeof(uint32_t)};
    add(w, &w->body, &body);
    return add(w, &w->function, &entry);
}

// How many registers and slots a function needs is known only when its code is complete.
void exec_writer_sizes(exec_writer *w, uint32_t function, uint32_t registers, uint32_t slots) {
    if (function >= w->function.len) return;
    exec_function *f = &((exec_function *)w->function.at)[function];
    if (registers > f->registers) f->registers = registers;
    if (slots > f->slots) f->slots = slots;
}

static growing *body_of(exec_writer *w, uint32_t function) { return &((growing *)w->body.at)[function]; }

// Completes the last instruction: its first word gets the count.
static void end_instruction(exec_writer *w) {
    if (w->current == EXEC_NONE) return;
    growing *body = body_of(w, w->current);
    if (!body->len) return;
    uint32_t *first = (uint32_t *)body->at + w->instruction, words = (uint32_t)body->len - w->instruction;
    if (words > OP_MAX_WORDS) writer_fail(w, RX_UNSUPPORTED, "an instruction with more than %d operands", OP_MAX_WORDS);
    *first = op_word((opcode)(*first & 0xff), words);
}

// Completes the function: its jumps get their places.
static void end_function(exec_writer *w) {
    if (w->current == EXEC_NONE) return;
    end_instruction(w);
    uint32_t *code = body_of(w, w->current)->at;
    for (size_t i = 0; i < w->jump.len; i++) {
        writer_jump j = ((writer_jump *)w->jump.at)[i];
        uint32_t place = ((writer_label *)w->label.at)[j.label].place;
        if (place == EXEC_NONE) writer_fail(w, RX_INTERNAL, "a jump goes to a label that was never placed");
        code[j.word] = place;
    }
    w->jump.len = w->label.len = 0;
    w->current = EXEC_NONE;
}

void exec_writer_begin(exec_writer *w, uint32_t function) {
    end_function(w);
    if (w->status != RX_OK) return;
    if (function >= w->function.len || body_of(w, function)->len)
        writer_fail(w, RX_INTERNAL, "function %u is not there or has code already", function);
    else
        w->current = function;
}

// Instructions outside a function are a mistake of the caller's, told once.
static void add_word(exec_writer *w, uint32_t word) {
    if (w->status == RX_OK && w->current == EXEC_NONE) writer_fail(w, RX_INTERNAL, "an instruction outside a function");
    if (w->status == RX_OK) add(w, body_of(w, w->current), &word);
}

void exec_writer_op(exec_writer *w, opcode op) {
    end_instruction(w);
    if (w->current != EXEC_NONE) w->instruction = (uint32_t)body_of(w, w->current)->len;
    add_word(w, op_word(op, 1));
}

uint32_t exec_writer_word(const exec_writer *w) { return w->instruction; }

void exec_writer_operand(exec_writer *w, uint32_t word) { add_word(w, word); }

void exec_writer_list(exec_writer *w, const uint32_t *word, uint32_t count) {
    add_word(w, count);
    for (uint32_t i = 0; i < count; i++) add_word(w, word[i]);
}

// Labels are numbered per function: end_function empties the table.
uint32_t exec_writer_label(exec_writer *w) { return add(w, &w->label, &(writer_label){EXEC_NONE}); }

void exec_writer_place(exec_writer *w, uint32_t label) {
    if (w->status != RX_OK || w->current == EXEC_NONE || label >= w->label.len) return;
    ((writer_label *)w->label.at)[label].place = (uint32_t)body_of(w, w->current)->len;
}

// The operand is filled in by end_function, when all labels have their places.
void exec_writer_jump(exec_writer *w, uint32_t label) {
    if (w->status != RX_OK || w->current == EXEC_NONE) return;
    if (label >= w->label.len) writer_fail(w, RX_INTERNAL, "a jump to label %u, which doesn't exist", label);
    writer_jump j = {.word = (uint32_t)body_of(w, w->current)->len, .label = label};
    add(w, &w->jump, &j);
    add_word(w, 0);
}

// One array of words for all functions.
static void lay_out_code(exec_writer *w) {
    w->code.len = 0;
    for (uint32_t i = 0; i < w->function.len; i++) {
        exec_function *f = &((exec_function *)w->function.at)[i];
        growing *body = body_of(w, i);
        f->code = (uint32_t)w->code.len;
        f->words = (uint32_t)body->len;
        void *at = body->len ? growing_add(&w->code, body->len) : NULL;
        if (!at && body->len)
            no_memory(w);
        else if (at)
            memcpy(at, body->at, body->len * sizeof(uint32_t));
    }
}

// The tables are lent, not copied: adding an entry may move them.
bool writer_executable(exec_writer *w, executable *out) {
    end_function(w);
    if (w->status == RX_OK) lay_out_code(w);
    *out = (executable){.strings = (uint32_t)w->string.len,
                        .string = w->string.at,
                        .programs = (uint32_t)w->program.len,
                        .program = w->program.at,
                        .annotations = (uint32_t)w->annotation.len,
                        .annotation = w->annotation.at,
                        .functions = (uint32_t)w->function.len,
                        .function = w->function.at,
                        .constants = (uint32_t)w->constant.len,
                        .constant = w->constant.at,
                        .weights = (uint32_t)w->weight.len,
                        .weight = w->weight.at,
                        .kernels = (uint32_t)w->kernel.len,
                        .kernel = w->kernel.at,
                        .variants = (uint32_t)w->variant.len,
                        .variant = w->variant.at,
                        .imports = (uint32_t)w->import.len,
                        .import = w->import.at,
                        .blocks = (uint32_t)w->block.len,
                        .block = w->block.at,
                        .metas = (uint32_t)w->meta.len,
                        .meta = w->meta.at,
                        .replacements = (uint32_t)w->replacement.len,
                        .replacement = w->replacement.at,
                        .words = (uint32_t)w->code.len,
                        .code = w->code.at};
    return w->status == RX_OK;
}
