// inspect_weights.c - the weights of a file, those of equal layers in one line.
#include "base/map.h"
#include "base/vec.h"
#include "cli/inspect.h"
#include "cli/verb.h"
#include <inttypes.h>
#include <string.h>

// Weights that differ in the numbers of their names alone.
typedef struct weight_group {
    const exec_weight *first;
    const char *name; // of the first, or with * in place of numbers
    uint32_t count;
    uint64_t bytes;
} weight_group;

typedef VEC(weight_group *) group_list;

static void put_dims(text *t, uint32_t count, const int64_t *dim) {
    text_put(t, "(");
    for (uint32_t i = 0; i < count; i++) text_format(t, "%s%" PRId64, i ? ", " : "", dim[i]);
    text_put(t, count == 1 ? ",)" : ")");
}

// "uint32 (36, 18, 4, 16)", with the layout if it has one.
static const char *kind_of(arena *mem, const executable *e, const exec_weight *w) {
    char name[32];
    const char *layout = exec_string(e, w->layout);
    text t = TEXT_IN(mem);
    text_format(&t, "%s ", dtype_spell(w->type, name));
    put_dims(&t, w->dims, w->dim);
    if (*layout) text_format(&t, ", layout %s", layout);
    return text_get(&t);
}

// "blk.*.attn_q.weight"
static const char *without_numbers(arena *mem, const char *name) {
    static const char digits[] = "0123456789";
    text t = TEXT_IN(mem);
    while (*name) {
        size_t number = strspn(name, digits), plain = number ? 0 : strcspn(name, digits);
        text_put_n(&t, number ? "*" : name, number ? 1 : plain);
        name += number + plain;
    }
    return text_get(&t);
}

// In the order of the first of each.
static group_list group(arena *mem, const executable *e, bool each) {
    group_list list = {0};
    text_map known = TEXT_MAP_IN(mem);
    for (uint32_t i = 0; i < e->weights; i++) {
        const exec_weight *w = &e->weight[i];
        const char *name = cli_name(mem, span_of(exec_string(e, w->name))), *pattern = without_numbers(mem, name);
        const char *key = arena_format(mem, "%s %s", pattern, kind_of(mem, e, w));
        weight_group *g = each ? NULL : text_map_find(&known, key);
        if (!g) {
            g = ARENA_NEW(mem, weight_group, 1);
            *g = (weight_group){.first = w, .name = name};
            text_map_put(&known, key, g);
            VEC_PUSH(mem, &list, g);
        } else {
            g->name = pattern;
        }
        g->count++;
        g->bytes += w->bytes;
    }
    return list;
}

void inspect_weights(text *t, const executable *e, bool each) {
    char size[32];
    uint64_t all = 0;
    int widest = 0;
    group_list list = group(t->mem, e, each);
    for (uint32_t i = 0; i < e->weights; i++) all += e->weight[i].bytes;
    for (uint32_t i = 0; i < list.len; i++)
        if ((int)strlen(list.at[i]->name) > widest) widest = (int)strlen(list.at[i]->name);
    if (e->weights)
        text_format(t, "\nweights (%" PRIu32 ", %s%s)\n", e->weights, text_bytes(all, size),
                    list.len < e->weights ? "; --weights lists each" : "");
    for (uint32_t i = 0; i < list.len; i++) {
        const weight_group *g = list.at[i];
        text_format(t, "  %-*s  ", widest, g->name);
        if (g->count > 1) text_format(t, "%" PRIu32 " times ", g->count);
        text_format(t, "%s %s%s\n", kind_of(t->mem, e, g->first), text_bytes(g->bytes, size),
                    g->count > 1 ? " in all" : "");
    }
}
