// page.c - operators described for readers.
#include "ops/page.h"
#include "ops/edges.h"
#include "ops/ops.h"
#include <string.h>

static const char *const input_kind[] = {
    [INPUT_TENSOR] = "tensor",
    [INPUT_SHAPE] = "shape",
    [INPUT_PRIM] = "scalar",
    [INPUT_TUPLE] = "tuple",
    [INPUT_TENSORS] = "tuple of tensors",
    [INPUT_FUNC] = "function",
    [INPUT_STRING] = "string",
    [INPUT_DTYPE] = "data type",
    [INPUT_ANY] = "any value",
};
static const char *const attr_type[] = {
    [OPATTR_INT] = "int",         [OPATTR_BOOL] = "bool", [OPATTR_FLOAT] = "float", [OPATTR_STRING] = "string",
    [OPATTR_DTYPE] = "data type", [OPATTR_INTS] = "ints", [OPATTR_ANY] = "any",
};

const char *op_meaning(const op *o) {
    if (o->compute) return "loops, from the text below";
    if (o->lower) return "loops, built for each call";
    if (o->call) return "a function of the runtime that writes its result";
    if (o->alloc) return "a function of the runtime that allocates its result";
    if (o->view) return "none: the same memory";
    if (o->vm) return "an instruction of the lowering";
    return "none here: refused by name where one is needed";
}

void op_page_compute(text *out, const char *compute, const char *indent) {
    for (const char *p = compute; *p;) {
        size_t size = strcspn(p, ";");
        text_format(out, "%s%.*s\n", indent, (int)size, p);
        p += size;
        p += strspn(p, "; ");
    }
}

static void put_signature(text *out, const op *o) {
    uint32_t inputs = op_inputs(o), attrs = op_attrs(o);
    text_format(out, "R.%s(", o->name);
    for (uint32_t i = 0; i < inputs; i++)
        text_format(out, "%s%s%s%s", i ? ", " : "", o->variadic && i + 1 == inputs ? "*" : "", o->input[i].name,
                    o->input[i].optional && !o->variadic ? "=None" : "");
    for (uint32_t i = 0; i < attrs; i++)
        text_format(out, "%s%s=%s", i || inputs ? ", " : "", o->attr[i].name,
                    o->attr[i].preset ? o->attr[i].preset : "...");
    if (o->type_args)
        text_format(out, "%s%s=...", inputs + attrs ? ", " : "",
                    strncmp(o->name, "call_", 5) == 0 ? "out_sinfo" : "sinfo_args");
    text_put(out, ")");
}

// The rules of its edges, with the examples that call this operator.
static void put_edges(text *out, const op *o, const char *begin, const char *quote) {
    size_t count;
    const op_edge *all = op_edges(&count);
    for (size_t i = 0; i < count; i++) {
        if (!op_edge_holds(&all[i], o)) continue;
        text_format(out, "%s%s", begin, all[i].rule);
        if (op_edge_calls(&all[i], o)) text_format(out, ": %s%s%s", quote, all[i].example, quote);
        text_put(out, "\n");
    }
}

static bool has_edges(const op *o) {
    size_t count;
    const op_edge *all = op_edges(&count);
    for (size_t i = 0; i < count; i++)
        if (op_edge_holds(&all[i], o)) return true;
    return false;
}

static void put_range(text *out, const op_attr *row, const char *before) {
    if (!row->range) return;
    text_put(out, before);
    op_attr_put_range(out, row);
}

void op_page(text *out, const op *o) {
    put_signature(out, o);
    text_format(out, "\n    %s\n\n", o->doc);
    for (uint32_t i = 0; i < op_inputs(o); i++)
        text_format(out, "    %-20s %-16s %s%s\n", o->input[i].name, input_kind[o->input[i].kind], o->input[i].doc,
                    o->input[i].optional ? " (may be left out)" : "");
    for (uint32_t i = 0; i < op_attrs(o); i++) {
        text_format(out, "    %-20s %-16s %s%s%s", o->attr[i].name, attr_type[o->attr[i].kind], o->attr[i].doc,
                    o->attr[i].preset ? "; default " : "", o->attr[i].preset ? o->attr[i].preset : "");
        put_range(out, &o->attr[i], "; ");
        text_put(out, "\n");
    }
    text_format(out, "\n    meaning: %s%s\n", op_meaning(o), o->impure ? "; has effects" : "");
    if (o->compute) op_page_compute(out, o->compute, "        ");
    if (o->call || o->alloc) text_format(out, "        %s\n", o->call ? o->call : o->alloc);
    if (has_edges(o)) {
        text_put(out, "\n    edges:\n");
        put_edges(out, o, "        ", "");
    }
    for (uint32_t i = 0; i < COUNT(o->samples) && o->samples[i]; i++)
        text_format(out, "%s        %s\n", i ? "" : "\n    samples:\n", o->samples[i]);
}

