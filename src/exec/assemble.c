// assemble.c - reads the text of listing.h back.
//
// Two passes: the first notes the names of functions, so that calls can go forward; the second puts the entries
// together.
#include "exec/assemble_items.h"
#include <stdio.h>
#include <string.h>

enum { WORD = 512, LIST = 4096 };

// ---- tables ----

// Tables are numbered in order: a wrong number is a slip of the pen.
static void want_order(parser *p, uint32_t wanted) {
    uint32_t got = want_index(p, 0);
    if (got != wanted) parse_fail(p, "this is entry %u, not %u", wanted, got);
}

// Tensors are written in hexadecimal digits, byte by byte; "-" is no byte at all.
static void want_hex(parser *p) {
    item digits = p->next;
    p->text.len = 0;
    advance(p);
    if (digits.size == 1 && *digits.at == '-') return;
    if (digits.size % 2) parse_fail(p, "want an even number of hexadecimal digits");
    for (size_t i = 0; i + 1 < digits.size; i += 2) {
        char two[3] = {digits.at[i], digits.at[i + 1], 0};
        unsigned byte = 0;
        if (sscanf(two, "%2x", &byte) != 1) parse_fail(p, "want hexadecimal digits");
        put_bytes(p, &(uint8_t){(uint8_t)byte}, 1);
    }
}

// The counterparts of listing.c's put_*, each for one line behind its first word.
static void parse_constant(parser *p) {
    exec_constant k = {.kind = CONSTANT_NULL};
    int64_t dim[TENSOR_MAX_RANK];
    want_order(p, p->constants++);
    if (take_word(p, "tensor")) {
        k.kind = CONSTANT_TENSOR;
        k.type = want_dtype(p);
        k.dims = want_dims(p, dim);
        want_hex(p);
        k.bytes = (exec_bytes){p->text.at, p->text.len};
    } else if (take_word(p, "shape")) {
        k.kind = CONSTANT_SHAPE;
        k.dims = want_dims(p, dim);
    } else if (take_word(p, "scalar")) {
        k.kind = CONSTANT_PRIM;
        k.type = want_dtype(p);
        k.bits = want_int(p);
    } else if (take_word(p, "string")) {
        k.kind = CONSTANT_STRING;
        want_text(p);
        k.bytes = (exec_bytes){p->text.at, p->text.len};
    } else {
        want_word(p, "null");
    }
    k.dim = dim;
    if (!p->failed) exec_writer_constant(p->w, &k);
}

// any | bind s0 | check [program], then the text of the dim if it has one.
static exec_dim parse_dim(parser *p) {
    exec_dim d = {.kind = DIM_ANY, .text = EXEC_NONE};
    if (take_word(p, "bind")) {
        d.kind = DIM_BIND;
        d.index = want_index(p, 's');
    } else if (take_word(p, "check")) {
        d.kind = DIM_CHECK;
        d.index = want_program(p);
    } else {
        want_word(p, "any");
    }
    d.text = optional_string(p);
    return d;
}

// The writer keeps equal annotations once, so a repeated one would shift the numbers of all that follow.
static void parse_annotation(parser *p) {
    static const char *const kind[] = {"object", "tensor", "shape", "scalar", "tuple", "callable"};
    exec_annotation a = {.kind = ANNOTATION_KINDS};
    exec_dim dim[TENSOR_MAX_RANK];
    uint32_t field[LIST];
    uint32_t number = p->annotations++;
    want_order(p, number);
    for (unsigned i = 0; i < COUNT(kind); i++)
        if (a.kind == ANNOTATION_KINDS && take_word(p, kind[i])) a.kind = (exec_annotation_kind)i;
    if (a.kind == ANNOTATION_KINDS) parse_fail(p, "want object, tensor, shape, scalar, tuple or callable");
    a.type = want_dtype(p);
    a.rank = (int32_t)want_int(p);
    want_mark(p, '(');
    while (!p->failed && !take_mark(p, ')')) {
        if (a.dims == TENSOR_MAX_RANK) parse_fail(p, "more than %d dims", TENSOR_MAX_RANK);
        if (!p->failed) dim[a.dims++] = parse_dim(p);
        take_mark(p, ',');
    }
    want_mark(p, '{');
    while (!p->failed && !take_mark(p, '}')) {
        if (a.fields == LIST) parse_fail(p, "more than %d fields", LIST);
        if (!p->failed) field[a.fields++] = want_index(p, 'a');
        take_mark(p, ',');
    }
    a.dim = dim;
    a.field = field;
    a.text = optional_string(p);
    if (!p->failed && exec_writer_annotation(p->w, &a) != number) parse_fail(p, "the same annotation twice");
}

