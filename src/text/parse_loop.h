// parse_loop.h - what the files that read loop programs share.
#ifndef TEXT_PARSE_LOOP_H
#define TEXT_PARSE_LOOP_H
#include "loop/regions.h"
#include "text/reader.h"

// The declarations at the head of a block, as they are met.
// One statement of a suite. An opener takes what follows it as its body.
typedef enum item_kind { ITEM_PLAIN, ITEM_OPENER, ITEM_BUFFER } item_kind;
typedef struct item {
    item_kind kind;
    stmt *st;
    const buffer *buf; // ITEM_BUFFER: T.alloc_buffer: memory for it, or the block's where texts are older
    const attr *notes; // annotations of that memory; NULL: none
} item;
typedef VEC(item) item_list;

typedef struct block_parts {
    VEC(iter) iters;
    region_list reads, writes;
    bool reads_written, writes_written;
    VEC(const buffer *) allocs;
    VEC(buffer_match) matches;
    const expr *where;
    const attr *annotations;
    const stmt *init;
    const item_list *suite; // the statements of the block itself, where its head must stand
} block_parts;

typedef struct loop_reader {
    loop_func *f;
    VEC(loop_param) params;
    block_parts *block; // innermost
    item_list *items;   // of the suite being read
    bool has_blocks, old_blocks;
    map ranges;   // MAP_KEY(loop variable) -> range
    map threads;  // MAP_KEY(variable) -> name of the thread it stands for
    map declared; // MAP_KEY(buffer) -> non-NULL
    map pointers; // MAP_KEY(variable made by T.handle()) -> non-NULL
} loop_reader;

const stmt *read_loop_suite(reader *r); // from the colon; NULL after reporting; an empty one is an empty sequence
const stmt *fold_items(reader *r, const item_list *items); // openers take what follows them
void add_item(reader *r, item_kind kind, stmt *st);
bool at_block_head(reader *r, loc at, const char *callee);      // false after reporting: inside of a loop in the block
void add_buffer(reader *r, const buffer *b, const attr *notes); // memory for it; notes may be NULL
stmt *new_stmt(reader *r, stmt_kind kind, loc at);
bool read_message(reader *r, const value *v, stmt *st); // of an assertion
bool take_t(reader *r, const char *name);               // steps over T.name if that is next
bool at_t(reader *r, const char *name);

// parse_block.c
void read_block(reader *r, loc at, bool old); // behind T.sblock
const stmt *finish_block(reader *r, const block_parts *p, const char *name, const stmt *body, loc at);
bool read_axis(reader *r, const char *const *name, uint32_t names, loc at); // behind T.axis
bool read_block_call(reader *r, loc at); // T.where(...), T.reads(...), ...; false: none of them
// parse_loop_with.c
void read_for(reader *r);
void read_loop_with(reader *r);
bool read_flat_scope(reader *r, loc at); // T.attr(...), T.launch_thread(...) without `with`; false: neither
stmt *read_launch(reader *r, loc at, const char *name); // behind T.launch_thread
// parse_loop_assign.c
void read_loop_assignment(reader *r);
// parse_buffer.c
const expr *slice_extent(reader *r, const expr *low, const expr *high);
bool read_match_buffer(reader *r, loc at, const char *name); // behind T.match_buffer
#endif
