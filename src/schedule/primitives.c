// primitives.c - the primitives as lines of a trace call them.
#include "base/count_noun.h"
#include "schedule/replay.h"

static void run_block(replay *r) {
    const char *name = replay_text(r, 0);
    if (r->failed) return;
    block_ref b = schedule_block(r->sch, name);
    if (!b.id) diag_error(r->sch->d, r->line->at, "trace: there is no block %s", name);
    replay_give_block(r, 0, b);
}

static void run_loop(replay *r) {
    block_ref b = replay_block(r, 0);
    int64_t at = replay_int(r, 1);
    if (r->failed) return;
    uint32_t count = schedule_loops(r->sch, b, NULL, 0);
    loop_ref *l = ARENA_NEW(r->sch->mem, loop_ref, count + 1);
    schedule_loops(r->sch, b, l, count);
    if (at < 0 || at >= count)
        diag_error(r->sch->d, r->line->at, "trace: the block stands in %s, there is none of number %lld",
                   COUNTED(count, "loop"), (long long)at);
    replay_give_loop(r, 0, at < 0 || at >= count ? (loop_ref){0} : l[at]);
}

static void run_split(replay *r) {
    loop_ref l = replay_loop(r, 0), out[REPLAY_ARGS];
    const attr *a = replay_value(r, 1);
    int64_t factor[REPLAY_ARGS];
    if (a->kind != ATTR_LIST || a->count > REPLAY_ARGS) r->failed = true;
    for (uint32_t i = 0; !r->failed && i < a->count; i++) {
        bool none = a->list[i]->kind == ATTR_NONE;
        factor[i] = none ? 0 : a->list[i]->as.i;
        if (!none && (a->list[i]->kind != ATTR_INT || factor[i] < 1)) r->failed = true;
    }
    if (r->failed) {
        diag_error(r->sch->d, r->line->at, "trace: split: want a loop and factors such as [None, 16]");
        return;
    }
    r->failed = !schedule_split(r->sch, l, factor, a->count, out);
    for (uint32_t i = 0; !r->failed && i < a->count; i++) replay_give_loop(r, i, out[i]);
}

static uint32_t all_loops(replay *r, loop_ref *l) {
    for (uint32_t i = 0; i < r->line->args; i++) l[i] = replay_loop(r, i);
    return r->line->args;
}

static void run_fuse(replay *r) {
    loop_ref l[REPLAY_ARGS];
    uint32_t count = all_loops(r, l);
    if (!r->failed) replay_give_loop(r, 0, schedule_fuse(r->sch, l, count));
}

static void run_reorder(replay *r) {
    loop_ref l[REPLAY_ARGS];
    uint32_t count = all_loops(r, l);
    r->failed = r->failed || !schedule_reorder(r->sch, l, count);
}

static void run_parallel(replay *r) {
    loop_ref l = replay_loop(r, 0);
    r->failed = r->failed || !schedule_parallel(r->sch, l);
}

static void run_vectorize(replay *r) {
    loop_ref l = replay_loop(r, 0);
    r->failed = r->failed || !schedule_vectorize(r->sch, l);
}

static void run_unroll(replay *r) {
    loop_ref l = replay_loop(r, 0);
    r->failed = r->failed || !schedule_unroll(r->sch, l);
}

static void run_bind(replay *r) {
    loop_ref l = replay_loop(r, 0);
    const char *thread = replay_text(r, 1);
    r->failed = r->failed || !schedule_bind(r->sch, l, thread);
}

static void run_compute_at(replay *r) {
    block_ref b = replay_block(r, 0);
    loop_ref l = replay_loop(r, 1);
    r->failed = r->failed || !schedule_compute_at(r->sch, b, l);
}

static void run_reverse_compute_at(replay *r) {
    block_ref b = replay_block(r, 0);
    loop_ref l = replay_loop(r, 1);
    r->failed = r->failed || !schedule_reverse_compute_at(r->sch, b, l);
}

