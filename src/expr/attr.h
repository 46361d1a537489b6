// attr.h - attribute values: what stands in func_attr dictionaries, block annotations, operator attributes.
#ifndef EXPR_ATTR_H
#define EXPR_ATTR_H
#include "expr/expr.h"

typedef enum attr_kind {
    ATTR_NONE,      // None
    ATTR_BOOL,      // as.i
    ATTR_INT,       // as.i; a plain Python int (TVM: IntImm or an int)
    ATTR_FLOAT,     // as.f
    ATTR_STRING,    // as.text, size
    ATTR_DTYPE,     // as.type
    ATTR_EXPR,      // as.e: any scalar expression, also T.int64(4)
    ATTR_LIST,      // list, count: [a, b] and (a, b) alike
    ATTR_DICT,      // key, list, count: insertion order
    ATTR_INDEX_MAP, // T.index_map(lambda i, j: [..]): list[0] the variables, list[1] the results, both lists of
                    // ATTR_EXPR
    ATTR_REDUCER,   // T.comm_reducer(lambda x, y: x + y, [T.float32(0.0)]): how values that several threads hold become
                    // one; list[0] the variables (both sides), list[1] the results, list[2] the neutral values
    ATTR_FUNC,      // as.text: a function of the module, written cls.name
    ATTR_BUFFER,    // as.buffer: a buffer of the program, in block annotations ({"layout_free_placeholders": [B]})
} attr_kind;

typedef struct attr attr;
struct attr {
    attr_kind kind;
    uint32_t count;
    size_t size; // of a string, which may contain NUL
    union {
        int64_t i;
        double f;
        const char *text;
        dtype type;
        const expr *e;
        const struct buffer *buffer;
    } as;
    const attr *const *list; // elements or values
    const char *const *key;  // ATTR_DICT: names, NUL-terminated
};

// Immutable, from an arena that outlives them.
const attr *attr_none(void);
const attr *attr_bool(arena *mem, bool value);
const attr *attr_int(arena *mem, int64_t value);
const attr *attr_float(arena *mem, double value);
const attr *attr_string(arena *mem, const char *text, size_t size);
const attr *attr_dtype(arena *mem, dtype type);
const attr *attr_expr(arena *mem, const expr *e);
const attr *attr_list(arena *mem, const attr *const *element, uint32_t count);
const attr *attr_dict(arena *mem, const char *const *key, const attr *const *value, uint32_t count); // all copied
const attr *attr_index_map(arena *mem, const expr *const *var, uint32_t vars, const expr *const *result,
                           uint32_t results);
const attr *attr_reducer(arena *mem, const expr *const *var, const expr *const *result, const expr *const *neutral,
                         uint32_t count);            // 2 * count variables, count results and neutral values
const attr *attr_func(arena *mem, const char *name); // cls.name
const attr *attr_buffer(arena *mem, const struct buffer *b);
const attr *attr_ints(arena *mem, const int64_t *value, uint32_t count); // a list of ATTR_INT

const attr *attr_find(const attr *dict, const char *key); // NULL if absent or dict is NULL
// A new dict; NULL value removes.
const attr *attr_with(arena *mem, const attr *dict, const char *key, const attr *value);
bool attr_is_true(const attr *dict, const char *key); // present and a nonzero bool or int
bool attr_get_int(const attr *a, int64_t *out);       // ATTR_INT, ATTR_BOOL or a constant expression; false for NULL
bool attr_get_real(const attr *a, double *out);       // the same, and floats
void attr_print(text *out, const attr *a, const expr_print_options *options); // as TVMScript spells it
#endif
