// bounds.c - reads --bound, --min, --opt and --max, and --pipeline.
#include "cli/bounds.h"
#include "base/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A number, or nothing where that stands for `preset`. NULL after another text.
static const char *read_number(const char *at, int64_t preset, int64_t *out) {
    char *end;
    *out = preset;
    if (*at == '.' || !*at) return at;
    errno = 0;
    *out = strtoll(at, &end, 10);
    return end == at || *out < 0 || errno ? NULL : end;
}

// "n=1..4096", "n=..4096", "n=16..", "n=4096". False after a message.
static bool read_bound(const cli_args *a, const char *spelling, driver_bound *out) {
    const char *equals = strchr(spelling, '=');
    const char *at = equals && equals != spelling ? read_number(equals + 1, 0, &out->lower) : NULL;
    out->upper = out->lower;
    if (at && strncmp(at, "..", 2) == 0)
        at = read_number(at + 2, INT64_MAX, &out->upper);
    else
        out->lower = 0;
    if (!at || *at || !equals[1])
        return cli_usage(a, "--bound: want SYMBOL=LOWER..UPPER, such as n=1..4096, got '%s'", spelling), false;
    if (out->lower > out->upper)
        return cli_usage(a, "--bound %s: the lower end is above the upper one", spelling), false;
    if (out->upper == 0) return cli_usage(a, "--bound %s: a size of at most 0 leaves nothing to run", spelling), false;
    out->symbol = arena_copy(a->mem, spelling, (size_t)(equals - spelling));
    return true;
}

static bool is_bounded(const driver_bound *list, uint32_t count, const char *symbol) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].symbol, symbol) == 0) return true;
    return false;
}

// --- Shapes: "x:1x128,y:3".

typedef VEC(driver_shape) shape_list;

static const char *read_dims(const char *at, driver_shape *s) {
    for (s->rank = 0; s->rank < TENSOR_MAX_RANK; at++) {
        char *end;
        errno = 0;
        s->dim[s->rank] = strtoll(at, &end, 10);
        if (end == at || *at < '0' || *at > '9' || errno) return NULL;
        s->rank++;
        at = end;
        if (*at != 'x') return at;
    }
    return NULL;
}

static bool has_zero(const driver_shape *s) {
    for (uint32_t i = 0; i < s->rank; i++)
        if (s->dim[i] == 0) return true;
    return false;
}

static bool read_shapes(const cli_args *a, const char *option, driver_extreme which, shape_list *out) {
    uint32_t count;
    const char *const *given = cli_values(a, option, &count);
    for (uint32_t i = 0; i < count; i++)
        for (const char *at = given[i]; at; at = *at ? at + 1 : NULL) {
            driver_shape s = {.which = which};
            const char *colon = strchr(at, ':');
            if (colon && colon != at) s.param = arena_copy(a->mem, at, (size_t)(colon - at));
            at = s.param ? read_dims(colon + 1, &s) : NULL;
            if (!at || (*at && *at != ',')) {
                cli_usage(a, "--%s: want INPUT:DIMxDIM, such as x:1x128, got '%s'", option, given[i]);
                return false;
            }
            if (which == SHAPE_MAX && has_zero(&s))
                return cli_usage(a, "--max %s: a size of at most 0 leaves nothing to run", given[i]), false;
            VEC_PUSH(a->mem, out, s);
        }
    return true;
}

static bool read_all_shapes(const cli_args *a, driver_options *o) {
    shape_list list = {0};
    if (!read_shapes(a, "min", SHAPE_MIN, &list) || !read_shapes(a, "opt", SHAPE_OPT, &list) ||
        !read_shapes(a, "max", SHAPE_MAX, &list))
        return false;
    o->shape = list.at;
    o->shapes = list.len;
    return true;
}

// --- Both.

bool cli_bounds(const cli_args *a, driver_options *o) {
    uint32_t count;
    const char *const *given = cli_values(a, "bound", &count);
    driver_bound *list = ARENA_NEW(a->mem, driver_bound, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!read_bound(a, given[i], &list[i])) return false;
        if (is_bounded(list, i, list[i].symbol))
            return cli_usage(a, "--bound %s: %s is bounded already", given[i], list[i].symbol), false;
    }
    o->bound = list;
    o->bounds = count;
    return read_all_shapes(a, o);
}

bool cli_pipeline(const cli_args *a, driver_options *o) {
    const char *known[32], *doc, *steps;
    uint32_t count = pipeline_count();
    CHECK(count <= COUNT(known));
    o->pipeline = cli_value(a, "pipeline");
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(o->pipeline, known[i] = pipeline_name(i, &doc, &steps)) == 0) return true;
    const char *near = text_nearest(o->pipeline, known, count);
    if (near)
        return cli_usage(a, "--pipeline: there is no pipeline '%s'; did you mean '%s'?", o->pipeline, near), false;
    return cli_usage(a, "--pipeline: there is no pipeline '%s'; `relax opt --list` lists them", o->pipeline), false;
}
