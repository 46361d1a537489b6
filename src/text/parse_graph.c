// parse_graph.c - graph functions: signatures, statements, dataflow blocks, branches, closures.
#include "text/parse_graph.h"

// --- Signatures.
// Symbols in a parameter's annotation are defined by it, quoted or bare.
static bool read_parameter(reader *r) {
    loc at;
    const char *name = take_name(r, &at);
    if (!name) return false;
    if (!at_op(r, ":"))
        return syntax_error(r, at, "parameter '%s' has no annotation; write %s: R.Tensor(...)", name, name);
    take(r, ":");
    const ann *type = read_annotation(r);
    if (r->failed) return false;
    if (at_op(r, "=")) return syntax_error(r, peek(r)->at, "parameters have no default values");
    const value *old = scope_find(r, name);
    if (old && old->kind == VAL_NODE && old->as.n->op == &op_param && old->as.n->owner == r->b->f)
        diag_error(r->d, at, "parameter '%s' is named twice", name);
    r->b->at = at;
    scope_bind(r, name, type ? value_node(at, build_param(r->b, name, type)) : poison_at(at));
    if (!type) build_param(r->b, name, ann_object());
    return true;
}

// From "(" to behind the result's annotation, before the colon.
static bool read_signature(reader *r) {
    r->define = true;
    bool ok = expect(r, "(");
    while (ok && !at_op(r, ")")) ok = read_parameter(r) && (take(r, ",") || at_op(r, ")") || expect(r, ","));
    ok = ok && expect(r, ")");
    if (ok && take(r, "->")) {
        r->b->f->result_type = read_annotation(r);
        r->b->f->result_written = r->b->f->result_type != NULL;
    }
    r->define = false;
    return ok && !r->failed;
}

// A builder per function; closures have one inside the outer one.
static void start_function(reader *r, const func_head *h, builder *b) {
    r->b = b;
    b->at = h->at;
    b->f->at = h->at;
    b->f->is_private = h->is_private;
    b->f->pure = !h->impure;
}

// First pass: signatures of all functions, so that calls can go forward.
bool read_graph_signature(reader *r, func_head *h) {
    start_function(r, h, build_func(r->m, h->name, r->d));
    h->b = r->b;
    bool ok = read_signature(r) && (at_op(r, ":") || expect(r, ":"));
    if (ok) module_put_graph(r->m, r->b->f);
    r->b = NULL;
    return ok;
}

// --- Statements.
static void read_statement(reader *r);

// R.func_attr may come twice: later keys are added, equal ones replaced.
static void read_attributes(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "R.func_attr", at, &a)) {
        end_statement(r);
        return;
    }
    const value *v = arg_need(r, &a, 0, "attrs");
    const attr *dict = v ? to_attr(r, v, "R.func_attr") : NULL;
    graph_func *f = r->b->f;
    if (dict && dict->kind != ATTR_DICT)
        diag_error(r->d, v->at, "R.func_attr: want a dictionary");
    else if (dict)
        f->attrs = merge_attrs(r, f->attrs, dict, f->name);
    args_done(r, &a);
    end_statement(r);
}

// Only names that the block has bound; they become visible behind it.
static void read_output(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "R.output", at, &a)) {
        end_statement(r);
        return;
    }
    r->b->at = at;
    for (uint32_t i = 0; i < a.count; i++) {
        const value *v = &a.value[i];
        if (v->kind == VAL_NODE)
            build_output(r->b, v->as.n);
        else if (v->kind != VAL_POISON)
            diag_error(r->d, v->at, "R.output: want a variable of the block, got %s", value_kind_name(v));
    }
    end_statement(r);
}

// They are known for better messages only.
void leave_dataflow(reader *r, uint32_t mark, const binding_block *closed) {
    VEC(const char *) name = {0};
    VEC(value) kept = {0};
    for (uint32_t i = mark; i < r->names.undo.len; i++) {
        const scope_entry *e = r->names.undo.at[i].entry;
        bool visible = e->now.kind != VAL_NODE;
        for (uint32_t k = 0; k < closed->outputs; k++) visible = visible || e->now.as.n == closed->output[k];
        if (!visible) {
            value *hidden = ARENA_NEW(r->scratch, value, 1);
            *hidden = e->now;
            map_put(&r->hidden, MAP_KEY(e->name), hidden);
            continue;
        }
        VEC_PUSH(r->scratch, &name, e->name);
        VEC_PUSH(r->scratch, &kept, e->now);
    }
    scope_leave(r, mark);
    for (uint32_t i = 0; i < name.len; i++) scope_bind(r, name.at[i], kept.at[i]);
}

