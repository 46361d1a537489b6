// call.c - calling functions of a context: arguments in, checks, the result out.
#include "base/count_noun.h"
#include "vm/vm.h"
#include "vm/weights_once.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(const rx_context *c, uint32_t function) {
    return exec_string(c->exe, c->exe->function[function].name);
}

// The number of a public function; a sentence with what there is if it's missing.
static rx_status find_function(rx_context *c, const char *name, uint32_t *out) {
    const executable *e = c->exe;
    if (!name) return vm_fail(c, RX_INVALID_ARGUMENT, "want the name of a function, got NULL");
    *out = exec_find_function(e, name);
    if (*out != EXEC_NONE && (e->function[*out].flags & FUNCTION_PUBLIC)) return RX_OK;
    int at = snprintf(c->message, RX_MESSAGE, "no public function is called %.200s; there are:", name);
    for (uint32_t i = 0; i < e->functions && at < RX_MESSAGE - 1; i++)
        if (e->function[i].flags & FUNCTION_PUBLIC)
            at += snprintf(c->message + at, RX_MESSAGE - (size_t)at, " %s", name_of(c, i));
    return RX_NOT_FOUND;
}

// Names what is wanted, so that the caller needn't look up the signature.
static rx_status fail_count(rx_context *c, uint32_t function, uint32_t got) {
    const exec_function *f = &c->exe->function[function];
    int at = snprintf(c->message, RX_MESSAGE, "%s: got %s, want %" PRIu32, name_of(c, function),
                      COUNTED(got, "argument"), vm_caller_params(f, f->params));
    if (f->num_input < f->params && vm_caller_params(f, f->num_input) != vm_caller_params(f, f->params))
        at += snprintf(c->message + at, RX_MESSAGE - (size_t)at, " (or %" PRIu32 " and the others by name)",
                       vm_caller_params(f, f->num_input));
    const char *before = ": ";
    for (uint32_t p = 0; p < f->params && at < RX_MESSAGE - 1; p++) {
        if (f->param[p].weight != EXEC_NONE) continue;
        at += snprintf(c->message + at, RX_MESSAGE - (size_t)at, "%s%s", before, exec_string(c->exe, f->param[p].name));
        before = ", ";
    }
    return RX_INVALID_ARGUMENT;
}

// A new value has to be checked again.
static void set_input(rx_context *c, uint32_t function, uint32_t param, rx_value *v) {
    vm_inputs *in = &c->inputs[function];
    vm_value old = in->value[param];
    in->value[param] = value_unbox(v);
    in->accepted[param] = 0;
    value_release(c->heap, &old);
    weights_once_forget(c, function, param);
}

// ---- running ----

// Addresses from which to which tensors lie; `from` >= `to`: none do.
typedef struct stretch {
    uintptr_t from, to;
} stretch;

static stretch stretch_of(const vm_value *v) {
    if (v->kind != VM_TENSOR) return (stretch){UINTPTR_MAX, 0};
    const tensor *t = &tensor_object(v)->t;
    return (stretch){(uintptr_t)t->data, (uintptr_t)t->data + t->bytes};
}
static bool overlap(stretch a, stretch b) { return a.from < b.to && b.from < a.to; }

// All parameters from `first` on: weights, which lie in one file and which nobody gave.
static stretch stretch_of_rest(const vm_value *arg, uint32_t first, uint32_t params) {
    stretch all = {UINTPTR_MAX, 0};
    for (uint32_t i = first; i < params; i++) {
        stretch one = stretch_of(&arg[i]);
        if (one.from < all.from) all.from = one.from;
        if (one.to > all.to) all.to = one.to;
    }
    return all;
}

static rx_status fail_shared(rx_context *c, uint32_t function, uint32_t param, uint32_t with) {
    const exec_function *f = &c->exe->function[function];
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s may be written (it is donated), but shares memory with %s",
                   name_of(c, function), exec_string(c->exe, f->param[param].name),
                   exec_string(c->exe, f->param[with].name));
}

