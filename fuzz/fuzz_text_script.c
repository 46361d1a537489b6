// fuzz_text_script.c - the reader of module texts: what it accepts is printed and must read back to an equal module,
// and so must the text with our layout. The verifier must survive it too.
#include "graph/verify.h"
#include "text/script.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// In place of base's, which leaves the process: libFuzzer keeps the input of an abort.
void check_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: expected %s\n", file, line, condition);
    abort();
}

static module *read_text(arena *mem, const char *bytes, size_t size) {
    source *src = ARENA_NEW(mem, source, 1);
    *src = (source){.name = "<fuzz>", .bytes = bytes, .size = size};
    return script_parse_as_written(src, diag_new(mem));
}

static void must_equal(arena *mem, const module *m, const text *other, const char *what) {
    module *again = read_text(mem, text_get(other), other->len);
    text difference = TEXT_IN(mem);
    if (!again || !module_equal(m, again, &difference)) {
        fprintf(stderr, "%s:\n%s\n%s", what, text_get(other), again ? text_get(&difference) : "it can't be read\n");
        abort();
    }
    module_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena *mem = arena_new();
    module *m = read_text(mem, (const char *)data, size);
    if (m) {
        text printed = TEXT_IN(mem), formatted = TEXT_IN(mem);
        source src = {.name = "<fuzz>", .bytes = (const char *)data, .size = size};
        script_print(&printed, m, NULL);
        must_equal(mem, m, &printed, "printed");
        if (!script_format(&src, &formatted, diag_new(mem))) abort();
        must_equal(mem, m, &formatted, "formatted");
        module_verify(m, diag_new(mem));
    }
    module_free(m);
    arena_free(mem);
    return 0;
}
