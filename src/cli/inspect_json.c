// inspect_json.c - the same as one JSON object.
#include "base/cpu.h"
#include "cli/inspect.h"
#include "cli/verb.h"
#include <inttypes.h>
#include <string.h>

static void put_string(text *t, const char *s) { cli_json_string(t, s, strlen(s)); }

// "key": "value", with a comma before it.
static void put_field(text *t, const char *key, const char *value) {
    text_format(t, ", \"%s\": ", key);
    put_string(t, value);
}

static void put_dims(text *t, uint32_t count, const int64_t *dim) {
    text_put(t, ", \"shape\": [");
    for (uint32_t i = 0; i < count; i++) text_format(t, "%s%" PRId64, i ? ", " : "", dim[i]);
    text_put(t, "]");
}

static void put_param(text *t, const executable *e, const exec_param *p) {
    const exec_annotation *a = &e->annotation[p->annotation];
    text_put(t, "{\"name\": ");
    put_string(t, exec_string(e, p->name));
    put_field(t, "annotation", a->text == EXEC_NONE ? "R.Object" : exec_string(e, a->text));
    text_format(t, ", \"weight\": %s, \"donated\": %s}", p->weight == EXEC_NONE ? "false" : "true",
                p->flags & PARAM_DONATED ? "true" : "false");
}

static void put_symbol(text *t, const executable *e, const exec_symbol *s) {
    text_put(t, "{\"name\": ");
    put_string(t, exec_string(e, s->name));
    text_format(t, ", \"lower\": %" PRId64 ", \"upper\": ", s->lower);
    if (s->upper == INT64_MAX)
        text_put(t, "null");
    else
        text_format(t, "%" PRId64, s->upper);
    text_format(t, ", \"multiple\": %" PRId64 "}", s->multiple);
}

// Of functions that were lowered for each machine.
static void put_machine(text *t, const executable *e, uint32_t function) {
    const char *machine = inspect_machine(e, function);
    if (machine) put_field(t, "machine", machine);
}

// One object for each entry of a table, with the names that the listing has.
static void put_function(text *t, const executable *e, uint32_t i) {
    const exec_function *f = &e->function[i];
    text_put(t, "{\"name\": ");
    put_string(t, exec_string(e, f->name));
    put_field(t, "signature", f->text);
    text_format(t, ", \"public\": %s, \"inputs\": %u, \"params\": [", f->flags & FUNCTION_PUBLIC ? "true" : "false",
                f->num_input);
    for (uint32_t p = 0; p < f->params; p++) {
        if (p) text_put(t, ", ");
        put_param(t, e, &f->param[p]);
    }
    text_put(t, "], \"symbols\": [");
    for (uint32_t s = 0; s < f->symbols; s++) {
        if (s) text_put(t, ", ");
        put_symbol(t, e, &f->symbol[s]);
    }
    text_format(t, "], \"registers\": %u, \"slots\": %u, \"words\": %u", f->registers, f->slots, f->words);
    put_machine(t, e, i);
    text_put(t, "}");
}

static void put_block(text *t, const executable *e, uint32_t i) {
    text_put(t, "{\"function\": ");
    put_string(t, exec_string(e, e->function[e->block[i].function].name));
    put_field(t, "bytes", exec_string(e, e->block[i].text));
    put_field(t, "holds", exec_string(e, e->block[i].holds));
    put_machine(t, e, e->block[i].function);
    text_put(t, "}");
}

// Sizes in the order of the variants.
static void put_kernel(text *t, const executable *e, uint32_t i) {
    text_put(t, "{\"name\": ");
    put_string(t, exec_string(e, e->kernel[i].name));
    text_format(t, ", \"buffers\": %u, \"scalars\": %u, \"code_bytes\": [", e->kernel[i].buffers, e->kernel[i].scalars);
    for (uint32_t v = 0; v < e->variants; v++)
        text_format(t, "%s%" PRIu64, v ? ", " : "", inspect_code_size(&e->variant[v], i));
    text_put(t, "]}");
}

static void put_variant(text *t, const executable *e, uint32_t i) {
    char features[512];
    text_put(t, "{\"arch\": ");
    put_string(t, exec_string(e, e->variant[i].arch));
    put_field(t, "requires", cpu_features_text(e->variant[i].required, features, sizeof features));
    text_format(t, ", \"image_bytes\": %zu}", e->variant[i].image.size);
}

static void put_weight(text *t, const executable *e, uint32_t i) {
    char name[32];
    text_put(t, "{\"name\": ");
    put_string(t, exec_string(e, e->weight[i].name));
    put_field(t, "dtype", dtype_spell(e->weight[i].type, name));
    put_dims(t, e->weight[i].dims, e->weight[i].dim);
    put_field(t, "layout", exec_string(e, e->weight[i].layout));
    text_format(t, ", \"bytes\": %" PRIu64 ", \"offset\": %" PRIu64 "}", e->weight[i].bytes, e->weight[i].offset);
}

static void put_import(text *t, const executable *e, uint32_t i) {
    text_put(t, "{\"name\": ");
    put_string(t, exec_string(e, e->import[i].name));
    text_format(t, ", \"kind\": \"%s\", \"version\": %u}", e->import[i].kind == IMPORT_BUILTIN ? "builtin" : "external",
                e->import[i].version);
}

static void put_meta(text *t, const executable *e, uint32_t i) {
    text_put(t, "{\"key\": ");
    put_string(t, exec_string(e, e->meta[i].key));
    text_format(t, ", \"bytes\": %zu}", e->meta[i].value.size);
}

// ", "key": [a, b]": every list comes behind another field.
static void put_list(text *t, const executable *e, const char *key, uint32_t count,
                     void (*entry)(text *t, const executable *e, uint32_t i)) {
    text_format(t, ", \"%s\": [", key);
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_put(t, ", ");
        entry(t, e, i);
    }
    text_put(t, "]");
}

void inspect_json(text *t, const executable *e, const char *path) {
    text_put(t, "{\"file\": ");
    put_string(t, path);
    text_format(t, ", \"bytes\": %" PRIu64 ", \"format\": %u, \"kernel_abi\": %u", e->file_size, e->format,
                e->kernel_abi);
    put_list(t, e, "functions", e->functions, put_function);
    put_list(t, e, "plan", e->blocks, put_block);
    put_list(t, e, "kernels", e->kernels, put_kernel);
    put_list(t, e, "variants", e->variants, put_variant);
    put_list(t, e, "weights", e->weights, put_weight);
    put_list(t, e, "imports", e->imports, put_import);
    put_list(t, e, "metadata", e->metas, put_meta);
    text_put(t, "}\n");
}