static void run_compute_inline(replay *r) {
    block_ref b = replay_block(r, 0);
    r->failed = r->failed || !schedule_compute_inline(r->sch, b);
}

static void run_reverse_compute_inline(replay *r) {
    block_ref b = replay_block(r, 0);
    r->failed = r->failed || !schedule_reverse_compute_inline(r->sch, b);
}

static void run_decompose_reduction(replay *r) {
    block_ref b = replay_block(r, 0);
    loop_ref l = replay_loop(r, 1);
    if (!r->failed) replay_give_block(r, 0, schedule_decompose_reduction(r->sch, b, l));
}

static void run_unfold(replay *r) {
    block_ref b = replay_block(r, 0);
    loop_ref l = replay_loop(r, 1);
    r->failed = r->failed || !schedule_unfold(r->sch, b, l);
}

static void run_group(replay *r) {
    block_ref b = replay_block(r, 0);
    int64_t rows = replay_int(r, 1);
    if (!r->failed) replay_give_block(r, 0, schedule_group(r->sch, b, rows, NULL));
}

static void run_skip(replay *r) {
    loop_ref l = replay_loop(r, 0);
    r->failed = r->failed || !schedule_skip(r->sch, l);
}

static void run_outline(replay *r) {
    block_ref b = replay_block(r, 0);
    const attr *a = replay_value(r, 1);
    uint32_t iters[REPLAY_ARGS];
    if (r->failed || a->kind != ATTR_LIST || a->count > REPLAY_ARGS) r->failed = true;
    for (uint32_t i = 0; !r->failed && i < a->count; i++) {
        r->failed = a->list[i]->kind != ATTR_INT || a->list[i]->as.i < 0 || a->list[i]->as.i > UINT16_MAX;
        iters[i] = r->failed ? 0 : (uint32_t)a->list[i]->as.i;
    }
    if (r->failed)
        diag_error(r->sch->d, r->line->at, "trace: outline: want a block and numbers of its variables such as [1, 2]");
    else
        replay_give_block(r, 0, schedule_outline(r->sch, b, iters, a->count));
}

static void run_rfactor(replay *r) {
    block_ref b = replay_block(r, 0);
    loop_ref l = replay_loop(r, 1);
    int64_t axis = replay_int(r, 2);
    loop_ref in = r->line->args > 3 ? replay_loop(r, 3) : (loop_ref){0};
    if (!r->failed) replay_give_block(r, 0, schedule_rfactor(r->sch, b, l, axis, in));
}

static void run_compact(replay *r) {
    loop_ref l = replay_loop(r, 0);
    r->failed = r->failed || !schedule_compact(r->sch, l);
}

static void run_annotate(replay *r) {
    bool of_block = replay_is_block(r, 0);
    block_ref b = of_block ? replay_block(r, 0) : (block_ref){0};
    loop_ref l = of_block ? (loop_ref){0} : replay_loop(r, 0);
    const char *key = replay_text(r, 1);
    const attr *value = replay_value(r, 2);
    if (r->failed) return;
    r->failed =
        of_block ? !schedule_annotate_block(r->sch, b, key, value) : !schedule_annotate_loop(r->sch, l, key, value);
}

static void run_peel(replay *r) {
    loop_ref l = replay_loop(r, 0);
    block_ref out[REPLAY_ARGS];
    block_ref of = r->line->args > 1 ? replay_block(r, 1) : (block_ref){0};
    uint32_t count = r->failed ? 0 : schedule_peel(r->sch, l, of, out, REPLAY_ARGS);
    if (!count) r->failed = true;
    for (uint32_t i = 0; i < count && i < REPLAY_ARGS; i++) replay_give_block(r, i, out[i]);
}

static void run_shorten(replay *r) {
    loop_ref l = replay_loop(r, 0);
    r->failed = r->failed || !schedule_shorten(r->sch, l);
}