// What was read last as a C string, cut to WORD bytes.
static void text_copy(const parser *p, char out[WORD]) {
    snprintf(out, WORD, "%.*s", (int)p->text.len, p->text.at ? (const char *)p->text.at : "");
}

static void add_name(parser *p, char letter, uint32_t string, uint32_t index) {
    parser_name *n = growing_add(&p->name, 1);
    if (n) *n = (parser_name){letter, string, index};
}

static void parse_import(parser *p) {
    want_index(p, 0);
    exec_import_kind kind = IMPORT_BUILTIN;
    if (take_word(p, "external"))
        kind = IMPORT_EXTERNAL;
    else
        want_word(p, "builtin");
    char name[WORD];
    uint32_t string = want_string(p);
    text_copy(p, name);
    uint32_t version = want_index(p, 0);
    if (!p->failed)
        add_name(p, kind == IMPORT_BUILTIN ? 'b' : 'x', string, exec_writer_import(p->w, kind, name, version));
}

// The weight of this name in the file the text was printed from; NULL if there is none.
static const exec_weight *base_weight(const parser *p, const char *name, size_t size) {
    for (uint32_t i = 0; p->base && i < p->base->weights; i++) {
        const char *other = exec_string(p->base, p->base->weight[i].name);
        if (strlen(other) == size && memcmp(other, name, size) == 0) return &p->base->weight[i];
    }
    return NULL;
}

// The text says what a weight is; its bytes come from the file it was printed from.
static void parse_weight(parser *p) {
    exec_weight x = {0};
    int64_t dim[TENSOR_MAX_RANK];
    want_index(p, 0);
    x.name = want_string(p);
    const exec_weight *data = base_weight(p, p->text.at ? p->text.at : "", p->text.len);
    x.type = want_dtype(p);
    x.dims = want_dims(p, dim);
    x.dim = dim;
    want_word(p, "layout");
    x.layout = want_string(p);
    want_word(p, "bytes");
    x.bytes = (uint64_t)want_int(p);
    if (!data || data->bytes != x.bytes)
        parse_fail(p, "the file that goes with this text has no weight of this name and size");
    if (p->failed) return;
    x.data = data->data;
    exec_writer_weight(p->w, &x);
}

static void parse_kernel(parser *p) {
    exec_kernel k = {0};
    uint32_t assertion[256];
    want_index(p, 0);
    k.name = want_string(p);
    want_word(p, "buffers");
    k.buffers = want_index(p, 0);
    want_word(p, "scalars");
    k.scalars = want_index(p, 0);
    want_word(p, "outputs");
    k.outputs = want_index(p, 0);
    want_word(p, "grid");
    k.grid = want_program(p);
    want_word(p, "scratch");
    k.scratch = want_program(p);
    for (int w = 0; w < EXEC_WORK; w++)
        if (take_word(p, exec_work_name[w])) k.work[w] = want_program(p) + 1;
    if (take_word(p, "extent")) k.extent = want_program(p) + 1;
    if (take_word(p, "phase")) k.phase = want_string(p) + 1;
    while (!p->failed && take_word(p, "assert")) {
        if (k.asserts == COUNT(assertion)) parse_fail(p, "more than %zu assertions", COUNT(assertion));
        if (!p->failed) assertion[k.asserts++] = want_string(p);
    }
    k.assertion = assertion;
    if (!p->failed) add_name(p, 'k', k.name, exec_writer_kernel(p->w, &k));
}

