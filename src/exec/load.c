// load.c - an .rlx file or its bytes in memory, to a checked executable.
#include "base/count_noun.h"
#include "base/file.h"
#include "base/postfix.h"
#include "exec/codec.h"
#include "exec/format.h"
#include "exec/verify.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct exec_owner {
    memory_blocks mem;
    mapped_file file; // zero when the bytes are the caller's
    const uint8_t *bytes;
    atomic_uint refs;
    const uint64_t *weight_sum; // one per weight, or NULL
} exec_owner;

static rx_status fail(char *why, rx_status status, const char *what) {
    if (why) snprintf(why, EXEC_WHY, "%s", what);
    return status;
}

// The first section of a kind; NULL if the file has none.
static const format_section *find_section(const format_frame *frame, uint32_t kind) {
    for (uint32_t i = 0; i < frame->sections; i++)
        if (frame->section[i].kind == kind) return &frame->section[i];
    return NULL;
}

static bool section_known(uint32_t kind) {
    if (kind == SECTION_WEIGHT_DATA || kind == SECTION_WEIGHT_SUMS) return true;
    for (uint32_t i = 0; i < SECTION_TABLES; i++)
        if (section_table[i].kind == kind) return true;
    return false;
}

// A newer writer marks what an older reader may skip; everything else it must know.
static rx_status check_section_kinds(const format_frame *frame, char *why) {
    for (uint32_t i = 0; i < frame->sections; i++) {
        const format_section *s = &frame->section[i];
        if (section_known(s->kind) || (s->flags & SECTION_OPTIONAL)) continue;
        if (why)
            snprintf(why, EXEC_WHY, "section of kind %u, which this runtime doesn't know: use a newer one", s->kind);
        return RX_UNSUPPORTED;
    }
    return RX_OK;
}

// The checksum comes first: decoding may then trust that the bytes are what was written, though not that they are
// right.
static rx_status load_table(executable *e, const section_info *info, const format_frame *frame, char *why) {
    const format_section *s = find_section(frame, info->kind);
    if (!s) return RX_OK;
    const uint8_t *at = e->owner->bytes + s->offset;
    if (format_checksum(at, (size_t)s->size) != s->checksum) {
        if (why) snprintf(why, EXEC_WHY, "the checksum of section %s is wrong: the file is damaged", info->name);
        return RX_BAD_FILE;
    }
    codec c = {.start = at, .at = at, .end = at + s->size, .mem = &e->owner->mem};
    info->code(&c, e);
    if (c.no_memory) return fail(why, RX_OUT_OF_MEMORY, "no memory for the tables of the file");
    if (!c.bad && c.at == c.end) return RX_OK;
    if (why) snprintf(why, EXEC_WHY, "section %s is malformed", info->name);
    return RX_BAD_FILE;
}

// Weights point into the file; the sums are read when somebody wants to verify them.
static rx_status attach_weights(executable *e, const format_frame *frame, char *why) {
    exec_weight *w = (exec_weight *)(uintptr_t)e->weight;
    for (uint32_t i = 0; i < e->weights; i++) w[i].data = e->owner->bytes + w[i].offset;
    const format_section *s = find_section(frame, SECTION_WEIGHT_SUMS);
    if (!s) return e->weights ? fail(why, RX_BAD_FILE, "weights without their sums") : RX_OK;
    if (s->size != e->weights * sizeof(uint64_t))
        return fail(why, RX_BAD_FILE, "the sums of the weights are malformed");
    e->owner->weight_sum = (const uint64_t *)(const void *)(e->owner->bytes + s->offset);
    return RX_OK;
}

// ---- signatures as text ----

// Counts on where there is no room, so that the same code measures and writes.
static size_t append(char *out, size_t room, size_t at, const char *text) {
    size_t size = strlen(text);
    if (out && at + size < room) memcpy(out + at, text, size + 1);
    return at + size;
}

static const char *annotation_text(const executable *e, uint32_t i) {
    return i != EXEC_NONE && e->annotation[i].text != EXEC_NONE ? exec_string(e, e->annotation[i].text) : "R.Object";
}

// Writes "name(x: A, …) -> R" if there is room; returns its length.
static size_t compose(const executable *e, const exec_function *f, char *out, size_t room) {
    size_t at = append(out, room, 0, exec_string(e, f->name));
    at = append(out, room, at, "(");
    for (uint32_t i = 0; i < f->params; i++) {
        if (i) at = append(out, room, at, ", ");
        at = append(out, room, at, exec_string(e, f->param[i].name));
        at = append(out, room, at, ": ");
        at = append(out, room, at, annotation_text(e, f->param[i].annotation));
    }
    at = append(out, room, at, ")");
    if (f->result == EXEC_NONE) return at;
    at = append(out, room, at, " -> ");
    return append(out, room, at, annotation_text(e, f->result));
}

static rx_status compose_signatures(executable *e, char *why) {
    exec_function *f = (exec_function *)(uintptr_t)e->function;
    size_t total = 0, limit = 64 * (size_t)e->file_size + (1 << 20);
    for (uint32_t i = 0; i < e->functions; i++) {
        size_t size = compose(e, &f[i], NULL, 0) + 1;
        // A forged file can name one long text many times.
        if ((total += size) > limit) return fail(why, RX_BAD_FILE, "the signatures are too long");
        char *text = blocks_take(&e->owner->mem, size, 1);
        if (!text) return fail(why, RX_OUT_OF_MEMORY, "no memory for signatures");
        compose(e, &f[i], text, size);
        f[i].text = text;
    }
    return RX_OK;
}

