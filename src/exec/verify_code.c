// verify_code.c - bytecode: instructions whole and known, operands in range, jumps to instructions, no way out but
// `ret`.
#include "exec/verify.h"
#include <string.h>

// One function on its way through the checks.
typedef struct walk {
    verifier *v;
    const exec_function *f;
    const char *name;
    const uint32_t *code;
    uint8_t *starts; // a bit per word: an instruction begins here
    uint32_t at;     // of the instruction that is checked
} walk;

// "main+12: register 9 of 4": the function, the word, what is wrong.
static bool fail(walk *w, const char *what, uint32_t value, uint32_t limit) {
    return verify_fail(w->v, "%s+%u: %s %u of %u", w->name, w->at, what, value, limit);
}

static bool below(walk *w, const char *what, uint32_t value, uint32_t limit) {
    return value < limit || fail(w, what, value, limit);
}

static bool check_import_operand(walk *w, uint32_t i, exec_import_kind kind) {
    const executable *e = w->v->e;
    return below(w, "import", i, e->imports) && (e->import[i].kind == kind || fail(w, "import of another kind:", i, 0));
}

// A program may read only slots that the frame has.
static bool check_program_operand(walk *w, uint32_t i) {
    const executable *e = w->v->e;
    return below(w, "program", i, e->programs) &&
           (e->program[i].slots <= w->f->slots || fail(w, "slots needed:", e->program[i].slots, w->f->slots));
}

static bool check_dtype_operand(walk *w, uint32_t word) {
    dtype t = op_dtype_of(word);
    return (word >> 24) == 0 && t.kind > DTYPE_VOID && t.kind < DTYPE_KINDS ? true
                                                                            : fail(w, "dtype", word, DTYPE_KINDS);
}

static bool check_annotation_operand(walk *w, uint32_t i) {
    if (!below(w, "annotation", i, w->v->e->annotations)) return false;
    uint32_t needed = w->v->facts[i].slots;
    return needed <= w->f->slots || fail(w, "slots needed:", needed, w->f->slots);
}

// One operand by its letter in opcodes.def. Jumps are checked when all starts are known.
static bool check_operand(walk *w, char letter, uint32_t word) {
    const executable *e = w->v->e;
    switch (letter) {
    case 'v': return word == NO_REGISTER || below(w, "register", word, w->f->registers);
    case 'd':
    case 'r': return below(w, "register", word, w->f->registers);
    case 'c': return below(w, "constant", word, e->constants);
    case 'p': return check_program_operand(w, word);
    case 'f': return below(w, "function", word, e->functions);
    case 'k': return below(w, "kernel", word, e->kernels);
    case 'b': return check_import_operand(w, word, IMPORT_BUILTIN);
    case 'x': return check_import_operand(w, word, IMPORT_EXTERNAL);
    case 'a': return check_annotation_operand(w, word);
    case 't': return check_dtype_operand(w, word);
    case 's': return below(w, "slot", word, w->f->slots);
    case 'i': return below(w, "number", word, EXEC_MAX_CACHES);
    default: return true; // j
    }
}

// The operands of the instruction at w->at against its pattern; they must fill its words exactly.
static bool check_operands(walk *w, uint32_t words) {
    const uint32_t *code = w->code + w->at;
    uint32_t at = 1;
    for (const char *p = opcode_get((opcode)(code[0] & 0xff))->operands; *p; p++) {
        bool list = *p == '*';
        p += list;
        if (list && at >= words) return fail(w, "operands:", at, words);
        uint32_t count = list ? code[at++] : 1;
        if (count > words - at) return fail(w, "operands:", at, words);
        for (uint32_t i = 0; i < count; i++, at++)
            if (!check_operand(w, *p, code[at])) return false;
    }
    return at == words || fail(w, "operands:", at, words);
}

static bool check_count(walk *w, const char *what, uint32_t got, uint32_t want) {
    return got == want || verify_fail(w->v, "%s+%u: %u %s, want %u", w->name, w->at, got, what, want);
}

