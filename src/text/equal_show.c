// equal_show.c - the first difference of two modules, in their own lines.
#include "text/equal.h"
#include "text/printer.h"
#include <string.h>

enum { CONTEXT = 2, LINE_MAX = 200 };

// The printed function with the place of what differs; func NULL: the whole module.
static const char *print_marked(arena *mem, const module *m, const char *func, const void *mark, size_t *at) {
    text *out = ARENA_NEW(mem, text, 1);
    out->mem = mem;
    script_options options = {.func = func};
    printer p = printer_new(out, mem, m, &options);
    p.mark = mark;
    print_whole(&p);
    *at = p.marked ? p.mark_at : 0;
    return text_get(out);
}

static void put_line(text *out, const char *prefix, const char *at) {
    size_t size = strcspn(at, "\n");
    text_put(out, prefix);
    text_put_n(out, at, size < LINE_MAX ? size : LINE_MAX);
    text_put(out, size < LINE_MAX ? "\n" : "...\n");
}

// The beginning of the line `lines` above.
static const char *go_up(const char *start, const char *at, int lines) {
    while (at > start && lines > 0) {
        at--;
        while (at > start && at[-1] != '\n') at--;
        lines--;
    }
    return at;
}

void show_difference(text *out, const matcher *m, const module *a, const module *b, const char *func) {
    arena *mem = arena_new();
    size_t at_a, at_b;
    const char *first = print_marked(mem, a, func, m->at_a, &at_a);
    const char *second = print_marked(mem, b, func, m->at_b, &at_b);
    text_format(out, "%s: %s differ\n", func ? func : a->name, m->why ? m->why : "the functions");
    for (const char *line_at = go_up(first, first + at_a, CONTEXT); line_at < first + at_a;
         line_at += strcspn(line_at, "\n") + 1)
        put_line(out, "  ", line_at);
    put_line(out, "- ", first + at_a);
    put_line(out, "+ ", second + at_b);
    arena_free(mem);
}
