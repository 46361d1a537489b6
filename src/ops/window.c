// window.c - layouts and sliding windows.
#include "ops/window.h"
#include "base/count_noun.h"
#include <string.h>

layout layout_of(arena *mem, const node *n, const char *name, const layout *otherwise) {
    const attr *a = node_attr(n, name);
    if (a->kind != ATTR_STRING || a->size == 0) return otherwise ? *otherwise : (layout){.letters = ""};
    return (layout){.letters = arena_copy(mem, a->as.text, a->size), .rank = (uint32_t)a->size};
}

int32_t layout_find(const layout *l, char letter) {
    const char *at = strchr(l->letters, letter);
    return at && letter ? (int32_t)(at - l->letters) : -1;
}

bool layout_is(const layout *l, const char *wanted) {
    if (l->rank != strlen(wanted)) return false;
    for (const char *p = wanted; *p; p++)
        if (layout_find(l, *p) < 0) return false;
    return true;
}

const char *spatial_letters(uint32_t spatial) { return &"DHW"[MAX_SPATIAL - spatial]; }

// One number for all dims, or one each.
static bool per_dim(infer_ctx *c, const node *n, const char *name, uint32_t spatial, int64_t *out) {
    int64_t all[2 * MAX_SPATIAL + 1];
    const attr *a = node_attr(n, name);
    if (a->kind == ATTR_LIST && a->count != 1 && a->count != spatial)
        return infer_error(c, n, "%s: want one number, or %u, got %u", name, spatial, a->count), false;
    uint32_t count = attr_numbers(n, name, all, MAX_SPATIAL);
    for (uint32_t i = 0; i < spatial; i++) { out[i] = count == 1 ? all[0] : all[i]; }
    return true;
}

static bool padding_of(infer_ctx *c, const node *n, uint32_t spatial, window *out) {
    int64_t all[2 * MAX_SPATIAL];
    const attr *a = node_attr(n, "padding");
    uint32_t count = a->kind == ATTR_LIST ? a->count : 1;
    if (count != 1 && count != spatial && count != 2 * spatial)
        return infer_error(c, n, "padding: want 1, %u or %s, got %u", spatial, COUNTED(2 * spatial, "number"), count),
               false;
    attr_numbers(n, "padding", all, COUNT(all));
    for (uint32_t i = 0; i < spatial; i++) {
        out[i].before = all[count == 1 ? 0 : i];
        out[i].after = all[count == 1 ? 0 : count == spatial ? i : spatial + i];
    }
    return true;
}

bool windows_of(infer_ctx *c, const node *n, uint32_t spatial, window *out) {
    int64_t size[MAX_SPATIAL] = {0}, stride[MAX_SPATIAL], dilation[MAX_SPATIAL];
    bool pools = op_attr_row(n->op, "pool_size") < op_attrs(n->op);
    if (pools && !per_dim(c, n, "pool_size", spatial, size)) return false;
    if (!per_dim(c, n, "strides", spatial, stride) || !per_dim(c, n, "dilation", spatial, dilation)) return false;
    for (uint32_t i = 0; i < spatial; i++)
        out[i] = (window){.size = size[i], .stride = stride[i], .dilation = dilation[i]};
    return padding_of(c, n, spatial, out);
}

const char *layout_index(arena *mem, const layout *l, const index_text *t) {
    text out = TEXT_IN(mem);
    for (uint32_t i = 0, space = 0; i < l->rank; i++) {
        char letter = l->letters[i];
        bool is_space = letter == 'D' || letter == 'H' || letter == 'W';
        const char *all = "DHW";
        if (is_space) { // the order of space[] is that of the letters, whatever the layout's
            uint32_t spatial = 0;
            for (const char *p = all; *p; p++) spatial += layout_find(l, *p) >= 0;
            space = (uint32_t)(strchr(all, letter) - all) - (MAX_SPATIAL - spatial);
        }
        const char *item = is_space        ? t->space[space]
                           : letter == 'N' ? t->batch
                           : letter == 'I' ? t->other
                                           : t->channel;
        text_format(&out, "%s%s", i ? ", " : "", item);
    }
    return text_get(&out);
}