// Memory that may be written must be writable, and not reachable through another argument. `rest`: where parameters
// beyond the first `num_input` lie. Looking at each of them for each cache of a model would be 4 % of a step.
static rx_status check_donated(rx_context *c, uint32_t function, uint32_t param, const vm_value *arg, uint32_t params,
                               stretch rest) {
    const exec_function *f = &c->exe->function[function];
    if (arg[param].kind != VM_TENSOR) return RX_OK;
    if (arg[param].obj->read_only)
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s may be written (it is donated), but is read-only; pass a copy",
                       name_of(c, function), exec_string(c->exe, f->param[param].name));
    stretch own = stretch_of(&arg[param]);
    uint32_t count = overlap(own, rest) || params < f->num_input ? params : f->num_input;
    for (uint32_t p = 0; p < count; p++)
        if (p != param && overlap(own, stretch_of(&arg[p]))) return fail_shared(c, function, param, p);
    return RX_OK;
}

static stretch joined(stretch a, stretch b) {
    return (stretch){a.from < b.from ? a.from : b.from, a.to > b.to ? a.to : b.to};
}

// Whether all that may be written lies apart at a glance: one beyond the other, as allocators give it out, and all else
// beyond that. Looking at each pair of a model's caches would be 1 % of a step.
static bool donated_apart(const exec_function *f, const vm_value *arg, uint32_t params, stretch rest) {
    stretch all = {UINTPTR_MAX, 0};
    for (uint32_t i = 0; i < params; i++) {
        if (!(f->param[i].flags & PARAM_DONATED)) continue;
        if (arg[i].kind == VM_TENSOR && arg[i].obj->read_only) return false;
        stretch one = stretch_of(&arg[i]);
        if (overlap(one, all)) return false;
        all = joined(all, one);
    }
    for (uint32_t i = 0; i < params && i < f->num_input; i++)
        if (!(f->param[i].flags & PARAM_DONATED) && overlap(stretch_of(&arg[i]), all)) return false;
    return !overlap(all, rest);
}

// A null object is an argument; a null anything else was forgotten.
static bool is_forgotten(const rx_context *c, const exec_param *p, vm_value v) {
    return v.kind == VM_NULL && c->exe->annotation[p->annotation].kind != ANNOTATION_OBJECT;
}

// The first with its annotation; of those behind it, before `params`, that are not set either, some names.
static rx_status fail_unset(rx_context *c, uint32_t function, uint32_t at, uint32_t params) {
    const exec_function *f = &c->exe->function[function];
    const exec_annotation *a = &c->exe->annotation[f->param[at].annotation];
    enum { NAMES = 8, LONGEST = 60 };
    char more[NAMES * (LONGEST + 2) + 32] = "";
    size_t used = 0, names = 0;
    for (uint32_t i = at + 1; i < params && names <= NAMES; i++) {
        const exec_param *p = &f->param[i];
        if (p->weight != EXEC_NONE || !is_forgotten(c, p, c->inputs[function].value[i])) continue;
        const char *name = names++ < NAMES ? exec_string(c->exe, p->name) : "...";
        used += (size_t)snprintf(more + used, sizeof more - used, "%s%.*s", used ? ", " : "; not set either: ", LONGEST,
                                 name);
    }
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: argument %s is not set: want %s%s", name_of(c, function),
                   exec_string(c->exe, f->param[at].name),
                   a->text == EXEC_NONE ? "a value" : exec_string(c->exe, a->text), more);
}

enum { AHEAD = 8 }; // parameters, while one is looked at

static void ask_for_weight(const rx_context *c, const exec_function *f, uint32_t i, uint32_t params) {
    if (i < params && f->param[i].weight != EXEC_NONE) value_ask(&c->weight[f->param[i].weight]);
}

