// class_boxes.c - all_class_non_max_suppression: for each class of each image its boxes without the overlapping ones.
//
// Rows of the result are as many as there could be; those behind the count are zeros.
#include "base/count_noun.h"
#include "base/size.h"
#include "builtin/boxes.h"
#include "builtin/runs.h"
#include <stdlib.h>

typedef struct selection {
    const tensor *boxes, *scores; // [batch, boxes, 4], [batch, classes, boxes]
    size_t batch, classes, count;
    int64_t most;
    double limit, least;
    bool batched;           // a dim for the images
    int64_t *chosen, *room; // of one class: `count`, three times as many
} selection;

// Boxes of one class by falling score; returns how many stay.
static size_t select_boxes(const selection *s, size_t batch, size_t class) {
    size_t row = (batch * s->classes + class) * s->count, first = batch * s->count, valid = 0, found = 0;
    int64_t *index = s->room, *scratch = index + s->count, *key = scratch + s->count;
    for (size_t i = 0; i < s->count; i++) {
        key[i] = sort_key(s->scores, row + i);
        if (tensor_get_float(s->scores, row + i) > s->least) index[valid++] = (int64_t)i;
    }
    sort_indices(index, scratch, key, valid, true);
    for (size_t i = 0; i < valid && s->limit > 0 && (int64_t)found < s->most; i++) {
        bool apart = true;
        for (size_t k = 0; k < found && apart; k++)
            apart =
                box_overlap(s->boxes, (first + (size_t)s->chosen[k]) * 4, (first + (size_t)index[i]) * 4) < s->limit;
        if (apart) s->chosen[found++] = index[i];
    }
    return found;
}

static void clear(tensor *t) {
    int64_t count = tensor_count(t);
    for (int64_t i = 0; i < count; i++) tensor_set_int(t, (size_t)i, 0);
}

// Rows of the flat form: image, class, box; of the other one class and box, the image is a dim.
static void put_row(builtin_call *c, const selection *s, size_t batch, size_t class, size_t i, size_t row) {
    size_t at = row * (s->batched ? 2 : 3);
    if (!s->batched) tensor_set_int(c->out[0], at++, (int64_t)batch);
    tensor_set_int(c->out[0], at, (int64_t)class);
    tensor_set_int(c->out[0], at + 1, s->chosen[i]);
    size_t score = (batch * s->classes + class) * s->count + (size_t)s->chosen[i];
    if (s->batched) tensor_set_float(c->out[1], row, tensor_get_float(s->scores, score));
}

// Images follow each other without a gap in the flat form; else each has its own rows and its own count.
static void select_all(builtin_call *c, const selection *s) {
    size_t row = 0, rows = s->classes * s->count;
    for (size_t b = 0; b < s->batch; b++) {
        if (s->batched) row = b * rows;
        for (size_t k = 0; k < s->classes; k++) {
            size_t found = select_boxes(s, b, k);
            for (size_t i = 0; i < found; i++) put_row(c, s, b, k, i, row++);
        }
        if (s->batched) tensor_set_int(c->out[2], b, (int64_t)(row - b * rows));
    }
    if (!s->batched) tensor_set_int(c->out[2], 0, (int64_t)row);
}

static rx_status check_results(builtin_call *c, const selection *s) {
    int64_t rows = (int64_t)(s->batch * s->classes * s->count);
    bool fit = c->out[0] && c->out[2] && !c->out[1] == !s->batched;
    fit = fit && tensor_count(c->out[0]) == rows * (s->batched ? 2 : 3);
    fit = fit && (!s->batched || tensor_count(c->out[1]) == rows);
    fit = fit && tensor_count(c->out[2]) == (s->batched ? (int64_t)s->batch : 1);
    return fit ? RX_OK : builtin_fail(c, RX_SHAPE_MISMATCH, "want results for %s", COUNTED(rows, "row"));
}

// (boxes, scores, most, limit, least; batched; indices, scores, count)
rx_status builtin_class_boxes(builtin_call *c) {
    const tensor *b = c->in[0], *p = c->in[1];
    size_t bytes;
    if (b->rank != 3 || p->rank != 3 || b->dim[2] != 4 || b->dim[0] != p->dim[0] || b->dim[1] != p->dim[2])
        return builtin_fail(c, RX_SHAPE_MISMATCH, "want boxes [batch, boxes, 4] and scores [batch, classes, boxes]");
    for (uint32_t i = 2; i < 5; i++)
        if (tensor_count(c->in[i]) != 1) return builtin_fail(c, RX_SHAPE_MISMATCH, "operand %u: want one number", i);
    selection s = {.boxes = b,
                   .scores = p,
                   .batch = (size_t)p->dim[0],
                   .classes = (size_t)p->dim[1],
                   .count = (size_t)p->dim[2],
                   .most = tensor_get_int(c->in[2], 0),
                   .limit = tensor_get_float(c->in[3], 0),
                   .least = tensor_get_float(c->in[4], 0),
                   .batched = c->arg[0] != 0};
    int64_t *room = size_mul(s.count + 1, 4 * sizeof *room, &bytes) ? malloc(bytes) : NULL;
    if (!room) return builtin_fail(c, RX_OUT_OF_MEMORY, "no memory for %zu boxes", s.count);
    s.chosen = room;
    s.room = room + s.count;
    rx_status status = check_results(c, &s);
    if (status == RX_OK) {
        clear(c->out[0]);
        if (s.batched) clear(c->out[1]);
        select_all(c, &s);
    }
    free(room);
    return status;
}
