// assemble_items.h - the words of the text of listing.h: what assemble.c reads lines with.
//
// take_* takes the next item if it is as asked; want_* reports if it isn't and then returns zero. After the first
// failure everything else is silent, so callers look at `failed` where they would do harm.
#ifndef EXEC_ASSEMBLE_ITEMS_H
#define EXEC_ASSEMBLE_ITEMS_H
#include "exec/listing.h"
#include "tensor/tensor.h"

typedef enum item_kind { ITEM_END, ITEM_WORD, ITEM_STRING, ITEM_MARK } item_kind; // MARK: one of ( ) [ ] { } , %

typedef struct item {
    item_kind kind;
    const char *at; // in the text; of strings: behind the quote
    size_t size;
} item;

typedef struct parser {
    const char *at, *end, *line_start;
    uint32_t line;
    item next;
    const executable *base;
    exec_writer *w;
    growing name;                    // parser_name: what instructions may refer to
    growing text;                    // scratch for strings and hex
    growing label, param, symbol;    // of the function at hand: parser_label, exec_param, exec_symbol
    uint32_t annotations, constants; // so far
    char *why;
    bool failed;
} parser;

typedef struct parser_name {
    char letter; // as in opcodes.def: f, k, b, x
    uint32_t string, index;
} parser_name;

typedef struct parser_label {
    uint32_t number, label; // "L12" and the writer's
} parser_label;

// Writes "line 7: …" into p->why, once. Returns false.
bool parse_fail(parser *p, const char *format, ...) RX_PRINTF(2, 3);
void advance(parser *p);   // to the next item of the line; ITEM_END at its end
bool next_line(parser *p); // to the next line that holds something; false at the end of the text

bool is_word(const parser *p, const char *word);
bool take_word(parser *p, const char *word);
bool take_mark(parser *p, char mark);
bool want_mark(parser *p, char mark);
bool want_word(parser *p, const char *word);
bool parse_number(const char *at, size_t size, int64_t *out); // all of it
bool take_number(parser *p, char letter, int64_t *out);       // behind a letter, "s12", if letter isn't 0
uint32_t want_index(parser *p, char letter);
int64_t want_int(parser *p);
bool want_text(parser *p);           // a name or a string, its bytes into p->text
uint32_t want_string(parser *p);     // the same as a string of the writer
uint32_t optional_string(parser *p); // EXEC_NONE if there is none
dtype want_dtype(parser *p);
uint32_t want_dims(parser *p, int64_t dim[TENSOR_MAX_RANK]); // their number
uint32_t want_program(parser *p);
bool put_bytes(parser *p, const void *bytes, size_t size); // appends to p->text; false when memory ran out
#endif
