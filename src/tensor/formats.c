// formats.c - the tables of block formats: what formats.def and format_grids.def hold.
#include "tensor/formats.h"
#include <string.h>

#define GRID(name, ...) static const uint16_t name[] = {__VA_ARGS__};
#include "tensor/format_grids.def"

static const format_grid grids[] = {
#define GRID(name, ...) {#name, name, COUNT(name)},
#include "tensor/format_grids.def"
};

const format_grid *format_grids(uint32_t *count) {
    *count = COUNT(grids);
    return grids;
}

const format_grid *format_grid_find(const char *name) {
    for (size_t i = 0; i < COUNT(grids); i++)
        if (strcmp(grids[i].name, name) == 0) return &grids[i];
    return NULL;
}

static const block_format formats[] = {
#define FORMAT(KIND, spelling, gguf, elements, bytes, group, low, high, quant, scale, offset, doc)                     \
    {spelling, gguf, elements, bytes, group, low, high, #quant, #scale, #offset, doc},
#include "tensor/formats.def"
};

const block_format *format_all(uint32_t *count) {
    *count = COUNT(formats);
    return formats;
}

const block_format *format_find(const char *name) {
    for (size_t i = 0; i < COUNT(formats); i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

const block_format *format_of_gguf(uint32_t gguf) {
    for (size_t i = 0; i < COUNT(formats); i++)
        if (formats[i].gguf == gguf) return &formats[i];
    return NULL;
}

static const format_head heads[] = {
#define HEAD(spelling, first, bytes, second, more, step) {spelling, {first, second}, {bytes, more}, step},
#include "tensor/formats.def"
};

const format_head *format_head_of(const block_format *f) {
    for (size_t i = 0; i < COUNT(heads); i++)
        if (strcmp(heads[i].name, f->name) == 0) return &heads[i];
    return NULL;
}

static const format_layout layouts[] = {
#define LAYOUT(spelling, words, byte, code, scale) {spelling, words, #byte, #code, #scale},
#include "tensor/formats.def"
};

const format_layout *format_layout_of(const block_format *f) {
    for (size_t i = 0; i < COUNT(layouts); i++)
        if (strcmp(layouts[i].name, f->name) == 0) return &layouts[i];
    return NULL;
}

static const format_part parts[] = {
#define PART(name, expression) {#name, #expression},
#include "tensor/formats.def"
    {NULL, NULL},
};

const format_part *format_parts(uint32_t *count) {
    *count = COUNT(parts) - 1;
    return parts;
}

rx_status format_row_bytes(const block_format *f, int64_t elements, int64_t *bytes) {
    if (elements < 0 || elements % f->elements) return RX_INVALID_ARGUMENT;
    int64_t blocks = elements / f->elements;
    if (blocks > INT64_MAX / f->bytes) return RX_INVALID_ARGUMENT;
    *bytes = blocks * f->bytes;
    return RX_OK;
}
