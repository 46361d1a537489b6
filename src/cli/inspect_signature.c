// inspect_signature.c - the signature of a function: in one line, or of a model's hundreds of parameters what differs.
#include "base/count_noun.h"
#include "base/span.h"
#include "cli/inspect.h"
#include <stddef.h>
#include <string.h>

// The end of an item of a list: its comma, or the bracket that closes the list.
static const char *item_end(const char *at) {
    int depth = 0;
    bool quoted = false;
    for (; *at; at++) {
        if (*at == '"') quoted = !quoted;
        if (quoted) continue;
        if (depth == 0 && strchr(",)]}", *at)) return at;
        depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
    }
    return at;
}

// Signatures are taken apart as text: they are what the file shows its users.
static const char *next_item(const char *end) { return *end == ',' ? end + 1 + strspn(end + 1, " ") : end; }

// The items of a tuple, each on a line of its own; equal ones that follow one another are counted.
static const char *put_items(text *t, const char *at) {
    while (*at && *at != ')') {
        const char *end = item_end(at), *next = next_item(end);
        size_t size = (size_t)(end - at), times = 1;
        while (strncmp(next, at, size) == 0 && item_end(next) == next + size) times++, next = next_item(next + size);
        text_format(t, "    %.*s", (int)size, at);
        text_format(t, times > 1 ? ", %zu times\n" : "\n", times);
        at = next;
    }
    return at;
}

// Parameters that follow one another and differ in the number behind their names alone: "k_pages_0: R.Tensor(…)".
typedef struct param_run {
    const char *first, *end; // of the first, up to the comma
    text_span last;          // the name of the last
    uint32_t flags;
} param_run;

// Where the number begins that ends a name.
static size_t stem(text_span name) {
    size_t size = name.size;
    while (size && strchr("0123456789", name.at[size - 1])) size--;
    return size;
}

static bool is_like(const param_run *r, const char *at, const char *end, uint32_t flags) {
    text_span name = {at, strcspn(at, ":")};
    size_t size = stem(name), first = strcspn(r->first, ":");
    return size && size < name.size && flags == r->flags && stem((text_span){r->first, first}) == size &&
           first > size && memcmp(r->first, at, size) == 0 &&
           end - at - (ptrdiff_t)name.size == r->end - r->first - (ptrdiff_t)first &&
           memcmp(r->first + first, at + name.size, (size_t)(end - at) - name.size) == 0;
}

static void put_run(text *t, const param_run *r) {
    if (!r->first) return;
    size_t name = strcspn(r->first, ":");
    text_format(t, "    %.*s", (int)name, r->first);
    if (r->last.at) text_format(t, " ... %.*s", (int)r->last.size, r->last.at);
    text_format(t, "%.*s%s\n", (int)(r->end - r->first) - (int)name, r->first + name,
                r->flags & PARAM_DONATED ? "  (donated)" : "");
}

// A long signature: a parameter a line, without those that are weights; a model has hundreds.
static void put_long_signature(text *t, const exec_function *f) {
    static const char tuple[] = ") -> R.Tuple(";
    uint32_t weights = 0;
    param_run run = {.first = NULL};
    const char *at = f->text + strcspn(f->text, "(");
    text_format(t, "%.*s(\n", (int)(at - f->text), f->text);
    at += *at == '(';
    for (uint32_t p = 0; p < f->params && *at && *at != ')'; p++) {
        const char *end = item_end(at);
        if (f->param[p].weight != EXEC_NONE) {
            weights++;
        } else if (run.first && is_like(&run, at, end, f->param[p].flags)) {
            run.last = (text_span){at, strcspn(at, ":")};
        } else {
            put_run(t, &run);
            run = (param_run){.first = at, .end = end, .flags = f->param[p].flags};
        }
        at = next_item(end);
    }
    put_run(t, &run);
    if (weights) text_format(t, "    and %s, listed below\n", COUNTED(weights, "weight"));
    if (strncmp(at, tuple, sizeof tuple - 1) == 0) {
        text_format(t, "  %s\n", tuple);
        at = put_items(t, at + sizeof tuple - 1);
    }
    text_format(t, "  %s%s\n", at, f->flags & FUNCTION_PUBLIC ? "" : "  (private)");
}

void inspect_signature(text *t, const executable *e, const exec_function *f) {
    enum { ONE_LINE = 400 };
    text_put(t, "\nfunction ");
    if (strlen(f->text) > ONE_LINE) {
        put_long_signature(t, f);
        return;
    }
    text_format(t, "%s%s\n", f->text, f->flags & FUNCTION_PUBLIC ? "" : "  (private)");
    for (uint32_t p = 0; p < f->params; p++) {
        if (f->param[p].weight != EXEC_NONE) text_format(t, "  %s is a weight\n", exec_string(e, f->param[p].name));
        if (f->param[p].flags & PARAM_DONATED) text_format(t, "  %s is donated\n", exec_string(e, f->param[p].name));
    }
}
