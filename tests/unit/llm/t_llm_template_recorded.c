// t_llm_template_recorded.c - chat templates of 35 models, each with 11 conversations: the bytes that Jinja2 made, or
// an error where it made one. Skipped where the data is missing.
#define _POSIX_C_SOURCE 200809L
#include "llm/chat_template.h"
#include "llm/jinja_value.h"
#include "test.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 1 << 24, PATH = 1024 };

typedef struct tally {
    unsigned files, cases, wrong;
} tally;

static text_span read_file(const char *path) {
    char *at = NULL, why[FILE_WHY] = "";
    size_t size = 0;
    if (file_read(path, LIMIT, &at, &size, why) != RX_OK) fail_msg("%s", why);
    return (text_span){at, size};
}

static text_span read_beside(const char *folder, const char *name, const char *suffix) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%.*s%s", folder, (int)(strlen(name) - strlen(".jinja")), name, suffix);
    return read_file(path);
}

static bool is_same(const chat_template *t, text_span json, const value_dict *want, char *why) {
    chat_input input = {.json = json, .bos = span_of("<s>"), .eos = span_of("</s>"), .now = 1769418307};
    const value *output = dict_find_text(want, span_of("output"));
    const value *raised = dict_find_text(want, span_of("error"));
    char *text = NULL;
    size_t size = 0;
    if (chat_template_render(t, &input, &text, &size, why) != RX_OK) return raised;
    bool same = output && span_equal(output->as.text, (text_span){text, size});
    snprintf(why, FILE_WHY, "other text");
    free(text);
    return same;
}

static void check_file(jinja_heap *h, const char *folder, const char *name, const value_dict *cases, tally *n) {
    char why[FILE_WHY] = "";
    chat_template *t = NULL;
    text_span source = read_beside(folder, name, ".jinja"), wanted = read_beside(folder, name, ".json");
    value want = jvalue_read_json(h, wanted, "wanted");
    json_style style = {.indent = -1, .between = span_of(","), .after_key = span_of(":")};
    if (chat_template_new(source, &t, why) != RX_OK) fail_msg("%s: %s", name, why);
    for (size_t i = 0; i < want.as.dict->count; i++, n->cases++) {
        jinja_text json = {0};
        const value *input = dict_find_text(cases, want.as.dict->key[i].as.text);
        jvalue_put_json(h, &json, *input, &style);
        if (is_same(t, jinja_span(&json), want.as.dict->at[i].as.dict, why)) continue;
        print_error("%s: case %zu: %s\n", name, i, why);
        n->wrong++;
    }
    chat_template_free(t);
    free((char *)source.at), free((char *)wanted.at);
    n->files++;
}

static void check_folder(jinja_heap *h, DIR *open, const char *folder, tally *n) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/_cases.json", folder);
    text_span json = read_file(path);
    value cases = jvalue_read_json(h, json, "cases");
    for (struct dirent *e; (e = readdir(open));) {
        size_t size = strlen(e->d_name);
        if (size > 6 && strcmp(e->d_name + size - 6, ".jinja") == 0) check_file(h, folder, e->d_name, cases.as.dict, n);
    }
    free((char *)json.at);
}

// The heap's errors end here.
static void check_caught(DIR *open, const char *folder, tally *n) {
    static char why[FILE_WHY];
    jinja_heap h = {.limit = 1 << 28, .why = why};
    if (setjmp(h.stop)) fail_msg("%s", why);
    check_folder(&h, open, folder, n);
    heap_free(&h);
}

static void same_bytes(void **state) {
    const char *data = getenv("RELAX_TEST_DATA");
    char folder[PATH / 2] = "";
    tally n = {0};
    (void)state;
    if (data) snprintf(folder, sizeof folder, "%s/templates", data);
    DIR *open = data ? opendir(folder) : NULL;
    if (!open) {
        skip();
        return;
    }
    check_caught(open, folder, &n);
    closedir(open);
    print_message("%u templates, %u conversations, %u wrong\n", n.files, n.cases, n.wrong);
    assert_true(n.files >= 35 && n.cases >= 385);
    assert_int_equal(n.wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
