// attach_global_symbol.c - AttachGlobalSymbol: functions get the names that linkers and loaders find them by.
//
//   before:  @T.prim_func(private=True)      after:  @T.prim_func
//            def add(…): …                           def add(…): …
//
// Needs nothing. Keeps everything else. No function is private afterwards. Where the module has the attribute
// "system_lib_prefix", loop programs have it before their names, wherever they are called.
#include "pass/support.h"
#include <string.h>

// The symbol as an attribute, where it is more than the name.
static const attr *attached(module *m, const char *name, const attr *attrs) {
    const attr *prefix = attr_find(m->attrs, "system_lib_prefix");
    if (!prefix || prefix->kind != ATTR_STRING || attr_find(attrs, "global_symbol")) return attrs;
    const char *symbol = arena_format(m->mem, "%s%s", prefix->as.text, name);
    return attr_with(m->mem, attrs, "global_symbol", attr_string(m->mem, symbol, strlen(symbol)));
}

static void attach_loop(module *m, const loop_func *f) {
    loop_func *named = ARENA_NEW(m->mem, loop_func, 1);
    *named = *f;
    named->is_private = false;
    named->attrs = attached(m, f->name, f->attrs);
    module_put_loop(m, named);
}

static bool attach_global_symbol(module *m, const pass_ctx *c) {
    if (!rebuild_functions(m, NULL, NULL, c->d)) return false;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_LOOP) attach_loop(m, f->loop);
        if (f->kind == FUNC_GRAPH && f->graph) f->graph->is_private = false;
    }
    return pass_normalize_global_var.run(m, c);
}

const pass pass_attach_global_symbol = {
    .name = "AttachGlobalSymbol",
    .doc = "gives functions the names they are linked by",
    .run = attach_global_symbol,
};
