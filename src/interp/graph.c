// graph.c - the graph interpreter: functions, closures, branches, bindings.
#include "base/count_noun.h"
#include "interp/uses.h"
#include <stdlib.h>
#include <string.h>

// Nodes made by passes have no place; then the function's is shown.
bool frame_fail(frame *fr, loc at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_error(fr->r->d, at.src ? at : fr->f->at, "%s: %s", fr->f->name, arena_vformat(fr->r->mem, format, args));
    va_end(args);
    return false;
}

// --- Operands.

// Few values are captured, so they are searched in order.
static bool find_captured(frame *fr, const node *n, value *out) {
    const interp_closure *c = fr->self;
    if (c && n == c->self) return *out = value_keep((value){.kind = VALUE_FUNC, .as.func = c}), true;
    for (uint32_t i = 0; c && i < c->captures; i++)
        if (c->captured[i] == n) return *out = value_keep(c->value[i]), true;
    return frame_fail(fr, n->at, "%s is not known here", n->name ? n->name : "a value");
}

// All of them, or none and a report.
static bool make_values(frame *fr, const node *const *in, uint32_t count, value **out) {
    value *v = calloc(count + 1, sizeof *v);
    uint32_t done = 0;
    if (!v) return frame_fail(fr, (loc){0}, "no memory");
    while (done < count && frame_value(fr, in[done], &v[done])) done++;
    *out = v;
    if (done == count) return true;
    while (done) value_drop(&v[--done]);
    free(v);
    return false;
}

// The array belongs to the activation, not to an arena: it holds references that must be given back.
static void drop_values(value *v, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) value_drop(&v[i]);
    free(v);
}

static bool make_tuple(frame *fr, const node *n, value *out) {
    value *item;
    if (!make_values(fr, n->in, n->count, &item)) return false;
    *out = value_of_tuple(item, n->count);
    free(item);
    return out->kind == VALUE_TUPLE || frame_fail(fr, n->at, "no memory");
}

// One reference more for the field, then the tuple may go.
static bool take_item(frame *fr, const node *n, value *out) {
    value tuple;
    if (!frame_value(fr, n->in[0], &tuple)) return false;
    bool fits = tuple.kind == VALUE_TUPLE && n->as.index < tuple.as.tuple.count;
    if (fits)
        *out = value_keep(tuple.as.tuple.item[n->as.index]);
    else
        frame_fail(fr, n->at, "want field %u of a tuple, got %s", n->as.index, value_describe(&tuple));
    value_drop(&tuple);
    return fits;
}

static bool make_shape(frame *fr, const node *n, value *out) {
    int64_t *dim = ARENA_NEW(fr->mem, int64_t, n->as.shape.rank);
    if (!frame_dims(fr, n->as.shape.dim, n->as.shape.rank, dim, n->at)) return false;
    *out = value_of_shape(dim, n->as.shape.rank);
    return out->kind == VALUE_SHAPE || frame_fail(fr, n->at, "no memory");
}

// Symbolic values are what they are now.
static bool make_prim(frame *fr, const node *n, value *out) {
    out->kind = VALUE_PRIM;
    out->as.prim.type = n->as.value->type;
    return frame_scalar(fr, n->as.value, &out->as.prim.scalar, n->at);
}

// A function of the module as a value; calls of it go the same way as those of closures.
static bool make_global(frame *fr, const node *n, value *out) {
    const module_func *f = module_find(fr->r->m, n->as.text.bytes);
    if (!f) return frame_fail(fr, n->at, "no function %s in the module", n->as.text.bytes);
    interp_closure c = {.name = f->kind == FUNC_EXTERN ? f->symbol : f->name};
    c.func = f->kind == FUNC_GRAPH ? f->graph : NULL;
    c.loop = f->kind == FUNC_LOOP ? f->loop : NULL;
    *out = value_of_closure(&c, NULL);
    return out->kind == VALUE_FUNC || frame_fail(fr, n->at, "no memory");
}

