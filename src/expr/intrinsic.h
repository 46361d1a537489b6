// intrinsic.h - the functions a scalar expression may call: T.exp, T.if_then_else, T.shift_right, …
//
// One row of intrinsics.def per function is the single place: names, arity, types, purity, meaning.
#ifndef EXPR_INTRINSIC_H
#define EXPR_INTRINSIC_H
#include <stdbool.h>
#include <stdint.h>

typedef enum intrinsic_type {
    INTRIN_SAME,   // result has the type of the first argument
    INTRIN_SECOND, // result has the type of the second argument (if_then_else)
    INTRIN_BOOL,   // bool with the lanes of the first argument
    INTRIN_ANY,    // the type is written in the text or follows from elsewhere (call_extern, reinterpret)
    INTRIN_INT32,
    INTRIN_UINT32,
    INTRIN_HANDLE,
    INTRIN_VOID,
} intrinsic_type;

enum { INTRIN_VARIADIC = 255 };

// What the arguments must be.
typedef enum intrinsic_takes {
    TAKES_ANYTHING,
    TAKES_FLOATS,    // floats of one type
    TAKES_INTS,      // integers of one type (bools where every bit is on its own: bitwise_and, …)
    TAKES_NUMBERS,   // floats or integers of one type
    TAKES_SCALED,    // a float, then any number
    TAKES_CONDITION, // a bool
    TAKES_CHOICE,    // a bool, then two values of one type
} intrinsic_takes;

typedef struct intrinsic {
    const char *name;           // as after "T.": "exp"
    uint8_t id;                 // intrinsic_id
    uint8_t min_args, max_args; // max INTRIN_VARIADIC: any number
    intrinsic_takes takes;
    intrinsic_type type;
    bool leads_with_type; // the text's first argument is the result type, a string: T.reinterpret("float32", x)
    bool pure;            // no effect, the value depends on the arguments only
    bool vectorisable;    // applies lane by lane
    const char *doc;
} intrinsic;

typedef enum intrinsic_id {
#define INTRINSIC(NAME, name, min, max, takes, type, leads, pure, vec, doc) INTRIN_##NAME,
#include "expr/intrinsics.def"
    INTRINSICS
} intrinsic_id;

// By the name after "T.", older spellings included (tvm_call_packed, ptx_mma). NULL if there is none.
const intrinsic *intrinsic_find(const char *name);
const intrinsic *intrinsic_get(intrinsic_id id);
#endif
