// verify_donated.c - linear use: a value whose memory a call took over is not read afterwards, nor by the call itself
// under another name; constants are not written.
#include "graph/deduce.h"
#include "graph/verify_inside.h"
#include "loop/walk.h"

// The value whose memory n is: names, views and tuple items are looked through.
static const node *memory_of(const node *n) {
    for (;;) {
        if (n->op->form == FORM_BIND || n->op->form == FORM_MATCH_CAST || (n->op->view && n->count))
            n = n->in[0];
        else if (n->op->form == FORM_ITEM) {
            const node *tuple = memory_of(n->in[0]);
            if (tuple->op->form != FORM_TUPLE || n->as.index >= tuple->count) return n;
            n = tuple->in[n->as.index];
        } else
            return n;
    }
}

static const node *taker_of(const verifier *v, const node *n) { return map_find(&v->donated, MAP_KEY(memory_of(n))); }

static void report(verifier *v, loc at, const node *n, const node *taker) {
    diag_error(v->d, at, "%s is used after R.%s took its memory over; use the call's result",
               n->name ? n->name : "a value", taker->op->name);
    if (taker->at.src) diag_note(v->d, taker->at, "it was taken over here");
}

void verify_donated_use(verifier *v, const node *user, const node *n) {
    if (!v->donations.len) return;
    const node *taker = taker_of(v, n), *memory = memory_of(n);
    if (taker) {
        report(v, user->at, n, taker);
        return;
    }
    if (memory->op->form != FORM_TUPLE || user->op->form == FORM_ITEM) return;
    for (uint32_t i = 0; i < memory->count; i++) verify_donated_use(v, user, memory->in[i]);
}

static void donate(verifier *v, const node *call, const node *n) {
    const node *memory = memory_of(n);
    if (map_find(&v->donated, MAP_KEY(memory)) == call) {
        diag_error(v->d, call->at, "%s: %s is taken over twice", call->op->name, n->name ? n->name : "a value");
        return;
    }
    map_put(&v->donated, MAP_KEY(memory), (void *)(uintptr_t)call);
    VEC_PUSH(v->mem, &v->donations, ((donation){memory, call}));
}

static const char *called(const node *call) {
    return call->op->form == FORM_CALL ? deduce_callee(call->in[0])->as.text.bytes : call->op->name;
}

// `at` of the arguments is written by the call: it is no constant, and no other argument has its memory.
static bool may_be_written(verifier *v, const node *call, const node *const *arg, uint32_t args, uint32_t at) {
    const node *memory = memory_of(arg[at]);
    if (memory->op->form == FORM_CONSTANT)
        return diag_error(
            v->d, call->at,
            "%s: argument %u is a constant, which can't be written over; give it a computed value, or use "
            "R.call_tir",
            called(call), at + 1);
    for (uint32_t i = 0; i < args; i++)
        if (i != at && memory_of(arg[i]) == memory)
            return diag_error(
                v->d, call->at,
                "%s: arguments %u and %u are the same memory, and the call writes over it; compute one of "
                "them anew, or use R.call_tir",
                called(call), (i < at ? i : at) + 1, (i < at ? at : i) + 1);
    return true;
}

// What inplace_indices counts: the fields of the argument tuple, or the arguments after the callee.
static const node *const *arguments_of(const node *call, uint32_t *count) {
    const node *tuple = call->op->input[1].kind == INPUT_TUPLE ? memory_of(call->in[1]) : NULL;
    *count = tuple ? tuple->op->form == FORM_TUPLE ? tuple->count : 0 : call->count - 1;
    return tuple ? tuple->in : call->in + 1;
}

static void donate_argument(verifier *v, const node *call, int64_t input) {
    uint32_t args;
    const node *const *arg = arguments_of(call, &args);
    if (input >= args) return;
    const node *n = arg[input];
    bool twice = map_find(&v->donated, MAP_KEY(memory_of(n))) == call; // which has a message of its own
    if (twice || may_be_written(v, call, arg, args, (uint32_t)input)) donate(v, call, n);
}

static bool stores_to(const verifier *v, const loop_func *f, const buffer *b) {
    for (stmt_walk w = stmt_walk_from(v->mem, f->body); stmt_walk_next(&w);)
        if (!w.leaving && w.st->kind == STMT_STORE && w.st->as.store.buf == b) return true;
    return false;
}

// A program that is called as it is, with destinations among its arguments.
static void verify_written(verifier *v, const node *call) {
    const module_func *f = deduce_loop(v->m, call->in[0]);
    if (!f) return;
    uint32_t args = call->count - 1;
    for (uint32_t i = 0; i < args && i < f->loop->params; i++) {
        const buffer *b = f->loop->param[i].buf;
        bool doubtful = memory_of(call->in[i + 1])->op->form == FORM_CONSTANT;
        for (uint32_t k = 0; k < args; k++)
            doubtful |= k != i && memory_of(call->in[k + 1]) == memory_of(call->in[i + 1]);
        if (b && doubtful && stores_to(v, f->loop, b) && !may_be_written(v, call, call->in + 1, args, i)) return;
    }
}

void verify_donation(verifier *v, const node *call) {
    uint32_t rows = op_attrs(call->op);
    if (call->op->form == FORM_CALL) verify_written(v, call);
    for (uint32_t row = 0; row < rows; row++) {
        if (!text_starts(call->op->attr[row].name, "inplace_indices") || call->attr[row]->kind != ATTR_LIST) continue;
        for (uint32_t i = 0; i < call->attr[row]->count; i++) {
            int64_t input;
            if (attr_get_int(call->attr[row]->list[i], &input) && input >= 0) donate_argument(v, call, input);
        }
    }
}

uint32_t verify_donation_mark(const verifier *v) { return v->donations.len; }

void verify_donation_undo(verifier *v, uint32_t mark) {
    for (uint32_t i = mark; i < v->donations.len; i++) map_put(&v->donated, MAP_KEY(v->donations.at[i].memory), NULL);
}

// After both branches, what either gave away is gone.
void verify_donation_redo(verifier *v, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        const donation *gone = &v->donations.at[i];
        map_put(&v->donated, MAP_KEY(gone->memory), (void *)(uintptr_t)gone->call);
    }
}
