// fuse_ops.c - FuseOps: calls that can run as one kernel become a call of one private function.
//
//   before:  lv = R.call_tir(cls.matmul, (x, w), …)      after:  gv = cls.fused_matmul_add(x, w, b)
//            gv = R.call_tir(cls.add, (lv, b), …)                and that function, with the attribute Primitive
//
// Needs op_pattern on loop programs (AnnotateTIROpPattern); calls without one stay alone. Looks at dataflow blocks.
// Keeps values and the order of what it does not fuse. The new function has symbols of its own; those that no
// parameter's dims bind come as a last parameter R.Shape (paper, Figure 8). Equal groups share one function.
#include "pass/clone.h"
#include "pass/fusion.h"
#include "pass/programs.h"

// The calls of one group, in order.
typedef struct group {
    node_list member;
    node_list arg;  // what it reads from outside, each once
    expr_list vars; // symbols in order of appearance
    map place;      // MAP_KEY(node): index of a member or argument + 1
} group;

typedef struct fusing {
    module *m;
    diag *d;
    fusion_limits limits;
    fresh_names names;
    text_map made; // what a group is, as text -> the name of its function
    bool views;    // reshapes at the edges of groups stay outside
    map view;      // MAP_KEY(loop_func) -> 1 + whether it is a view
    map outputs;   // MAP_KEY(node): visible outside of its block
} fusing;

// --- What a group is made of.

static const node *const *call_args(const node *n, uint32_t *count) {
    *count = n->in[1]->count;
    return n->in[1]->in;
}

static void note_vars(fusing *z, group *g, map *seen, const ann *a) {
    expr_list list = {0};
    ann_free_vars(a, z->m->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        if (map_has(seen, MAP_KEY(list.at[i]))) continue;
        map_put(seen, MAP_KEY(list.at[i]), g);
        VEC_PUSH(z->m->mem, &g->vars, list.at[i]);
    }
}

// Members count as values, too: what one member hands to the next is no argument.
static void note_args(fusing *z, group *g) {
    for (uint32_t i = 0; i < g->member.len; i++) {
        uint32_t count;
        const node *const *arg = call_args(g->member.at[i], &count);
        for (uint32_t k = 0; k < count; k++) {
            if (map_has(&g->place, MAP_KEY(arg[k]))) continue;
            VEC_PUSH(z->m->mem, &g->arg, arg[k]);
            map_put(&g->place, MAP_KEY(arg[k]), (void *)(uintptr_t)g->arg.len);
        }
        map_put(&g->place, MAP_KEY(g->member.at[i]), (void *)(uintptr_t)(i + 1));
    }
}

// Symbols in the order in which arguments, then members show them, so that equal groups number them alike.
static void describe(fusing *z, group *g) {
    g->place = MAP_IN(z->m->mem);
    note_args(z, g);
    map seen = MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < g->arg.len; i++) note_vars(z, g, &seen, g->arg.at[i]->type);
    for (uint32_t i = 0; i < g->member.len; i++) {
        const node *n = g->member.at[i];
        note_vars(z, g, &seen, n->type_arg[0]);
        if (n->count > 2) note_vars(z, g, &seen, n->in[2]->type);
    }
}

// --- Equal groups: a text in which symbols and values are numbered.

static bool is_member(const group *g, const node *n) {
    uintptr_t place = (uintptr_t)map_find(&g->place, MAP_KEY(n));
    return place <= g->member.len && g->member.at[place - 1] == n;
}

static const char *group_key(fusing *z, const group *g) {
    text t = TEXT_IN(z->m->mem);
    map names = MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < g->vars.len; i++)
        map_put(&names, MAP_KEY(g->vars.at[i]), arena_format(z->m->mem, "$%u", i));
    expr_print_options exprs = {.graph = true, .var_names = &names};
    for (uint32_t i = 0; i < g->arg.len; i++) {
        ann_print(&t, g->arg.at[i]->type, &exprs);
        text_put_char(&t, ';');
    }
    for (uint32_t i = 0; i < g->member.len; i++) {
        const node *n = g->member.at[i];
        uint32_t count;
        const node *const *arg = call_args(n, &count);
        text_put(&t, n->in[0]->as.text.bytes);
        for (uint32_t k = 0; k < count; k++)
            text_format(&t, ",%c%llu", is_member(g, arg[k]) ? 'm' : 'p',
                        (unsigned long long)(uintptr_t)map_find(&g->place, MAP_KEY(arg[k])));
        ann_print(&t, n->type_arg[0], &exprs);
        if (n->count > 2) ann_print(&t, n->in[2]->type, &exprs);
    }
    return text_get(&t);
}

