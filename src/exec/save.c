// save.c - lays out an executable as a file and writes it, weights last.
#define _POSIX_C_SOURCE 200809L
#include "base/count_noun.h"
#include "exec/kernel.h"
#include "exec/verify.h"
#include "exec/writer_inside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT_PAGE = 4096, SECTIONS = SECTION_TABLES + 2 };

// Offsets of a file: far below the range in which this could wrap (place_weights checks the sum of the weights).
static uint64_t align_up(uint64_t x, uint64_t to) { return (x + to - 1) / to * to; }

// Hands the first failure's sentence to the caller.
static rx_status report(exec_writer *w, char *why) {
    if (why && w->status != RX_OK) memcpy(why, w->why, EXEC_WHY);
    return w->status;
}

// The codec writes what it would read: a value its reader refuses is found here and not by a user.
static void encode_table(exec_writer *w, uint32_t i, executable *e, growing *out) {
    *out = (growing){.item = 1};
    codec c = {.writing = true, .out = out};
    section_table[i].code(&c, e);
    if (c.no_memory) writer_fail(w, RX_OUT_OF_MEMORY, "no memory to write section %s", section_table[i].name);
    if (c.bad) writer_fail(w, RX_INTERNAL, "section %s holds what its reader would refuse", section_table[i].name);
}

// A table that says nothing may be skipped by readers that don't know it yet.
static uint32_t flags_of(uint32_t i, const growing *table) {
    enum { NO_ENTRIES = sizeof(uint32_t) }; // their number alone
    bool skipped = section_table[i].skipped_empty && table->len == NO_ENTRIES;
    return section_table[i].flags | (skipped ? SECTION_OPTIONAL : 0);
}

// Places the sections of the tables; returns where they end.
static uint64_t place_tables(format_frame *frame, const growing *table) {
    uint64_t at = format_head_size(SECTIONS);
    for (uint32_t i = 0; i < SECTION_TABLES; i++) {
        frame->section[i] = (format_section){.kind = section_table[i].kind,
                                             .flags = flags_of(i, &table[i]),
                                             .offset = at,
                                             .size = table[i].len,
                                             .checksum = format_checksum(table[i].at, table[i].len)};
        at = align_up(at + table[i].len, MEMORY_ALIGN);
    }
    return at;
}

// Gives every weight its offset; places the two sections behind the tables.
static void place_weights(exec_writer *w, uint64_t at) {
    exec_weight *weight = w->weight.at;
    if (w->weight.len) at = align_up(at, WEIGHT_PAGE);
    uint64_t start = at;
    for (uint32_t i = 0; i < w->weight.len; i++) {
        weight[i].offset = at;
        if (weight[i].bytes > INT64_MAX / 2 - at)
            writer_fail(w, RX_UNSUPPORTED, "the weights are too large for a file");
        at = align_up(at + weight[i].bytes, MEMORY_ALIGN);
    }
    uint64_t sums = w->weight.len * sizeof(uint64_t);
    w->frame.section[SECTION_TABLES] =
        (format_section){.kind = SECTION_WEIGHT_DATA, .flags = SECTION_UNCHECKED, .offset = start, .size = at - start};
    w->frame.section[SECTION_TABLES + 1] =
        (format_section){.kind = SECTION_WEIGHT_SUMS, .flags = SECTION_UNCHECKED, .offset = at, .size = sums};
    w->frame.file_size = at + sums;
}

// Encodes all tables, the weights' one with its final offsets, and completes w->frame.
static void lay_out(exec_writer *w, growing table[SECTION_TABLES], executable *e) {
    w->frame = (format_frame){.version = EXEC_FORMAT, .kernel_abi = RX_KERNEL_ABI, .sections = SECTIONS};
    for (uint32_t i = 0; i < SECTION_TABLES; i++) encode_table(w, i, e, &table[i]);
    if (w->status == RX_OK) place_weights(w, place_tables(&w->frame, table));
    for (uint32_t i = 0; w->status == RX_OK && i < SECTION_TABLES; i++) {
        if (strcmp(section_table[i].name, "weights") != 0) continue;
        growing_free(&table[i]);
        encode_table(w, i, e, &table[i]);
        w->frame.section[i].checksum = format_checksum(table[i].at, table[i].len);
    }
}

