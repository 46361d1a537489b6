// print_buffer.c - buffers: T.Buffer(...), T.match_buffer(...), and what describes one.
#include "text/print_loop.h"
#include <string.h>

bool is_plain_buffer(const buffer *b) {
    return !b->stride && !b->elem_offset && strcmp(b->scope, "global") == 0 && !b->align && !b->offset_factor;
}

static void put_dims(loop_printer *l, const expr *const *dim, uint32_t rank) {
    text_put_char(l->p->out, '(');
    for (uint32_t i = 0; i < rank; i++) {
        if (i) text_put(l->p->out, ", ");
        put_loop_expr(l, dim[i]);
    }
    text_put(l->p->out, rank == 1 ? ",)" : ")");
}

// A variable that nothing defines yet is defined by its quoted name; from there on it is called B.strides[i], the only
// name that TVM's reader knows for it.
static void put_new_stride(loop_printer *l, const buffer *b, uint32_t i) {
    const char *name = map_find(&l->p->buffers, MAP_KEY(b));
    text_format(l->p->out, "\"%s\"", define_var(l->p, b->stride[i]));
    if (!name) return;
    char *called = arena_format(l->p->mem, "%s.strides[%u]", name, i);
    map_put(&l->p->vars, MAP_KEY(b->stride[i]), called);
}

static void put_strides(loop_printer *l, const buffer *b) {
    text *out = l->p->out;
    text_put(out, ", strides=(");
    for (uint32_t i = 0; i < b->rank; i++) {
        const expr *s = b->stride[i];
        if (i) text_put(out, ", ");
        if (s->op == EXPR_VAR && !map_has(&l->p->vars, MAP_KEY(s)))
            put_new_stride(l, b, i);
        else
            put_loop_expr(l, s);
    }
    text_put(out, b->rank == 1 ? ",)" : ")");
}

// An offset that is a variable of its own: offset_factor= says that there is one.
static bool is_matched_offset(loop_printer *l, const buffer *b) {
    const expr *e = b->elem_offset;
    return e && e->op == EXPR_VAR && b->offset_factor && !map_has(&l->p->vars, MAP_KEY(e));
}

void put_buffer_arguments(loop_printer *l, const buffer *b, bool dtype_always) {
    text *out = l->p->out;
    char type[32];
    put_dims(l, b->dim, b->rank);
    if (dtype_always || b->type.kind != DTYPE_F32 || dtype_lanes(b->type) != 1)
        text_format(out, ", \"%s\"", dtype_spell(b->type, type));
    if (b->stride && b->rank) put_strides(l, b);
    if (is_matched_offset(l, b)) {
        const char *name = map_find(&l->p->buffers, MAP_KEY(b));
        char *called = arena_format(l->p->mem, "%s.elem_offset", name ? name : b->name);
        map_put(&l->p->vars, MAP_KEY(b->elem_offset), called);
    } else if (b->elem_offset) {
        text_put(out, ", elem_offset=");
        put_loop_expr(l, b->elem_offset);
    }
    if (strcmp(b->scope, "global") != 0) text_format(out, ", scope=\"%s\"", b->scope);
    if (b->align) text_format(out, ", align=%u", b->align);
    if (b->offset_factor) text_format(out, ", offset_factor=%u", b->offset_factor);
}