// For people and tools: nothing depends on the plan being right.
static void parse_block(parser *p) {
    exec_plan_block b = {.function = want_index(p, 0)};
    b.bytes = want_program(p);
    b.text = want_string(p);
    b.holds = want_string(p);
    if (!p->failed) exec_writer_block(p->w, &b);
}

// Bytes as a quoted text, controls among them as \x07.
static void parse_meta(parser *p) {
    char key[WORD];
    if (!want_text(p)) return;
    text_copy(p, key);
    if (want_text(p)) exec_writer_metadata(p->w, key, p->text.at ? p->text.at : "", p->text.len);
}

// ---- functions ----

// The index of what is called by name, or "#3".
// Names are found by their string's number: equal strings have one. A linear search, as everywhere here: listings are
// edited by hand, thousands of entries at most.
static uint32_t want_reference(parser *p, char letter) {
    int64_t x;
    if (take_number(p, '#', &x)) return (uint32_t)x;
    uint32_t string = want_string(p);
    const parser_name *n = p->name.at;
    for (size_t i = 0; i < p->name.len; i++)
        if (n[i].letter == letter && n[i].string == string) return n[i].index;
    parse_fail(p, "nothing is called %.*s here", (int)(p->text.len < 100 ? p->text.len : 100),
               p->text.at ? (const char *)p->text.at : "");
    return 0;
}

// Labels are made when they are first met, be it as a jump or as a place.
static uint32_t label_of(parser *p, uint32_t number) {
    parser_label *l = p->label.at;
    for (size_t i = 0; i < p->label.len; i++)
        if (l[i].number == number) return l[i].label;
    l = growing_add(&p->label, 1);
    uint32_t label = exec_writer_label(p->w);
    if (l) *l = (parser_label){number, label};
    return label;
}

// "_" is a result that nobody wants, which only some instructions have.
static uint32_t want_register(parser *p, bool may_be_none) {
    if (may_be_none && take_word(p, "_")) return NO_REGISTER;
    want_mark(p, '%');
    return want_index(p, 0);
}

// One operand by its letter in opcodes.def. The value of a jump is a label.
static uint32_t want_operand(parser *p, char letter) {
    switch (letter) {
    case 'd':
    case 'r':
    case 'v': return want_register(p, letter == 'v');
    case 'p': return want_program(p);
    case 'f':
    case 'k':
    case 'b':
    case 'x': return want_reference(p, letter);
    case 't': return op_dtype(want_dtype(p));
    case 'j': return label_of(p, want_index(p, 'L'));
    case 'i': return want_index(p, 0);
    default: return want_index(p, letter); // c, a, s
    }
}

// ( operand, operand ): the count is not written, it follows from the list.
static void parse_list(parser *p, char letter) {
    uint32_t word[LIST], count = 0;
    want_mark(p, '(');
    while (!p->failed && !take_mark(p, ')')) {
        if (count == LIST) parse_fail(p, "more than %d operands", LIST);
        if (!p->failed) word[count++] = want_operand(p, letter);
        if (!take_mark(p, ',') && !(p->next.kind == ITEM_MARK && *p->next.at == ')')) parse_fail(p, "want ',' or ')'");
    }
    if (!p->failed) exec_writer_list(p->w, word, count);
}

// A few dozen spellings, compared one after the other.
static bool find_opcode(const parser *p, opcode *out) {
    for (unsigned i = 0; i < OPCODES; i++)
        if (is_word(p, opcode_get((opcode)i)->spelling)) return *out = (opcode)i, true;
    return false;
}

// The pattern of opcodes.def drives the reading, as it drives printing and verifying.
static void parse_instruction(parser *p) {
    opcode op;
    if (!find_opcode(p, &op)) {
        parse_fail(p, "no instruction is called %.*s", (int)(p->next.size < 40 ? p->next.size : 40), p->next.at);
        return;
    }
    advance(p);
    exec_writer_op(p->w, op);
    for (const char *at = opcode_get(op)->operands; *at && !p->failed; at++) {
        if (at != opcode_get(op)->operands) want_mark(p, ',');
        if (*at == '*') {
            parse_list(p, *++at);
            continue;
        }
        uint32_t word = want_operand(p, *at);
        if (*at == 'j')
            exec_writer_jump(p->w, word);
        else
            exec_writer_operand(p->w, word);
    }
}

