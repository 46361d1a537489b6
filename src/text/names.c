// names.c - names while printing: identifiers, unique in what is visible, numbered as TVM numbers them.
#include "text/printer.h"
#include <ctype.h>
#include <string.h>

// Python's keywords, and the names that the text itself uses.
static bool is_reserved(const char *name) {
    static const char *const word[] = {
        "R",      "T",        "I",      "cls",   "metadata", "float",  "and",      "as",      "assert", "break",
        "class",  "continue", "def",    "del",   "elif",     "else",   "except",   "finally", "for",    "from",
        "global", "if",       "import", "in",    "is",       "lambda", "nonlocal", "not",     "or",     "pass",
        "raise",  "return",   "try",    "while", "with",     "yield",  "None",     "True",    "False",  "range"};
    for (size_t i = 0; i < COUNT(word); i++)
        if (word[i][0] == name[0] && strcmp(word[i], name) == 0) return true;
    return false;
}

// An identifier as near to the hint as there is one.
static const char *identifier(arena *mem, const char *hint) {
    if (!hint || !*hint) return "v";
    size_t size = strlen(hint);
    char *name = arena_copy(mem, hint, size);
    for (size_t i = 0; i < size; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') name[i] = '_';
    if (isdigit((unsigned char)name[0])) name = arena_format(mem, "v_%s", name);
    return is_reserved(name) ? arena_format(mem, "%s_", name) : name;
}

// Entries stay when a scope ends: where to count on is remembered.
static taken_name *entry_of(name_table *t, const char *name) {
    taken_name *e = text_map_find(&t->taken, name);
    if (e) return e;
    e = ARENA_NEW(t->mem, taken_name, 1);
    text_map_put(&t->taken, name, e);
    return e;
}

static void occupy(name_table *t, taken_name *e) {
    e->used = true;
    VEC_PUSH(t->mem, &t->order, e);
}

// x, x_1, x_2: counting goes on where it stopped, so that many equal hints cost no search.
const char *names_define(name_table *t, const char *hint) {
    const char *name = identifier(t->mem, hint);
    taken_name *first = entry_of(t, name);
    if (!first->used) {
        first->next = 1;
        occupy(t, first);
        return name;
    }
    for (;;) {
        const char *numbered = arena_format(t->mem, "%s_%u", name, first->next++);
        taken_name *e = entry_of(t, numbered);
        if (e->used) continue;
        occupy(t, e);
        return numbered;
    }
}

uint32_t names_mark(const name_table *t) { return t->order.len; }

// The names of the scope are free again, in reverse order.
void names_leave(name_table *t, uint32_t mark) {
    while (t->order.len > mark) t->order.at[--t->order.len]->used = false;
}