// --- The function of a group.

static const char *group_name(fusing *z, const group *g) {
    enum { LONGEST = 160 }; // then the names of the rest are left out
    text t = TEXT_IN(z->m->mem);
    text_put(&t, "fused");
    for (uint32_t i = 0; i < g->member.len && t.len < LONGEST; i++)
        text_format(&t, "_%s", g->member.at[i]->in[0]->as.text.bytes);
    return fresh_name(&z->names, text_get(&t));
}

// Symbols that a parameter has as a dim by itself; the others have to be passed.
static void unbound_vars(fusing *z, const group *g, expr_list *out) {
    map bound = MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < g->arg.len; i++) {
        const ann *a = g->arg.at[i]->type;
        for (int32_t k = 0; k < a->rank; k++)
            if (a->dim[k]->op == EXPR_VAR) map_put(&bound, MAP_KEY(a->dim[k]), z);
    }
    for (uint32_t i = 0; i < g->vars.len; i++)
        if (!map_has(&bound, MAP_KEY(g->vars.at[i]))) VEC_PUSH(z->m->mem, out, g->vars.at[i]);
}

// The new function has symbols of its own; arguments bring them along.
static void add_params(fusing *z, clone *c, const group *g, const expr_list *passed) {
    for (uint32_t i = 0; i < g->vars.len; i++) {
        const expr *var = g->vars.at[i];
        const expr *own = expr_new_var(z->m->exprs, var->as.var->name, var->type);
        map_put(&c->vars, MAP_KEY(var), (void *)(uintptr_t)own);
    }
    for (uint32_t i = 0; i < g->arg.len; i++) {
        const node *arg = g->arg.at[i];
        const char *name = arg->name ? arg->name : arena_format(z->m->mem, "param_%u", i);
        const node *param = build_param(c->b, name, clone_ann(c, arg->type));
        map_put(&c->now, MAP_KEY(arg), (void *)(uintptr_t)param);
    }
    if (passed->len) build_param(c->b, "tir_vars", clone_ann(c, ann_shape(z->m->mem, passed->at, passed->len)));
}

static const char *make_function(fusing *z, const group *g, const expr_list *passed) {
    module *m = z->m;
    const char *name = group_name(z, g), *key = "Primitive";
    clone c = clone_into(build_func(m, name, z->d));
    const attr *yes = attr_bool(m->mem, true);
    c.b->f->is_private = true;
    c.b->f->attrs = attr_dict(m->mem, &key, &yes, 1);
    add_params(z, &c, g, passed);
    build_block(c.b, true);
    const node *result = NULL;
    for (uint32_t i = 0; i < g->member.len; i++) result = clone_binding(&c, g->member.at[i]);
    build_output(c.b, result);
    module_put_graph(m, build_finish(c.b, result));
    return name;
}

// The call stands where the group's last member stood: by then all it reads is there.
static void replace_group(fusing *z, clone *c, group *g) {
    describe(z, g);
    expr_list *passed = ARENA_NEW(z->m->mem, expr_list, 1);
    unbound_vars(z, g, passed);
    const char *key = group_key(z, g), *name = text_map_find(&z->made, key);
    if (!name) {
        name = make_function(z, g, passed);
        text_map_put(&z->made, key, (void *)(uintptr_t)name);
    }
    new_call *call = ARENA_NEW(z->m->mem, new_call, 1);
    *call = (new_call){.func = name, .arg = g->arg.at, .args = g->arg.len, .dim = passed->at, .dims = passed->len};
    for (uint32_t i = 0; i + 1 < g->member.len; i++) map_put(&c->drop, MAP_KEY(g->member.at[i]), c);
    map_put(&c->calls, MAP_KEY(g->member.at[g->member.len - 1]), call);
}

// --- Reshapes at the edges of a group cost nothing where they are no part of it: they become views.

static bool is_view_call(fusing *z, const node *n) {
    const module_func *f = n->count == 2 ? module_find(z->m, n->in[0]->as.text.bytes) : NULL;
    uintptr_t known = f ? (uintptr_t)map_find(&z->view, MAP_KEY(f)) : 1;
    if (!known) {
        known = f->kind == FUNC_LOOP && program_is_view(z->m, f->loop) ? 2 : 1;
        map_put(&z->view, MAP_KEY(f), (void *)known);
    }
    return known == 2;
}

