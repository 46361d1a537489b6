// program_text.c - a size as it was written, for messages about one that has no value.
#include "vm/program_text.h"
#include "base/postfix.h"
#include "vm/frames.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = VM_PROGRAM_TEXT, ATOM = 9 };

// How an instruction is written: between its operands, or (binds 0) in front of them.
typedef struct form {
    uint8_t binds;
    const char *spelling;
} form;

static const form form_of[POSTFIX_OPS] = {
    [POSTFIX_OR] = {1, "or"},
    [POSTFIX_AND] = {2, "and"},
    [POSTFIX_EQ] = {3, "=="},
    [POSTFIX_NE] = {3, "!="},
    [POSTFIX_LT] = {3, "<"},
    [POSTFIX_LE] = {3, "<="},
    [POSTFIX_BIT_OR] = {4, "|"},
    [POSTFIX_BIT_XOR] = {5, "^"},
    [POSTFIX_BIT_AND] = {6, "&"},
    [POSTFIX_SHIFT_LEFT] = {7, "<<"},
    [POSTFIX_SHIFT_RIGHT] = {7, ">>"},
    [POSTFIX_ADD] = {8, "+"},
    [POSTFIX_SUB] = {8, "-"},
    [POSTFIX_MUL] = {ATOM, "*"},
    [POSTFIX_FLOOR_DIV] = {ATOM, "//"},
    [POSTFIX_FLOOR_MOD] = {ATOM, "%"},
    [POSTFIX_TRUNC_DIV] = {0, "T.truncdiv"},
    [POSTFIX_TRUNC_MOD] = {0, "T.truncmod"},
    [POSTFIX_MIN] = {0, "T.min"},
    [POSTFIX_MAX] = {0, "T.max"},
    [POSTFIX_NOT] = {0, "not "},
    [POSTFIX_SELECT] = {0, "T.Select"},
};

// The operands one after the other in one text: where each begins, how tightly its last operator binds.
typedef struct writer {
    char text[ROOM];
    size_t size, from[POSTFIX_MAX_STACK + 1];
    uint8_t binds[POSTFIX_MAX_STACK + 1];
    uint32_t depth;
    bool full;
} writer;

static void insert(writer *w, size_t at, const char *what) {
    size_t length = strlen(what);
    w->full |= length >= ROOM - w->size;
    if (w->full) return;
    memmove(w->text + at + length, w->text + at, w->size - at);
    memcpy(w->text + at, what, length);
    w->size += length;
}

// The operand from `from` to the end in brackets.
static void enclose(writer *w, size_t from) {
    insert(w, from, "(");
    insert(w, w->size, ")");
}

static void put_between(writer *w, form f) {
    uint32_t left = w->depth - 2, right = w->depth - 1;
    size_t end = w->from[right];
    char middle[8];
    snprintf(middle, sizeof middle, " %s ", f.spelling);
    if (w->binds[right] <= f.binds) enclose(w, w->from[right]);
    insert(w, end, middle);
    if (w->binds[left] >= f.binds) return;
    insert(w, end, ")");
    insert(w, w->from[left], "(");
}

static void put_in_front(writer *w, form f, uint32_t operands) {
    for (uint32_t i = 1; i < operands; i++) insert(w, w->from[w->depth - i], ", ");
    enclose(w, w->from[w->depth - operands]);
    insert(w, w->from[w->depth - operands], f.spelling);
}

static const exec_symbol *symbol_at(const exec_function *f, const uint8_t *at) {
    for (uint32_t i = 0; f && *at == POSTFIX_SLOT && i < f->symbols; i++)
        if (f->symbol[i].slot == (uint64_t)postfix_operand(at)) return &f->symbol[i];
    return NULL;
}

static void push(writer *w, const char *what) {
    w->from[w->depth] = w->size;
    w->binds[w->depth++] = ATOM + 1;
    insert(w, w->size, what);
}

// What a slot without a name holds was computed: its value says more than its number.
static void put_leaf(writer *w, const rx_context *c, const exec_symbol *symbol, const uint8_t *at, const int64_t *s) {
    char number[24];
    int64_t value = *at == POSTFIX_SLOT ? s[postfix_operand(at)] : postfix_operand(at);
    snprintf(number, sizeof number, "%" PRId64, value);
    push(w, symbol ? exec_string(c->exe, symbol->name) : number);
}

static void put_instruction(writer *w, postfix_op op) {
    form f = form_of[op];
    uint32_t operands = postfix_get(op)->pops;
    if (f.binds)
        put_between(w, f);
    else
        put_in_front(w, f, operands);
    w->depth -= operands - 1;
    w->binds[w->depth - 1] = f.binds ? f.binds : ATOM + 1;
}

// ", as a is 4 and b is 0": each symbol once.
static void put_values(const rx_context *c, const exec_function *f, const exec_program *p, const int64_t *s, char *out,
                       size_t room) {
    size_t at = 0;
    const uint8_t *end = p->bytes.at + p->bytes.size;
    for (const uint8_t *b = p->bytes.at; b < end && at < room; b += postfix_size(b)) {
        const exec_symbol *symbol = symbol_at(f, b);
        bool again = false;
        for (const uint8_t *x = p->bytes.at; x < b; x += postfix_size(x)) again |= symbol && symbol_at(f, x) == symbol;
        if (!symbol || again) continue;
        at += (size_t)snprintf(out + at, room - at, "%s %s is %" PRId64, at ? " and" : ", as",
                               exec_string(c->exe, symbol->name), s[symbol->slot]);
    }
}

void vm_program_text(rx_context *c, const exec_program *p, const int64_t *s, const char *why,
                     char out[2 * VM_PROGRAM_TEXT]) {
    const exec_function *f = NULL;
    char values[ROOM] = "";
    writer w = {.size = 0};
    // A kernel's sizes are over its scalars, which have no names.
    if (c->frames && s == frame_slots(c)) f = &c->exe->function[frame_top(c)->function];
    const uint8_t *end = p->bytes.at + p->bytes.size;
    for (const uint8_t *b = p->bytes.at; b < end && !w.full; b += postfix_size(b)) {
        if (postfix_get(*b)->pops)
            put_instruction(&w, *b);
        else
            put_leaf(&w, c, symbol_at(f, b), b, s);
    }
    put_values(c, f, p, s, values, sizeof values);
    snprintf(out, 2 * VM_PROGRAM_TEXT, "%.*s %s%s", w.full ? 6 : (int)w.size, w.full ? "a size" : w.text, why, values);
}
