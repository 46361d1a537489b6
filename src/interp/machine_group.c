// machine_group.c - the threads of a block, all together from barrier to barrier.
#include "interp/machine.h"
#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX_THREADS = 1024, WARP = 32 };

typedef struct group {
    thread *thread;
    uint32_t count;
    int64_t extent[3];
    view **shared; // by slot: memory that all threads share
} group;

static const instr *waits_at(const machine *m, const thread *t) { return &m->p->code[t->pc]; }

// --- Memory.

// Local memory from outside of the threads: each gets its own copy, and its views of the old one follow.
static bool own_memory(machine *m, thread *t) {
    for (uint32_t i = 0; i < m->p->slots; i++) {
        const view *v = t->slot[i];
        if (!v || !v->owner || !v->owner->per_thread) continue;
        storage *old = v->owner, *copy = storage_new(m->r->memory, old->bytes, old->written != NULL);
        if (!copy) return machine_fail(m, t, "no memory for what is local to each thread");
        if (!t->own) t->own = calloc(m->p->slots, sizeof *t->own);
        for (uint32_t k = i; t->own && k < m->p->slots; k++) {
            if (!t->slot[k] || t->slot[k]->owner != old) continue;
            view *mine = &t->own[k];
            *mine = *t->slot[k];
            mine->owner = storage_retain(copy);
            mine->written = copy->written;
            mine->data = copy->data + mine->base;
            t->slot[k] = mine;
        }
        storage_release(copy);
    }
    return true;
}

// The first thread that comes by makes the memory; it stays until the block ends.
bool machine_shared(machine *m, thread *t, const setup *s) {
    group *g = m->group;
    view *first = g->shared[s->slot];
    if (first) { // once per block, however often it is passed
        thread_drop(t, s->slot);
        t->slot[s->slot] = first;
        return true;
    }
    view *v = calloc(1, sizeof *v);
    if (!v) return machine_fail(m, t, "no memory");
    g->shared[s->slot] = v;
    return machine_fill(m, t, s, v);
}

// --- The threads.

static bool start_thread(machine *m, const thread *parent, thread *t) {
    if (!thread_init(m, t)) return machine_fail(m, parent, "no memory for the threads");
    memcpy(t->reg, parent->reg, m->p->regs * sizeof *t->reg);
    memcpy(t->slot, parent->slot, m->p->slots * sizeof *t->slot);
    t->pc = parent->pc + 1;
    return own_memory(m, t);
}

// x varies fastest, as on a GPU; warps are 32 neighbours in this order.
static bool start_threads(machine *m, const thread *parent, const fork *f, group *g) {
    for (uint32_t n = 0; n < g->count; n++) {
        thread *t = &g->thread[n];
        if (!start_thread(m, parent, t)) return false;
        t->index[0] = n % g->extent[0];
        t->index[1] = n / g->extent[0] % g->extent[1];
        t->index[2] = n / (g->extent[0] * g->extent[1]);
        for (unsigned i = 0; i < 3; i++)
            if (f->extent[i] != NO_REGISTER) t->reg[f->tag[i]].i = t->index[i];
    }
    return true;
}

// As many as GPUs have: more would be a mistake, and each thread costs its registers.
static bool measure(machine *m, const thread *parent, const fork *f, group *g) {
    int64_t count = 1;
    for (unsigned i = 0; i < 3; i++) {
        g->extent[i] = f->extent[i] == NO_REGISTER ? 1 : parent->reg[f->extent[i]].i;
        if (g->extent[i] < 0 || g->extent[i] > GROUP_MAX_THREADS || count * g->extent[i] > GROUP_MAX_THREADS)
            return machine_fail(m, parent, "more than %d threads in a block", GROUP_MAX_THREADS);
        count *= g->extent[i];
    }
    g->count = (uint32_t)count;
    return true;
}

// --- Barriers.

static void let_go(thread *t) {
    t->status = THREAD_READY;
    t->pc++;
}

// Do all of these threads wait at this very instruction?
static bool all_wait(const machine *m, const group *g, uint32_t from, uint32_t to, uint32_t pc) {
    (void)m;
    for (uint32_t n = from; n < to; n++)
        if (g->thread[n].status != THREAD_WAITS || g->thread[n].pc != pc) return false;
    return true;
}