static void read_dataflow(reader *r, loc at) {
    suite s;
    if (!expect(r, "(") || !expect(r, ")")) {
        skip_line(r);
        return;
    }
    if (r->b->block && r->b->block->dataflow) {
        diag_error(r->d, at, "a dataflow block can't stand in another one");
        skip_line(r);
        return;
    }
    r->b->at = at;
    build_block(r->b, true);
    const binding_block *opened = r->b->block;
    uint32_t mark = scope_mark(r);
    if (!suite_open(r, &s)) {
        skip_line(r);
        return;
    }
    branch *around = r->branch; // what a branch gives is bound after the block, not in it
    r->branch = NULL;
    while (suite_more(r, &s)) read_statement(r);
    r->branch = around;
    build_block(r->b, false);
    leave_dataflow(r, mark, opened);
}

static void read_with(reader *r) {
    loc at = peek(r)->at;
    take(r, "with");
    bool dataflow = take(r, "R") && take(r, ".") && take(r, "dataflow");
    if (dataflow) {
        read_dataflow(r, at);
        return;
    }
    syntax_error(r, at, "in a graph function 'with' opens R.dataflow() alone");
    skip_line(r);
}

// --- Branches.
// A branch has its own scope; its last binding is the value of the `if`.
static bool read_branch(reader *r, branch *b) {
    branch *outer = r->branch;
    uint32_t mark = scope_mark(r);
    suite s;
    r->branch = b;
    bool ok = suite_open(r, &s);
    while (ok && suite_more(r, &s)) {
        b->name = NULL;
        read_statement(r);
    }
    r->branch = outer;
    for (uint32_t i = mark; i < r->names.undo.len; i++) { // for bind_declared
        value *hidden = ARENA_NEW(r->scratch, value, 1);
        *hidden = r->names.undo.at[i].entry->now;
        map_put(&r->hidden, MAP_KEY(r->names.undo.at[i].entry->name), hidden);
    }
    scope_leave(r, mark);
    return ok;
}

// What both branches must give; a branch without one is reported where it stands.
static const node *branch_result(reader *r, const branch *b, loc at, const char *which) {
    if (b->name) return b->result;
    diag_error(r->d, at, "the %s branch must end with the variable it gives: name = value", which);
    return build_poison(r->b);
}

static void read_if(reader *r);

// TVM's `if` is a value, so that an else is needed.
static bool read_else(reader *r, branch *b, loc at) {
    if (at_op(r, "elif")) { // an if of its own, alone in the branch
        branch *outer = r->branch;
        r->branch = b;
        read_if(r);
        r->branch = outer;
        return true;
    }
    if (take(r, "else")) return read_branch(r, b);
    diag_error(r->d, at, "this 'if' has no 'else': each branch must give the value");
    return false;
}

// The name bound after it is the one both branches end with.
static void end_if(reader *r, if_parts *p, const branch *then, const branch *otherwise, loc at) {
    const node *result = branch_result(r, otherwise, at, "else");
    const char *name = then->name ? then->name : otherwise->name;
    if (then->name && otherwise->name && then->name != otherwise->name) {
        diag_error(r->d, at, "the branches end with different variables: '%s' and '%s'", then->name, otherwise->name);
        result = build_poison(r->b);
    }
    const node *n = build_end_if(r->b, p, name, result);
    if (!name) return;
    scope_bind(r, name, value_node(at, n));
    if (r->branch) {
        r->branch->name = name;
        r->branch->result = n;
    }
}

static void read_if(reader *r) {
    loc at = peek(r)->at;
    branch then = {0}, otherwise = {.otherwise = true};
    lexer_next(r->lex); // if, elif
    value condition = read_expression(r);
    const node *c = r->failed || condition.kind == VAL_POISON ? NULL : to_node(r, &condition, INPUT_ANY, "condition");
    if (r->failed) {
        skip_line(r);
        return;
    }
    if (r->b->block && r->b->block->dataflow) diag_error(r->d, at, "an 'if' can't stand in a dataflow block");
    r->b->at = at;
    if_parts *p = build_if(r->b, c ? c : build_poison(r->b));
    if (!read_branch(r, &then)) skip_line(r);
    build_else(r->b, p, branch_result(r, &then, at, "then"));
    if (!read_else(r, &otherwise, at))
        otherwise = (branch){.otherwise = true, .name = then.name, .result = build_poison(r->b)};
    end_if(r, p, &then, &otherwise, at);
}

// --- Results and closures.
// What is returned is bound first if it is a call: results are leaves.
static void read_return(reader *r) {
    loc at = peek(r)->at;
    take(r, "return");
    value v = read_expressions(r);
    end_statement(r);
    if (r->branch || (r->b->block && r->b->block->dataflow)) {
        diag_error(r->d, at, "'return' can't stand in a %s", r->branch ? "branch" : "dataflow block");
        return;
    }
    r->b->at = at;
    const node *n = v.kind == VAL_POISON ? NULL : to_node(r, &v, INPUT_ANY, "result");
    r->result = n ? n : build_poison(r->b);
}

