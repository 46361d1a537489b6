// machine_code.c - the kernels' machine code: equal programs once, bundles compiled side by side, linked per target,
// kept in a cache.
#include "base/threads.h"
#include "driver/emit.h"
#include "driver/kernel_jobs.h"
#include <stdlib.h>
#include <string.h>

// The code of one target.
typedef struct target_plan {
    const emission *e;
    const arch *arch;
    VEC(const kernel_entry *) kernel; // distinct programs
    const char **symbol;              // per kernel of the table: the program that is its code; NULL: it has none here
    uint32_t bundle, bundles;         // programs in one of them
    kernel_job *job;                  // per bundle
    target_linker **linker;           // NULL: not started
} target_plan;

// What a compilation of kernels works on.
typedef struct code_plan {
    const driver_options *o;
    arena *mem;
    diag *d;
    exec_writer *w;
    target_plan *target;
    uint32_t targets;
    const char *cache; // folder; NULL: none
    const char *identity;
    kernel_job *job; // of all targets, one after the other
    uint32_t jobs;
} code_plan;

// --- Distinct programs. Layers of a model that a text spells out one by one are equal up to names.

static void find_distinct(const code_plan *p, target_plan *t, uint32_t kernels) {
    text_map known = TEXT_MAP_IN(p->mem);
    t->symbol = ARENA_NEW(p->mem, const char *, kernels);
    for (uint32_t i = 0; i < t->e->kernel.len; i++) {
        const kernel_entry *k = t->e->kernel.at[i];
        // With debug information, lines of equal kernels would be mixed up.
        const kernel_entry *same = p->o->code.debug_info ? NULL : text_map_find(&known, k->spelled);
        t->symbol[k->index] = same ? same->func->name : k->func->name;
        if (same) continue;
        text_map_put(&known, k->spelled, (void *)(uintptr_t)k);
        VEC_PUSH(p->mem, &t->kernel, k);
    }
    t->bundle = (t->kernel.len + BUNDLES_WANTED - 1) / BUNDLES_WANTED;
    if (t->bundle > BUNDLE_MOST) t->bundle = BUNDLE_MOST;
    t->bundles = t->kernel.len ? (t->kernel.len + t->bundle - 1) / t->bundle : 0;
}

// --- Keys: what code is made of.

static void put_target(const code_plan *p, const arch *a, const char *what, text *t) {
    const target_options *o = &p->o->code;
    text_format(t, "%s%s\n%s %s %s %u %u %d%d%d%d%d%d\nO%u%s\n", p->identity, what, a->name, a->cpu, a->llvm_features,
                a->vector_bytes, a->vector_registers, a->fma, a->f16c, a->avx512, a->vnni, a->avx512bf16, a->avx512fp16,
                o->level, o->fast_math ? " fast" : "");
}

static cache_key key_of(const code_plan *p, const target_plan *target, const char *what, uint32_t from, uint32_t to) {
    text t = TEXT_IN(p->mem);
    put_target(p, target->arch, what, &t);
    for (uint32_t i = from; i < to && i < target->kernel.len; i++)
        text_format(&t, "%s\n%s\n", target->kernel.at[i]->func->name, target->kernel.at[i]->spelled);
    return cache_key_of(t.at, t.len);
}

static void open_cache(code_plan *p) {
    text identity = TEXT_IN(p->mem);
    bool usable = p->o->cache && !p->o->code.debug_info && cache_identity(&identity) && cache_open(p->o->cache);
    p->cache = usable ? p->o->cache : NULL;
    p->identity = usable ? text_get(&identity) : "";
}

// --- Jobs.

static void run_job(void *user, size_t i) {
    const kernel_work *w = user;
    kernel_job *j = w->turn[i];
    j->mem = arena_new();
    j->d = diag_new(j->mem);
    if (j->wanted) j->ok = target_compile(j->target, j->func, j->funcs, w->code, TARGET_OBJECT, &j->object, j->d);
}

void kernel_jobs_run(kernel_work *w) { threads_run(w->jobs, w->count, run_job, w); }

static int by_cost(const void *a, const void *b) {
    const kernel_job *x = *(kernel_job *const *)a, *y = *(kernel_job *const *)b;
    return x->cost != y->cost ? (x->cost < y->cost ? 1 : -1) : (x > y) - (x < y);
}