// Lets the 32 threads of a warp go once all wait at the same barrier of warps.
static bool release_warps(machine *m, group *g) {
    bool any = false;
    for (uint32_t first = 0; first < g->count; first += WARP) {
        uint32_t end = first + WARP < g->count ? first + WARP : g->count;
        const thread *t = &g->thread[first];
        if (t->status != THREAD_WAITS || waits_at(m, t)->x != BARRIER_WARP) continue;
        if (!all_wait(m, g, first, end, t->pc)) continue;
        for (uint32_t n = first; n < end; n++) let_go(&g->thread[n]);
        any = true;
    }
    return any;
}

// Implicit barriers let those go that are furthest behind, whoever else comes.
static bool release_implicit(machine *m, group *g) {
    uint32_t pc = UINT32_MAX;
    for (uint32_t n = 0; n < g->count; n++) {
        const thread *t = &g->thread[n];
        if (t->status == THREAD_WAITS && waits_at(m, t)->x == BARRIER_IMPLICIT && t->pc < pc) pc = t->pc;
    }
    for (uint32_t n = 0; n < g->count; n++)
        if (g->thread[n].status == THREAD_WAITS && g->thread[n].pc == pc) let_go(&g->thread[n]);
    return pc != UINT32_MAX;
}

// Names one thread that waits and one that will not come.
static bool fail_stuck(machine *m, group *g) {
    uint32_t waits = 0, other = 0;
    while (g->thread[waits].status != THREAD_WAITS) waits++;
    const thread *t = &g->thread[waits];
    while (other + 1 < g->count && g->thread[other].status == THREAD_WAITS && g->thread[other].pc == t->pc) other++;
    const int64_t *a = t->index, *b = g->thread[other].index;
    return machine_fail(m, t,
                        "thread (%lld, %lld, %lld) waits at a barrier that thread (%lld, %lld, %lld) does not "
                        "reach",
                        (long long)a[0], (long long)a[1], (long long)a[2], (long long)b[0], (long long)b[1],
                        (long long)b[2]);
}

// Every thread has stopped: who may go on? False after reporting that nobody may.
static bool release(machine *m, group *g) {
    bool any = release_warps(m, g);
    if (any) return true;
    if (all_wait(m, g, 0, g->count, g->thread[0].pc)) {
        for (uint32_t n = 0; n < g->count; n++) let_go(&g->thread[n]);
        return true;
    }
    return release_implicit(m, g) || fail_stuck(m, g);
}

// In order of their numbers, each as far as it gets; then those that may go on do.
static bool run_threads(machine *m, group *g) {
    for (;;) {
        bool waiting = false;
        for (uint32_t n = 0; n < g->count; n++) {
            thread *t = &g->thread[n];
            if (t->status == THREAD_READY && machine_go(m, t) == RUN_FAILED) return false;
            waiting = waiting || t->status == THREAD_WAITS;
        }
        if (!waiting) return true;
        if (!machine_step(m, &g->thread[0]) || !release(m, g)) return false;
    }
}

static void free_group(machine *m, group *g) {
    for (uint32_t n = 0; g->thread && n < g->count; n++) thread_free(m, &g->thread[n]);
    for (uint32_t i = 0; g->shared && i < m->p->slots; i++) {
        if (g->shared[i]) storage_release(g->shared[i]->owner);
        free(g->shared[i]);
    }
    free(g->thread);
    free(g->shared);
}

bool machine_group(machine *m, thread *parent, const fork *f) {
    group g = {0};
    if (!measure(m, parent, f, &g)) return false;
    g.thread = calloc(g.count + 1, sizeof *g.thread);
    g.shared = calloc(m->p->slots + 1, sizeof *g.shared);
    bool done = g.thread && g.shared;
    if (!done) machine_fail(m, parent, "no memory for the threads");
    m->group = &g;
    done = done && start_threads(m, parent, f, &g) && run_threads(m, &g);
    m->group = NULL;
    free_group(m, &g);
    return done;
}