// Both collect into arrays of the parser, which the function takes over when its header is complete.
static void parse_param(parser *p) {
    exec_param x = {.name = want_string(p), .annotation = want_index(p, 'a'), .weight = EXEC_NONE};
    if (take_word(p, "weight")) x.weight = want_index(p, 0);
    if (take_word(p, "donated")) x.flags = PARAM_DONATED;
    exec_param *to = growing_add(&p->param, 1);
    if (to) *to = x;
}

static void parse_symbol(parser *p) {
    exec_symbol x = {.name = want_string(p), .slot = want_index(p, 's')};
    want_word(p, "from");
    x.lower = want_int(p);
    want_word(p, "to");
    x.upper = want_int(p);
    want_word(p, "multiple");
    x.multiple = want_int(p);
    exec_symbol *to = growing_add(&p->symbol, 1);
    if (to) *to = x;
}

// Sizes are taken as written and checked by the verifier: a listing may have been edited.
static exec_function parse_header(parser *p) {
    exec_function f = {.result = EXEC_NONE};
    want_index(p, 0);
    f.name = want_string(p);
    if (take_word(p, "public")) f.flags = FUNCTION_PUBLIC;
    want_word(p, "inputs");
    f.num_input = want_index(p, 0);
    want_word(p, "registers");
    f.registers = want_index(p, 0);
    want_word(p, "slots");
    f.slots = want_index(p, 0);
    if (take_word(p, "result")) f.result = want_index(p, 'a');
    return f;
}

// What stands behind the last expected item is a mistake, never ignored.
static bool line_is_over(parser *p) {
    return p->failed || p->next.kind == ITEM_END || parse_fail(p, "something is left at the end of the line");
}

// Parameters and symbols, which come before the code; the line behind them is at hand afterwards.
static void parse_interface(parser *p, exec_function *f) {
    p->param.len = p->symbol.len = p->label.len = 0;
    while (line_is_over(p) && !p->failed && next_line(p)) {
        if (take_word(p, "param"))
            parse_param(p);
        else if (take_word(p, "symbol"))
            parse_symbol(p);
        else
            break;
    }
    f->params = (uint32_t)p->param.len;
    f->param = p->param.at;
    f->symbols = (uint32_t)p->symbol.len;
    f->symbol = p->symbol.at;
}

static bool is_label(const parser *p) {
    return p->next.kind == ITEM_WORD && p->next.size > 2 && *p->next.at == 'L' && p->next.at[p->next.size - 1] == ':';
}

static void place_label(parser *p) {
    int64_t number;
    if (!parse_number(p->next.at + 1, p->next.size - 2, &number) || number < 0)
        parse_fail(p, "want a label such as L12:");
    advance(p);
    if (!p->failed) exec_writer_place(p->w, label_of(p, (uint32_t)number));
}

// Header, parameters and symbols, instructions and labels, end.
static void parse_function(parser *p) {
    exec_function f = parse_header(p);
    parse_interface(p, &f);
    if (p->failed) return;
    exec_writer_begin(p->w, exec_writer_function(p->w, &f));
    while (!p->failed && !take_word(p, "end")) {
        if (is_label(p))
            place_label(p);
        else
            parse_instruction(p);
        if (line_is_over(p) && !p->failed && !next_line(p)) parse_fail(p, "want 'end'");
    }
}

// ---- the whole text ----

static void parse_replacement(parser *p) {
    exec_replacement r = {.variant = want_index(p, 0)};
    r.function = want_index(p, 'f');
    r.by = want_index(p, 'f');
    if (!p->failed) exec_writer_replacement(p->w, &r);
}

