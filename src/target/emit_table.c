// emit_table.c - constant tables: a choice among many constants by ranges of one index is looked up.
//
// select(i < 8, select(i < 4, a, b), select(i < 12, c, d)) is {a, b, c, d}[i / 4], with i moved into the table: what
// lies before the first border gets the first constant, what lies behind the last one the last. Codebooks of weights
// come so (ops/format_text.c): 512 constants took as many selections for each element, 14 to 50 times as long as a
// lookup.
#include "base/size.h"
#include "target/emit_words.h"
#include <stdio.h>

enum { FEWEST = 8, MOST = 4096, DEEPEST = 64 }; // constants; fewer are chosen faster than they are loaded

typedef struct choices {
    const expr *index; // NULL: not known yet
    uint64_t *value;   // NULL: they are only counted
    int64_t *border;   // value i stands below border i
    uint32_t values, borders;
} choices;

// From left to right. False where something else than constants below increasing borders of one index is there.
static bool read_choices(const expr *x, choices *c, uint32_t depth) {
    int64_t border;
    if (x->op == EXPR_INT) {
        if (c->value) c->value[c->values] = (uint64_t)x->as.ival;
        return ++c->values <= MOST;
    }
    const expr *if_below = x->op == EXPR_SELECT && depth < DEEPEST ? x->in[0] : NULL;
    if (!if_below || if_below->op != EXPR_LT || !expr_const_int(if_below->in[1], &border)) return false;
    if (c->index && c->index != if_below->in[0]) return false;
    c->index = if_below->in[0];
    if (!read_choices(x->in[1], c, depth + 1)) return false;
    if (c->border) c->border[c->borders] = border;
    c->borders++;
    return read_choices(x->in[2], c, depth + 1);
}

// Borders step, 2 step, 3 step, …; 0: they are something else.
static int64_t step_of(const choices *c) {
    int64_t step = c->borders ? c->border[0] : 0, expected;
    for (uint32_t i = 0; step > 0 && i < c->borders; i++)
        if (!int_mul(step, (int64_t)i + 1, &expected) || c->border[i] != expected) step = 0;
    return step > 0 && c->values == c->borders + 1 ? step : 0;
}

LLVMValueRef emit_constants(emitter *e, const uint64_t *value, unsigned count) {
    char name[40];
    uint64_t hash = count;
    LLVMValueRef *word = ARENA_NEW(e->mem, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++) {
        hash = hash_mix(hash, value[i]);
        word[i] = LLVMConstInt(e->i64, value[i], false);
    }
    snprintf(name, sizeof name, "table.%016llx", (unsigned long long)hash);
    LLVMValueRef all = LLVMConstArray2(e->i64, word, count), known = LLVMGetNamedGlobal(e->module, name);
    if (known && LLVMGetInitializer(known) == all) return known;
    LLVMValueRef global = LLVMAddGlobal(e->module, LLVMTypeOf(all), name);
    LLVMSetInitializer(global, all);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

// The place of each lane in the table.
static LLVMValueRef place_in(emitter *e, LLVMValueRef index, int64_t step, uint32_t values) {
    LLVMTypeRef type = like_lanes(e->i64, index);
    LLVMValueRef least = LLVMConstNull(type), most = widen(e, const_i64(e, values - 1), value_lanes(index));
    LLVMValueRef by = widen(e, const_i64(e, step), value_lanes(index)), at = LLVMBuildSExt(e->b, index, type, "");
    at = choose(e, LLVMBuildICmp(e->b, LLVMIntSLT, at, least, ""), least, at);
    at = LLVMBuildUDiv(e->b, at, by, "");
    return choose(e, LLVMBuildICmp(e->b, LLVMIntSGT, at, most, ""), most, at);
}

LLVMValueRef emit_choice(emitter *e, const expr *x) {
    if (!dtype_is_int(x->type) || dtype_lanes(x->type) != 1) return NULL;
    choices seen = {0}, c = {0};
    if (!read_choices(x, &seen, 0) || seen.values < FEWEST) return NULL;
    c.value = ARENA_NEW(e->mem, uint64_t, seen.values);
    c.border = ARENA_NEW(e->mem, int64_t, seen.borders);
    int64_t step = read_choices(x, &c, 0) ? step_of(&c) : 0;
    if (!step || c.index->type.kind < DTYPE_I8 || c.index->type.kind > DTYPE_I64) return NULL;
    LLVMValueRef at = place_in(e, emit_expr(e, c.index), step, c.values);
    LLVMValueRef word = emit_lookup(e, emit_constants(e, c.value, c.values), at);
    return LLVMBuildTrunc(e->b, word, like_lanes(compute_type(e, x->type), word), "");
}