// What else must hold for some instructions, whose operands are known to be in range.
static bool check_meaning(walk *w) {
    executable *e = w->v->e;
    const uint32_t *code = w->code + w->at;
    opcode op = (opcode)(code[0] & 0xff);
    const uint32_t *last = code + op_words(code[0]);
    if (op == OP_LAUNCH) {
        const exec_kernel *k = &e->kernel[code[1]];
        return check_count(w, "buffers", code[2], k->buffers) &&
               check_count(w, "scalars", code[3 + code[2]], k->scalars);
    }
    if (op == OP_CALL) return check_count(w, "arguments", code[3], e->function[code[2]].params);
    if (op == OP_CLOSURE && code[3] > e->function[code[2]].params)
        return fail(w, "captured values:", code[3], e->function[code[2]].params);
    if (op == OP_CACHED || op == OP_CAPTURE) {
        if (code[3] >= e->caches) e->caches = code[3] + 1;
        return check_count(w, "arguments", op == OP_CAPTURE ? code[4] : 0, e->function[code[2]].params);
    }
    uint32_t rank_at = op == OP_ALLOC_TENSOR || op == OP_VIEW ? 5 : op == OP_RESHAPE ? 3 : op == OP_SHAPE ? 2 : 0;
    if (rank_at) return code[rank_at] <= TENSOR_MAX_RANK || fail(w, "rank", code[rank_at], TENSOR_MAX_RANK);
    if (op == OP_MATCH || op == OP_ASSERT) {
        uint32_t c = last[-1];
        return e->constant[c].kind == CONSTANT_STRING || fail(w, "not a string: constant", c, e->constants);
    }
    return true;
}

// Whole and known first; then the operands are looked at.
static bool check_instruction(walk *w) {
    uint32_t word = w->code[w->at], words = op_words(word), left = w->f->words - w->at;
    if ((word & 0xff) >= OPCODES) return fail(w, "opcode", word & 0xff, OPCODES);
    if (!words || words > left || words > OP_MAX_WORDS) return fail(w, "instruction words:", words, left);
    w->starts[w->at / 8] |= (uint8_t)(1u << w->at % 8);
    return check_operands(w, words) && check_meaning(w);
}

// Where instruction `code` may jump to, or NULL.
static const uint32_t *jump_of(const uint32_t *code) {
    const char *operands = opcode_get((opcode)(code[0] & 0xff))->operands;
    return operands[strlen(operands) - 1] == 'j' ? code + op_words(code[0]) - 1 : NULL;
}

// When all starts are known: a jump into the middle of an instruction would run its operands.
static bool check_jumps(walk *w) {
    for (w->at = 0; w->at < w->f->words; w->at += op_words(w->code[w->at])) {
        const uint32_t *to = jump_of(w->code + w->at);
        if (!to) continue;
        if (!below(w, "jump to", *to, w->f->words)) return false;
        if (!(w->starts[*to / 8] >> *to % 8 & 1)) return fail(w, "jump into an instruction:", *to, w->f->words);
    }
    return true;
}

// The last instruction must not fall off the end.
static bool check_function_code(walk *w) {
    opcode last = OPCODES;
    for (w->at = 0; w->at < w->f->words; w->at += op_words(w->code[w->at])) {
        if (!check_instruction(w)) return false;
        last = (opcode)(w->code[w->at] & 0xff);
    }
    if (last != OP_RET && last != OP_GOTO)
        return verify_fail(w->v, "%s: its code does not end in ret or goto", w->name);
    return check_jumps(w);
}

// One bitmap serves all functions; its size is that of the whole code.
bool verify_code(verifier *v, memory_blocks *mem) {
    executable *e = v->e;
    e->caches = 0;
    uint8_t *starts = blocks_take(mem, e->words / 8 + 1, 1);
    if (!starts) {
        verify_fail(v, "no memory to check the code");
        v->status = RX_OUT_OF_MEMORY;
        return false;
    }
    for (uint32_t i = 0; i < e->functions; i++) {
        const exec_function *f = &e->function[i];
        memset(starts, 0, f->words / 8 + 1);
        walk w = {.v = v, .f = f, .name = exec_string(e, f->name), .code = e->code + f->code, .starts = starts};
        if (!check_function_code(&w)) return false;
    }
    return true;
}