// --- Closures.

static void release_closure(interp_closure *c) {
    drop_values(c->value, c->captures);
    value_drop(&c->bound);
    frame_scope_release(c->scope);
}

// It holds what it captured and the symbolic variables around it, not the frame: no cycle can arise.
static bool make_closure(frame *fr, const node *n, value *out) {
    const capture_list *list = captures_of(fr->r, n->as.func);
    interp_closure c = {.name = n->name ? n->name : "a closure", .func = n->as.func, .self = n, .captured = list->at};
    c.value = calloc(list->len + 1, sizeof *c.value);
    if (!c.value) return frame_fail(fr, n->at, "no memory");
    c.captures = list->len;
    c.scope = fr->vars;
    fr->vars->refs++;
    bool done = true;
    for (uint32_t i = 0; done && i < list->len; i++)
        if (list->at[i] != n) done = frame_value(fr, list->at[i], &c.value[i]);
    if (done) *out = value_of_closure(&c, release_closure);
    if (!done || out->kind == VALUE_NULL) release_closure(&c);
    return done && (out->kind == VALUE_FUNC || frame_fail(fr, n->at, "no memory"));
}

// --- Bindings.

static bool exec_body(frame *fr, const graph_body *body, bool tail, value *out);

// The condition is one bool: a tensor without dims, or a number.
static bool eval_if(frame *fr, const node *n, bool tail, value *out) {
    value condition;
    int64_t taken;
    if (!frame_value(fr, n->in[0], &condition)) return false;
    bool known = value_number(&condition, &taken);
    value_drop(&condition);
    if (!known) return frame_fail(fr, n->at, "if: want one bool as the condition");
    return exec_body(fr, &n->as.branch[taken ? 0 : 1], tail, out);
}

// Binds the symbolic variables that the annotation brings in.
static bool eval_match_cast(frame *fr, const node *n, value *out) {
    path what = {.name = node_cast_name(n) ? node_cast_name(n) : "the value"};
    if (!frame_value(fr, n->in[0], out)) return false;
    if (match_values(fr, &what, &n->type, out, 1, n->at)) return true;
    value_drop(out);
    return false;
}

// A call of the function itself, in the place where it would return, starts it over.
static bool starts_over(const frame *fr, const value *func, uint32_t args, bool tail) {
    if (!tail || func->kind != VALUE_FUNC || args != fr->f->params) return false;
    return fr->self ? func->as.func == fr->self : func->as.func->func == fr->f && !func->as.func->captured;
}

// References of the arguments are the caller's; a tail call moves them into the next activation.
static bool eval_call(frame *fr, const node *n, bool tail, value *out) {
    value *in;
    if (!make_values(fr, n->in, n->count, &in)) return false;
    if (starts_over(fr, &in[0], n->count - 1, tail)) {
        fr->again = true;
        value_drop(&in[0]);
        memmove(in, in + 1, (n->count - 1) * sizeof *in);
        fr->next = in;
        *out = (value){.kind = VALUE_NULL};
        return true;
    }
    bool done = interp_call(fr->r, &in[0], in + 1, n->count - 1, out, n->at);
    drop_values(in, n->count);
    return done;
}

