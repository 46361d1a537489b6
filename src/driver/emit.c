// emit.c - a module's graph functions into the executable: signatures first, so that they can call each other.
#include "driver/emit.h"
#include "graph/sizes.h"
#include "pass/plan_view.h"

// --- Signatures.

static int64_t bound_of(const graph_func *f, const char *table, const char *symbol, int64_t otherwise) {
    int64_t value;
    const attr *bounds = attr_find(f->attrs, table);
    return attr_get_int(attr_find(bounds, symbol), &value) ? value : otherwise;
}

static exec_symbol symbol_entry(function_emission *f, const emitted_symbol *s) {
    const char *name = s->var->as.var->name;
    return (exec_symbol){.name = exec_writer_string(f->e->w, name),
                         .slot = slot_of(f, s->var),
                         .lower = bound_of(f->f, "tir_var_lower_bound", name, s->is_size ? 0 : INT64_MIN),
                         .upper = bound_of(f->f, "tir_var_upper_bound", name, INT64_MAX),
                         .multiple = bound_of(f->f, "tir_var_multiple_of", name, 1)};
}

// What LiftTransformParams made beside a function is the machine's to call.
static bool is_callable(const graph_func *f) { return !f->is_private && !attr_find(f->attrs, "rx.made_for"); }

static uint32_t weight_of(function_emission *f, uint32_t param) {
    const char *key = arena_format(f->e->mem, "%s.%s", f->f->name, f->f->param[param]->name);
    const bound_weight *w = is_callable(f->f) ? text_map_find(&f->e->weights, key) : NULL;
    return w ? w->index : EXEC_NONE;
}

// The parameters with their annotations; those whose dims stand before what binds them are checked again in the body.
static bool emit_params(function_emission *f, exec_param *param, node_list *again) {
    for (uint32_t i = 0; i < f->f->params; i++) {
        const node *p = f->f->param[i];
        bool open;
        param[i] = (exec_param){.name = exec_writer_string(f->e->w, p->name), .weight = weight_of(f, i)};
        bool donated = map_has(&f->e->donated, MAP_KEY(p));
        if (donated && param[i].weight != EXEC_NONE)
            return diag_error(f->e->d, p->at, "%s: %s is a weight of the file, but the function writes into it",
                              f->f->name, p->name);
        param[i].flags = donated ? PARAM_DONATED : 0;
        if (!annotation_of(f, p->type, true, p->at, &param[i].annotation, &open)) return false;
        f->param_annotation[i] = param[i].annotation;
        if (open) VEC_PUSH(f->e->mem, again, p);
        f->reg[p->id] = ++f->registers;
    }
    return true;
}

static uint32_t num_input_of(const graph_func *f) {
    int64_t inputs;
    bool stated = attr_get_int(attr_find(f->attrs, "num_input"), &inputs);
    return stated && inputs >= 0 && inputs <= f->params ? (uint32_t)inputs : f->params;
}

static bool declare(function_emission *f, node_list *again) {
    emission *e = f->e;
    exec_param *param = ARENA_NEW(e->mem, exec_param, f->f->params);
    exec_function row = {.name = exec_writer_string(e->w, f->f->name),
                         .flags = is_callable(f->f) && !e->first ? FUNCTION_PUBLIC : 0,
                         .params = f->f->params,
                         .num_input = num_input_of(f->f),
                         .param = param};
    bool open;
    if (!emit_params(f, param, again)) return false;
    if (!annotation_of(f, f->f->result_type, false, f->f->at, &row.result, &open)) return false;
    exec_symbol *symbol = ARENA_NEW(e->mem, exec_symbol, f->symbols.len);
    for (uint32_t i = 0; i < f->symbols.len; i++) symbol[i] = symbol_entry(f, &f->symbols.at[i]);
    row.symbol = symbol;
    row.symbols = f->symbols.len;
    row.registers = f->registers;
    row.slots = f->slot_count;
    f->index = exec_writer_function(e->w, &row);
    return true;
}

// --- Bodies.