void op_page_list(text *out) {
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++) text_format(out, "R.%-36s %s\n", all[i]->name, all[i]->doc);
}

// --- Markdown.
static void put_rows(text *out, const op *o) {
    uint32_t inputs = op_inputs(o), attrs = op_attrs(o);
    if (inputs + attrs) text_put(out, "| name | kind | what it is |\n|---|---|---|\n");
    for (uint32_t i = 0; i < inputs; i++)
        text_format(out, "| `%s` | %s%s | %s |\n", o->input[i].name, input_kind[o->input[i].kind],
                    o->input[i].optional ? ", optional" : "", o->input[i].doc);
    for (uint32_t i = 0; i < attrs; i++) {
        text_format(out, "| `%s` | %s, %s%s%s | %s", o->attr[i].name, attr_type[o->attr[i].kind],
                    o->attr[i].preset ? "default `" : "required", o->attr[i].preset ? o->attr[i].preset : "",
                    o->attr[i].preset ? "`" : "", o->attr[i].doc);
        put_range(out, &o->attr[i], "; ");
        text_put(out, " |\n");
    }
    if (inputs + attrs) text_put(out, "\n");
}

void op_page_section(text *out, const op *o, const char *example) {
    text_format(out, "### `R.%s`\n\n%s\n\n```\n", o->name, o->doc);
    put_signature(out, o);
    text_put(out, "\n```\n\n");
    put_rows(out, o);
    text_format(out, "Meaning: %s%s.\n\n", op_meaning(o), o->impure ? "; has effects" : "");
    if (o->compute) {
        text_put(out, "```\n");
        op_page_compute(out, o->compute, "");
        text_put(out, "```\n\n");
    }
    if (o->call || o->alloc) text_format(out, "```\n%s\n```\n\n", o->call ? o->call : o->alloc);
    if (has_edges(o)) {
        text_put(out, "Edges:\n\n");
        put_edges(out, o, "- ", "`");
        text_put(out, "\n");
    }
    if (o->samples[0]) text_put(out, "Samples:\n\n");
    for (uint32_t i = 0; i < COUNT(o->samples) && o->samples[i]; i++) {
        const char *bar = strchr(o->samples[i], '|');
        text_format(out, "- `%s`", bar + 2);
        if (bar > o->samples[i] + 1) text_format(out, " with `%.*s`", (int)(bar - o->samples[i] - 1), o->samples[i]);
        text_put(out, "\n");
    }
    if (o->samples[0]) text_put(out, "\n");
    if (example) text_put(out, example);
}

void op_page_markdown_head(text *out) {
    text_put(
        out,
        "# Operators\n\nMade by `relax ops --markdown` from the tables in `src/ops`; do not edit. The language of the "
        "meanings is described in [compute.md](compute.md), how annotations are deduced in "
        "[deduction.md](deduction.md). "
        "Examples are run by the interpreter, those of the edges by a test that knows the results.\n\n"
        "Rules that hold for all: dims of 0 give empty results or the identity of the reduction; a NaN stays a NaN; "
        "integers wrap (the interpreter refuses what leaves int64) and divided by 0 give 0; sums and products of "
        "halves are kept in float32 and rounded once; an "
        "index is "
        "negative to count from the end and never reads outside of its tensor.\n\n");
}

// --- JSON.
static void put_string(text *out, const char *s) {
    text_put_char(out, '"');
    for (; *s; s++) text_format(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    text_put_char(out, '"');
}

static void put_field(text *out, const char *name, const char *value) {
    text_format(out, ", \"%s\": ", name);
    if (value) put_string(out, value);
    if (!value) text_put(out, "null");
}

void op_page_json(text *out, const op *o) {
    text_put(out, "{\"name\": ");
    put_string(out, o->name);
    put_field(out, "doc", o->doc);
    text_put(out, ", \"inputs\": [");
    for (uint32_t i = 0; i < op_inputs(o); i++) {
        text_format(out, "%s{\"name\": \"%s\", \"kind\": \"%s\", \"optional\": %s", i ? ", " : "", o->input[i].name,
                    input_kind[o->input[i].kind], o->input[i].optional ? "true" : "false");
        put_field(out, "doc", o->input[i].doc);
        text_put(out, "}");
    }
    text_put(out, "], \"attributes\": [");
    for (uint32_t i = 0; i < op_attrs(o); i++) {
        text_format(out, "%s{\"name\": \"%s\", \"kind\": \"%s\"", i ? ", " : "", o->attr[i].name,
                    attr_type[o->attr[i].kind]);
        put_field(out, "default", o->attr[i].preset);
        put_field(out, "doc", o->attr[i].doc);
        text_put(out, "}");
    }
    text_put(out, "]");
    put_field(out, "meaning", op_meaning(o));
    put_field(out, "compute", o->compute);
    put_field(out, "builtin", o->call ? o->call : o->alloc);
    text_format(out, ", \"effects\": %s}", o->impure ? "true" : "false");
}