// The longest first, so that no thread is left alone with one of them at the end.
static kernel_job **turns_of(const code_plan *p) {
    kernel_job **turn = ARENA_NEW(p->mem, kernel_job *, p->jobs);
    for (uint32_t i = 0; i < p->jobs; i++) turn[i] = &p->job[i];
    qsort(turn, p->jobs, sizeof *turn, by_cost);
    return turn;
}

// What is not in the cache is compiled and put there.
static void run_jobs(const code_plan *p) {
    kernel_work w = {.list = p->job,
                     .turn = turns_of(p),
                     .count = p->jobs,
                     .jobs = p->o->jobs,
                     .code = &p->o->code,
                     .cache = p->cache};
    for (size_t i = 0; i < w.count && w.cache; i++) {
        kernel_job *j = &p->job[i];
        if (!j->wanted || !cache_find(w.cache, j->key, &j->object)) continue;
        j->wanted = false;
        j->ok = true;
    }
    (p->o->isolate ? kernel_jobs_isolate : kernel_jobs_run)(&w);
    for (size_t i = 0; i < w.count && w.cache; i++)
        if (p->job[i].wanted && p->job[i].ok) cache_put(w.cache, p->job[i].key, &p->job[i].object);
}

static void plan_target(const code_plan *p, target_plan *t) {
    for (uint32_t b = 0; b < t->bundles; b++) {
        kernel_job *j = &t->job[b];
        j->target = t->arch;
        j->wanted = true;
        uint32_t from = b * t->bundle, to = from + t->bundle;
        for (uint32_t i = from; i < to && i < t->kernel.len; i++) {
            j->func[j->funcs++] = t->kernel.at[i]->func;
            j->cost += strlen(t->kernel.at[i]->spelled);
        }
        if (p->cache) j->key = key_of(p, t, "object", from, to);
    }
}

static void plan_jobs(code_plan *p) {
    for (uint32_t t = 0; t < p->targets; t++) p->jobs += p->target[t].bundles;
    p->job = ARENA_NEW(p->mem, kernel_job, p->jobs);
    for (uint32_t t = 0, at = 0; t < p->targets; at += p->target[t++].bundles) {
        p->target[t].job = p->job + at;
        plan_target(p, &p->target[t]);
    }
}

static void pass_on(const diag *from, diag *to) {
    if (to->refused == RX_OK) to->refused = from->refused;
    for (uint32_t i = 0; i < from->len; i++) {
        const diag_record *r = &from->record[i];
        switch (r->level) {
        case DIAG_ERROR: diag_error(to, r->at, "%s", r->message); break;
        case DIAG_WARNING: diag_warning(to, r->at, "%s", r->message); break;
        case DIAG_NOTE: diag_note(to, r->at, "%s", r->message); break;
        }
    }
}

// Messages of all jobs of a target, in order; false if one that is needed failed.
static bool finish_target(const code_plan *p, const target_plan *t) {
    bool ok = true;
    for (uint32_t i = 0; i < t->bundles; i++) {
        const kernel_job *j = &t->job[i];
        pass_on(j->d, p->d);
        ok = ok && (j->ok || !j->wanted);
    }
    return ok;
}

// What one target has no code for, others mostly have none for either: it is said once.
static bool finish(const code_plan *p) {
    bool ok = true;
    for (uint32_t t = 0; t < p->targets && ok; t++) ok = finish_target(p, &p->target[t]);
    return ok;
}

static void release(const code_plan *p) {
    for (uint32_t i = 0; i < p->jobs; i++) {
        compiled_free(&p->job[i].object);
        arena_free(p->job[i].mem);
    }
}

// --- Images: one per target.

typedef struct link_job {
    const code_plan *p;
    const target_plan *target;
    cache_key key;
    compiled image;
    bool kept; // it was in the cache
    arena *mem;
    diag *d;
    bool ok;
} link_job;