// A body from the colon on. The result, or NULL where there is none.
static const node *read_body(reader *r) {
    const node *outer = r->result;
    suite s;
    r->result = NULL;
    if (!suite_open(r, &s))
        skip_line(r);
    else
        while (suite_more(r, &s)) {
            if (r->result) diag_error(r->d, peek(r)->at, "this is behind the 'return' and never reached");
            read_statement(r);
        }
    const node *result = r->result;
    r->result = outer;
    return result;
}

// Behind another error it may be that error that hid the return.
static const node *need_result(reader *r, const node *result, uint32_t errors_before) {
    if (result) return result;
    if (r->d->errors == errors_before) diag_error(r->d, r->b->f->at, "function '%s' has no 'return'", r->b->f->name);
    return build_poison(r->b);
}

// A function with an annotated result may call itself, so its name is bound before its body is read.
static void read_closure(reader *r) {
    func_head h = {0};
    builder *outer = r->b;
    branch *branch_before = r->branch;
    if (!read_decorator(r, &h) || !expect(r, "def")) {
        skip_line(r);
        return;
    }
    if (!h.graph) {
        diag_error(r->d, peek(r)->at, "a loop program can't stand in a graph function; put it beside it");
        skip_line(r);
        return;
    }
    if (!(h.name = take_name(r, &h.at))) {
        skip_line(r);
        return;
    }
    uint32_t mark = scope_mark(r);
    outer->at = h.at;
    start_function(r, &h, build_closure(outer, h.name));
    r->branch = NULL;
    if (read_signature(r)) {
        if (r->b->f->result_written) scope_bind(r, h.name, value_node(h.at, build_self(r->b)));
        uint32_t errors = r->d->errors;
        const node *result = read_body(r), *n = build_end_closure(r->b, need_result(r, result, errors));
        scope_leave(r, mark);
        scope_bind(r, h.name, value_node(h.at, n));
    } else {
        scope_leave(r, mark);
        scope_bind(r, h.name, poison_at(h.at));
        skip_line(r);
    }
    r->b = outer;
    r->branch = branch_before;
}

// A call for its effect, or a docstring.
static void read_expression_statement(reader *r) {
    loc at = peek(r)->at;
    value v = read_expressions(r);
    bool nothing = v.kind == VAL_STRING || v.kind == VAL_NONE || v.kind == VAL_POISON; // a docstring
    if (!r->failed && at_op(r, "=")) syntax_error(r, at, "this can't be assigned to");
    bool ok = !r->failed;
    end_statement(r);
    if (!ok || nothing) return;
    if (v.kind == VAL_CALL || v.kind == VAL_TUPLE || v.kind == VAL_NODE)
        emit_value(r, &v, "_", NULL);
    else
        diag_error(r->d, at, "%s alone does nothing", value_kind_name(&v));
}

// Is the statement `name =`, `name:` or `name, …`?
static bool at_assignment(reader *r) {
    if (peek(r)->kind != TOKEN_NAME) return false;
    const token *next = lexer_peek(r->lex, 1);
    return token_is(next, "=") || token_is(next, ":") || token_is(next, ",");
}

// R.func_attr(...), R.output(...): steps over the name if it is `name`.
static bool take_r(reader *r, const char *name) {
    if (!at_op(r, "R") || !token_is(lexer_peek(r->lex, 1), ".") || !token_is(lexer_peek(r->lex, 2), name)) return false;
    for (int i = 0; i < 3; i++) lexer_next(r->lex);
    return true;
}

// for and while are common mistakes at this level, and get a message that says what to do.
static void refuse_loop(reader *r, loc at) {
    diag_error(r->d, at, "loops stand in @T.prim_func alone; a graph function repeats by calling itself");
    skip_line(r);
}

// The first token decides; an unknown one is an expression.
static void read_statement(reader *r) {
    loc at = peek(r)->at;
    r->failed = false;
    if (lexer_peek(r->lex, 1)->kind == TOKEN_ERROR)
        skip_line(r);
    else if (take_r(r, "func_attr"))
        read_attributes(r, at);
    else if (take_r(r, "output"))
        read_output(r, at);
    else if (at_op(r, "with"))
        read_with(r);
    else if (at_op(r, "if"))
        read_if(r);
    else if (at_op(r, "return"))
        read_return(r);
    else if (at_op(r, "@"))
        read_closure(r);
    else if (take(r, "pass"))
        end_statement(r);
    else if (at_op(r, "for") || at_op(r, "while"))
        refuse_loop(r, at);
    else if (at_assignment(r))
        read_assignment(r);
    else
        read_expression_statement(r);
}

// Second pass: the scope of the signature was kept.
void read_graph_body(reader *r, func_head *h) {
    uint32_t mark = scope_mark(r);
    r->b = h->b;
    r->hidden = MAP_IN(r->scratch);
    for (uint32_t i = 0; i < h->param.len; i++) scope_bind(r, h->param.at[i], h->argument.at[i]);
    uint32_t errors = r->d->errors;
    const node *result = read_body(r);
    module_put_graph(r->m, build_finish(r->b, need_result(r, result, errors)));
    scope_leave(r, mark);
    r->b = NULL;
}