static bool eval_node(frame *fr, const node *n, bool tail, value *out) {
    switch (n->op->form) {
    case FORM_OPERATOR: return eval_operator(fr, n, out);
    case FORM_PARAM: return frame_fail(fr, n->at, "parameter %s has no value", n->name);
    case FORM_CONSTANT: return *out = value_of_tensor(tensor_retain((tensor *)(uintptr_t)n->as.constant)), true;
    case FORM_SHAPE: return make_shape(fr, n, out);
    case FORM_PRIM: return make_prim(fr, n, out);
    case FORM_STRING:
        *out = value_of_text(n->as.text.bytes, n->as.text.size);
        return out->kind == VALUE_STRING || frame_fail(fr, n->at, "no memory");
    case FORM_DTYPE: return *out = value_of_dtype(n->as.type), true;
    case FORM_TUPLE: return make_tuple(fr, n, out);
    case FORM_ITEM: return take_item(fr, n, out);
    case FORM_GLOBAL: return make_global(fr, n, out);
    case FORM_EXTERN:
        *out = value_of_closure(&(interp_closure){.name = n->as.text.bytes}, NULL);
        return out->kind == VALUE_FUNC || frame_fail(fr, n->at, "no memory");
    case FORM_CLOSURE: return make_closure(fr, n, out);
    case FORM_CALL: return eval_call(fr, n, tail, out);
    case FORM_IF: return eval_if(fr, n, tail, out);
    case FORM_MATCH_CAST: return eval_match_cast(fr, n, out);
    case FORM_BIND: return frame_value(fr, n->in[0], out);
    }
    return frame_fail(fr, n->at, "%s has no meaning", n->op->name);
}

// The last use takes the value out of its slot, so that memory is given up where it is no longer needed.
static value take_slot(frame *fr, uint32_t id) {
    value *slot = &fr->slot[id], last = *slot;
    if (fr->left[id] == USES_UNKNOWN || --fr->left[id]) return value_keep(*slot);
    *slot = (value){.kind = VALUE_NULL};
    return last;
}

// Leaves are evaluated where they stand; everything bound lies in a slot.
bool frame_value(frame *fr, const node *n, value *out) {
    *out = (value){.kind = VALUE_NULL};
    if (n->op->form != FORM_PARAM && !n->name) return eval_node(fr, n, false, out);
    if (n->owner && n->owner != fr->f) return find_captured(fr, n, out);
    return *out = take_slot(fr, n->id), true;
}

// A value stated by an annotation in the text, or by an operator whose result only the run tells, binds variables.
static bool exec_binding(frame *fr, const node *n, bool tail) {
    value v = {.kind = VALUE_NULL};
    if (!interp_steps(fr->r, 1, n->at) || !eval_node(fr, n, tail, &v)) return false;
    value_drop(&fr->slot[n->id]);
    fr->slot[n->id] = v;
    return true;
}

// `tail`: the body's result is the function's, so its last binding may be a self tail call.
static bool exec_body(frame *fr, const graph_body *body, bool tail, value *out) {
    for (const binding_block *b = body->first; b; b = b->next)
        for (uint32_t i = 0; i < b->len; i++) {
            const node *n = b->bound[i];
            bool last = tail && !b->next && i + 1 == b->len && n == body->result;
            if (!exec_binding(fr, n, last)) return false;
            if (fr->again) return true;
        }
    return frame_value(fr, body->result, out);
}

// --- Functions.

// All parameters together: b may need what a binds, whichever comes first.
static bool bind_arguments(frame *fr, const value *arg) {
    const graph_func *f = fr->f;
    path *what = ARENA_NEW(fr->mem, path, f->params);
    const ann **type = ARENA_NEW(fr->mem, const ann *, f->params);
    for (uint32_t i = 0; i < f->params; i++) {
        what[i].name = f->param[i]->name;
        type[i] = f->param[i]->type;
        fr->slot[f->param[i]->id] = value_keep(arg[i]);
    }
    return match_values(fr, what, type, arg, f->params, f->at) && match_bounds(fr);
}

// Only where the text states the result: what was deduced holds by construction.
static bool check_result(frame *fr, value *out) {
    path what = {.name = "the result"};
    if (!fr->f->result_written) return true;
    if (match_values(fr, &what, &fr->f->result_type, out, 1, fr->f->at)) return true;
    value_drop(out);
    return false;
}

