// table.h - how rows of operator tables are written.
#ifndef OPS_TABLE_H
#define OPS_TABLE_H
#include "ops/compute.h"
#include "ops/infer.h"
#include "ops/ops.h"

// An input: its name, its kind (TENSOR, SHAPE, PRIM, …) and what it is.
#define IN(called, as, says) {.name = called, .kind = INPUT_##as, .doc = says}
#define IN_OPTIONAL(called, as, says) {.name = called, .kind = INPUT_##as, .doc = says, .optional = true}
// An attribute: its name, its kind (INT, BOOL, …), its default as text, and what it is; then, where not every value of
// the kind will do, .range = "…" (graph/op.h). ATTR_AT: may follow the inputs without its name.
#define ATTR(called, as, otherwise, ...) {.name = called, .kind = OPATTR_##as, .preset = otherwise, .doc = __VA_ARGS__}
#define ATTR_AT(called, as, otherwise, ...)                                                                            \
    {.name = called, .kind = OPATTR_##as, .preset = otherwise, .positional = true, .doc = __VA_ARGS__}

// Names for compute_build, filled one by one.
typedef struct name_list {
    compute_name at[12];
    uint32_t len;
} name_list;
void name_value(name_list *l, const char *name, const expr *value);
void name_number(const lower_ctx *c, name_list *l, const char *name, int64_t value);
// A list of `count` expressions, or of numbers; copied into the arena.
void name_exprs(const lower_ctx *c, name_list *l, const char *name, const expr *const *list, uint32_t count);
void name_numbers(const lower_ctx *c, name_list *l, const char *name, const int64_t *list, uint32_t count);
const loop_func *compute_with(const lower_ctx *c, const node *n, const char *meaning, const name_list *l);

// An attribute that is a list of numbers, into `out`; returns how many. A number alone is a list of one.
uint32_t attr_numbers(const node *n, const char *name, int64_t *out, uint32_t room);
// An operand that is a tuple of scalars, or a shape: its values. False where one is not known.
bool operand_values(const node *n, uint32_t i, const expr **out, uint32_t room, uint32_t *count);
#endif