// The loader's checks, before anything is written.
static void verify(exec_writer *w, executable *e) {
    memory_blocks mem = {0};
    char why[EXEC_WHY] = "";
    e->file_size = w->frame.file_size;
    rx_status status = w->status == RX_OK ? exec_verify(e, &mem, why) : RX_OK;
    if (status != RX_OK)
        writer_fail(w, status == RX_BAD_FILE ? RX_INTERNAL : status, "the executable is wrong: %s", why);
    blocks_free(&mem);
}

// Fills `table` (freed by the caller) and w->frame.
// Laying out comes before verifying, since the verifier looks at offsets too.
static bool prepare(exec_writer *w, growing table[SECTION_TABLES]) {
    executable e;
    if (!writer_executable(w, &e)) return false;
    lay_out(w, table, &e);
    verify(w, &e);
    return w->status == RX_OK;
}

static void free_tables(growing table[SECTION_TABLES]) {
    for (uint32_t i = 0; i < SECTION_TABLES; i++) growing_free(&table[i]);
}

// Sums are in the order of the weights: their number says which weight is next.
static void add_sum(exec_writer *w, const void *bytes, size_t size) {
    uint64_t *sum = growing_add(&w->sum, 1);
    if (sum)
        *sum = format_checksum(bytes, size);
    else
        writer_fail(w, RX_OUT_OF_MEMORY, "no memory for the sums of the weights");
}

// ---- into memory ----

// The whole file in memory, weights copied.
static void fill(exec_writer *w, const growing table[SECTION_TABLES], uint8_t *out) {
    memset(out, 0, (size_t)w->frame.file_size);
    format_write(&w->frame, out);
    for (uint32_t i = 0; i < SECTION_TABLES; i++)
        if (table[i].len) memcpy(out + w->frame.section[i].offset, table[i].at, table[i].len);
    const exec_weight *weight = w->weight.at;
    for (uint32_t i = 0; i < w->weight.len; i++) {
        if (!weight[i].data) writer_fail(w, RX_INVALID_ARGUMENT, "weight %u has no data", i);
        if (!weight[i].data) return;
        if (weight[i].bytes) memcpy(out + weight[i].offset, weight[i].data, (size_t)weight[i].bytes);
        add_sum(w, weight[i].data, (size_t)weight[i].bytes);
    }
    if (w->sum.len) memcpy(out + w->frame.section[SECTION_TABLES + 1].offset, w->sum.at, w->sum.len * sizeof(uint64_t));
}

// The bytes are malloc'd, aligned for exec_load_memory, and the caller's to free.
rx_status exec_writer_bytes(exec_writer *w, uint8_t **out, size_t *size, char *why) {
    growing table[SECTION_TABLES] = {0};
    void *bytes = NULL;
    *out = NULL;
    if (prepare(w, table)) {
        if (w->frame.file_size > SIZE_MAX / 2 || posix_memalign(&bytes, MEMORY_ALIGN, (size_t)w->frame.file_size))
            writer_fail(w, RX_OUT_OF_MEMORY, "no memory for a file of %s", COUNTED(w->frame.file_size, "byte"));
        else
            fill(w, table, bytes);
    }
    w->sum.len = 0;
    free_tables(table);
    if (w->status != RX_OK) {
        free(bytes);
        return report(w, why);
    }
    *out = bytes;
    *size = (size_t)w->frame.file_size;
    return RX_OK;
}

// ---- into a file ----

// Whether it was the disk that failed: the file says why when it is closed.
static bool close_failed(exec_writer *w, rx_status status) {
    if (status != RX_IO) return false;
    w->status = new_file_commit(w->file, w->why);
    w->file = NULL;
    return w->status != RX_OK;
}