// Fills the first `params` parameters of a new frame: from args (the first `count` of the caller's), the inputs that
// are set, the weights.
static rx_status gather(rx_context *c, uint32_t function, uint32_t params, rx_value *const *args, uint32_t count,
                        vm_value *r) {
    const exec_function *f = &c->exe->function[function];
    const vm_inputs *in = &c->inputs[function];
    bool donated = false;
    uint32_t next = 0;
    for (uint32_t i = 0; i < params; i++) {
        const exec_param *p = &f->param[i];
        ask_for_weight(c, f, i + AHEAD, params);
        donated = donated || (p->flags & PARAM_DONATED);
        bool given = p->weight == EXEC_NONE && next < count;
        if (given)
            r[i] = value_unbox(args[next++]);
        else
            r[i] = value_retain(p->weight == EXEC_NONE ? in->value[i] : c->weight[p->weight]);
        if (given)
            in->accepted[i] = INPUT_PASSING;
        else if (in->accepted[i] == INPUT_PASSING)
            in->accepted[i] = 0;
        if (r[i].kind == VM_PRIM || r[i].kind == VM_TUPLE) RX_TRY(vm_admit(c, p->annotation, &r[i]));
        if (is_forgotten(c, p, r[i])) return fail_unset(c, function, i, next < count ? i : params);
    }
    if (!donated) return RX_OK;
    const stretch rest = stretch_of_rest(r, f->num_input, params);
    if (donated_apart(f, r, params, rest)) return RX_OK;
    for (uint32_t i = 0; i < params; i++)
        if (f->param[i].flags & PARAM_DONATED) RX_TRY(check_donated(c, function, i, r, params, rest));
    return RX_OK;
}

// The memory belongs to the result now; keeping it as an input would make the next call write into it.
static void drop_donated(rx_context *c, uint32_t function) {
    const exec_function *f = &c->exe->function[function];
    for (uint32_t p = 0; p < f->params; p++)
        if ((f->param[p].flags & PARAM_DONATED) && c->inputs[function].value[p].kind != VM_NULL)
            set_input(c, function, p, NULL);
}

// With what was computed from the weights that are set. False: it isn't done, and nothing happened.
static bool run_variant(rx_context *c, uint32_t function, rx_value *const *args, uint32_t count, vm_value *result,
                        rx_status *status) {
    uint32_t inputs = c->exe->function[function].num_input;
    if (!c->inputs[function].once || count > inputs || !weights_once_enter(c, function)) return false;
    *status = gather(c, function, inputs, args, count, vm_parameters(c));
    if (*status == RX_OK) *status = vm_match_top(c);
    if (*status != RX_OK) {
        vm_abandon(c);
        return false;
    }
    *status = vm_finish_matched(c, result);
    return true;
}

static rx_status run_frame(rx_context *c, uint32_t function, rx_value *const *args, uint32_t count, vm_value *result) {
    rx_status status;
    if (run_variant(c, function, args, count, result, &status)) return status;
    c->message[0] = 0;
    RX_TRY(vm_enter(c, function));
    status = gather(c, function, c->exe->function[function].params, args, count, vm_parameters(c));
    if (status == RX_OK) return vm_finish(c, c->inputs[function].accepted, result);
    vm_abandon(c);
    return status;
}

// False: a call is on its way. An atomic exchange would cost a launch's worth of time for what debug builds find.
static bool begin_call(rx_context *c) {
    uintptr_t self = (uintptr_t)pthread_self();
#ifndef RELAX_DEBUG
    if (atomic_load_explicit(&c->runner, memory_order_relaxed)) return false;
    atomic_store_explicit(&c->runner, self, memory_order_relaxed);
    return true;
#else
    uintptr_t other = 0;
    if (atomic_compare_exchange_strong(&c->runner, &other, self)) return true;
    if (other != self) vm_misused("called");
    return false;
#endif
}

