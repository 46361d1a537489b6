// jinja.h - the syntax tree of a chat template, its parser and what runs it. Used by chat_template.c alone.
//
// The language is Jinja as Transformers sets it up for chat templates (trim_blocks, lstrip_blocks, loop controls,
// the `generation` tag). What of Jinja isn't covered is refused by name when the template is parsed, or, for methods
// and filters in branches that may not be reached, when it is run.
#ifndef LLM_JINJA_H
#define LLM_JINJA_H
#include "llm/jinja_value.h"

typedef enum node_kind {
    // Expressions. in[0], in[1]: operands. first: a list of nodes through `next`.
    N_CONST, // constant
    N_NAME,  // name
    N_LIST,  // first
    N_TUPLE, // first
    N_DICT,  // first: key, value, key, value, …
    N_NOT,
    N_NEGATE,
    N_AND,
    N_OR,
    N_BINARY,    // op: '+' '-' '*' '/' '%', 'd' for //, 'p' for **
    N_CONCAT,    // ~; first
    N_COMPARE,   // in[0], then first: each node's op and its in[0]
    N_CHOICE,    // in[1] if in[0] else in[2] (may be NULL)
    N_ATTRIBUTE, // in[0].name
    N_ITEM,      // in[0][in[1]]
    N_SLICE,     // in[0][in[1]:in[2]:in[3]], each may be NULL
    N_CALL,      // in[0](first…); an argument with a name is given by keyword
    N_FILTER,    // in[0] | name(first…); in[0] is NULL in a filter block
    N_TEST,      // in[0] is name(first…)
    // Statements.
    N_TEXT,         // name: the text
    N_OUTPUT,       // in[0]
    N_IF,           // if in[0]: first, else: the statements from in[1]
    N_FOR,          // for in[0] in in[1] if in[2]: first, else: the statements from in[3]
    N_SET,          // in[0] = in[1]
    N_SET_BLOCK,    // in[0] = what `first` prints, through the filter in[1]
    N_MACRO,        // name; in[0]: parameters (names, each with its default in in[0]); first: the body
    N_FILTER_BLOCK, // in[1]: the filter; first
    N_GENERATION,   // first
    N_BREAK,
    N_CONTINUE
} node_kind;

typedef enum compare_op {
    C_EQUAL,
    C_UNEQUAL,
    C_LESS,
    C_LESS_EQUAL,
    C_GREATER,
    C_GREATER_EQUAL,
    C_IN,
    C_NOT_IN
} compare_op;

typedef struct node node;
struct node {
    node_kind kind;
    uint32_t line;
    int op;
    text_span name;
    value constant;
    node *in[4], *first, *next;
};

// --- Tokens (jinja_lex.c).
typedef enum token_kind {
    T_END,
    T_TEXT,        // what stands between the tags, trimmed as they want it
    T_PRINT_BEGIN, // {{
    T_PRINT_END,
    T_BLOCK_BEGIN, // {%
    T_BLOCK_END,
    T_NAME,
    T_STRING,   // text: without quotes and escapes
    T_NUMBER,   // number
    T_OPERATOR, // text
} token_kind;

typedef struct lexer_token {
    token_kind kind;
    uint32_t line;
    text_span text;
    value number;
} lexer_token;

typedef struct jinja_lexer {
    jinja_heap *heap;
    const char *at, *end;
    uint32_t line;
    bool inside;        // a tag
    bool printing;      // that tag is {{
    uint32_t nesting;   // of brackets in it
    bool line_starting; // nothing but a newline stands before `at`
    bool strip_next;    // the last tag ended with -
} jinja_lexer;
lexer_token jinja_next_token(jinja_lexer *l);

// --- Parser. `source` has \n newlines only; the tree points into it.
node *jinja_parse(jinja_heap *h, text_span source);

