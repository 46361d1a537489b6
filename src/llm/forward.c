// forward.c - reading the signature of a compiled decoder: sizes of the cache, bounds, the vocabulary.
#include "base/size.h"
#include "llm/model.h"
#include "vm/vm.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In the order of the parameters, which is fixed: a file of another order is none of ours.
static const char *const input_names[INPUTS] = {"tokens", "positions", "starts", "page_table", "slots", "rows"};

// What is being read.
typedef struct signature {
    const executable *e;
    const exec_function *f;
    char *why;
} signature;

// All checks end in one sentence that says what to read.
static rx_status different(const signature *s, const char *what) {
    return why_fail(s->why, RX_UNSUPPORTED,
                    "this is no language model: %s (docs/models.md tells what `forward` must be like)", what);
}

// The i-th parameter that the caller gives; NULL past the last.
static const exec_param *given_param(const signature *s, uint32_t i) {
    for (uint32_t k = 0; k < s->f->params; k++)
        if (s->f->param[k].weight == EXEC_NONE && i-- == 0) return &s->f->param[k];
    return NULL;
}

static bool is_param(const signature *s, uint32_t i, const char *name, uint32_t rank) {
    const exec_param *p = given_param(s, i);
    if (!p || strcmp(exec_string(s->e, p->name), name) != 0) return false;
    const exec_annotation *a = &s->e->annotation[p->annotation];
    return a->kind == ANNOTATION_TENSOR && a->rank == (int32_t)rank && a->dims == rank;
}

// Numbers of a page are constants of the file; they fit into 31 bits, so that products of two can't overflow.
static bool constant_dim(const signature *s, const exec_dim *d, int64_t *out) {
    if (d->kind != DIM_CHECK || s->e->program[d->index].kind != PROGRAM_CONST) return false;
    *out = s->e->program[d->index].value;
    return *out > 0 && *out <= INT32_MAX;
}

static rx_status check_inputs(const signature *s) {
    for (uint32_t i = 0; i < INPUTS; i++)
        if (!is_param(s, i, input_names[i], i == INPUT_PAGE_TABLE ? 2 : 1))
            return different(s, "its inputs are not tokens, positions, starts, page_table, slots and rows");
    return RX_OK;
}

// What is left of the parameters is the cache: keys of all layers, then values.
static rx_status read_pages(const signature *s, forward_shape *out) {
    char key[32], value[32];
    uint32_t pages = 0;
    while (given_param(s, INPUTS + pages)) pages++;
    out->layers = pages / 2;
    if (pages == 0 || pages % 2) return different(s, "it has no pages of keys and values");
    for (uint32_t i = 0; i < out->layers; i++) {
        snprintf(key, sizeof key, "k_pages_%u", i);
        snprintf(value, sizeof value, "v_pages_%u", i);
        if (!is_param(s, INPUTS + i, key, 4) || !is_param(s, INPUTS + out->layers + i, value, 4))
            return different(s, "its pages are not called k_pages_0, …, v_pages_0, …");
    }
    out->pages = &s->e->annotation[given_param(s, INPUTS)->annotation];
    for (uint32_t i = 1; i < 4; i++)
        if (!constant_dim(s, &out->pages->dim[i], &out->page_dim[i]))
            return different(s, "the sizes of a page are not known");
    int64_t count = out->page_dim[1] * out->page_dim[2]; // both below 2^31
    out->page_tokens = (uint32_t)out->page_dim[1];
    if (!int_mul(count, out->page_dim[3], &count) || !dtype_bytes(out->pages->type, count, &out->page_bytes))
        return different(s, "its pages are too large");
    return RX_OK;
}

