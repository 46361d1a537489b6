// registers.c - handing out registers, and instructions with the kills that are due before them.
#include "driver/emit.h"
#include <string.h>

uint32_t register_new(function_emission *f) {
    if (f->free.len) return f->free.at[--f->free.len];
    return f->registers++;
}

uint32_t register_of(function_emission *f, const node *n) {
    uint32_t r = register_new(f);
    f->reg[n->id] = r + 1;
    f->made_at[n->id] = f->depth;
    return r;
}

uint32_t register_temp(function_emission *f) {
    uint32_t r = register_new(f);
    VEC_PUSH(f->e->mem, &f->temps, r);
    return r;
}

void register_kill(function_emission *f, uint32_t r) { VEC_PUSH(f->e->mem, &f->dying, r); }

void registers_done(function_emission *f) {
    for (uint32_t i = 0; i < f->temps.len; i++) register_kill(f, f->temps.at[i]);
    f->temps.len = 0;
}

// Kills that are due become one instruction; their registers are free from then on.
static void bury(function_emission *f) {
    if (!f->dying.len) return;
    exec_writer_op(f->e->w, OP_KILL);
    exec_writer_list(f->e->w, f->dying.at, f->dying.len);
    for (uint32_t i = f->dying.len; i-- > 0;) VEC_PUSH(f->e->mem, &f->free, f->dying.at[i]);
    f->dying.len = 0;
}

static bool is_word_char(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

// The start of a line; NULL: there is none. Lines are mostly asked for in order: the search goes on from the last one.
static const char *line_at(emission *e, loc at) {
    bool onwards = e->seen.src == at.src && e->seen.line <= at.line && e->seen_line;
    const char *line = onwards ? e->seen_line : at.src->bytes, *end = at.src->bytes + at.src->size;
    for (uint32_t i = onwards ? e->seen.line : 1; i < at.line && line; i++) {
        line = memchr(line, '\n', (size_t)(end - line));
        if (line) line++;
    }
    e->seen = at;
    return e->seen_line = line;
}

static const char *skip_spaces(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    return at;
}

// The name that the user's line binds, "hidden" in `hidden = R.nn.relu(x)` and `hidden: R.Tensor = …`; NULL: none.
static const char *bound_name(const function_emission *f, loc at) {
    const char *line = line_at(f->e, at), *end = at.src->bytes + at.src->size;
    if (!line) return NULL;
    const char *start = skip_spaces(line, end), *stop = start;
    while (stop < end && is_word_char(*stop)) stop++;
    const char *after = skip_spaces(stop, end);
    bool binds = stop > start && after + 1 < end && (*after == ':' || (*after == '=' && after[1] != '='));
    return binds ? arena_copy(f->e->mem, start, (size_t)(stop - start)) : NULL;
}

// "main 12 mlp.py:7 lv3": function, word, place, binding; for profilers and for messages about numbers. The binding is
// the user's, whatever passes have called it since.
static void note_binding(function_emission *f) {
    const node *n = f->node;
    if (!n || !n->name) return;
    text *t = &f->e->bindings;
    text_format(t, "%s %u ", f->f->name, exec_writer_word(f->e->w));
    const char *slash = n->at.src ? strrchr(n->at.src->name, '/') : NULL;
    if (n->at.src)
        text_format(t, "%s:%u", slash ? slash + 1 : n->at.src->name, n->at.line);
    else
        text_put_char(t, '-');
    const char *user = n->at.src ? bound_name(f, n->at) : NULL, *name = user ? user : n->name;
    text_format(t, strcmp(name, "_") ? " %s\n" : "\n", name);
}

void instruction(function_emission *f, opcode code) {
    if (code == OP_RET)
        f->dying.len = 0; // returning empties them all
    else
        bury(f);
    exec_writer_op(f->e->w, code);
    if (code == OP_LAUNCH || code == OP_BUILTIN || code == OP_EXTERN) note_binding(f);
}

void operand(function_emission *f, uint32_t word) { exec_writer_operand(f->e->w, word); }

void operands(function_emission *f, const uint32_t *word, uint32_t count) { exec_writer_list(f->e->w, word, count); }

uint32_t text_constant(function_emission *f, const char *bytes, size_t size) {
    emission *e = f->e;
    bool plain = !memchr(bytes, 0, size);
    uintptr_t known = plain ? (uintptr_t)text_map_find_n(&e->once->texts, bytes, size) : 0;
    if (known) return (uint32_t)(known - 1);
    const exec_constant c = {.kind = CONSTANT_STRING, .bytes = {(const uint8_t *)bytes, size}};
    uint32_t index = exec_writer_constant(e->w, &c);
    if (plain) text_map_put(&e->once->texts, arena_copy(e->mem, bytes, size), (void *)(uintptr_t)(index + 1));
    return index;
}