static void run_pad(replay *r) {
    block_ref b = replay_block(r, 0);
    int64_t at = replay_int(r, 1), factor = replay_int(r, 2);
    r->failed = r->failed || !schedule_pad(r->sch, b, at < 0 ? UINT32_MAX : (uint32_t)at, factor);
}

static void run_cache(replay *r, block_ref (*cache)(schedule *, block_ref, uint32_t, const char *)) {
    block_ref b = replay_block(r, 0);
    int64_t at = replay_int(r, 1);
    const char *scope = replay_text(r, 2);
    if (!r->failed) replay_give_block(r, 0, cache(r->sch, b, at < 0 ? UINT32_MAX : (uint32_t)at, scope));
}

static void run_cache_read(replay *r) { run_cache(r, schedule_cache_read); }
static void run_cache_write(replay *r) { run_cache(r, schedule_cache_write); }

static void run_set_scope(replay *r) {
    block_ref b = replay_block(r, 0);
    int64_t at = replay_int(r, 1);
    const char *scope = replay_text(r, 2);
    r->failed = r->failed || !schedule_set_scope(r->sch, b, at < 0 ? UINT32_MAX : (uint32_t)at, scope);
}

static uint32_t small(int64_t value) { return value < 0 || value > UINT16_MAX ? UINT32_MAX : (uint32_t)value; }

static void run_transform_layout(replay *r) {
    block_ref b = replay_block(r, 0);
    int64_t at = replay_int(r, 1);
    const attr *index_map = replay_value(r, 2);
    if (!r->failed && index_map->kind != ATTR_INDEX_MAP) {
        diag_error(r->sch->d, r->line->at, "trace: transform_layout: want an index map such as lambda i, j: (j, i)");
        r->failed = true;
    }
    r->failed = r->failed || !schedule_transform_layout(r->sch, b, small(at), index_map);
}

static void run_storage_align(replay *r) {
    block_ref b = replay_block(r, 0);
    int64_t at = replay_int(r, 1), axis = replay_int(r, 2), factor = replay_int(r, 3), offset = replay_int(r, 4);
    r->failed = r->failed || !schedule_storage_align(r->sch, b, small(at), small(axis), factor, offset);
}

static void run_merge(replay *r) {
    loop_ref a = replay_loop(r, 0), b = replay_loop(r, 1);
    if (!r->failed) replay_give_loop(r, 0, schedule_merge(r->sch, a, b));
}

static void run_share(replay *r) {
    block_ref made = replay_block(r, 0), used = replay_block(r, 1);
    r->failed = r->failed || !schedule_share(r->sch, made, used);
}

static void run_blockize(replay *r) {
    loop_ref l = replay_loop(r, 0);
    if (!r->failed) replay_give_block(r, 0, schedule_blockize(r->sch, l));
}

static void run_tensorize(replay *r) {
    loop_ref l = replay_loop(r, 0);
    const char *kind = replay_text(r, 1);
    r->failed = r->failed || !schedule_tensorize(r->sch, l, kind);
}

static void run_prefetch(replay *r) {
    loop_ref l = replay_loop(r, 0);
    int64_t bytes = replay_int(r, 1);
    r->failed = r->failed || !schedule_prefetch(r->sch, l, bytes);
}

static void run_pad_einsum(replay *r) {
    block_ref b = replay_block(r, 0);
    const attr *a = replay_value(r, 1);
    int64_t factor[REPLAY_ARGS];
    bool good = !r->failed && a->kind == ATTR_LIST && a->count <= REPLAY_ARGS;
    for (uint32_t i = 0; good && i < a->count; i++) {
        good = a->list[i]->kind == ATTR_INT;
        factor[i] = good ? a->list[i]->as.i : 0;
    }
    if (!good) diag_error(r->sch->d, r->line->at, "trace: pad_einsum: want a block and factors such as [8, 1, 16]");
    r->failed = !good || !schedule_pad_einsum(r->sch, b, factor, a->count);
}

