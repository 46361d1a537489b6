// jinja_run.c - the statements of a template.
//
// Scopes: the body of a loop, a macro and a block set or filtered each have one; `set` makes a name of the innermost
// scope, so what a loop sets is gone after the round (namespaces are for more).
#include "base/count_noun.h"
#include "llm/jinja.h"

// How a list of statements ended: break and continue leave it early, up to the loop.
typedef enum flow { GO_ON, BREAK, CONTINUE } flow;

static flow run(jinja *j, const node *first);

// The limit counts what is printed in one place; macros and blocks, which collect first, have it each.
static void put_out(jinja *j, text_span s) {
    if (s.size > j->output_limit - j->out->size)
        heap_fail(j->heap, RX_UNSUPPORTED, "the text is longer than %zu MiB", j->output_limit >> 20);
    jinja_put(j->heap, j->out, s);
}

// Gives the outer one, which the caller puts back.
static scope *open_scope(jinja *j) {
    scope *outer = j->scope;
    j->scope = heap_get(j->heap, sizeof *j->scope);
    j->scope->outer = outer;
    return outer;
}

// Namespaces are the one thing that a template may change.
static void assign_attribute(jinja *j, const node *target, value v) {
    value of = jinja_evaluate(j, target->in[0]);
    if (of.kind != V_NAMESPACE)
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "only attributes of a namespace can be set, not of a %s",
                  jvalue_type_name(of));
    dict_put(j->heap, of.as.dict, jvalue_text(target->name), v);
}

// To a name, to ns.name, or value by value to a tuple of either.
static void assign(jinja *j, const node *target, value v) {
    if (target->kind == N_NAME) {
        dict_put(j->heap, &j->scope->names, jvalue_text(target->name), v);
        return;
    }
    if (target->kind == N_ATTRIBUTE) {
        assign_attribute(j, target, v);
        return;
    }
    if (v.kind == V_UNDEFINED) jinja_fail_undefined(j, v);
    const value_list *items = jvalue_items(j->heap, v);
    size_t i = 0;
    heap_enter(j->heap);
    for (const node *part = target->first; part; part = part->next, i++) {
        if (i < items->count) assign(j, part, items->at[i]);
    }
    heap_leave(j->heap);
    if (i != items->count)
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "%s for %zu names", COUNTED(items->count, "value"), i);
}

// What `first` prints, in a scope of its own. A break or continue in it leaves it, as in Jinja.
static text_span capture(jinja *j, const node *first, flow *f) {
    jinja_text out = {0}, *outer_out = j->out;
    scope *outer = open_scope(j);
    j->out = &out;
    *f = run(j, first);
    j->out = outer_out;
    j->scope = outer;
    return jinja_span(&out);
}

// The filters of a block around its text. The innermost has no operand: it gets the text.
static value apply_filters(jinja *j, const node *n, text_span text) {
    if (!n) return jvalue_text(text);
    const function *f = jinja_find_filter(n->name);
    heap_enter(j->heap);
    value self = apply_filters(j, n->in[0], text);
    heap_leave(j->heap);
    if (!f)
        heap_fail(j->heap, RX_UNSUPPORTED, "the filter '%.*s' is not supported",
                  n->name.size < 80 ? (int)n->name.size : 80, n->name.at);
    return jinja_call_function(j, f, self, n->first);
}

// The items that pass the loop's `if`.
static value_list *select_items(jinja *j, const node *n) {
    value_list *all = jvalue_items(j->heap, jinja_evaluate(j, n->in[1])), *some;
    if (!n->in[2]) return all;
    some = heap_get(j->heap, sizeof *some);
    for (size_t i = 0; i < all->count; i++) {
        scope *outer = open_scope(j);
        assign(j, n->in[0], all->at[i]);
        if (jvalue_true(jinja_evaluate(j, n->in[2]))) list_add(j->heap, some, all->at[i]);
        j->scope = outer;
    }
    return some;
}

// A scope for every round: names set in one are not there in the next.
static flow run_round(jinja *j, const node *n, loop *l) {
    scope *outer = open_scope(j);
    dict_put(j->heap, &j->scope->names, jvalue_text(span_of("loop")), (value){.kind = V_LOOP, .as.loop = l});
    assign(j, n->in[0], l->items->at[l->index]);
    flow f = run(j, n->first);
    j->scope = outer;
    return f;
}

static flow run_for(jinja *j, const node *n) {
    loop *l = heap_get(j->heap, sizeof *l); // a macro may keep `loop` for longer than this call
    l->items = select_items(j, n);
    if (!l->items->count) return n->in[3] ? run(j, n->in[3]) : GO_ON;
    for (; l->index < l->items->count; l->index++) {
        jinja_step(j, 1);
        if (run_round(j, n, l) == BREAK) break;
    }
    return GO_ON;
}

static flow run_block(jinja *j, const node *n) {
    flow f;
    text_span text = capture(j, n->first, &f);
    value v = apply_filters(j, n->in[1], text);
    if (n->kind == N_SET_BLOCK)
        assign(j, n->in[0], v);
    else
        put_out(j, jvalue_to_text(j->heap, v));
    return f;
}

// The macro remembers the scope, which the heap keeps for as long as it lives.
static void define_macro(jinja *j, const node *n) {
    macro *m = heap_get(j->heap, sizeof *m);
    *m = (macro){n, j->scope};
    dict_put(j->heap, &j->scope->names, jvalue_text(n->name), (value){.kind = V_MACRO, .as.macro = m});
}

static flow run_one(jinja *j, const node *n) {
    switch (n->kind) {
    case N_TEXT: put_out(j, n->name); return GO_ON;
    case N_OUTPUT: put_out(j, jvalue_to_text(j->heap, jinja_evaluate(j, n->in[0]))); return GO_ON;
    case N_IF: return run(j, jvalue_true(jinja_evaluate(j, n->in[0])) ? n->first : n->in[1]);
    case N_FOR: return run_for(j, n);
    case N_SET: assign(j, n->in[0], jinja_evaluate(j, n->in[1])); return GO_ON;
    case N_SET_BLOCK:
    case N_FILTER_BLOCK: return run_block(j, n);
    case N_MACRO: define_macro(j, n); return GO_ON;
    case N_GENERATION: return run(j, n->first);
    case N_BREAK: return BREAK;
    case N_CONTINUE: return CONTINUE;
    case N_CONST:
    case N_NAME:
    case N_LIST:
    case N_TUPLE:
    case N_DICT:
    case N_NOT:
    case N_NEGATE:
    case N_AND:
    case N_OR:
    case N_BINARY:
    case N_CONCAT:
    case N_COMPARE:
    case N_CHOICE:
    case N_ATTRIBUTE:
    case N_ITEM:
    case N_SLICE:
    case N_CALL:
    case N_FILTER:
    case N_TEST: break; // expressions; the parser puts none here
    }
    heap_fail(j->heap, RX_INTERNAL, "an expression where a statement belongs");
}

static flow run(jinja *j, const node *first) {
    flow f = GO_ON;
    heap_enter(j->heap);
    for (const node *n = first; n && f == GO_ON; n = n->next) {
        jinja_step(j, 1);
        j->heap->line = n->line;
        f = run_one(j, n);
    }
    heap_leave(j->heap);
    return f;
}

void jinja_run(jinja *j, const node *first) { run(j, first); }