// ---- loading ----

static rx_status load(executable *e, size_t size, char *why) {
    format_frame frame;
    RX_TRY(format_read(e->owner->bytes, size, &frame, why));
    RX_TRY(check_section_kinds(&frame, why));
    e->format = frame.version;
    e->kernel_abi = frame.kernel_abi;
    e->file_size = size;
    for (uint32_t i = 0; i < SECTION_TABLES; i++) RX_TRY(load_table(e, &section_table[i], &frame, why));
    RX_TRY(exec_verify(e, &e->owner->mem, why));
    RX_TRY(attach_weights(e, &frame, why));
    return compose_signatures(e, why);
}

// The executable and its owner lie in the blocks that are freed: the owner is copied first.
static void free_executable(executable *e) {
    exec_owner owner = *e->owner;
    blocks_free(&owner.mem); // e and its owner are among the blocks
    file_unmap(&owner.file);
}

// Takes over *file.
static rx_status load_bytes(const uint8_t *bytes, size_t size, mapped_file file, const rx_allocator *a,
                            executable **out, char *why) {
    *out = NULL;
    memory_blocks mem = {.allocator = a ? *a : (rx_allocator){0}};
    executable *e = blocks_take(&mem, 1, sizeof *e);
    exec_owner *owner = e ? blocks_take(&mem, 1, sizeof *owner) : NULL;
    if (!owner) {
        blocks_free(&mem);
        file_unmap(&file);
        return fail(why, RX_OUT_OF_MEMORY, "no memory for an executable");
    }
    owner->mem = mem;
    owner->file = file;
    owner->bytes = bytes;
    atomic_init(&owner->refs, 1);
    e->owner = owner;
    rx_status status = load(e, size, why);
    if (status == RX_OK)
        *out = e;
    else
        free_executable(e);
    return status;
}

rx_status exec_load_memory(const void *bytes, size_t size, const rx_allocator *a, executable **out, char *why) {
    *out = NULL;
    if ((uintptr_t)bytes % MEMORY_ALIGN)
        return fail(why, RX_INVALID_ARGUMENT, "the bytes of a module must be aligned to 64");
    return load_bytes(bytes, size, (mapped_file){0}, a, out, why);
}

// The path comes before the reason, so that a program that loads several files says which one.
rx_status exec_load(const char *path, const rx_allocator *a, executable **out, char *why) {
    mapped_file file = {0};
    *out = NULL;
    RX_TRY(file_map(path, &file, why));
    rx_status status = load_bytes(file.data, file.size, file, a, out, why);
    if (status == RX_OK || !why) return status;
    char reason[EXEC_WHY];
    memcpy(reason, why, EXEC_WHY);
    snprintf(why, EXEC_WHY, "%.200s: %.300s", path, reason);
    return status;
}

executable *exec_retain(const executable *e) {
    atomic_fetch_add_explicit(&e->owner->refs, 1, memory_order_relaxed);
    return (executable *)(uintptr_t)e;
}

void exec_release(const executable *e) {
    if (e && atomic_fetch_sub_explicit(&e->owner->refs, 1, memory_order_acq_rel) == 1)
        free_executable((executable *)(uintptr_t)e);
}

// Reads every byte of the file's weights: seconds for gigabytes, hence only on request.
rx_status exec_verify_weights(const executable *e, char *why) {
    for (uint32_t i = 0; i < e->weights; i++) {
        const exec_weight *w = &e->weight[i];
        if (format_checksum(w->data, (size_t)w->bytes) == e->owner->weight_sum[i]) continue;
        if (why)
            snprintf(why, EXEC_WHY, "the checksum of weight %s is wrong: %s at offset %" PRIu64 " are damaged",
                     exec_string(e, w->name), COUNTED(w->bytes, "byte"), w->offset);
        return RX_BAD_FILE;
    }
    return RX_OK;
}

const char *exec_string(const executable *e, uint32_t string) {
    return string < e->strings ? (const char *)e->string[string].at : "";
}

bool exec_program_value(const exec_program *p, const int64_t *slot, uint32_t slots, int64_t *out) {
    return p->slots <= slots && postfix_run(p->bytes.at, p->bytes.size, slot, out) == POSTFIX_DONE;
}

// From the front: files have tens of functions, and callers that mind use numbers (rx_context_call_number).
uint32_t exec_find_function(const executable *e, const char *name) {
    for (uint32_t i = 0; i < e->functions; i++)
        if (strcmp(exec_string(e, e->function[i].name), name) == 0) return i;
    return EXEC_NONE;
}

void exec_bodies(const executable *e, uint32_t variant, uint32_t *body) {
    for (uint32_t i = 0; i < e->functions; i++) body[i] = i;
    for (uint32_t i = 0; i < e->replacements; i++) body[e->replacement[i].by] = EXEC_NONE;
    for (uint32_t i = 0; i < e->replacements; i++) {
        const exec_replacement *r = &e->replacement[i];
        if (r->variant == variant) body[r->function] = body[r->by] = r->by;
    }
}

const exec_metadata *exec_find_metadata(const executable *e, const char *key) {
    for (uint32_t i = 0; i < e->metas; i++)
        if (strcmp(exec_string(e, e->meta[i].key), key) == 0) return &e->meta[i];
    return NULL;
}
