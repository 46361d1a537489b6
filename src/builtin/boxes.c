// boxes.c - boxes of detectors: counted, suppressed where they overlap a better one, and regions of images resampled.
//
// What the functions mean is TVM's topi.vision; arithmetic is in float, in double for float64, halves computed as
// float.
#include "builtin/boxes.h"
#include "base/size.h"
#include "builtin/runs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Scalars of builtins are int64: floats come by their bits.
double box_from_bits(int64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Each step rounds as the loops of topi do, so that ties fall the same way.
double box_rounded(const tensor *t, double x) { return t->type.kind == DTYPE_F64 ? x : (double)(float)x; }

// Dims past the rank are ignored.
static bool has_shape(const tensor *t, uint32_t rank, int64_t a, int64_t b, int64_t c) {
    const int64_t want[] = {a, b, c};
    return t->rank == rank && memcmp(t->dim, want, rank * sizeof *want) == 0;
}

// --- Overlap: of the intersection to the union of two boxes, each between any two opposite corners.

typedef struct box {
    double low[2], high[2];
} box;

static box box_at(const tensor *t, size_t at) {
    box b;
    for (size_t i = 0; i < 2; i++) {
        double x = tensor_get_float(t, at + i), y = tensor_get_float(t, at + 2 + i);
        b.low[i] = x < y ? x : y;
        b.high[i] = x < y ? y : x;
    }
    return b;
}

// Empty and inverted boxes overlap nothing: their union has no area.
double box_overlap(const tensor *t, size_t a, size_t b) {
    box x = box_at(t, a), y = box_at(t, b);
    double shared = 1, size_x = 1, size_y = 1;
    for (size_t i = 0; i < 2; i++) {
        double low = x.low[i] > y.low[i] ? x.low[i] : y.low[i], high = x.high[i] < y.high[i] ? x.high[i] : y.high[i];
        double length = box_rounded(t, high - low);
        shared = box_rounded(t, shared * (length > 0 ? length : 0));
        size_x = box_rounded(t, size_x * box_rounded(t, x.high[i] - x.low[i]));
        size_y = box_rounded(t, size_y * box_rounded(t, y.high[i] - y.low[i]));
    }
    double all = box_rounded(t, box_rounded(t, size_x + size_y) - shared);
    return all <= 0 ? 0 : box_rounded(t, shared / all);
}

// --- Rows of [batch, boxes, numbers].

typedef struct rows {
    tensor *t;
    size_t count, numbers;
} rows;

static size_t row_at(const rows *r, size_t batch, size_t i) { return (batch * r->count + i) * r->numbers; }

// -1 in all numbers marks a row that holds no box, as in topi.
static void clear_row(const rows *r, size_t batch, size_t i) {
    for (size_t k = 0; k < r->numbers; k++) tensor_set_float(r->t, row_at(r, batch, i) + k, -1);
}

static void copy_row(const tensor *from, size_t at, const rows *to, size_t batch, size_t i) {
    for (size_t k = 0; k < to->numbers; k++)
        tensor_set_float(to->t, row_at(to, batch, i) + k, tensor_get_float(from, at + k));
}

// Indices of numbers within a row; negative ones mean "there is none" and are looked at by the callers.
static rx_status check_places(builtin_call *c, const tensor *x, const int64_t *place, const char *const *name,
                              uint32_t count) {
    if (x->rank != 3 || !dtype_is_float(x->type))
        return builtin_fail(c, RX_SHAPE_MISMATCH, "data: want floats [batch, boxes, numbers]");
    for (uint32_t i = 0; i < count; i++)
        if (place[i] >= x->dim[2])
            return builtin_fail(c, RX_INVALID_ARGUMENT, "%s is %lld of %lld numbers", name[i], (long long)place[i],
                                (long long)x->dim[2]);
    return RX_OK;
}

// --- get_valid_counts(data; threshold, id_index, score_index; count, data, indices)

// Rows keep their order; the rest of the batch is cleared.
static void keep_valid(builtin_call *c, size_t batch) {
    const tensor *x = c->in[0];
    const rows out = {c->out[1], (size_t)x->dim[1], (size_t)x->dim[2]};
    double least = box_rounded(x, box_from_bits(c->arg[0]));
    size_t kept = 0;
    for (size_t i = 0; i < out.count; i++) {
        size_t at = row_at(&out, batch, i);
        bool valid = tensor_get_float(x, at + (size_t)c->arg[2]) > least;
        if (c->arg[1] >= 0 && !(tensor_get_float(x, at + (size_t)c->arg[1]) >= 0)) valid = false;
        if (!valid) continue;
        copy_row(x, at, &out, batch, kept);
        tensor_set_int(c->out[2], batch * out.count + kept++, (int64_t)i);
    }
    tensor_set_int(c->out[0], batch, (int64_t)kept);
    for (; kept < out.count; kept++) {
        clear_row(&out, batch, kept);
        tensor_set_int(c->out[2], batch * out.count + kept, -1);
    }
}

rx_status builtin_valid_boxes(builtin_call *c) {
    const tensor *x = c->in[0];
    RX_TRY(check_places(c, x, c->arg + 1, (const char *const[]){"id_index", "score_index"}, 2));
    if (c->arg[2] < 0) return builtin_fail(c, RX_INVALID_ARGUMENT, "score_index: want 0 or more");
    if (!c->out[0] || !c->out[1] || !c->out[2] || !has_shape(c->out[0], 1, x->dim[0], 0, 0) ||
        !has_shape(c->out[1], 3, x->dim[0], x->dim[1], x->dim[2]) || !has_shape(c->out[2], 2, x->dim[0], x->dim[1], 0))
        return builtin_fail(c, RX_SHAPE_MISMATCH, "the results do not have the shape of data");
    for (int64_t b = 0; b < x->dim[0]; b++) keep_valid(c, (size_t)b);
    return RX_OK;
}

// --- non_max_suppression(data, valid_count, indices; max_output_size, iou_threshold, force_suppress, top_k,
//     coord_start, score_index, id_index, invalid_to_bottom, soft_nms_sigma, score_threshold; data, indices, count)

typedef struct suppression {
    rows box;       // out: the boxes by falling score, then what is left of them
    int64_t *place; // of each in data, -1: suppressed
    int64_t *room;  // for sorting: three times as many
    size_t keep;    // boxes that take part
    size_t found;
    int64_t most; // 0 or less: any number
    double limit; // of the overlap
    size_t corner, score;
    int64_t id; // where the class is; below 0: there are none
    double soft, least;
    bool bottom;
} suppression;

static double score_of(const suppression *s, size_t batch, size_t i) {
    return tensor_get_float(s->box.t, row_at(&s->box, batch, i) + s->score);
}

static void set_score(const suppression *s, size_t batch, size_t i, double score) {
    tensor_set_float(s->box.t, row_at(&s->box, batch, i) + s->score, score);
}

// Boxes of different classes never suppress each other.
static bool same_class(const suppression *s, size_t batch, size_t a, size_t b) {
    if (s->id < 0) return true;
    const rows *r = &s->box;
    return tensor_get_float(r->t, row_at(r, batch, a) + (size_t)s->id) ==
           tensor_get_float(r->t, row_at(r, batch, b) + (size_t)s->id);
}

static double overlap_of(const suppression *s, size_t batch, size_t a, size_t b) {
    return box_overlap(s->box.t, row_at(&s->box, batch, a) + s->corner, row_at(&s->box, batch, b) + s->corner);
}

// Sorted by falling score, equal ones in the order they stand; only the best `keep` are copied.
static void sort_boxes(suppression *s, const tensor *x, size_t batch, size_t valid) {
    int64_t *index = s->room, *scratch = index + s->box.count, *key = scratch + s->box.count;
    for (size_t i = 0; i < valid; i++) {
        index[i] = (int64_t)i;
        key[i] = sort_key(x, row_at(&s->box, batch, i) + s->score);
    }
    sort_indices(index, scratch, key, valid, true);
    for (size_t i = 0; i < s->box.count; i++) {
        s->place[i] = i < s->keep ? index[i] : -1;
        if (i < s->keep) copy_row(x, row_at(&s->box, batch, (size_t)index[i]), &s->box, batch, i);
        if (i >= s->keep) clear_row(&s->box, batch, i);
    }
}

static bool may_add(const suppression *s) { return s->most <= 0 || s->found < (size_t)s->most; }

// The best box stays, what overlaps it goes, and so on.
static void suppress_hard(suppression *s, size_t batch) {
    for (size_t i = 0; i < s->keep; i++) {
        if (!(score_of(s, batch, i) > 0) || !may_add(s)) {
            clear_row(&s->box, batch, i);
            s->place[i] = -1;
            continue;
        }
        s->found++;
        for (size_t k = i + 1; k < s->keep; k++) {
            if (!(score_of(s, batch, k) > 0) || !same_class(s, batch, i, k)) continue;
            if (overlap_of(s, batch, i, k) < s->limit) continue;
            set_score(s, batch, k, -1);
            s->place[k] = -1;
        }
    }
}

static void swap_boxes(suppression *s, size_t batch, size_t a, size_t b) {
    int64_t place = s->place[a];
    s->place[a] = s->place[b];
    s->place[b] = place;
    for (size_t k = 0; k < s->box.numbers; k++) {
        size_t x = row_at(&s->box, batch, a) + k, y = row_at(&s->box, batch, b) + k;
        double number = tensor_get_float(s->box.t, x);
        tensor_set_float(s->box.t, x, tensor_get_float(s->box.t, y));
        tensor_set_float(s->box.t, y, number);
    }
}

// A linear search each time: scores change with every box that is taken.
static size_t best_left(const suppression *s, size_t batch) {
    size_t best = s->keep;
    double score = s->least;
    for (size_t i = s->found; i < s->keep; i++)
        if (s->place[i] >= 0 && score_of(s, batch, i) > score) best = i, score = score_of(s, batch, i);
    return best;
}

// What overlaps the best box loses some of its score instead; the order changes with it.
static void suppress_softly(suppression *s, size_t batch) {
    for (size_t best; may_add(s) && (best = best_left(s, batch)) < s->keep; s->found++) {
        if (best != s->found) swap_boxes(s, batch, s->found, best);
        for (size_t k = s->found + 1; k < s->keep; k++) {
            if (s->place[k] < 0 || !(score_of(s, batch, k) > s->least) || !same_class(s, batch, s->found, k)) continue;
            double shared = overlap_of(s, batch, s->found, k);
            double weight = box_rounded(s->box.t, exp(-0.5 / s->soft * shared * shared));
            if (shared < s->limit) set_score(s, batch, k, box_rounded(s->box.t, score_of(s, batch, k) * weight));
            if (shared >= s->limit || score_of(s, batch, k) <= s->least) s->place[k] = -1;
        }
    }
    for (size_t i = s->found; i < s->box.count; i++) {
        clear_row(&s->box, batch, i);
        s->place[i] = -1;
    }
}

// The places of the boxes that stayed, as the caller numbers them.
static void put_places(builtin_call *c, const suppression *s, size_t batch) {
    size_t found = 0, boxes = s->box.count;
    for (size_t i = 0; i < boxes; i++)
        if (s->place[i] >= 0)
            tensor_set_int(c->out[1], batch * boxes + found++,
                           tensor_get_int(c->in[2], batch * boxes + (size_t)s->place[i]));
    tensor_set_int(c->out[2], batch, (int64_t)found);
    while (found < boxes) tensor_set_int(c->out[1], batch * boxes + found++, -1);
}

// Suppressed boxes have the score -1.
static void move_to_front(const suppression *s, size_t batch) {
    size_t found = 0;
    for (size_t i = 0; i < s->box.count; i++)
        if (score_of(s, batch, i) >= 0) copy_row(s->box.t, row_at(&s->box, batch, i), &s->box, batch, found++);
    while (found < s->box.count) clear_row(&s->box, batch, found++);
}

static void suppress_batch(builtin_call *c, suppression *s, size_t batch) {
    int64_t valid = tensor_get_int(c->in[1], batch), top = c->arg[3];
    size_t count = valid < 0 ? 0 : (size_t)valid > s->box.count ? s->box.count : (size_t)valid;
    s->keep = top > 0 && (size_t)top < count ? (size_t)top : count;
    s->found = 0;
    sort_boxes(s, c->in[0], batch, count);
    if (s->soft > 0)
        suppress_softly(s, batch);
    else
        suppress_hard(s, batch);
    if (c->out[1]) put_places(c, s, batch);
    if (s->bottom && !c->out[1]) move_to_front(s, batch);
}

static rx_status check_suppression(builtin_call *c) {
    const tensor *x = c->in[0];
    const int64_t places[] = {c->arg[4] + 3, c->arg[5], c->arg[6]};
    RX_TRY(check_places(c, x, places, (const char *const[]){"coord_start + 3", "score_index", "id_index"}, 3));
    if (c->arg[4] < 0 || c->arg[5] < 0)
        return builtin_fail(c, RX_INVALID_ARGUMENT, "coord_start and score_index: want 0 or more");
    if (!has_shape(c->in[1], 1, x->dim[0], 0, 0) || !has_shape(c->in[2], 2, x->dim[0], x->dim[1], 0))
        return builtin_fail(c, RX_SHAPE_MISMATCH, "valid_count and indices do not have the shape of data");
    bool counted = !c->out[1] == !c->out[2] && (c->out[0] || c->out[1]);
    if (!counted || (c->out[0] && !has_shape(c->out[0], 3, x->dim[0], x->dim[1], x->dim[2])) ||
        (c->out[1] && (!has_shape(c->out[1], 2, x->dim[0], x->dim[1], 0) || !has_shape(c->out[2], 2, x->dim[0], 1, 0))))
        return builtin_fail(c, RX_SHAPE_MISMATCH, "the results do not have the shape of data");
    return RX_OK;
}

// Quadratic in the boxes that take part, as all suppression of this kind.
rx_status builtin_apart_boxes(builtin_call *c) {
    const tensor *x = c->in[0];
    tensor *own = NULL;
    size_t bytes = 0;
    RX_TRY(check_suppression(c));
    size_t boxes = (size_t)x->dim[1];
    if (!c->out[0] && tensor_new(x->type, 3, x->dim, &own) != RX_OK) own = NULL;
    int64_t *room = size_mul(boxes + 1, 4 * sizeof *room, &bytes) ? malloc(bytes) : NULL;
    bool made = room && (c->out[0] || own);
    suppression s = {.box = {c->out[0] ? c->out[0] : own, boxes, (size_t)x->dim[2]},
                     .place = room,
                     .room = room + boxes,
                     .most = c->arg[0],
                     .limit = box_rounded(x, box_from_bits(c->arg[1])),
                     .corner = (size_t)c->arg[4],
                     .score = (size_t)c->arg[5],
                     .id = c->arg[2] ? -1 : c->arg[6],
                     .bottom = c->arg[7] != 0,
                     .soft = box_from_bits(c->arg[8]),
                     .least = box_rounded(x, box_from_bits(c->arg[9]))};
    for (int64_t b = 0; made && b < x->dim[0]; b++) suppress_batch(c, &s, (size_t)b);
    free(room);
    tensor_release(own);
    return made ? RX_OK : builtin_fail(c, RX_OUT_OF_MEMORY, "no memory for %zu boxes", boxes);
}
