// ops.c - how operations are spelled: between their operands or as functions. Shared by printer and readers.
#include "expr/parse.h"
#include <string.h>

// For messages and for rules: names of ours, not TVM's.
static const char *const op_name[EXPR_OPS] = {
    [EXPR_INT] = "int",
    [EXPR_FLOAT] = "float",
    [EXPR_STRING] = "string",
    [EXPR_VAR] = "var",
    [EXPR_ADD] = "add",
    [EXPR_SUB] = "sub",
    [EXPR_MUL] = "mul",
    [EXPR_DIV] = "div",
    [EXPR_FLOOR_DIV] = "floor_div",
    [EXPR_FLOOR_MOD] = "floor_mod",
    [EXPR_TRUNC_DIV] = "trunc_div",
    [EXPR_TRUNC_MOD] = "trunc_mod",
    [EXPR_MIN] = "min",
    [EXPR_MAX] = "max",
    [EXPR_EQ] = "eq",
    [EXPR_NE] = "ne",
    [EXPR_LT] = "lt",
    [EXPR_LE] = "le",
    [EXPR_GT] = "gt",
    [EXPR_GE] = "ge",
    [EXPR_AND] = "and",
    [EXPR_OR] = "or",
    [EXPR_NOT] = "not",
    [EXPR_SELECT] = "select",
    [EXPR_CAST] = "cast",
    [EXPR_CALL] = "call",
    [EXPR_CALL_FUNC] = "call_func",
    [EXPR_LOAD] = "load",
    [EXPR_RAMP] = "ramp",
    [EXPR_BROADCAST] = "broadcast",
    [EXPR_SHUFFLE] = "shuffle",
    [EXPR_LET] = "let",
};

// "unknown" for what a broken node may hold: this runs while errors are reported.
const char *expr_op_name(expr_op op) { return op < EXPR_OPS ? op_name[op] : "unknown"; }

// The single place of infix spellings. Printing takes the first row of an op.
static const expr_operator operators[] = {
    {.spelling = "or", .op = EXPR_OR, .precedence = BIND_OR},
    {.spelling = "and", .op = EXPR_AND, .precedence = BIND_AND},
    {.spelling = "==", .op = EXPR_EQ, .precedence = BIND_COMPARE},
    {.spelling = "!=", .op = EXPR_NE, .precedence = BIND_COMPARE},
    {.spelling = "<", .op = EXPR_LT, .precedence = BIND_COMPARE},
    {.spelling = "<=", .op = EXPR_LE, .precedence = BIND_COMPARE},
    {.spelling = ">", .op = EXPR_GT, .precedence = BIND_COMPARE},
    {.spelling = ">=", .op = EXPR_GE, .precedence = BIND_COMPARE},
    {.spelling = "+", .op = EXPR_ADD, .precedence = BIND_SUM},
    {.spelling = "-", .op = EXPR_SUB, .precedence = BIND_SUM},
    {.spelling = "*", .op = EXPR_MUL, .precedence = BIND_PRODUCT},
    {.spelling = "/", .op = EXPR_DIV, .precedence = BIND_PRODUCT},
    {.spelling = "//", .op = EXPR_FLOOR_DIV, .precedence = BIND_PRODUCT},
    {.spelling = "%", .op = EXPR_FLOOR_MOD, .precedence = BIND_PRODUCT},
    {.spelling = "|", .op = EXPR_CALL, .precedence = BIND_BIT_OR, .call = INTRIN_BITWISE_OR},
    {.spelling = "^", .op = EXPR_CALL, .precedence = BIND_BIT_XOR, .call = INTRIN_BITWISE_XOR},
    {.spelling = "&", .op = EXPR_CALL, .precedence = BIND_BIT_AND, .call = INTRIN_BITWISE_AND},
    {.spelling = "<<", .op = EXPR_CALL, .precedence = BIND_SHIFT, .call = INTRIN_SHIFT_LEFT},
    {.spelling = ">>", .op = EXPR_CALL, .precedence = BIND_SHIFT, .call = INTRIN_SHIFT_RIGHT},
};

// A table of nineteen rows: a search costs less than what is built from its answer.
const expr_operator *expr_operator_find(const token *t) {
    if (t->kind != TOKEN_OP && t->kind != TOKEN_NAME) return NULL;
    for (size_t i = 0; i < COUNT(operators); i++)
        if (token_is(t, operators[i].spelling)) return &operators[i];
    return NULL;
}

// Calls share rows (| and << are intrinsics), so EXPR_CALL is none of its own.
const expr_operator *expr_operator_of(expr_op op) {
    for (size_t i = 0; i < COUNT(operators) && op != EXPR_CALL; i++)
        if (operators[i].op == op) return &operators[i];
    return NULL;
}

// The first row of an operation is how it prints; those that print between operands are read as functions too.
static const struct {
    const char *name;
    expr_op op;
} functions[] = {
    {"max", EXPR_MAX},
    {"min", EXPR_MIN},
    {"Select", EXPR_SELECT},
    {"Cast", EXPR_CAST},
    {"Div", EXPR_TRUNC_DIV},
    {"truncmod", EXPR_TRUNC_MOD},
    {"Ramp", EXPR_RAMP},
    {"Broadcast", EXPR_BROADCAST},
    {"Shuffle", EXPR_SHUFFLE},
    {"Let", EXPR_LET},
    {"Add", EXPR_ADD},
    {"Sub", EXPR_SUB},
    {"Mul", EXPR_MUL},
    {"FloorDiv", EXPR_FLOOR_DIV},
    {"FloorMod", EXPR_FLOOR_MOD},
    {"EQ", EXPR_EQ},
    {"NE", EXPR_NE},
    {"LT", EXPR_LT},
    {"LE", EXPR_LE},
    {"GT", EXPR_GT},
    {"GE", EXPR_GE},
    {"And", EXPR_AND},
    {"Or", EXPR_OR},
    {"Not", EXPR_NOT},
    {"Max", EXPR_MAX},
    {"Min", EXPR_MIN},
    {"truncdiv", EXPR_TRUNC_DIV},
    {"Mod", EXPR_TRUNC_MOD},
    {"floordiv", EXPR_FLOOR_DIV},
    {"floormod", EXPR_FLOOR_MOD},
    {"cast", EXPR_CAST},
    {"ramp", EXPR_RAMP},
    {"broadcast", EXPR_BROADCAST},
};

// Every spelling of every version is read; one is printed.
// "T." is left out: the caller has taken it.
bool expr_op_by_function_name(const char *name, expr_op *op) {
    for (size_t i = 0; i < COUNT(functions); i++)
        if (!strcmp(functions[i].name, name)) return *op = functions[i].op, true;
    return false;
}

// NULL where an operator between the operands says it.
const char *expr_op_function_name(expr_op op) {
    if (expr_operator_of(op) || op == EXPR_NOT) return NULL;
    for (size_t i = 0; i < COUNT(functions); i++)
        if (functions[i].op == op) return functions[i].name;
    return NULL;
}
