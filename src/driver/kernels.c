// kernels.c - loop programs to machine code: the table of kernels, compiled by many threads, linked per target.
#include "base/threads.h"
#include "driver/emit.h"
#include "loop/walk.h"
#include "loop/work.h"

// --- The table.

// How many of the last buffers the program writes.
static uint32_t count_outputs(arena *mem, const loop_func *f) {
    map written = MAP_IN(mem);
    const buffer *const *buffers;
    uint32_t count = loop_func_buffers(f, mem, &buffers), outputs = 0;
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        if (w.leaving) continue;
        if (w.st->kind == STMT_STORE) map_put(&written, MAP_KEY(w.st->as.store.buf->data), mem);
        for (uint32_t i = 0; w.st->kind == STMT_BLOCK && i < w.st->as.block->matches; i++) {
            const buffer_match *m = &w.st->as.block->match[i];
            map_put(&written, MAP_KEY(m->source.buf->data), mem);
        }
    }
    while (outputs < count && map_has(&written, MAP_KEY(buffers[count - 1 - outputs]->data))) outputs++;
    return outputs;
}

typedef VEC(uint32_t) string_list;

// The messages of the program's assertions, in the order the code numbers them.
static void list_assertions(emission *e, const loop_func *f, string_list *out) {
    for (stmt_walk w = stmt_walk_from(e->mem, f->body); stmt_walk_next(&w);)
        if (!w.leaving && w.st->kind == STMT_ASSERT) {
            const char *message = w.st->as.assertion.message ? w.st->as.assertion.message : "an assertion failed";
            VEC_PUSH(e->mem, out, exec_writer_string(e->w, message));
        }
}

// A size over the kernel's scalars, which it reads as slots; false if the runtime can't compute it.
static bool find_program(emission *e, const kernel_info *info, const expr *size, uint32_t *out) {
    map slots = MAP_IN(e->mem);
    uint8_t *bytes;
    size_t count;
    for (uint32_t i = 0; i < info->scalars; i++) map_put(&slots, MAP_KEY(info->scalar[i]), (void *)(uintptr_t)(i + 1));
    if (!expr_to_postfix(size, &slots, e->mem, &bytes, &count)) return false;
    *out = exec_writer_program(e->w, bytes, count);
    return true;
}

static bool scalar_program(emission *e, const kernel_info *info, const expr *size, uint32_t *out) {
    return find_program(e, info, size, out) || diag_error(e->d, (loc){0}, "%s: %s can't be computed by the runtime",
                                                          info->name, expr_to_text(e->mem, size));
}

// What profilers are told; what the runtime can't compute is left out.
static void add_work(emission *e, const kernel_entry *k, exec_kernel *row) {
    static const int place[WORK_KINDS] = {
        [WORK_FLOPS] = EXEC_FLOPS, [WORK_DOUBLES] = EXEC_DOUBLES, [WORK_DOTS] = EXEC_DOTS, [WORK_BYTES] = EXEC_TOUCHED};
    loop_work w = loop_work_find(e->m->exprs, e->mem, k->func);
    for (int i = 0; i < WORK_KINDS; i++) {
        uint32_t program;
        if (w.amount[i] && find_program(e, &k->info, w.amount[i], &program)) row->work[place[i]] = program + 1;
    }
}

static bool add_kernel(emission *e, kernel_entry *k) {
    string_list messages = {0};
    if (!kernel_describe(e->m->exprs, e->mem, k->func, &k->info, e->d)) return false;
    list_assertions(e, k->func, &messages);
    exec_kernel row = {.name = exec_writer_string(e->w, k->func->name),
                       .buffers = k->info.buffers,
                       .scalars = k->info.scalars,
                       .outputs = count_outputs(e->mem, k->func),
                       .asserts = messages.len,
                       .assertion = messages.at};
    if (!scalar_program(e, &k->info, k->info.grid, &row.grid)) return false;
    if (!scalar_program(e, &k->info, k->info.scratch, &row.scratch)) return false;
    add_work(e, k, &row);
    k->index = exec_writer_kernel(e->w, &row);
    return true;
}

kernel_entry *kernel_of(emission *e, const loop_func *f) {
    kernel_entry *k = map_find(&e->kernels, MAP_KEY(f));
    if (k) return k;
    k = ARENA_NEW(e->mem, kernel_entry, 1);
    k->func = f;
    if (!add_kernel(e, k)) return NULL;
    map_put(&e->kernels, MAP_KEY(f), k);
    VEC_PUSH(e->mem, &e->kernel, k);
    return k;
}

// --- Machine code. One job is a bundle of programs for one target: LLVM takes some milliseconds for each object,
// whatever is in it. What is in a bundle doesn't depend on the number of threads, so neither does the code.

enum { BUNDLE = 4 };

typedef struct job {
    const arch *target;
    const loop_func *func[BUNDLE];
    uint32_t funcs;
    compiled object;
    arena *mem; // of the job's own messages
    diag *d;
    bool ok;
} job;

