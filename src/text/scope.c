// scope.c - names in scope: each maps to its innermost value; leaving a scope undoes what was bound inside it.
#include "text/reader.h"

uint32_t scope_mark(const reader *r) { return r->names.undo.len; }

static scope_entry *entry_of(reader *r, const char *name) {
    scope_entry *e = map_find(&r->names.entries, MAP_KEY(name));
    if (e) return e;
    e = ARENA_NEW(r->names.mem, scope_entry, 1);
    e->name = name;
    map_put(&r->names.entries, MAP_KEY(name), e);
    return e;
}

void scope_bind(reader *r, const char *name, value v) {
    scope_entry *e = entry_of(r, name);
    scope_undo undo = {.entry = e, .before = e->now, .was_bound = e->bound};
    VEC_PUSH(r->names.mem, &r->names.undo, undo);
    e->now = v;
    e->bound = true;
}

void scope_leave(reader *r, uint32_t mark) {
    while (r->names.undo.len > mark) {
        const scope_undo *u = &r->names.undo.at[--r->names.undo.len];
        u->entry->now = u->before;
        u->entry->bound = u->was_bound;
    }
}

const value *scope_find(const reader *r, const char *name) {
    const scope_entry *e = map_find(&r->names.entries, MAP_KEY(name));
    return e && e->bound ? &e->now : NULL;
}

const char *scope_nearest(reader *r, const char *name) {
    enum { LOOKED_AT = 2000 }; // the newest ones: a suggestion is not worth more
    VEC(const char *) known = {0};
    for (uint32_t i = r->names.entries.len; i-- > 0 && known.len < LOOKED_AT;) {
        const scope_entry *e = r->names.entries.entry[i].value;
        if (e->bound) VEC_PUSH(r->scratch, &known, e->name);
    }
    return text_nearest(name, known.at, known.len);
}