// A tuple of logits, (r, vocab) floats, and the pages.
static rx_status read_result(const signature *s, forward_shape *out) {
    const exec_annotation *tuple = s->f->result == EXEC_NONE ? NULL : &s->e->annotation[s->f->result];
    int64_t columns = 0;
    if (!tuple || tuple->kind != ANNOTATION_TUPLE || tuple->fields < 1 + 2 * out->layers)
        return different(s, "its results are not logits and pages");
    const exec_annotation *logits = &s->e->annotation[tuple->field[0]];
    if (logits->kind != ANNOTATION_TENSOR || logits->dims != 2 || !dtype_equal(logits->type, DTYPE_OF(F32)) ||
        !constant_dim(s, &logits->dim[1], &columns))
        return different(s, "its first result is not a matrix of float32 logits");
    out->vocabulary = (uint32_t)columns;
    return RX_OK;
}

enum { MANY = 1 << 20 }; // more than any machine reaches

// The upper bound of a symbol, MANY without one. False after saying that one of it is too few: prompts and steps of any
// length are run, single tokens too.
static bool most_of(const signature *s, const char *name, uint32_t *most, int64_t *lower) {
    *lower = 0, *most = MANY;
    for (uint32_t i = 0; i < s->f->symbols; i++) {
        const exec_symbol *y = &s->f->symbol[i];
        if (strcmp(exec_string(s->e, y->name), name) != 0) continue;
        *lower = y->lower;
        *most = y->upper < MANY ? (uint32_t)(y->upper > 0 ? y->upper : 1) : MANY;
    }
    if (*lower <= 1) return true;
    return why_fail(s->why, RX_BAD_FILE, "%s is at least %lld in `forward`: single tokens need a bound from 1", name,
                    (long long)*lower),
           false;
}

// A file that needs a row even where none is wanted (its lower bound is 1) gets one that nobody looks at. A cache of
// fewer pages than a sequence may have is what bounds sequences.
static rx_status read_bounds(const signature *s, forward_shape *out) {
    int64_t lower;
    uint32_t cache;
    bool ok = most_of(s, "t", &out->most_tokens, &lower) && most_of(s, "b", &out->most_sequences, &lower) &&
              most_of(s, "p", &out->most_pages, &lower) && most_of(s, "g", &cache, &lower) &&
              most_of(s, "r", &out->most_rows, &lower);
    if (!ok) return RX_BAD_FILE;
    if (cache < out->most_pages) out->most_pages = cache;
    out->no_rows = lower == 0;
    return RX_OK;
}

rx_status forward_read(const rx_executable *exe, forward_shape *out, char *why) {
    signature s = {.e = vm_executable(exe), .why = why};
    uint32_t f = exec_find_function(s.e, "forward"), count = rx_executable_function_count(exe);
    *out = (forward_shape){0};
    while (out->function < count && strcmp(rx_executable_function_name(exe, out->function), "forward") != 0)
        out->function++;
    if (f == EXEC_NONE || out->function == count) return different(&s, "it has no function `forward`");
    s.f = &s.e->function[f];
    RX_TRY(check_inputs(&s));
    RX_TRY(read_pages(&s, out));
    RX_TRY(read_result(&s, out));
    return read_bounds(&s, out);
}

// Sizes of planned memory are small programs over the symbols; here they are run on the symbols' upper bounds.
uint64_t forward_activations(const rx_executable *exe) {
    const executable *e = vm_executable(exe);
    uint32_t number = exec_find_function(e, "forward");
    if (number == EXEC_NONE) return 0;
    const exec_function *f = &e->function[number];
    int64_t *slot = calloc((size_t)f->slots + 1, sizeof *slot), bytes = 0, sum = 0;
    bool known = slot != NULL;
    // A symbol without a bound (the pages of the cache) is in no activation's size; one would show as a huge number.
    for (uint32_t i = 0; known && i < f->symbols; i++)
        slot[f->symbol[i].slot] = f->symbol[i].upper < INT32_MAX ? f->symbol[i].upper : INT32_MAX;
    for (uint32_t i = 0; known && i < e->blocks; i++)
        // Blocks that share memory were merged by the planner: the sum is what a call takes.
        if (e->block[i].function == number)
            known =
                exec_program_value(&e->program[e->block[i].bytes], slot, f->slots, &bytes) && int_add(sum, bytes, &sum);
    free(slot);
    return known ? (uint64_t)sum : 0;
}
