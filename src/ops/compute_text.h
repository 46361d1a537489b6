// compute_text.h - the compute language read into terms: what is written, before any call gives it meaning.
//
// docs/compute.md describes the language. Terms are immutable and live in the arena they were read into.
#ifndef OPS_COMPUTE_TEXT_H
#define OPS_COMPUTE_TEXT_H
#include "expr/parse.h"

typedef enum term_kind {
    TERM_INT,    // ival
    TERM_FLOAT,  // fval
    TERM_NAME,   // name: an index, an attribute, a constant
    TERM_GROUP,  // name...: one index per dim of a run of dims
    TERM_ACCESS, // name[in, ...], each with its place
    TERM_CALL,   // name(in, ...)
    TERM_BINARY, // in[0] op in[1]
    TERM_NOT,    // not in[0]
    TERM_NEGATE, // -in[0]
} term_kind;

typedef struct term term;
// Where in the tensor an index of an access stands.
typedef struct place {
    const term *where; // `@ where`: a name or a number; NULL: the next free dim
    bool placed;
    bool optional; // `~`: left out where the tensor has no dim for it
} place;

struct term {
    term_kind kind;
    loc at;
    const expr_operator *op; // BINARY
    const char *name;
    int64_t ival;
    double fval;
    uint32_t count;
    const term *const *in;
    const place *place; // ACCESS: `count` of them
};

typedef enum update {
    UPDATE_SET,      // =
    UPDATE_ADD,      // +=
    UPDATE_MUL,      // *=
    UPDATE_MAX,      // max=   a NaN stays
    UPDATE_MIN,      // min=
    UPDATE_RAW_MAX,  // rawmax=   what becomes of a NaN is not defined
    UPDATE_RAW_MIN,  // rawmin=
    UPDATE_SCAN_ADD, // scan+=   running sums along the placed index of the target
    UPDATE_SCAN_MUL, // scan*=
    UPDATE_RANGE,    // index in extent: no statement but the range of an index
} update;

typedef struct statement {
    const term *target; // ACCESS; RANGE: NAME or GROUP
    update update;
    const term *value;
    const term *where; // `where condition`: elements for which it is false are left alone; NULL: none
} statement;
typedef VEC(statement) statement_list;

// Reads a text of statements. False after reporting: a text of ours is wrong, so tests read every one.
bool compute_read(arena *mem, const char *meaning, statement_list *out, diag *d);
#endif
