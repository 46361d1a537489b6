// stepper.c - page tables, slots and starts of one sequence, and the calls.
#include "cli/stepper.h"
#include <stdio.h>
#include <string.h>

static bool fail(stepper *s, const char *sentence) {
    snprintf(s->why, sizeof s->why, "%s", sentence);
    return false;
}

static bool made(stepper *s, rx_status status) {
    return status == RX_OK || fail(s, status == RX_OUT_OF_MEMORY ? "out of memory" : rx_status_name(status));
}

// --- Opening.

// R.Tensor((g, 16, 3, 64), dtype="float16")
static bool read_cache_type(stepper *s, const char *annotation) {
    long long page, heads, size;
    if (sscanf(annotation, "R.Tensor((g, %lld, %lld, %lld), dtype=\"%15[a-z0-9]\")", &page, &heads, &size, s->dtype) !=
        4)
        return fail(s, "the pages of the cache are not what a decoder has");
    s->dim[1] = page;
    s->dim[2] = heads;
    s->dim[3] = size;
    return page > 0;
}

static bool read_signature(stepper *s) {
    uint32_t count = rx_executable_param_count(s->exe, "forward");
    rx_symbol symbol;
    if (count < 8 || strcmp(rx_executable_param_name(s->exe, "forward", 6), "k_pages_0") != 0)
        return fail(s, "the file has no function `forward` of a decoder (docs/models.md)");
    s->layers = (count - 6) / 2;
    s->most_tokens = INT32_MAX;
    for (uint32_t i = 0; rx_executable_symbol(s->exe, "forward", i, &symbol) == RX_OK; i++)
        if (strcmp(symbol.name, "t") == 0 && symbol.upper < s->most_tokens) s->most_tokens = symbol.upper;
    return read_cache_type(s, rx_executable_param_annotation(s->exe, "forward", 6));
}

bool stepper_open(stepper *s, arena *mem, const char *path, int64_t tokens, unsigned threads) {
    *s = (stepper){.mem = mem};
    const rx_context_options options = {.struct_size = sizeof options, .threads = threads};
    if (rx_executable_load(path, NULL, &s->exe, s->why) != RX_OK) return false;
    if (rx_context_new(s->exe, &options, &s->context, s->why) != RX_OK || !read_signature(s)) return false;
    s->pages = (tokens + s->dim[1] - 1) / s->dim[1];
    s->dim[0] = s->pages + 1;
    s->cache = ARENA_NEW(mem, rx_value *, (size_t)2 * s->layers);
    return stepper_restart(s);
}

static void drop_cache(stepper *s) {
    for (uint32_t i = 0; s->cache && i < 2 * s->layers; i++) {
        rx_value_release(s->cache[i]);
        s->cache[i] = NULL;
    }
}

bool stepper_restart(stepper *s) {
    drop_cache(s);
    s->place = 0;
    for (uint32_t i = 0; i < 2 * s->layers; i++)
        if (!made(s, rx_tensor_new(s->dtype, 4, s->dim, NULL, &s->cache[i]))) return false;
    return true;
}

void stepper_close(stepper *s) {
    drop_cache(s);
    rx_value_release(s->result);
    rx_context_release(s->context);
    rx_executable_release(s->exe);
}

// --- Running.

// The last page of the sequence comes first in the cache.
static int32_t page_of(const stepper *s, int64_t place) { return (int32_t)(s->pages - place / s->dim[1]); }

static bool ints(stepper *s, uint32_t rank, const int64_t *dim, rx_value **out, int32_t **at) {
    if (!made(s, rx_tensor_new("int32", rank, dim, NULL, out))) return false;
    *at = rx_tensor_data(*out);
    return true;
}

enum { TOKENS, POSITIONS, STARTS, PAGE_TABLE, SLOTS, ROWS, INPUTS };

static bool fill_inputs(stepper *s, const int32_t *token, int64_t count, bool all, rx_value **in) {
    const int64_t two = 2, table[] = {1, s->pages}, rows = all ? count : 1;
    int32_t *at[INPUTS];
    bool ok = ints(s, 1, &count, &in[TOKENS], &at[TOKENS]) && ints(s, 1, &count, &in[POSITIONS], &at[POSITIONS]) &&
              ints(s, 1, &two, &in[STARTS], &at[STARTS]) && ints(s, 2, table, &in[PAGE_TABLE], &at[PAGE_TABLE]) &&
              ints(s, 1, &count, &in[SLOTS], &at[SLOTS]) && ints(s, 1, &rows, &in[ROWS], &at[ROWS]);
    if (!ok) return false;
    for (int64_t i = 0; i < count; i++) {
        int64_t place = s->place + i;
        at[TOKENS][i] = token[i];
        at[POSITIONS][i] = (int32_t)place;
        at[SLOTS][i] = page_of(s, place) * (int32_t)s->dim[1] + (int32_t)(place % s->dim[1]);
    }
    at[STARTS][1] = (int32_t)count;
    for (int64_t i = 0; i < s->pages; i++) at[PAGE_TABLE][i] = page_of(s, i * s->dim[1]);
    for (int64_t i = 0; i < rows; i++) at[ROWS][i] = (int32_t)(count - rows + i);
    return true;
}

// The cache of the next step is among the results of this one.
static bool take_cache(stepper *s) {
    drop_cache(s);
    for (uint32_t i = 0; i < 2 * s->layers; i++)
        if (!made(s, rx_value_item(s->result, 1 + i, &s->cache[i]))) return false;
    return true;
}

bool stepper_run(stepper *s, const int32_t *token, int64_t count, bool all) {
    rx_value **in = ARENA_NEW(s->mem, rx_value *, INPUTS + (size_t)2 * s->layers);
    if (s->place + count > s->pages * s->dim[1]) return fail(s, "more tokens than there is room for");
    rx_value_release(s->result);
    s->result = NULL;
    bool ok = fill_inputs(s, token, count, all, in);
    for (uint32_t i = 0; i < 2 * s->layers; i++) in[INPUTS + i] = s->cache[i];
    if (ok && rx_context_call(s->context, "forward", in, INPUTS + 2 * s->layers, &s->result) != RX_OK)
        ok = fail(s, rx_context_message(s->context));
    for (uint32_t i = 0; i < INPUTS; i++) rx_value_release(in[i]);
    s->place += count;
    return ok && take_cache(s);
}

uint32_t stepper_hiddens(const stepper *s) {
    uint32_t count = rx_value_count(s->result), others = 1 + 2 * s->layers;
    return count > others ? count - others : 0;
}

const float *stepper_item(const stepper *s, uint32_t item, int64_t *rows, int64_t *size) {
    rx_value *v = NULL;
    if (rx_value_item(s->result, item, &v) != RX_OK || rx_tensor_rank(v) != 2) return rx_value_release(v), NULL;
    *rows = rx_tensor_dims(v)[0];
    *size = rx_tensor_dims(v)[1];
    const float *at = rx_tensor_data(v);
    rx_value_release(v); // the result holds it
    return at;
}
