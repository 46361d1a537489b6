// call_order.c - strongly connected functions and an order of calls (Tarjan, with an explicit stack).
#include "pass/call_order.h"

typedef struct place { // one function
    const char *name;
    VEC(uint32_t) callee;
    uint32_t number, low; // in order of discovery from 1; the lowest it reaches
    bool open, self;
} place;

typedef struct frame {
    uint32_t place, next;
} frame;

typedef struct ordering {
    const module *m;
    place *place;
    VEC(frame) path;
    VEC(uint32_t) open;
    uint32_t numbers;
    call_order out;
} ordering;

// Everything mentioned counts as called: a function passed as a value may be.
static void list_callees(ordering *o, const text_map *index) {
    arena *mem = o->m->mem;
    for (uint32_t i = 0; i < o->m->funcs.len; i++) {
        place *p = &o->place[i];
        p->name = o->m->funcs.entry[i].key;
        text_map mentioned = TEXT_MAP_IN(mem);
        mentioned_functions(o->m, o->m->funcs.entry[i].value, &mentioned);
        for (uint32_t k = 0; k < mentioned.len; k++) {
            uintptr_t at = (uintptr_t)text_map_find(index, mentioned.entry[k].key);
            if (!at) continue;
            p->self |= at - 1 == i;
            VEC_PUSH(mem, &p->callee, (uint32_t)(at - 1));
        }
    }
}

// Numbered when discovered; open until its component is complete.
static void enter(ordering *o, uint32_t i) {
    o->place[i].number = o->place[i].low = ++o->numbers;
    o->place[i].open = true;
    VEC_PUSH(o->m->mem, &o->path, ((frame){.place = i}));
    VEC_PUSH(o->m->mem, &o->open, i);
}

// All that lies above i on the open stack calls itself in a circle.
static void leave(ordering *o, uint32_t i) {
    bool circle = o->open.at[o->open.len - 1] != i || o->place[i].self;
    uint32_t top;
    do {
        top = o->open.at[--o->open.len];
        o->place[top].open = false;
        if (circle) text_map_put(&o->out.recursive, o->place[top].name, o);
        VEC_PUSH(o->m->mem, &o->out.name, o->place[top].name);
    } while (top != i);
}

// Depth first with a stack of its own; the numbers are Tarjan's.
static void visit(ordering *o, uint32_t start) {
    enter(o, start);
    while (o->path.len) {
        frame *f = &o->path.at[o->path.len - 1];
        place *p = &o->place[f->place];
        if (f->next < p->callee.len) {
            uint32_t callee = p->callee.at[f->next++];
            if (!o->place[callee].number)
                enter(o, callee);
            else if (o->place[callee].open && o->place[callee].number < p->low)
                p->low = o->place[callee].number;
            continue;
        }
        uint32_t done = f->place;
        o->path.len--;
        if (p->low == p->number) leave(o, done);
        if (!o->path.len) continue;
        place *caller = &o->place[o->path.at[o->path.len - 1].place];
        if (p->low < caller->low) caller->low = p->low;
    }
}

// Linear in functions and mentions. Callees come before their callers in the order.
call_order call_order_of(const module *m) {
    ordering o = {.m = m, .place = ARENA_NEW(m->mem, place, m->funcs.len), .out = {.recursive = TEXT_MAP_IN(m->mem)}};
    text_map index = TEXT_MAP_IN(m->mem);
    for (uint32_t i = 0; i < m->funcs.len; i++) text_map_put(&index, m->funcs.entry[i].key, (void *)(uintptr_t)(i + 1));
    list_callees(&o, &index);
    for (uint32_t i = 0; i < m->funcs.len; i++)
        if (!o.place[i].number) visit(&o, i);
    return o.out;
}