// The result is what the signature says, where that could not be proved.
static bool check_result(function_emission *f, uint32_t reg) {
    const graph_func *g = f->f;
    if (!g->result_written || ann_fits(f->e->m->exprs, g->body.result->type, g->result_type, f->facts) == ANN_YES)
        return true;
    return emit_match(f, reg, g->result_type, "the result", g->body.result->at);
}

// --- The plan, for people and tools.

static bool all_bound(const function_emission *f, const expr *e) {
    expr_list vars = {0};
    expr_free_vars(e, f->e->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!map_has(&f->bound, MAP_KEY(vars.at[i]))) return false;
    return true;
}

static const char *names_in(const function_emission *f, const storage_view *s) {
    text t = TEXT_IN(f->e->mem);
    for (uint32_t i = 0; i < s->tensors.len; i++) text_format(&t, "%s%s", i ? ", " : "", s->tensors.at[i].name);
    return text_get(&t);
}

// Storages whose size needs a symbol of a branch are left out: no slot holds it at the end.
static bool emit_plan(function_emission *f) {
    emission *e = f->e;
    plan_view v = plan_view_of(e->m, f->f, 1, e->mem);
    for (uint32_t i = 0; i < v.storages.len; i++) {
        const storage_view *s = &v.storages.at[i];
        exec_plan_block row = {.function = f->index};
        if (!all_bound(f, s->bytes)) continue;
        if (!program_of(f, s->bytes, f->f->at, &row.bytes)) return false;
        row.text = exec_writer_string(e->w, expr_to_text(e->mem, expr_simplify(e->m->exprs, s->bytes, f->facts)));
        row.holds = exec_writer_string(e->w, names_in(f, s));
        exec_writer_block(e->w, &row);
    }
    return true;
}

static bool emit_code(function_emission *f, const node_list *again) {
    uint32_t result;
    exec_writer_begin(f->e->w, f->index);
    f->start = exec_writer_label(f->e->w);
    exec_writer_place(f->e->w, f->start);
    for (uint32_t i = 0; i < again->len; i++) {
        const node *p = again->at[i];
        if (!emit_match(f, f->reg[p->id] - 1, p->type, p->name, p->at)) return false;
    }
    find_late_tensors(f);
    if (!emit_body(f, &f->f->body, true, &result)) return false;
    if (result != NO_REGISTER) {
        if (!check_result(f, result)) return false;
        instruction(f, OP_RET);
        operand(f, result);
    }
    exec_writer_sizes(f->e->w, f->index, f->registers, f->slot_count);
    return emit_plan(f);
}

static function_emission *open_function(emission *e, const graph_func *g) {
    function_emission *f = ARENA_NEW(e->mem, function_emission, 1);
    f->e = e;
    f->f = g;
    f->facts = graph_func_facts(e->m, g);
    f->param_annotation = ARENA_NEW(e->mem, uint32_t, g->params);
    f->reg = ARENA_NEW(e->mem, uint32_t, g->nodes);
    f->uses = graph_uses(g, e->mem);
    f->made_at = ARENA_NEW(e->mem, uint32_t, g->nodes);
    f->slots = f->bound = f->late_nodes = MAP_IN(e->mem);
    return f;
}

// What a module has of its own.
static emission emission_of(module *m, diag *d) {
    return (emission){.m = m,
                      .d = d,
                      .mem = m->mem,
                      .functions = TEXT_MAP_IN(m->mem),
                      .kernels = MAP_IN(m->mem),
                      .donated = MAP_IN(m->mem),
                      .bindings = TEXT_IN(m->mem)};
}

emission emission_open(module *m, diag *d) {
    emission e = emission_of(m, d);
    e.w = exec_writer_new();
    e.weights = TEXT_MAP_IN(m->mem);
    e.once = ARENA_NEW(m->mem, emitted_once, 1);
    *e.once = (emitted_once){.texts = TEXT_MAP_IN(m->mem), .constants = MAP_IN(m->mem), .rows = TEXT_MAP_IN(m->mem)};
    return e;
}