static const primitive all[] = {
    {"block", "b = block(\"name\")", "finds a block by its name", run_block},
    {"loop", "l = loop(b, i)", "finds the loop number i around a block, 0 the outermost", run_loop},
    {"split", "l… = split(l, factors=[…])", "one loop becomes several nested ones; None: inferred", run_split},
    {"fuse", "l = fuse(l, l…)", "nested loops become one", run_fuse},
    {"reorder", "reorder(l, l…)", "loops of one nest change places", run_reorder},
    {"parallel", "parallel(l)", "iterations run at once", run_parallel},
    {"vectorize", "vectorize(l)", "iterations are lanes of a vector", run_vectorize},
    {"unroll", "unroll(l)", "the body is written out for each iteration", run_unroll},
    {"bind", "bind(l, \"threadIdx.x\")", "iterations are threads of a device", run_bind},
    {"compute_at", "compute_at(b, l)", "moves a producer into its consumer's loop", run_compute_at},
    {"reverse_compute_at", "reverse_compute_at(b, l)", "moves a consumer into its producer's loop",
     run_reverse_compute_at},
    {"compute_inline", "compute_inline(b)", "writes a block's value out where it is read", run_compute_inline},
    {"reverse_compute_inline", "reverse_compute_inline(b)", "does what a block does where its input is made",
     run_reverse_compute_inline},
    {"decompose_reduction", "b = decompose_reduction(b, l)", "a reduction starts in a block of its own, before l",
     run_decompose_reduction},
    {"outline", "b = outline(b, [i…])", "a part over these variables of the block alone becomes a block of its own",
     run_outline},
    {"group", "b = group(b, rows)", "rows that choose by a number what they are multiplied with are sorted by it",
     run_group},
    {"skip", "skip(l)", "tiles of group that are left over are passed over", run_skip},
    {"unfold", "unfold(b, l)", "the terms of a sum that the block adds are added in nests of their own", run_unfold},
    {"rfactor", "b = rfactor(b, l, axis, [l])", "a reduction gets partial results for each iteration of l",
     run_rfactor},
    {"cache_read", "b = cache_read(b, i, \"scope\")", "the block reads its buffer number i through a copy",
     run_cache_read},
    {"cache_write", "b = cache_write(b, i, \"scope\")", "the block writes its buffer number i through a copy",
     run_cache_write},
    {"set_scope", "set_scope(b, i, \"scope\")", "moves the buffer number i the block writes to another memory",
     run_set_scope},
    {"transform_layout", "transform_layout(b, i, lambda i, j: (j, i))",
     "the intermediate number i the block writes lies in another order", run_transform_layout},
    {"storage_align", "storage_align(b, i, axis, factor, offset)",
     "rows of an intermediate become offset modulo factor elements long", run_storage_align},
    {"peel", "b… = peel(l, [b])", "iterations in which no guard (of b) fails run a copy without guards", run_peel},
    {"shorten", "shorten(l)", "a loop ends behind the last of what it makes that is read", run_shorten},
    {"pad", "pad(b, i, factor)", "spatial variable i of the block runs on to a multiple of the factor", run_pad},
    {"pad_einsum", "pad_einsum(b, [p…])", "a contraction runs on to multiples, over padded copies", run_pad_einsum},
    {"merge", "l = merge(l, l)", "two loops that follow each other become one", run_merge},
    {"share", "share(b, b)", "what the first block makes lies where the result of the second goes", run_share},
    {"blockize", "b = blockize(l)", "what a loop holds becomes a block whose variables are the parts", run_blockize},
    {"tensorize", "tensorize(l, \"transpose\")", "a nest becomes what processors have instructions for", run_tensorize},
    {"prefetch", "prefetch(l, bytes)", "what a loop reads is asked for so many bytes ahead", run_prefetch},
    {"compact", "compact(l)", "buffers used in l alone move into it and shrink", run_compact},
    {"annotate", "annotate(b or l, \"key\", value)", "adds an annotation", run_annotate},
};

const primitive *primitive_all(uint32_t *count) {
    *count = COUNT(all);
    return all;
}