// Targets whose image is kept need no objects.
static link_job *find_images(const code_plan *p) {
    link_job *link = ARENA_NEW(p->mem, link_job, p->targets);
    for (uint32_t t = 0; t < p->targets; t++) {
        const target_plan *target = &p->target[t];
        link[t] = (link_job){.p = p, .target = target};
        if (!p->cache) continue;
        link[t].key = key_of(p, target, "image", 0, target->kernel.len);
        link[t].kept = cache_find(p->cache, link[t].key, &link[t].image);
        for (uint32_t b = 0; b < target->bundles && link[t].kept; b++) target->job[b].wanted = false;
    }
    return link;
}

// It goes on beside the code generation.
static void start_linkers(const code_plan *p, const link_job *link) {
    for (uint32_t t = 0; t < p->targets; t++) {
        target_linker **linker = p->target[t].linker;
        if (!link[t].kept && !*linker) *linker = target_linker_start(p->target[t].arch, &p->o->code);
    }
}

static void run_link(void *user, size_t i) {
    link_job *j = (link_job *)user + i;
    const target_plan *t = j->target;
    j->mem = arena_new();
    j->d = diag_new(j->mem);
    j->ok = j->kept;
    if (j->kept) return;
    compiled *object = ARENA_NEW(j->mem, compiled, t->bundles);
    const char **name = ARENA_NEW(j->mem, const char *, t->kernel.len);
    for (uint32_t b = 0; b < t->bundles; b++) object[b] = t->job[b].object;
    for (uint32_t k = 0; k < t->kernel.len; k++) name[k] = t->kernel.at[k]->func->name;
    j->ok = target_link(*t->linker, t->arch, object, t->bundles, name, t->kernel.len, &j->image, j->d);
    if (j->ok && j->p->cache) cache_put(j->p->cache, j->key, &j->image);
}

// A full disk or a linker that isn't there is met by all targets: it is said once.
static bool add_variants(const code_plan *p, const link_job *link) {
    bool ok = true;
    for (uint32_t t = 0; t < p->targets; t++) {
        const arch *a = p->target[t].arch;
        if (ok) pass_on(link[t].d, p->d);
        ok = ok && link[t].ok;
        if (ok)
            exec_writer_variant(p->w, "cpu", a->name, a->required, link[t].image.bytes, link[t].image.size,
                                p->target[t].symbol);
    }
    return ok;
}

static bool link_all(const code_plan *p, link_job *link) {
    threads_run(p->o->jobs, p->targets, run_link, link);
    bool ok = add_variants(p, link);
    for (uint32_t t = 0; t < p->targets; t++) arena_free(link[t].mem);
    return ok;
}

static void plan_targets(code_plan *p, emission *const *e, const arch *const *target, target_linker **linker) {
    p->target = ARENA_NEW(p->mem, target_plan, p->targets);
    for (uint32_t t = 0; t < p->targets; t++) {
        p->target[t] = (target_plan){.e = e[t], .arch = target[t], .linker = &linker[t]};
        find_distinct(p, &p->target[t], e[0]->once->rows.len);
    }
}

bool kernels_compile(emission *const *e, const driver_options *o, const arch *const *target, uint32_t targets,
                     target_linker **linker, stage_clock *clock) {
    code_plan p = {.o = o, .mem = e[0]->mem, .d = e[0]->d, .w = e[0]->w, .targets = targets};
    if (!e[0]->once->rows.len) return true;
    open_cache(&p);
    plan_targets(&p, e, target, linker);
    plan_jobs(&p);
    link_job *link = find_images(&p);
    start_linkers(&p, link);
    target_open();
    run_jobs(&p);
    bool ok = finish(&p);
    stage_end(clock, "kernels");
    ok = ok && link_all(&p, link);
    for (uint32_t t = 0; t < targets; t++) compiled_free(&link[t].image);
    release(&p);
    if (p.cache) cache_trim(p.cache, CACHE_LIMIT);
    stage_end(clock, "link");
    return ok;
}

bool kernels_print(emission *e, const driver_options *o, const arch *target, target_output what, compiled *out) {
    const loop_func **f = ARENA_NEW(e->mem, const loop_func *, e->kernel.len);
    for (uint32_t i = 0; i < e->kernel.len; i++) f[i] = e->kernel.at[i]->func;
    target_open();
    return target_compile(target, f, e->kernel.len, &o->code, what, out, e->d);
}