typedef struct work {
    job *list;
    const target_options *code;
} work;

static void run_job(void *user, size_t i) {
    const work *w = user;
    job *j = &w->list[i];
    j->mem = arena_new();
    j->d = diag_new(j->mem);
    j->ok = target_compile(j->target, j->func, j->funcs, w->code, TARGET_OBJECT, &j->object, j->d);
}

static void pass_on(diag *from, diag *to) {
    for (uint32_t i = 0; i < from->len; i++) {
        const diag_record *r = &from->record[i];
        switch (r->level) {
        case DIAG_ERROR: diag_error(to, r->at, "%s", r->message); break;
        case DIAG_WARNING: diag_warning(to, r->at, "%s", r->message); break;
        case DIAG_NOTE: diag_note(to, r->at, "%s", r->message); break;
        }
    }
}

static uint32_t count_bundles(const emission *e) { return (e->kernel.len + BUNDLE - 1) / BUNDLE; }

static work start(emission *e, const driver_options *o, const arch *const *target, uint32_t targets) {
    uint32_t bundles = count_bundles(e);
    work w = {.list = ARENA_NEW(e->mem, job, (size_t)targets * bundles), .code = &o->code};
    for (uint32_t t = 0; t < targets; t++)
        for (uint32_t k = 0; k < e->kernel.len; k++) {
            job *j = &w.list[t * bundles + k / BUNDLE];
            j->target = target[t];
            j->func[j->funcs++] = e->kernel.at[k]->func;
        }
    target_open();
    threads_run(o->jobs, (size_t)targets * bundles, run_job, &w);
    return w;
}

// Messages of all jobs, in order; false if one failed.
static bool finish(emission *e, work *w, size_t count) {
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        pass_on(w->list[i].d, e->d);
        ok = ok && w->list[i].ok;
    }
    return ok;
}

static void release(work *w, size_t count) {
    for (size_t i = 0; i < count; i++) {
        compiled_free(&w->list[i].object);
        arena_free(w->list[i].mem);
    }
}

// --- Linking: one image per target.

typedef struct link_job {
    emission *e;
    const arch *target;
    const job *list; // its objects
    compiled image;
    arena *mem;
    diag *d;
    bool ok;
} link_job;

static const char **kernel_names(const emission *e, arena *mem) {
    const char **name = ARENA_NEW(mem, const char *, e->kernel.len);
    for (uint32_t i = 0; i < e->kernel.len; i++) name[i] = e->kernel.at[i]->func->name;
    return name;
}

static void run_link(void *user, size_t i) {
    link_job *j = (link_job *)user + i;
    uint32_t count = count_bundles(j->e);
    j->mem = arena_new();
    j->d = diag_new(j->mem);
    compiled *object = ARENA_NEW(j->mem, compiled, count);
    for (uint32_t k = 0; k < count; k++) object[k] = j->list[k].object;
    j->ok = target_link(j->target, object, count, kernel_names(j->e, j->mem), j->e->kernel.len, &j->image, j->d);
}

static bool add_variants(emission *e, link_job *link, uint32_t targets) {
    bool ok = true;
    for (uint32_t t = 0; t < targets; t++) {
        const link_job *j = &link[t];
        pass_on(j->d, e->d);
        ok = ok && j->ok;
        if (ok)
            exec_writer_variant(e->w, "cpu", j->target->name, j->target->required, j->image.bytes, j->image.size,
                                kernel_names(e, j->mem));
    }
    return ok;
}

static bool link_all(emission *e, const driver_options *o, const job *list, const arch *const *target,
                     uint32_t targets) {
    link_job *link = ARENA_NEW(e->mem, link_job, targets);
    for (uint32_t t = 0; t < targets; t++)
        link[t] = (link_job){.e = e, .target = target[t], .list = list + (size_t)t * count_bundles(e)};
    threads_run(o->jobs, targets, run_link, link);
    bool ok = add_variants(e, link, targets);
    for (uint32_t t = 0; t < targets; t++) {
        compiled_free(&link[t].image);
        arena_free(link[t].mem);
    }
    return ok;
}

bool kernels_compile(emission *e, const driver_options *o, const arch *const *target, uint32_t targets,
                     stage_clock *clock) {
    size_t count = (size_t)targets * count_bundles(e);
    if (!count) return true;
    work w = start(e, o, target, targets);
    bool ok = finish(e, &w, count);
    stage_end(clock, "kernels");
    ok = ok && link_all(e, o, w.list, target, targets);
    stage_end(clock, "link");
    release(&w, count);
    return ok;
}

bool kernels_print(emission *e, const driver_options *o, const arch *target, target_output what, compiled *out) {
    const loop_func **f = ARENA_NEW(e->mem, const loop_func *, e->kernel.len);
    for (uint32_t i = 0; i < e->kernel.len; i++) f[i] = e->kernel.at[i]->func;
    target_open();
    return target_compile(target, f, e->kernel.len, &o->code, what, out, e->d);
}
