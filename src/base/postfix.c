// postfix.c - writes, checks and runs integer programs in postfix form.
#include "base/postfix.h"
#include "base/bytes.h"
#include "base/size.h"
#include <inttypes.h>
#include <stdio.h>

static const postfix_info instruction[] = {
#define POSTFIX(NAME, text, pop, bytes, doc) [POSTFIX_##NAME] = {.spelling = text, .pops = pop, .operand_bytes = bytes},
#include "base/postfix.def"
};

const postfix_info *postfix_get(postfix_op op) { return &instruction[op]; }

size_t postfix_put(postfix_op op, int64_t operand, uint8_t out[POSTFIX_LONGEST]) {
    out[0] = (uint8_t)op;
    bytes_put(out + 1, (uint64_t)operand, instruction[op].operand_bytes);
    return 1u + instruction[op].operand_bytes;
}

size_t postfix_put_int(int64_t value, uint8_t out[POSTFIX_LONGEST]) {
    return postfix_put(value >= INT8_MIN && value <= INT8_MAX ? POSTFIX_SMALL : POSTFIX_CONST, value, out);
}

int64_t postfix_operand(const uint8_t *at) {
    uint64_t bits = bytes_get(at + 1, instruction[*at].operand_bytes);
    return *at == POSTFIX_SMALL ? (int8_t)bits : (int64_t)bits;
}

size_t postfix_size(const uint8_t *at) { return 1u + instruction[*at].operand_bytes; }

const char *postfix_word(const uint8_t *at, char out[POSTFIX_WORD]) {
    if (instruction[*at].operand_bytes)
        snprintf(out, POSTFIX_WORD, "%s%" PRId64, *at == POSTFIX_SLOT ? "s" : "", postfix_operand(at));
    else
        snprintf(out, POSTFIX_WORD, "%s", instruction[*at].spelling);
    return out;
}

// One pass over the bytes: every instruction leaves exactly one value, so the depth is known without running anything.
bool postfix_check(const uint8_t *program, size_t size, uint32_t slots) {
    size_t depth = 0, at = 0;
    if (size > POSTFIX_MAX_BYTES) return false;
    while (at < size) {
        uint8_t op = program[at];
        if (op >= POSTFIX_OPS || instruction[op].pops > depth || instruction[op].operand_bytes >= size - at)
            return false;
        if (op == POSTFIX_SLOT && postfix_operand(program + at) >= slots) return false;
        depth = depth - instruction[op].pops + 1;
        if (depth > POSTFIX_MAX_STACK) return false;
        at += postfix_size(program + at);
    }
    return depth == 1;
}

static postfix_result checked(bool fits) { return fits ? POSTFIX_DONE : POSTFIX_OVERFLOW; }

static postfix_result give(int64_t *out, int64_t value) { return *out = value, POSTFIX_DONE; }

// int_* refuse a zero divisor too; it is told apart here because its message is another.
static postfix_result divide(postfix_op op, int64_t a, int64_t b, int64_t *out) {
    if (!b) return POSTFIX_ZERO_DIVISOR;
    bool remainder = op == POSTFIX_FLOOR_MOD || op == POSTFIX_TRUNC_MOD;
    if (remainder && b == -1) return give(out, 0); // exact even for INT64_MIN
    if (op == POSTFIX_FLOOR_DIV) return checked(int_floor_div(a, b, out));
    if (op == POSTFIX_FLOOR_MOD) return checked(int_floor_mod(a, b, out));
    return checked(op == POSTFIX_TRUNC_DIV ? int_trunc_div(a, b, out) : int_trunc_mod(a, b, out));
}

// 2**63 is no int64; a right shift by 63 gives the sign.
static postfix_result shift(postfix_op op, int64_t a, int64_t by, int64_t *out) {
    bool left = op == POSTFIX_SHIFT_LEFT;
    if (by < 0 || by > (left ? 62 : 63)) return POSTFIX_OVERFLOW;
    return left ? checked(int_mul(a, (int64_t)1 << by, out)) : give(out, a >> by);
}

// in: the popped operands in the order they were pushed.
// `in` and `out` may be the same cells: each row reads before it writes.
static postfix_result apply(postfix_op op, const int64_t *in, int64_t *out) {
    switch (op) {
    case POSTFIX_CONST:
    case POSTFIX_SMALL:
    case POSTFIX_SLOT:
    case POSTFIX_OPS: break;
    case POSTFIX_ADD: return checked(int_add(in[0], in[1], out));
    case POSTFIX_SUB: return checked(int_sub(in[0], in[1], out));
    case POSTFIX_MUL: return checked(int_mul(in[0], in[1], out));
    case POSTFIX_FLOOR_DIV:
    case POSTFIX_FLOOR_MOD:
    case POSTFIX_TRUNC_DIV:
    case POSTFIX_TRUNC_MOD: return divide(op, in[0], in[1], out);
    case POSTFIX_MIN: return give(out, in[0] < in[1] ? in[0] : in[1]);
    case POSTFIX_MAX: return give(out, in[0] > in[1] ? in[0] : in[1]);
    case POSTFIX_EQ: return give(out, in[0] == in[1]);
    case POSTFIX_NE: return give(out, in[0] != in[1]);
    case POSTFIX_LT: return give(out, in[0] < in[1]);
    case POSTFIX_LE: return give(out, in[0] <= in[1]);
    case POSTFIX_AND: return give(out, in[0] && in[1]);
    case POSTFIX_OR: return give(out, in[0] || in[1]);
    case POSTFIX_NOT: return give(out, !in[0]);
    case POSTFIX_SELECT: return give(out, in[0] ? in[1] : in[2]);
    case POSTFIX_BIT_AND: return give(out, in[0] & in[1]);
    case POSTFIX_BIT_OR: return give(out, in[0] | in[1]);
    case POSTFIX_BIT_XOR: return give(out, in[0] ^ in[1]);
    case POSTFIX_SHIFT_LEFT:
    case POSTFIX_SHIFT_RIGHT: return shift(op, in[0], in[1], out);
    }
    return POSTFIX_OVERFLOW; // not reached: checked programs hold only the instructions above
}

// How long operands are, as constants: reading one is a load then.
enum {
#define POSTFIX(NAME, text, pop, bytes, doc) NAME##_BYTES = bytes,
#include "base/postfix.def"
};

// No bounds are looked at here: postfix_check has proved them for every run.
postfix_result postfix_run(const uint8_t *program, size_t size, const int64_t *slot, int64_t *out) {
    int64_t stack[POSTFIX_MAX_STACK + 1], *top = stack; // top: the first free cell
    for (const uint8_t *at = program, *end = program + size; at < end;) {
        postfix_op op = *at++;
        if (op == POSTFIX_SLOT) {
            *top++ = slot[bytes_get(at, SLOT_BYTES)];
            at += SLOT_BYTES;
        } else if (op == POSTFIX_SMALL) {
            *top++ = (int8_t)*at;
            at += SMALL_BYTES;
        } else if (op == POSTFIX_CONST) {
            *top++ = (int64_t)bytes_get(at, CONST_BYTES);
            at += CONST_BYTES;
        } else {
            top -= instruction[op].pops;
            postfix_result result = apply(op, top, top);
            if (result != POSTFIX_DONE) return result;
            top++;
        }
    }
    *out = stack[0];
    return POSTFIX_DONE;
}
