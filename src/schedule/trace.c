// trace.c - the trace of a schedule: one primitive a line, over names for the blocks and loops it was given.
//
//   b0 = block("matmul")
//   l1 = loop(b0, 2)
//   l2, l3 = split(l1, factors=[None, 16])
//   vectorize(l3)
//
// Finding is not recorded when it happens but where something found is first used, so that what a rule only looked at
// leaves no lines.
#include "loop/walk.h"
#include "schedule/inside.h"
#include <string.h>

void schedule_trace(const schedule *sch, text *out) { text_put(out, text_get(&sch->trace)); }

void trace_line(schedule *sch, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vformat(&sch->trace, format, args);
    va_end(args);
    text_put_char(&sch->trace, '\n');
}

void trace_cut(schedule *sch, size_t bytes, uint32_t names) {
    for (uint32_t i = 0; i < sch->handles.len; i++)
        if (sch->handles.at[i].named && sch->handles.at[i].name >= names) sch->handles.at[i].named = false;
    sch->names = names;
    sch->trace.len = bytes;
    if (sch->trace.at) sch->trace.at[bytes] = 0;
}

static void give_name(schedule *sch, handle *h) {
    h->named = true;
    h->name = sch->names++;
}

static const char *spelled(const schedule *sch, const handle *h) {
    return arena_format(sch->mem, "%c%u", h->var ? 'l' : 'b', h->name);
}

const char *new_loop_name(schedule *sch, loop_ref l) {
    handle *h = &sch->handles.at[l.id - 1];
    if (!h->named) give_name(sch, h);
    return spelled(sch, h);
}

const char *new_block_name(schedule *sch, block_ref b) { return new_loop_name(sch, (loop_ref){b.id}); }

const char *block_name(schedule *sch, block_ref b) {
    handle *h = &sch->handles.at[b.id - 1];
    if (!h->named) {
        give_name(sch, h);
        text name = TEXT_IN(sch->mem);
        text_put_quoted(&name, h->block, strlen(h->block));
        trace_line(sch, "%s = block(%s)", spelled(sch, h), text_get(&name));
    }
    return spelled(sch, h);
}

// The first leaf block inside the loop; NULL if there is none.
static const stmt *block_inside(schedule *sch, const stmt *loop) {
    stmt_list below = {0};
    blocks_below(sch, loop, &below);
    for (uint32_t i = 0; i < below.len; i++)
        if (is_leaf(sch, below.at[i])) return below.at[i];
    return NULL;
}

const char *loop_name(schedule *sch, loop_ref l) {
    stmt_list path = {0};
    uint32_t depth = 0;
    if (sch->handles.at[l.id - 1].named) return spelled(sch, &sch->handles.at[l.id - 1]);
    CHECK(path_to_loop(sch, sch->handles.at[l.id - 1].var, &path));
    for (uint32_t i = 0; i + 1 < path.len; i++) depth += path.at[i]->kind == STMT_FOR;
    const stmt *inside = block_inside(sch, path_end(&path));
    const char *of = inside ? block_name(sch, block_handle(sch, inside->as.block->name)) : "None";
    handle *h = &sch->handles.at[l.id - 1]; // naming the block may have moved the handles
    give_name(sch, h);
    trace_line(sch, "%s = loop(%s, %u)", spelled(sch, h), of, depth);
    return spelled(sch, h);
}
