// chat_template.c - the two calls around the template language: parse, render. Both catch its errors here.
#include "llm/chat_template.h"
#include "base/count_noun.h"
#include "base/utf8.h"
#include "llm/jinja.h"
#include <stdlib.h>

// Bytes of a parsed template, of one rendering and of its text; steps of work; bytes of source.
enum { PARSE_MEMORY = 64 << 20, RENDER_MEMORY = 512 << 20, OUTPUT = 64 << 20, STEPS = 20000000, LONGEST = 4 << 20 };

struct chat_template {
    jinja_heap heap;
    node *first;
};

// Newlines as Jinja sees them: \r\n and \r are \n; one at the very end isn't there.
static text_span normalize(jinja_heap *h, text_span source) {
    char *at = heap_get(h, source.size + 1);
    size_t size = 0;
    for (size_t i = 0; i < source.size; i++) {
        bool pair = source.at[i] == '\r' && i + 1 < source.size && source.at[i + 1] == '\n';
        if (!pair) at[size++] = source.at[i] == '\r' ? '\n' : source.at[i];
    }
    if (size && at[size - 1] == '\n') size--;
    return (text_span){at, size};
}

static void parse(chat_template *t, text_span source) {
    size_t bad = utf8_first_bad(source.at, source.size);
    if (bad < source.size) heap_fail(&t->heap, RX_INVALID_ARGUMENT, "template: not UTF-8 at byte %zu", bad);
    if (source.size > LONGEST)
        heap_fail(&t->heap, RX_UNSUPPORTED, "template: %s; want at most %d", COUNTED(source.size, "byte"), LONGEST);
    t->first = jinja_parse(&t->heap, normalize(&t->heap, source));
}

rx_status chat_template_new(text_span source, chat_template **out, char why[FILE_WHY]) {
    chat_template *t = calloc(1, sizeof *t);
    if (!t) return llm_no_memory(why, "template");
    t->heap.limit = PARSE_MEMORY;
    t->heap.why = why;
    // Every failure inside comes back here.
    if (setjmp(t->heap.stop)) {
        rx_status status = t->heap.status;
        chat_template_free(t);
        return status;
    }
    parse(t, source);
    t->heap.why = NULL;
    *out = t;
    return RX_OK;
}

void chat_template_free(chat_template *t) {
    if (!t) return;
    heap_free(&t->heap);
    free(t);
}

// What the caller's dict defines itself stays.
static void add_variable(jinja *j, const char *name, value v) {
    value key = jvalue_text(span_of(name));
    if (!dict_find_text(&j->scope->names, key.as.text)) dict_put(j->heap, &j->scope->names, key, v);
}

// A list is the messages; a dict has messages, tools and whatever else a template asks for.
static void add_variables(jinja *j, const chat_input *input) {
    value all = jvalue_read_json(j->heap, input->json, "messages");
    if (all.kind == V_DICT)
        j->scope->names = *all.as.dict;
    else if (all.kind == V_LIST)
        add_variable(j, "messages", all);
    else
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "messages: want a JSON list or dict, got %s", jvalue_type_name(all));
    add_variable(j, "add_generation_prompt", jvalue_bool(true));
    add_variable(j, "bos_token", jvalue_text(input->bos));
    add_variable(j, "eos_token", jvalue_text(input->eos));
}

// Templates test macros and variables of the outermost scope as one: variables are its first names.
static void render(const chat_template *t, const chat_input *input, jinja_heap *h, jinja_text *out) {
    jinja j = {.heap = h, .out = out, .now = input->now};
    j.output_limit = input->output ? input->output : OUTPUT;
    j.steps = input->steps ? input->steps : STEPS;
    j.scope = heap_get(h, sizeof *j.scope);
    add_variables(&j, input);
    jinja_run(&j, t->first);
}

static rx_status copy_out(const jinja_text *text, char **out, size_t *size, char *why) {
    char *copy = malloc(text->size + 1);
    if (!copy) return llm_no_memory(why, "template");
    if (text->size) memcpy(copy, text->at, text->size);
    copy[text->size] = 0;
    *out = copy;
    *size = text->size;
    return RX_OK;
}

rx_status chat_template_render(const chat_template *t, const chat_input *input, char **out, size_t *size,
                               char why[FILE_WHY]) {
    jinja_heap heap = {.limit = input->memory ? input->memory : RENDER_MEMORY, .why = why};
    // In the heap and not on this frame: a local that is changed is lost at longjmp.
    jinja_text *text;
    if (setjmp(heap.stop)) {
        heap_free(&heap);
        return heap.status;
    }
    text = heap_get(&heap, sizeof *text);
    render(t, input, &heap, text);
    rx_status status = copy_out(text, out, size, why);
    heap_free(&heap);
    return status;
}