// Notes the names of functions, so that calls can go forward.
static void note_functions(parser *p) {
    uint32_t count = 0;
    while (!p->failed && next_line(p)) {
        if (!take_word(p, "function")) continue;
        want_index(p, 0);
        uint32_t string = want_string(p);
        if (!p->failed) add_name(p, 'f', string, count++);
    }
}

// Any order of lines is read, as long as numbered entries count up and names (but those of functions) come before their
// use.
static void parse_entries(parser *p) {
    static const struct {
        const char *word;
        void (*parse)(parser *p);
    } entry[] = {
        {"constant", parse_constant}, {"annotation", parse_annotation}, {"import", parse_import},
        {"weight", parse_weight},     {"kernel", parse_kernel},         {"function", parse_function},
        {"block", parse_block},       {"metadata", parse_meta},         {"replacement", parse_replacement},
    };
    while (!p->failed && next_line(p)) {
        unsigned i = 0;
        while (i < COUNT(entry) && !take_word(p, entry[i].word)) i++;
        if (i < COUNT(entry))
            entry[i].parse(p);
        else
            parse_fail(p,
                       "want constant, annotation, import, weight, kernel, function, block, metadata or replacement");
        line_is_over(p);
    }
}

// The kernel of the base that entry `i` of the names is: as many of its name stand before both. EXEC_NONE: none.
static uint32_t kernel_in_base(const parser *p, size_t i) {
    const parser_name *name = p->name.at;
    uint32_t before = 0;
    for (size_t j = 0; j < i; j++) before += name[j].letter == 'k' && name[j].string == name[i].string;
    for (uint32_t k = 0; k < p->base->kernels; k++)
        if (exec_writer_string(p->w, exec_string(p->base, p->base->kernel[k].name)) == name[i].string && !before--)
            return k;
    return EXEC_NONE;
}

// The machine code of the base, with the entries of the kernels of this text.
static void copy_variants(parser *p) {
    const executable *b = p->base;
    growing entry = {.item = sizeof(uint64_t)};
    for (uint32_t v = 0; b && v < b->variants && !p->failed; v++) {
        entry.len = 0;
        for (size_t i = 0; i < p->name.len; i++) {
            if (((const parser_name *)p->name.at)[i].letter != 'k') continue;
            uint32_t k = kernel_in_base(p, i);
            uint64_t *to = k != EXEC_NONE ? growing_add(&entry, 1) : NULL;
            if (to)
                *to = b->variant[v].entry[k];
            else
                parse_fail(p, "a kernel has no machine code in the file that goes with this text");
        }
        if (!p->failed)
            exec_writer_variant_at(p->w, &b->variant[v], exec_string(b, b->variant[v].device),
                                   exec_string(b, b->variant[v].arch), entry.at);
    }
    growing_free(&entry);
}

static void rewind_text(parser *p, const char *text) {
    p->at = text;
    p->line = 0;
}

// Growing arrays remember that memory ran out, so that it is looked at once, at the end.
rx_status exec_parse(const char *text, size_t size, const executable *base, exec_writer **out, char *why) {
    char ignored[EXEC_WHY];
    parser p = {.end = text + size, .base = base, .w = exec_writer_new(), .why = why ? why : ignored};
    p.name.item = sizeof(parser_name);
    p.text.item = 1;
    p.label.item = sizeof(parser_label);
    p.param.item = sizeof(exec_param);
    p.symbol.item = sizeof(exec_symbol);
    *out = NULL;
    if (!p.w) return RX_OUT_OF_MEMORY;
    rewind_text(&p, text);
    note_functions(&p);
    rewind_text(&p, text);
    if (!p.failed) parse_entries(&p);
    if (!p.failed) copy_variants(&p);
    growing *all[] = {&p.name, &p.text, &p.label, &p.param, &p.symbol};
    for (size_t i = 0; i < COUNT(all); i++) {
        if (all[i]->failed) parse_fail(&p, "no memory");
        growing_free(all[i]);
    }
    if (p.failed)
        exec_writer_free(p.w);
    else
        *out = p.w;
    return p.failed ? RX_INVALID_ARGUMENT : RX_OK;
}