// One activation; fr->again and fr->next tell whether there is another.
static bool run_frame(frame *fr, const value *arg, value *result) {
    fr->mem = arena_new();
    fr->vars = frame_scope_new(fr->r, fr->self ? fr->self->scope : NULL);
    fr->slot = calloc(fr->f->nodes + 1, sizeof *fr->slot);
    fr->left = ARENA_NEW(fr->mem, uint32_t, fr->f->nodes);
    if (fr->f->nodes) memcpy(fr->left, uses_of(fr->r, fr->f), fr->f->nodes * sizeof *fr->left);
    bool done = fr->vars && fr->slot;
    if (!done) frame_fail(fr, (loc){0}, "no memory");
    done = done && bind_arguments(fr, arg) && exec_body(fr, &fr->f->body, true, result);
    if (done && !fr->again) done = check_result(fr, result);
    if (fr->slot) drop_values(fr->slot, fr->f->nodes);
    frame_scope_release(fr->vars);
    arena_free(fr->mem);
    return done;
}

// A loop around activations: self tail calls need neither stack nor frames that wait.
static bool run_closure(run *r, const graph_func *f, const interp_closure *self, const value *arg, value *result) {
    value *own = NULL;
    bool done, again;
    do {
        frame fr = {.r = r, .f = f, .self = self};
        done = run_frame(&fr, own ? own : arg, result);
        again = fr.again;
        if (own) drop_values(own, f->params);
        own = fr.next;
    } while (done && again);
    if (own) drop_values(own, f->params);
    return done;
}

// Every call of a graph function comes through here.
static bool enter(run *r, const graph_func *f, const interp_closure *self, const value *arg, uint32_t count,
                  value *result, loc at) {
    *result = (value){.kind = VALUE_NULL};
    if (count != f->params)
        return diag_error(r->d, at, "%s: want %s, got %u", f->name, COUNTED(f->params, "argument"), count);
    if (r->depth >= RUN_MAX_DEPTH)
        return diag_error(r->d, at,
                          "%s: calls are nested more than %d deep (a function that calls itself last does not "
                          "nest)",
                          f->name, RUN_MAX_DEPTH);
    r->depth++;
    bool done = run_closure(r, f, self, arg, result);
    r->depth--;
    return done;
}

bool interp_graph(run *r, const graph_func *f, const value *arg, uint32_t count, value *result) {
    return enter(r, f, NULL, arg, count, result, f->at);
}

// R.make_closure: the captured values follow the arguments.
static bool call_bound(run *r, const interp_closure *c, const value *arg, uint32_t count, value *result, loc at) {
    uint32_t more = c->bound.as.tuple.count;
    interp_closure plain = *c;
    value *all = calloc(count + more + 1, sizeof *all);
    if (!all) return diag_error(r->d, at, "%s: no memory", c->name);
    if (count) memcpy(all, arg, count * sizeof *all);
    if (more) memcpy(all + count, c->bound.as.tuple.item, more * sizeof *all);
    plain.bound = (value){.kind = VALUE_NULL};
    bool done = interp_call(r, &(value){.kind = VALUE_FUNC, .as.func = &plain}, all, count + more, result, at);
    free(all);
    return done;
}

// A callee is a graph function or closure, a loop program, or the name of a host function.
bool interp_call(run *r, const value *func, const value *arg, uint32_t count, value *result, loc at) {
    *result = (value){.kind = VALUE_NULL};
    if (func->kind != VALUE_FUNC) return diag_error(r->d, at, "want a function, got %s", value_describe(func));
    const interp_closure *c = func->as.func;
    if (c->bound.kind == VALUE_TUPLE) return call_bound(r, c, arg, count, result, at);
    if (c->func) return enter(r, c->func, c->self ? c : NULL, arg, count, result, at);
    if (!c->loop) return host_run(r, c->name, arg, count, result, at);
    if (!interp_loop(r, c->loop, arg, count, result, at)) return false;
    if (result->kind == VALUE_NULL) *result = value_of_tuple(NULL, 0);
    return true;
}