emission emission_beside(const emission *first, module *m) {
    emission e = emission_of(m, first->d);
    e.w = first->w;
    e.weights = first->weights; // only read from here on
    e.once = first->once;
    e.first = first;
    return e;
}

static void list_functions(const emission *e, func_list *out) {
    func_list all = {0};
    graph_functions(e->m, &all);
    for (uint32_t i = 0; i < all.len; i++)
        if (!e->only || text_map_find(e->only, all.at[i]->name)) VEC_PUSH(e->mem, out, all.at[i]);
}

// Lines "function, function of its weights, function that takes what that one gives".
static void emit_weights_once(emission *e, const func_list *list) {
    text t = TEXT_IN(e->mem);
    for (uint32_t i = 0; i < list->len; i++) {
        const attr *takes = attr_find(list->at[i]->attrs, "rx.takes_results_of");
        if (!takes || !text_map_find(&e->functions, takes->as.text)) continue;
        const attr *made_for = attr_find(list->at[i]->attrs, "rx.made_for");
        text_format(&t, "%s %s %s\n", made_for->as.text, takes->as.text, list->at[i]->name);
    }
    if (t.len) exec_writer_metadata(e->w, "weights.once", text_get(&t), t.len);
}

bool emit_module(emission *e) {
    func_list list = {0};
    list_functions(e, &list);
    function_emission **f = ARENA_NEW(e->mem, function_emission *, list.len);
    node_list *again = ARENA_NEW(e->mem, node_list, list.len);
    find_donations(e);
    for (uint32_t i = 0; i < list.len; i++) {
        f[i] = open_function(e, list.at[i]);
        if (!declare(f[i], &again[i])) return false;
        text_map_put(&e->functions, list.at[i]->name, (void *)(uintptr_t)(f[i]->index + 1));
    }
    for (uint32_t i = 0; i < list.len; i++)
        if (!emit_code(f[i], &again[i])) return false;
    if (!e->first) emit_weights_once(e, &list);
    return true;
}

// --- Several modules in one file.

static uint32_t number_of(const emission *e, const char *name) {
    uintptr_t index = (uintptr_t)text_map_find(&e->functions, name);
    return index ? (uint32_t)(index - 1) : EXEC_NONE;
}

// What is called by name from outside has the same signature in all modules. Private functions are called by number, by
// those of their own module.
static bool is_found_by_name(const emission *e, const char *name) {
    const module_func *f = module_find(e->m, name);
    return f && f->kind == FUNC_GRAPH && !f->graph->is_private && number_of(e, name) != EXEC_NONE;
}

// Functions of a further module in the place of the first one's, or as its own.
static void replace_first(const emission *e, uint32_t variant) {
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const char *name = e->functions.entry[i].key;
        uint32_t by = number_of(e, name);
        uint32_t function = is_found_by_name(e->first, name) ? number_of(e->first, name) : by;
        exec_writer_replacement(e->w, &(exec_replacement){variant, function, by});
    }
}

// Private functions of the first module run only where that module does.
static void keep_own(const emission *first, uint32_t variant) {
    for (uint32_t i = 0; i < first->functions.len; i++) {
        const char *name = first->functions.entry[i].key;
        uint32_t own = number_of(first, name);
        if (!is_found_by_name(first, name)) exec_writer_replacement(first->w, &(exec_replacement){variant, own, own});
    }
}

void emit_replacements(emission *const *e, uint32_t targets) {
    bool one = true;
    for (uint32_t t = 0; t < targets; t++) one = one && e[t] == e[0];
    for (uint32_t t = 0; t < targets && !one; t++) e[t]->first ? replace_first(e[t], t) : keep_own(e[t], t);
}

void emit_bindings(emission *e, const char *machine) {
    const char *key = machine ? arena_format(e->mem, "bindings@%s", machine) : "bindings";
    if (e->bindings.len) exec_writer_metadata(e->w, key, text_get(&e->bindings), e->bindings.len);
}
