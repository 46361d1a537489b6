// verify_donated.c - linear use: a value whose memory a call took over is not read afterwards.
#include "graph/verify_inside.h"

// The value whose memory n is: names, views and tuple items are looked through.
static const node *memory_of(const node *n) {
    for (;;) {
        if (n->op->form == FORM_BIND || (n->op->view && n->count))
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

// inplace_indices counts the fields of the argument tuple, or the arguments after the callee.
static const node *argument(const node *call, int64_t i) {
    if (call->op->input[1].kind != INPUT_TUPLE) return i + 1 < call->count ? call->in[i + 1] : NULL;
    const node *tuple = memory_of(call->in[1]);
    return tuple->op->form == FORM_TUPLE && i < tuple->count ? tuple->in[i] : NULL;
}

void verify_donation(verifier *v, const node *call) {
    uint32_t rows = op_attrs(call->op);
    for (uint32_t row = 0; row < rows; row++) {
        if (!text_starts(call->op->attr[row].name, "inplace_indices") || call->attr[row]->kind != ATTR_LIST) continue;
        for (uint32_t i = 0; i < call->attr[row]->count; i++) {
            int64_t input;
            if (!attr_get_int(call->attr[row]->list[i], &input) || input < 0) continue;
            const node *n = argument(call, input);
            if (n) donate(v, call, n);
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
