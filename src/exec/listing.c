// listing.c - prints an executable as text.
#include "exec/listing.h"
#include "base/postfix.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const exec_work_name[EXEC_WORK] = {
    [EXEC_FLOPS] = "flops", [EXEC_DOUBLES] = "doubles", [EXEC_DOTS] = "dots", [EXEC_TOUCHED] = "touched"};

static void put_n(growing *out, const char *text, size_t size) {
    void *to = growing_add(out, size);
    if (to && size) memcpy(to, text, size);
}

// For short pieces: text that may be longer than its buffer goes through put_n.
static void put(growing *out, const char *format, ...) RX_PRINTF(2, 3);
static void put(growing *out, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (size > 0) put_n(out, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

// Bytes above 0x7f pass: names are UTF-8. The assembler reads all three escapes back.
static void put_quoted(growing *out, const uint8_t *at, size_t size) {
    put(out, "\"");
    for (size_t i = 0; i < size; i++) {
        if (at[i] == '"' || at[i] == '\\')
            put(out, "\\%c", at[i]);
        else if (at[i] < 0x20 || at[i] == 0x7f)
            put(out, "\\x%02x", at[i]);
        else
            put_n(out, (const char *)&at[i], 1);
    }
    put(out, "\"");
}

// Data of constants: byte by byte, so that the text is the same on every machine.
static void put_hex(growing *out, exec_bytes b) {
    static const char digit[] = "0123456789abcdef";
    for (size_t i = 0; i < b.size; i++) {
        char two[] = {digit[b.at[i] >> 4], digit[b.at[i] & 15]};
        put_n(out, two, 2);
    }
    if (!b.size) put(out, "-");
}

// Whether a name can stand without quotes.
// What could be read as a number or as punctuation gets quotes.
static bool is_word(const char *s) {
    size_t size = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    return size && !s[size] && !(*s >= '0' && *s <= '9');
}

static void put_name(growing *out, const char *name) {
    if (is_word(name))
        put_n(out, name, strlen(name));
    else
        put_quoted(out, (const uint8_t *)name, strlen(name));
}

// A string that may be missing: then nothing is printed.
static void put_text(growing *out, const executable *e, uint32_t string) {
    if (string == EXEC_NONE) return;
    put(out, " ");
    put_quoted(out, e->string[string].at, e->string[string].size);
}

static void put_dtype(growing *out, dtype t) {
    char name[32];
    put(out, "%s", t.kind == DTYPE_VOID ? "void" : dtype_spell(t, name));
}

static void put_dims(growing *out, uint32_t count, const int64_t *dim) {
    put(out, "(");
    for (uint32_t i = 0; i < count; i++) put(out, "%s%" PRId64, i ? ", " : "", dim[i]);
    put(out, count == 1 ? ",)" : ")");
}

// ---- programs ----

static void put_program(growing *out, const executable *e, uint32_t program) {
    exec_bytes b = e->program[program].bytes;
    char word[POSTFIX_WORD];
    put(out, "[");
    for (size_t at = 0; at < b.size; at += postfix_size(b.at + at))
        put(out, "%s%s", at ? " " : "", postfix_word(b.at + at, word));
    put(out, "]");
}

// ---- tables ----

// ---- one line an entry, in the words the assembler wants ----
static void put_constant(growing *out, const executable *e, uint32_t i) {
    const exec_constant *k = &e->constant[i];
    put(out, "constant %u ", i);
    switch (k->kind) {
    case CONSTANT_NULL:
    case CONSTANT_KINDS: put(out, "null"); break;
    case CONSTANT_TENSOR:
        put(out, "tensor ");
        put_dtype(out, k->type);
        put(out, " ");
        put_dims(out, k->dims, k->dim);
        put(out, " ");
        put_hex(out, k->bytes);
        break;
    case CONSTANT_SHAPE:
        put(out, "shape ");
        put_dims(out, k->dims, k->dim);
        break;
    case CONSTANT_PRIM:
        put(out, "scalar ");
        put_dtype(out, k->type);
        put(out, " %" PRId64, k->bits);
        break;
    case CONSTANT_STRING:
        put(out, "string ");
        put_quoted(out, k->bytes.at, k->bytes.size);
        break;
    }
    put(out, "\n");
}

// The three kinds of exec_dim_kind, with the dim as the module wrote it.
static void put_annotation_dim(growing *out, const executable *e, const exec_dim *d) {
    if (d->kind == DIM_ANY) put(out, "any");
    if (d->kind == DIM_BIND) put(out, "bind s%u", d->index);
    if (d->kind == DIM_CHECK) {
        put(out, "check ");
        put_program(out, e, d->index);
    }
    put_text(out, e, d->text);
}

// annotation 3 tensor float32 2 (bind s0 "n", check [4]) {} "R.Tensor((n, 4), dtype=\"float32\")"
static void put_annotation(growing *out, const executable *e, uint32_t i) {
    static const char *const kind[] = {"object", "tensor", "shape", "scalar", "tuple", "callable"};
    const exec_annotation *a = &e->annotation[i];
    put(out, "annotation %u %s ", i, kind[a->kind]);
    put_dtype(out, a->type);
    put(out, " %d (", (int)a->rank);
    for (uint32_t d = 0; d < a->dims; d++) {
        if (d) put(out, ", ");
        put_annotation_dim(out, e, &a->dim[d]);
    }
    put(out, ") {");
    for (uint32_t f = 0; f < a->fields; f++) put(out, "%sa%u", f ? ", " : "", a->field[f]);
    put(out, "}");
    put_text(out, e, a->text);
    put(out, "\n");
}

static void put_import(growing *out, const executable *e, uint32_t i) {
    put(out, "import %u %s ", i, e->import[i].kind == IMPORT_BUILTIN ? "builtin" : "external");
    put_name(out, exec_string(e, e->import[i].name));
    put(out, " %u\n", e->import[i].version);
}

// Only what a weight is: its bytes stay in the file that goes with the text.
static void put_weight(growing *out, const executable *e, uint32_t i) {
    const exec_weight *w = &e->weight[i];
    put(out, "weight %u ", i);
    put_name(out, exec_string(e, w->name));
    put(out, " ");
    put_dtype(out, w->type);
    put(out, " ");
    put_dims(out, w->dims, w->dim);
    put(out, " layout ");
    put_quoted(out, (const uint8_t *)exec_string(e, w->layout), strlen(exec_string(e, w->layout)));
    put(out, " bytes %" PRIu64 "\n", w->bytes);
}

// Work, extents and phases are stored as index + 1, so that 0 can mean "not known".
static void put_kernel(growing *out, const executable *e, uint32_t i) {
    const exec_kernel *k = &e->kernel[i];
    put(out, "kernel %u ", i);
    put_name(out, exec_string(e, k->name));
    put(out, " buffers %u scalars %u outputs %u grid ", k->buffers, k->scalars, k->outputs);
    put_program(out, e, k->grid);
    put(out, " scratch ");
    put_program(out, e, k->scratch);
    for (int w = 0; w < EXEC_WORK; w++) {
        if (!k->work[w]) continue;
        put(out, " %s ", exec_work_name[w]);
        put_program(out, e, k->work[w] - 1);
    }
    if (k->extent) {
        put(out, " extent ");
        put_program(out, e, k->extent - 1);
    }
    if (k->phase) {
        put(out, " phase");
        put_text(out, e, k->phase - 1);
    }
    for (uint32_t a = 0; a < k->asserts; a++) {
        put(out, " assert");
        put_text(out, e, k->assertion[a]);
    }
    put(out, "\n");
}

// Names of values may hold anything, so both texts are quoted.
static void put_block(growing *out, const executable *e, uint32_t i) {
    const exec_plan_block *b = &e->block[i];
    put(out, "block %u ", b->function);
    put_program(out, e, b->bytes);
    put(out, " ");
    put_quoted(out, (const uint8_t *)exec_string(e, b->text), strlen(exec_string(e, b->text)));
    put(out, " ");
    put_quoted(out, (const uint8_t *)exec_string(e, b->holds), strlen(exec_string(e, b->holds)));
    put(out, "\n");
}

static void put_meta(growing *out, const executable *e, uint32_t i) {
    put(out, "metadata ");
    put_name(out, exec_string(e, e->meta[i].key));
    put(out, " ");
    put_quoted(out, e->meta[i].value.at, e->meta[i].value.size);
    put(out, "\n");
}

// ---- code ----

// An entry by its name if that finds it, else by its number.
static void put_reference(growing *out, const char *name, uint32_t first_of_name, uint32_t i) {
    if (first_of_name == i)
        put_name(out, name);
    else
        put(out, "#%u", i);
}

// Both searches end: the entry that is asked about has this name itself.
static uint32_t first_kernel(const executable *e, const char *name) {
    uint32_t i = 0;
    while (strcmp(exec_string(e, e->kernel[i].name), name) != 0) i++;
    return i;
}

static uint32_t first_import(const executable *e, const char *name, exec_import_kind kind) {
    uint32_t i = 0;
    while (e->import[i].kind != kind || strcmp(exec_string(e, e->import[i].name), name) != 0) i++;
    return i;
}

// A name is used where reading it back finds the same entry.
static void put_named(growing *out, const executable *e, char letter, uint32_t i) {
    const char *name = exec_string(e, letter == 'f'   ? e->function[i].name
                                      : letter == 'k' ? e->kernel[i].name
                                                      : e->import[i].name);
    uint32_t first = letter == 'f'   ? exec_find_function(e, name)
                     : letter == 'k' ? first_kernel(e, name)
                                     : first_import(e, name, letter == 'b' ? IMPORT_BUILTIN : IMPORT_EXTERNAL);
    put_reference(out, name, first, i);
}

// The letters are explained in opcodes.def; the assembler's want_operand is this switch the other way round.
static void put_operand(growing *out, const executable *e, char letter, uint32_t word) {
    switch (letter) {
    case 'd':
    case 'r':
    case 'v':
        if (word == NO_REGISTER)
            put(out, "_");
        else
            put(out, "%%%u", word);
        break;
    case 'p': put_program(out, e, word); break;
    case 'f':
    case 'k':
    case 'b':
    case 'x': put_named(out, e, letter, word); break;
    case 't': put_dtype(out, op_dtype_of(word)); break;
    case 'j': put(out, "L%u", word); break;
    case 'i': put(out, "%u", word); break;
    default: put(out, "%c%u", letter, word); break; // c, a, s
    }
}

// The pattern of opcodes.def says what each word is.
static void put_instruction(growing *out, const executable *e, const uint32_t *code) {
    const opcode_info *info = opcode_get((opcode)(code[0] & 0xff));
    uint32_t at = 1;
    put(out, "  %s", info->spelling);
    for (const char *p = info->operands; *p; p++) {
        bool list = *p == '*';
        p += list;
        uint32_t count = list ? code[at++] : 1;
        put(out, at == 1u + list ? " %s" : ", %s", list ? "(" : "");
        for (uint32_t i = 0; i < count; i++) {
            if (i) put(out, ", ");
            put_operand(out, e, *p, code[at++]);
        }
        if (list) put(out, ")");
    }
    put(out, "\n");
}

// Whether some instruction of the function jumps here.
// Quadratic in the jumps of a function, which are few; a listing is for people.
static bool is_target(const executable *e, const exec_function *f, uint32_t place) {
    const uint32_t *code = e->code + f->code;
    for (uint32_t at = 0; at < f->words; at += op_words(code[at])) {
        const char *operands = opcode_get((opcode)(code[at] & 0xff))->operands;
        if (operands[strlen(operands) - 1] == 'j' && code[at + op_words(code[at]) - 1] == place) return true;
    }
    return false;
}

static void put_code(growing *out, const executable *e, const exec_function *f) {
    const uint32_t *code = e->code + f->code;
    for (uint32_t at = 0; at < f->words; at += op_words(code[at])) {
        if (is_target(e, f, at)) put(out, " L%u:\n", at);
        put_instruction(out, e, code + at);
    }
}

// Parameters and symbols first, one a line, then the code with its labels.
static void put_function(growing *out, const executable *e, uint32_t i) {
    const exec_function *f = &e->function[i];
    put(out, "function %u ", i);
    put_name(out, exec_string(e, f->name));
    put(out, "%s inputs %u registers %u slots %u", f->flags & FUNCTION_PUBLIC ? " public" : "", f->num_input,
        f->registers, f->slots);
    if (f->result != EXEC_NONE) put(out, " result a%u", f->result);
    put(out, "\n");
    for (uint32_t p = 0; p < f->params; p++) {
        put(out, "  param ");
        put_name(out, exec_string(e, f->param[p].name));
        put(out, " a%u", f->param[p].annotation);
        if (f->param[p].weight != EXEC_NONE) put(out, " weight %u", f->param[p].weight);
        put(out, "%s\n", f->param[p].flags & PARAM_DONATED ? " donated" : "");
    }
    for (uint32_t s = 0; s < f->symbols; s++) {
        put(out, "  symbol ");
        put_name(out, exec_string(e, f->symbol[s].name));
        put(out, " s%u from %" PRId64 " to %" PRId64 " multiple %" PRId64 "\n", f->symbol[s].slot, f->symbol[s].lower,
            f->symbol[s].upper, f->symbol[s].multiple);
    }
    put_code(out, e, f);
    put(out, "end\n");
}

static void put_replacement(growing *out, const executable *e, uint32_t i) {
    const exec_replacement *r = &e->replacement[i];
    put(out, "replacement %u f%u f%u\n", r->variant, r->function, r->by);
}

static void put_each(growing *out, const executable *e, uint32_t count,
                     void (*entry)(growing *out, const executable *e, uint32_t i)) {
    for (uint32_t i = 0; i < count; i++) entry(out, e, i);
}

// The order is the assembler's: what is referred to by number comes before its users.
rx_status exec_print(const executable *e, uint32_t function, growing *out) {
    out->item = 1;
    if (function != EXEC_NONE) {
        put_function(out, e, function);
        return out->failed ? RX_OUT_OF_MEMORY : RX_OK;
    }
    put_each(out, e, e->constants, put_constant);
    put_each(out, e, e->annotations, put_annotation);
    put_each(out, e, e->imports, put_import);
    put_each(out, e, e->weights, put_weight);
    put_each(out, e, e->kernels, put_kernel);
    put_each(out, e, e->functions, put_function);
    put_each(out, e, e->blocks, put_block);
    put_each(out, e, e->metas, put_meta);
    put_each(out, e, e->replacements, put_replacement);
    return out->failed ? RX_OUT_OF_MEMORY : RX_OK;
}
