// op_sample.c - the samples of operators as modules.
#include "text/op_sample.h"
#include <ctype.h>
#include <string.h>

static const char *long_dtype(arena *mem, const char *p, size_t size) {
    static const char *const stems[][2] = {{"f", "float"}, {"i", "int"}, {"u", "uint"}, {"b", "b"}};
    for (size_t i = 0; i < COUNT(stems); i++)
        if (p[0] == stems[i][0][0] && size <= 3) return arena_format(mem, "%s%.*s", stems[i][1], (int)size - 1, p + 1);
    return arena_copy(mem, p, size);
}

// "n,4" as `"n", 4`; the names among them are noted.
static void put_dims(text *out, const char *p, const char *end, text *symbols) {
    while (p < end) {
        const char *comma = memchr(p, ',', (size_t)(end - p)), *stop = comma ? comma : end;
        bool number = isdigit((unsigned char)*p);
        text_format(out, number ? "%.*s, " : "\"%.*s\", ", (int)(stop - p), p);
        const char *line = arena_format(out->mem, "        %.*s = T.int64()\n", (int)(stop - p), p);
        if (!number && !strstr(text_get(symbols), line)) text_put(symbols, line);
        p = stop + 1;
    }
}

const char *op_sample_text(arena *mem, const char *sample) {
    text params = TEXT_IN(mem), symbols = TEXT_IN(mem), out = TEXT_IN(mem);
    const char *bar = strchr(sample, '|'), *p = sample;
    while (p < bar && *p != '|') {
        const char *equals = strchr(p, '='), *open = strchr(p, '['), *close = strchr(p, ']');
        if (!equals || equals > bar) break;
        text dims = TEXT_IN(mem);
        put_dims(&dims, open + 1, close, &symbols);
        text_format(&params, "%s%.*s: R.Tensor((%s), dtype=\"%s\")", params.len ? ", " : "", (int)(equals - p), p,
                    text_get(&dims), long_dtype(mem, equals + 1, (size_t)(open - equals - 1)));
        p = close + 1;
        while (*p == ' ') p++;
    }
    text_format(
        &out, "@I.ir_module\nclass Module:\n    @R.function\n    def main(%s):\n%s        gv = %s\n        return gv\n",
        text_get(&params), text_get(&symbols), bar + 2);
    return text_get(&out);
}
