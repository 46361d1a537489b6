// ann_print.c - annotations in TVMScript's spelling.
#include "graph/graph.h"
#include <string.h>

typedef struct printing {
    text *out;
    const expr_print_options *exprs;
    const map *quote, *node_names;
} printing;

static void print_ann(const printing *p, const ann *a);

static bool is_quoted(const printing *p, const expr *e) {
    if (!p->quote) return false;
    expr_list vars = {0};
    expr_free_vars(e, p->out->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (map_has(p->quote, MAP_KEY(vars.at[i]))) return true;
    return false;
}

static void print_expr(const printing *p, const expr *e) {
    const char *mark = is_quoted(p, e) ? "\"" : "";
    text_put(p->out, mark);
    expr_print(p->out, e, p->exprs);
    text_put(p->out, mark);
}

static void print_dims(const printing *p, const ann *a) {
    for (int32_t i = 0; i < a->rank; i++) {
        if (i) text_put(p->out, ", ");
        print_expr(p, a->dim[i]);
    }
}

// Puts what separates arguments before all but the first.
static void next_argument(const printing *p, bool *any) {
    if (*any) text_put(p->out, ", ");
    *any = true;
}

static void print_shape_variable(const printing *p, const node *n);

// R.DTensor((128, 128), "float32", "mesh[0]", "S[0], R")
static void print_spread_tensor(const printing *p, const ann *a) {
    char spelled[32];
    text_put(p->out, "R.DTensor((");
    print_dims(p, a);
    text_format(p->out, "%s, \"%s\", ", a->rank == 1 ? ",)" : ")", dtype_spell(a->type, spelled));
    text_put_quoted(p->out, a->mesh, strlen(a->mesh));
    text_put(p->out, ", ");
    text_put_quoted(p->out, a->placement, strlen(a->placement));
    text_put_char(p->out, ')');
}

static void print_tensor(const printing *p, const ann *a) {
    if (a->mesh && a->dim) {
        print_spread_tensor(p, a);
        return;
    }
    bool dtype_known = a->type.kind != DTYPE_VOID, any = false;
    text_put(p->out, "R.Tensor");
    if (!a->dim && !a->shape && !dtype_known && a->rank == RANK_UNKNOWN && !a->device) return;
    text_put_char(p->out, '(');
    if (a->dim) {
        next_argument(p, &any);
        text_put_char(p->out, '(');
        print_dims(p, a);
        text_put(p->out, a->rank == 1 ? ",)" : ")");
    } else if (a->shape) {
        next_argument(p, &any);
        print_shape_variable(p, a->shape);
    }
    if (dtype_known) {
        char spelled[32];
        next_argument(p, &any);
        text_format(p->out, "dtype=\"%s\"", dtype_spell(a->type, spelled));
    }
    if (!a->dim && !a->shape && a->rank != RANK_UNKNOWN) {
        next_argument(p, &any);
        text_format(p->out, "ndim=%d", (int)a->rank);
    }
    if (a->device) {
        next_argument(p, &any);
        text_format(p->out, "vdevice=\"%s\"", a->device);
    }
    text_put_char(p->out, ')');
}

static void print_prim(const printing *p, const ann *a) {
    if (a->value) {
        text_put(p->out, "R.Prim(value=");
        print_expr(p, a->value);
        text_put_char(p->out, ')');
        return;
    }
    char spelled[32];
    text_format(p->out, "R.Prim(\"%s\")", dtype_spell(a->type, spelled));
}

static void print_shape(const printing *p, const ann *a) {
    if (!a->dim) {
        text_format(p->out, "R.Shape(ndim=%d)", (int)a->rank);
        return;
    }
    text_put(p->out, "R.Shape([");
    print_dims(p, a);
    text_put(p->out, "])");
}

static void print_fields(const printing *p, const ann *a) {
    for (uint32_t i = 0; i < a->count; i++) {
        if (i) text_put(p->out, ", ");
        print_ann(p, a->field[i]);
    }
}

static void print_tuple(const printing *p, const ann *a) {
    text_put(p->out, "R.Tuple");
    if (!a->count) return;
    text_put_char(p->out, '(');
    print_fields(p, a);
    text_put_char(p->out, ')');
}

// Without a signature only what differs from the reader's defaults (Object, impure) is written.
static void print_any_callable(const printing *p, const ann *a) {
    bool has_result = a->result && a->result->kind != ANN_OBJECT, any = false;
    text_put(p->out, "R.Callable");
    if (!has_result && !a->pure) return;
    text_put_char(p->out, '(');
    if (has_result) {
        next_argument(p, &any);
        text_put(p->out, "ret=");
        print_ann(p, a->result);
    }
    if (a->pure) {
        next_argument(p, &any);
        text_put(p->out, "purity=True");
    }
    text_put_char(p->out, ')');
}

static void print_callable(const printing *p, const ann *a) {
    if (a->any_params) {
        print_any_callable(p, a);
        return;
    }
    text_put(p->out, "R.Callable((");
    print_fields(p, a);
    text_put(p->out, a->count == 1 ? ",), " : "), ");
    print_ann(p, a->result ? a->result : ann_object());
    text_put(p->out, a->pure ? ", True)" : ", False)");
}

static void print_ann(const printing *p, const ann *a) {
    switch (a->kind) {
    case ANN_OBJECT: text_put(p->out, "R.Object"); return;
    case ANN_PRIM: print_prim(p, a); return;
    case ANN_SHAPE: print_shape(p, a); return;
    case ANN_TENSOR: print_tensor(p, a); return;
    case ANN_TUPLE: print_tuple(p, a); return;
    case ANN_CALLABLE: print_callable(p, a); return;
    }
}

static void print_shape_variable(const printing *p, const node *n) {
    const char *name = p->node_names ? map_find(p->node_names, MAP_KEY(n)) : NULL;
    if (name)
        text_put(p->out, name);
    else if (n->name)
        text_put(p->out, n->name);
    else
        print_ann(p, n->type); // a shape that has no name is never written; messages still show what is known
}

void ann_print_as(text *out, const ann *a, const ann_print_options *options) {
    static const expr_print_options graph_style = {.graph = true};
    printing p = {.out = out, .exprs = &graph_style};
    if (options) {
        p.quote = options->quote;
        p.node_names = options->node_names;
        if (options->exprs) p.exprs = options->exprs;
    }
    print_ann(&p, a);
}

void ann_print(text *out, const ann *a, const expr_print_options *options) {
    ann_print_as(out, a, &(ann_print_options){.exprs = options});
}

char *ann_to_text(arena *mem, const ann *a) {
    text out = TEXT_IN(mem);
    ann_print(&out, a, NULL);
    return arena_copy(mem, text_get(&out), out.len);
}
