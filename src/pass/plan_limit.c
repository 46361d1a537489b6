// plan_limit.c - says what is too large in a plan, and what to lower.
#include "pass/plan_view.h"
#include <stdlib.h>

// A tensor of the plan; `size` is `bytes` with bounds (or typical sizes) for symbols.
typedef struct large {
    const char *name, *block;
    const expr *bytes;
    int64_t size;
} large;

// Largest first; equal ones in order of the plan, which is the order they were listed in.
static int by_size(const void *a, const void *b) {
    const large *x = a, *y = b;
    return (x->size < y->size) - (x->size > y->size);
}

// The sizes a person can lower: symbols that the listed tensors mention.
static void put_symbols(text *t, const large *list, uint32_t count, arena *mem) {
    map seen = MAP_IN(mem);
    for (uint32_t i = 0; i < count; i++) {
        expr_list vars = {0};
        expr_free_vars(list[i].bytes, mem, &vars);
        for (uint32_t k = 0; k < vars.len; k++) {
            if (map_has(&seen, MAP_KEY(vars.at[k]))) continue;
            text_format(t, "%s %s", seen.len ? "," : "; lower the bounds of", vars.at[k]->as.var->name);
            map_put(&seen, MAP_KEY(vars.at[k]), t);
        }
    }
    text_put(t, seen.len ? " (--bound, --max)" : "; their sizes are constants of the model");
}

// Tensors rather than storages are named: a storage is as large as what lies in it, and only that can be made smaller.
const char *plan_view_excess(const plan_view *v, int64_t limit, arena *mem) {
    enum { SHOWN = 5 };
    char need[32], have[32], size[32];
    VEC(large) list = {0};
    text t = TEXT_IN(mem);
    if (v->peak_bytes <= limit) return NULL;
    for (uint32_t i = 0; i < v->storages.len; i++)
        for (uint32_t k = 0; k < v->storages.at[i].tensors.len; k++) {
            const tensor_view *x = &v->storages.at[i].tensors.at[k];
            VEC_PUSH(mem, &list, ((large){x->name, v->storages.at[i].name, x->bytes, x->size}));
        }
    qsort(list.at, list.len, sizeof *list.at, by_size);
    text_format(&t, "%s needs %s%s, but --mem-limit is %s; the largest blocks are", v->f->name,
                text_bytes((uint64_t)v->peak_bytes, need),
                v->bounded ? "" : " (sizes without a bound taken as typical)", text_bytes((uint64_t)limit, have));
    uint32_t shown = list.len < SHOWN ? list.len : SHOWN;
    for (uint32_t i = 0; i < shown; i++)
        text_format(&t, "%s %s in %s (%s, %s)", i ? "," : "", list.at[i].name, list.at[i].block,
                    expr_to_text(mem, list.at[i].bytes), text_bytes((uint64_t)list.at[i].size, size));
    put_symbols(&t, list.at, shown, mem);
    return text_get(&t);
}