static void drop_leading_views(fusing *z, group *g) {
    map kept = MAP_IN(z->m->mem);
    uint32_t len = 0;
    for (uint32_t i = 0; i < g->member.len; i++) {
        const node *n = g->member.at[i];
        uint32_t count, inside = 0;
        const node *const *arg = call_args(n, &count);
        for (uint32_t k = 0; k < count; k++) inside += map_has(&kept, MAP_KEY(arg[k]));
        if (!inside && i + 1 < g->member.len && is_view_call(z, n)) continue;
        map_put(&kept, MAP_KEY(n), z);
        g->member.at[len++] = n;
    }
    g->member.len = len;
}

static void drop_views(fusing *z, group *g) {
    while (g->member.len) {
        const node *last = g->member.at[g->member.len - 1];
        if (map_has(&z->outputs, MAP_KEY(last)) || !is_view_call(z, last)) break;
        g->member.len--;
    }
    drop_leading_views(z, g);
}

static void note_outputs(fusing *z, const graph_func *f) {
    for (const binding_block *run = f->body.first; run; run = run->next)
        for (uint32_t i = 0; i < run->outputs; i++) map_put(&z->outputs, MAP_KEY(run->output[i]), z);
}

// --- Functions of the module.

typedef VEC(group *) group_list;

static void list_groups(fusing *z, fusion *g, group_list *out) {
    group **of = ARENA_NEW(z->m->mem, group *, g->point.len);
    for (uint32_t i = 0; i < g->point.len; i++) {
        uint32_t root = fusion_root(g, i);
        if (g->point.at[root].size < 2) continue;
        if (!of[root]) {
            of[root] = ARENA_NEW(z->m->mem, group, 1);
            VEC_PUSH(z->m->mem, out, of[root]);
        }
        VEC_PUSH(z->m->mem, &of[root]->member, g->point.at[i].n);
    }
    uint32_t len = 0;
    for (uint32_t i = 0; i < out->len; i++) {
        if (z->views) drop_views(z, out->at[i]);
        if (out->at[i]->member.len > 1) out->at[len++] = out->at[i];
    }
    out->len = len;
}

static void fuse_function(fusing *z, const graph_func *old) {
    const graph_func *f = fusion_copies(z->m, old, z->limits, z->d);
    fusion g = fusion_of(z->m, f, z->limits);
    fusion_partition(&g);
    note_outputs(z, f);
    group_list groups = {0};
    list_groups(z, &g, &groups);
    if (!groups.len) return;
    clone c = clone_tables(z->m);
    for (uint32_t i = 0; i < groups.len; i++) replace_group(z, &c, groups.at[i]);
    module_put_graph(z->m, clone_func(&c, z->m, f, z->d));
}

// Functions that are groups already, or were given away to a library.
static bool is_taken(const graph_func *f) {
    return attr_is_true(f->attrs, "Primitive") || attr_find(f->attrs, "Codegen");
}

static bool run(module *m, const pass_ctx *c) {
    const pass *p = &pass_fuse_ops;
    fusing z = {.m = m, .d = c->d, .names = fresh_names_in(m), .made = TEXT_MAP_IN(m->mem)};
    z.view = MAP_IN(m->mem);
    z.outputs = MAP_IN(m->mem);
    int64_t level, depth, arguments, copies;
    if (!pass_get_int(c, p, "fuse_opt_level", &level) || !pass_get_int(c, p, "max_depth", &depth)) return false;
    if (!pass_get_int(c, p, "max_arguments", &arguments) || !pass_get_int(c, p, "copies", &copies)) return false;
    if (!pass_get_bool(c, p, "producers", &z.limits.producers)) return false;
    if (!pass_get_bool(c, p, "views", &z.views)) return false;
    map work = MAP_IN(m->mem);
    z.limits.work = &work;
    z.limits.max_depth = (uint32_t)depth;
    z.limits.max_arguments = arguments < 0 ? c->target->kernel_tensors : (uint32_t)arguments;
    z.limits.copies = copies < 0 ? c->target->work_copies : (uint32_t)copies;
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; level != 0 && i < list.len; i++)
        if (!is_taken(list.at[i])) fuse_function(&z, list.at[i]);
    return c->d->errors == errors;
}

const pass pass_fuse_ops = {
    .name = "FuseOps",
    .doc = "groups calls that can run as one kernel into private functions",
    .option = {{"fuse_opt_level", "-1", "0: nothing is fused"},
               {"max_depth", "256", "most calls in a group"},
               {"max_arguments", "0", "most tensors a group reads and writes; 0: any number, -1: as the target says"},
               {"copies", "-1", "most copies of a decode with several readers; -1: as the target says"},
               {"producers", "false", "injective calls go into the matmul that reads them (paper, Figure 9)"},
               {"views", "false", "reshapes at the edges of a group stay outside, to become views"}},
    .run = run,
};