// What every way of calling ends in.
// Cancelling lasts for one call: a flag that is set between calls stops the next.
static rx_status run(rx_context *c, uint32_t function, rx_value *const *args, uint32_t count, rx_value **out) {
    vm_value result = {0};
    *out = NULL;
    if (!begin_call(c)) return RX_INVALID_ARGUMENT; // the message belongs to the call that is on its way
    c->message[0] = 0;
    rx_status status = run_frame(c, function, args, count, &result);
    atomic_store_explicit(&c->runner, 0, memory_order_relaxed);
    drop_donated(c, function);
    atomic_store_explicit(&c->cancelled, false, memory_order_relaxed);
    if (status == RX_OK && !value_box(c->heap, &result, out)) status = vm_no_memory(c);
    value_release(c->heap, &result);
    c->calls += status == RX_OK;
    return status;
}

static rx_status call(rx_context *c, uint32_t function, rx_value *const *args, uint32_t count, rx_value **out) {
    const exec_function *f = &c->exe->function[function];
    if (count && !args)
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: want %s, got NULL", name_of(c, function),
                       COUNTED(count, "argument"));
    if (count != vm_caller_params(f, f->params) && count != vm_caller_params(f, f->num_input))
        return fail_count(c, function, count);
    return run(c, function, args, count, out);
}

rx_status rx_context_run(rx_context *c, const char *function, rx_value **out) {
    uint32_t f;
    if (!c || !out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    RX_TRY(find_function(c, function, &f));
    return run(c, f, NULL, 0, out);
}

rx_status rx_context_call(rx_context *c, const char *function, rx_value *const *args, uint32_t count, rx_value **out) {
    uint32_t f;
    if (!c || !out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    RX_TRY(find_function(c, function, &f));
    return call(c, f, args, count, out);
}

// Spares the search by name: for callers that count microseconds.
rx_status rx_context_call_number(rx_context *c, uint32_t function, rx_value *const *args, uint32_t count,
                                 rx_value **out) {
    if (!c || !out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (function >= c->publics)
        return vm_fail(c, RX_NOT_FOUND, "public function number %u of %u", function, c->publics);
    return call(c, c->public_function[function], args, count, out);
}

// ---- inputs ----

rx_status rx_context_set_input(rx_context *c, const char *function, uint32_t param, rx_value *v) {
    uint32_t f;
    if (!c) return RX_INVALID_ARGUMENT;
    vm_check_alone(c, "given an input");
    c->message[0] = 0;
    RX_TRY(find_function(c, function, &f));
    uint32_t p = vm_caller_param(&c->exe->function[f], param);
    if (p == EXEC_NONE) return fail_count(c, f, param + 1);
    set_input(c, f, p, v);
    return RX_OK;
}

rx_status rx_context_set_input_by_name(rx_context *c, const char *function, const char *param, rx_value *v) {
    uint32_t f;
    if (!c) return RX_INVALID_ARGUMENT;
    vm_check_alone(c, "given an input");
    c->message[0] = 0;
    if (!param) return vm_fail(c, RX_INVALID_ARGUMENT, "want the name of a parameter, got NULL");
    RX_TRY(find_function(c, function, &f));
    const exec_function *e = &c->exe->function[f];
    for (uint32_t p = 0; p < e->params; p++) {
        if (strcmp(exec_string(c->exe, e->param[p].name), param) != 0) continue;
        if (e->param[p].weight != EXEC_NONE)
            return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s is a weight of the file, not an argument", function, param);
        set_input(c, f, p, v);
        return RX_OK;
    }
    return vm_fail(c, RX_NOT_FOUND, "%s has no parameter %.200s; its signature is %.600s", function, param, e->text);
}

// Borrowed, until the next call or set_input. Scalars live in no object, so they can't be handed out.
rx_value *rx_context_input(const rx_context *c, const char *function, uint32_t param) {
    uint32_t f = c && function ? exec_find_function(c->exe, function) : EXEC_NONE;
    if (f == EXEC_NONE || !(c->exe->function[f].flags & FUNCTION_PUBLIC)) return NULL;
    uint32_t p = vm_caller_param(&c->exe->function[f], param);
    if (p == EXEC_NONE || !value_is_object(&c->inputs[f].value[p])) return NULL;
    return c->inputs[f].value[p].obj;
}