// Offsets only grow: gaps between sections become zeros.
static void write_at(exec_writer *w, uint64_t offset, const void *bytes, size_t size) {
    if (w->status != RX_OK) return;
    rx_status status = new_file_seek(w->file, offset);
    if (status == RX_OK) status = new_file_write(w->file, bytes, size);
    if (status != RX_OK && !close_failed(w, status)) writer_fail(w, RX_INTERNAL, "the file is written out of order");
}

rx_status exec_writer_start(exec_writer *w, const char *path, char *why) {
    growing table[SECTION_TABLES] = {0};
    uint8_t head[FORMAT_HEADER + SECTIONS * FORMAT_SECTION];
    if (w->started) writer_fail(w, RX_INTERNAL, "the file was started already");
    if (prepare(w, table)) {
        rx_status status = new_file_open(path, &w->file, w->why);
        if (status != RX_OK) w->status = status;
        w->started = true;
        format_write(&w->frame, head);
        write_at(w, 0, head, sizeof head);
        for (uint32_t i = 0; i < SECTION_TABLES; i++)
            write_at(w, w->frame.section[i].offset, table[i].at, table[i].len);
    }
    free_tables(table);
    return report(w, why);
}

// The bytes of the mapped weight are complete now.
static void close_mapped(exec_writer *w) {
    if (w->mapped == EXEC_NONE) return;
    add_sum(w, w->mapping, (size_t)((const exec_weight *)w->weight.at)[w->mapped].bytes);
    w->mapped = EXEC_NONE;
}

// Writes the weights before `limit` that bring their data; the others must have been mapped.
static void write_weights(exec_writer *w, uint32_t limit) {
    close_mapped(w);
    const exec_weight *weight = w->weight.at;
    for (uint32_t i = (uint32_t)w->sum.len; w->status == RX_OK && i < limit; i++) {
        if (!weight[i].data) writer_fail(w, RX_INVALID_ARGUMENT, "weight %u was not given", i);
        if (w->status != RX_OK) return;
        write_at(w, weight[i].offset, weight[i].data, (size_t)weight[i].bytes);
        add_sum(w, weight[i].data, (size_t)weight[i].bytes);
    }
}

const char *exec_writer_why(const exec_writer *w) { return w->why; }

// In order: the weights before this one are complete, so their sums can be taken while they are in the cache.
rx_status exec_writer_map_weight(exec_writer *w, uint32_t i, uint8_t **out) {
    *out = NULL;
    if (!w->started || i >= w->weight.len) writer_fail(w, RX_INTERNAL, "weight %u can't be mapped now", i);
    if (w->status == RX_OK) write_weights(w, i);
    if (w->status == RX_OK && w->sum.len != i) writer_fail(w, RX_INTERNAL, "weights are mapped in order, not %u", i);
    if (w->status != RX_OK) return w->status;
    const exec_weight *weight = &((const exec_weight *)w->weight.at)[i];
    rx_status status = new_file_map(w->file, weight->offset, (size_t)weight->bytes, out);
    if (status != RX_OK && !close_failed(w, status))
        writer_fail(w, status, "no room for a weight of %s", COUNTED(weight->bytes, "byte"));
    w->mapped = i;
    w->mapping = *out;
    return w->status;
}

rx_status exec_writer_finish(exec_writer *w, char *why) {
    if (!w->started) writer_fail(w, RX_INTERNAL, "the file was not started");
    if (w->status == RX_OK) write_weights(w, (uint32_t)w->weight.len);
    write_at(w, w->frame.section[SECTION_TABLES + 1].offset, w->sum.at, w->sum.len * sizeof(uint64_t));
    if (w->status != RX_OK) return report(w, why);
    rx_status status = new_file_commit(w->file, w->why);
    w->file = NULL;
    w->status = status;
    return report(w, why);
}

rx_status exec_writer_save(exec_writer *w, const char *path, char *why) {
    RX_TRY(exec_writer_start(w, path, why));
    return exec_writer_finish(w, why);
}