typedef struct jinja_parser {
    jinja_heap *heap;
    jinja_lexer lexer;
    lexer_token token; // the one to look at
    uint32_t loops;    // around us
} jinja_parser;
void jinja_advance(jinja_parser *p);
bool jinja_at(const jinja_parser *p, const char *op);        // at this operator
bool jinja_at_name(const jinja_parser *p, const char *name); // at this word
bool jinja_take(jinja_parser *p, const char *op);
bool jinja_take_name(jinja_parser *p, const char *name);
void jinja_want(jinja_parser *p, const char *op); // takes it or fails
text_span jinja_want_name(jinja_parser *p);
node *jinja_node(jinja_parser *p, node_kind kind);
RX_NORETURN void jinja_fail_at(jinja_parser *p, const char *wanted); // "want …, got …"
RX_NORETURN void jinja_refuse(jinja_parser *p, const char *what);    // "… is not supported"
// An expression; without `choice` it stops before `if`, as the list of a for loop does.
node *jinja_parse_expression(jinja_parser *p, bool choice);
node *jinja_parse_tuple(jinja_parser *p, bool choice); // "a, b" is a tuple, "a" is not
node *jinja_parse_filters(jinja_parser *p);            // "upper | trim" of a filter block, innermost first; or NULL

// --- Running.
typedef struct scope {
    struct scope *outer;
    value_dict names;
} scope;

typedef struct macro {
    const node *node;
    scope *scope; // where it was defined
} macro;

typedef struct loop {
    value_list *items;
    size_t index;
    value changed; // of loop.changed(…)
} loop;

typedef struct jinja {
    jinja_heap *heap;
    jinja_text *out; // where output goes
    scope *scope;
    size_t output_limit; // bytes of one text
    uint64_t steps;      // left
    int64_t now;         // seconds since 1970, in local time (strftime_now)
} jinja;

// Arguments of a call, bound to the parameters its table row names.
enum { MOST_PARAMETERS = 6 };
typedef struct arguments {
    value at[MOST_PARAMETERS]; // V_ABSENT where not given
    value_list all;            // positional ones in order, of functions that take any number
    value_dict named;          // of functions that take any names
} arguments;
typedef value callable(jinja *j, value self, const arguments *a);
typedef struct function {
    const char *name;
    callable *call;
    const char *parameters[MOST_PARAMETERS]; // names in order
    bool open;                               // takes any number and names; `all` and `named` are filled
} function;

value jinja_evaluate(jinja *j, const node *n);
void jinja_run(jinja *j, const node *first);
void jinja_step(jinja *j, uint64_t steps); // counts work; fails when it was too much
// Evaluates the arguments in the list `first` and calls f with them.
value jinja_call_function(jinja *j, const function *f, value self, const node *first);
value jinja_call_macro(jinja *j, macro *m, const node *first);
// Binds arguments that are values already.
void jinja_bind(jinja *j, const function *f, const value_list *given, const value_dict *named, arguments *out);

// Attribute or item as Jinja looks them up; undefined when there is none.
value jinja_attribute(jinja *j, value of, text_span name);
value jinja_item(jinja *j, value of, value key);
value jinja_slice(jinja *j, value of, value from, value to, value step);
value jinja_binary(jinja *j, int op, value a, value b);
bool jinja_contains(jinja *j, value item, value in);
RX_NORETURN void jinja_fail_undefined(jinja *j, value v);
int64_t jinja_want_int(jinja *j, value v, const char *what);
text_span jinja_want_text(jinja *j, value v, const char *what);

// Tables. NULL when there is no such thing.
const function *jinja_find_in(const function *table, size_t rows, text_span name);
const function *jinja_find_filter(text_span name);
const function *jinja_find_test(text_span name);
const function *jinja_find_global(text_span name);
const function *jinja_find_method(value self, text_span name);
bool jinja_apply_test(jinja *j, text_span name, value self, const value_list *given);
bool jinja_is_python_method(value self, text_span name); // of Python's, so that a missing one is refused by name
#endif
