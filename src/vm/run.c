// run.c - the loop over instructions, and calls between functions of the file.
#include "base/count_noun.h"
#include "base/size.h"
#include "vm/frames.h"
#include "vm/instructions.h"
#include "vm/program_text.h"

// The slow half of vm_eval (context.h), which handles constants and plain slots itself. A product that doesn't fit is
// left to the interpreter, which says so.
rx_status vm_eval_more(rx_context *c, const exec_program *p, const int64_t *s, int64_t *out) {
    char text[2 * VM_PROGRAM_TEXT];
    if (p->kind == PROGRAM_AT_MOST) return *out = s[p->slot] <= p->value, RX_OK;
    if (p->kind == PROGRAM_TIMES && int_mul(s[p->slot], p->value, out)) return RX_OK;
    postfix_result result = postfix_run(p->bytes.at, p->bytes.size, s, out);
    if (result == POSTFIX_DONE) return RX_OK;
    vm_program_text(c, p, s, result == POSTFIX_OVERFLOW ? "leaves the range of int64" : "divides by zero", text);
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s", here(c), text);
}

// Counts towards the limit of a call; no limit is the largest number.
static rx_status step(rx_context *c, uint32_t count) {
    c->steps += count;
    if (c->steps <= c->step_limit) return RX_OK;
    return vm_fail(c, RX_CANCELLED, "%s: stopped at the limit of %llu instructions", here(c),
                   (unsigned long long)c->step_limit);
}

// Where programs turn back and before what takes time, so that a cancellation is noticed soon.
static rx_status check_cancelled(rx_context *c) {
    if (atomic_load_explicit(&c->cancelled, memory_order_relaxed)) return vm_fail(c, RX_CANCELLED, "cancelled");
    return RX_OK;
}

// Pushes a frame for `function` with copies of the caller's registers `arg` as its first parameters, then of `more`.
static rx_status enter(rx_context *c, uint32_t function, uint32_t result, const uint32_t *arg, uint32_t args,
                       const vm_tuple *more) {
    RX_TRY(check_cancelled(c));
    RX_TRY(step(c, args));
    uint32_t from = frame_top(c)->registers;
    RX_TRY(frame_push(c, function));
    frame_top(c)->result = result;
    vm_value *r = frame_registers(c), *caller = c->reg + from;
    for (uint32_t i = 0; i < args; i++) r[i] = value_retain(caller[arg[i]]);
    for (uint32_t i = 0; more && i < more->count; i++) r[args + i] = value_retain(more->item[i]);
    return vm_match_params(c, frame_top(c)->function, frame_slots(c), r, NULL);
}

// The arity is known only now: a closure is a value.
static rx_status invoke(rx_context *c, const uint32_t *code, const vm_value *r) {
    const vm_value *v = &r[code[2]];
    if (v->kind != VM_CLOSURE) return fail_register(c, code, code[2], v, VM_CLOSURE);
    const vm_tuple *closure = (const vm_tuple *)v->obj;
    uint32_t params = c->exe->function[closure->function].params;
    if (code[3] + closure->count != params)
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: a function is called with %s, wants %u", here(c),
                       COUNTED(code[3], "argument"), params - closure->count);
    return enter(c, closure->function, code[1], code + 4, code[3], closure);
}

// The value is kept when the function returns (leave); until then a second `cached` with this number would run it
// again.
static rx_status call_cached(rx_context *c, const uint32_t *code, vm_value *r) {
    vm_value *kept = &c->cached[code[3]];
    if (kept->kind != VM_NULL) {
        set_register(c, &r[code[1]], value_retain(*kept));
        return RX_OK;
    }
    RX_TRY(enter(c, code[2], code[1], NULL, 0, NULL));
    frame_top(c)->kind = FRAME_CACHED;
    frame_top(c)->number = code[3];
    return RX_OK;
}

// An observer wants to see every piece of work, so nothing is replayed behind its back.
static rx_status call_captured(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    vm_capture *entry;
    bool hit;
    if (c->observer) return enter(c, code[2], code[1], code + 5, code[4], NULL);
    RX_TRY(capture_begin(c, code, r, s, &entry, &hit));
    if (hit) {
        RX_TRY(capture_replay(c, entry));
        set_register(c, &r[code[1]], value_retain(entry->result));
        return RX_OK;
    }
    rx_status status = enter(c, code[2], code[1], code + 5, code[4], NULL);
    if (status != RX_OK) {
        c->recording = NULL;
        capture_free(c, entry);
        return status;
    }
    frame_top(c)->kind = FRAME_CAPTURE;
    frame_top(c)->capture = entry;
    return RX_OK;
}

// Leaves the top frame with a result (taken over): into the caller's register, or out of the loop (*done).
static rx_status leave(rx_context *c, vm_value v, uint32_t bottom, vm_value *result, bool *done) {
    vm_frame f = *frame_top(c);
    frame_pop(c);
    rx_status status = RX_OK;
    if (f.kind == FRAME_CAPTURE) status = capture_end(c, f.capture, &v);
    if (f.kind == FRAME_CACHED) set_register(c, &c->cached[f.number], value_retain(v));
    if (c->frames == bottom) {
        *result = v;
        *done = true;
    } else if (f.result != NO_REGISTER) {
        set_register(c, frame_registers(c) + f.result, v);
    } else {
        value_release(c->heap, &v);
    }
    return status;
}

static rx_status jump(rx_context *c, uint32_t to) {
    frame_top(c)->pc = to;
    return check_cancelled(c);
}

// The only test an unobserved program pays for observation.
static rx_status work(rx_context *c, instruction *run, const uint32_t *code, vm_value *r, int64_t *s) {
    return c->observer ? observed(c, run, code, r, s) : run(c, code, r, s);
}

// While a kernel runs, the tensors of the next one are asked for: weights were last looked at a step ago. Goes on where
// conditions hold; a guess that is wrong costs nothing. Launches of a step of SmolLM2 wait 35 us less.
static void ask_ahead(const uint32_t *start, const uint32_t *code, const vm_value *r) {
    enum { AHEAD = 12, WORDS = 48, LINE = 16, LINES = 8 };
    for (int i = 0; i < LINES; i++) __builtin_prefetch(code + WORDS + i * LINE);
    for (int i = 0; i < AHEAD && (code[0] & 0xff) != OP_RET; i++) {
        code = (code[0] & 0xff) == OP_GOTO ? start + code[1] : code + op_words(code[0]);
        if ((code[0] & 0xff) != OP_LAUNCH) continue;
        for (uint32_t k = 0; k < code[2]; k++) value_ask(&r[code[3 + k]]);
        return;
    }
}

// A move: the register is null afterwards, and no count is touched.
static vm_value take(vm_value *r) {
    vm_value v = *r;
    r->kind = VM_NULL;
    return v;
}

// Runs the top frame until it returns. What the loop changes about frames makes it reload its pointers (`again`).
static rx_status loop(rx_context *c, uint32_t bottom, vm_value *result) {
    const executable *e = c->exe;
    int64_t x;
    bool yes, done = false;
again:;
    const uint32_t *start = e->code + e->function[frame_top(c)->function].code, *code = start + frame_top(c)->pc;
    vm_value *r = frame_registers(c);
    int64_t *s = frame_slots(c);
    for (;; code += op_words(code[0])) {
        RX_TRY(step(c, 1));
        switch ((opcode)(code[0] & 0xff)) {
        case OP_CONST: set_register(c, &r[code[1]], value_retain(c->constant[code[2]])); break;
        case OP_COPY: set_register(c, &r[code[1]], value_retain(r[code[2]])); break;
        // What dies here gives its memory to the next allocation; the planner puts it behind the last use.
        case OP_KILL:
            for (uint32_t i = 0; i < code[1]; i++) value_release(c->heap, &r[code[2 + i]]);
            break;
        case OP_SLOT: RX_TRY(vm_eval(c, code[2], s, &s[code[1]])); break;
        case OP_SLOT_PRIM:
            if (r[code[2]].kind != VM_PRIM) return fail_register(c, code, code[2], &r[code[2]], VM_PRIM);
            s[code[1]] = r[code[2]].bits;
            break;
        case OP_PRIM:
            RX_TRY(vm_eval(c, code[3], s, &x));
            set_register(c, &r[code[1]], prim_value(op_dtype_of(code[2]), x));
            break;
        case OP_SHAPE: RX_TRY(do_shape(c, code, r, s)); break;
        case OP_TUPLE: RX_TRY(do_tuple(c, code, r, s)); break;
        case OP_ITEM: RX_TRY(do_item(c, code, r, s)); break;
        case OP_ALLOC_STORAGE: RX_TRY(do_alloc_storage(c, code, r, s)); break;
        case OP_ALLOC_TENSOR: RX_TRY(do_alloc_tensor(c, code, r, s)); break;
        case OP_RESHAPE: RX_TRY(do_reshape(c, code, r, s)); break;
        case OP_VIEW: RX_TRY(do_view(c, code, r, s)); break;
        case OP_MATCH:
            RX_TRY(vm_match(c, frame_top(c)->function, s, code[2], &r[code[1]],
                            (const char *)e->constant[code[3]].bytes.at));
            break;
        case OP_ASSERT: RX_TRY(do_assert(c, code, r, s)); break;
        case OP_LAUNCH:
            RX_TRY(check_cancelled(c));
            ask_ahead(start, code, r);
            RX_TRY(work(c, do_launch, code, r, s));
            break;
        case OP_BUILTIN: RX_TRY(work(c, do_builtin, code, r, s)); break;
        case OP_EXTERN: RX_TRY(work(c, do_extern, code, r, s)); break;
        case OP_CLOSURE: RX_TRY(do_closure(c, code, r, s)); break;
        // The frame arrays may move when a frame is pushed: every way into a function ends in `again`.
        case OP_CALL:
            frame_top(c)->pc = (uint32_t)(code - start) + op_words(code[0]);
            RX_TRY(enter(c, code[2], code[1], code + 4, code[3], NULL));
            goto again;
        case OP_INVOKE:
            frame_top(c)->pc = (uint32_t)(code - start) + op_words(code[0]);
            RX_TRY(invoke(c, code, r));
            goto again;
        case OP_CACHED:
            frame_top(c)->pc = (uint32_t)(code - start) + op_words(code[0]);
            RX_TRY(call_cached(c, code, r));
            goto again;
        case OP_CAPTURE:
            frame_top(c)->pc = (uint32_t)(code - start) + op_words(code[0]);
            RX_TRY(call_captured(c, code, r, s));
            goto again;
        case OP_GOTO: RX_TRY(jump(c, code[1])); goto again;
        case OP_IF:
            RX_TRY(read_condition(c, &r[code[1]], &yes));
            if (yes) break;
            RX_TRY(jump(c, code[2]));
            goto again;
        case OP_WHEN:
            RX_TRY(vm_eval(c, code[1], s, &x));
            if (x) break;
            RX_TRY(jump(c, code[2]));
            goto again;
        case OP_RET:
            RX_TRY(leave(c, take(&r[code[1]]), bottom, result, &done));
            if (done) return RX_OK;
            goto again;
        // No instruction: the verifier has refused the file.
        case OPCODES: break;
        }
    }
}

// Drops all frames above `bottom` after a failure.
static void unwind(rx_context *c, uint32_t bottom) {
    while (c->frames > bottom) {
        vm_frame f = *frame_top(c);
        if (f.kind == FRAME_CAPTURE) {
            c->recording = NULL;
            capture_free(c, f.capture);
        }
        frame_pop(c);
    }
}

// A call from outside: enter, fill vm_parameters, then finish or abandon.
rx_status vm_enter(rx_context *c, uint32_t function) {
    c->steps = 0;
    return frame_push(c, function);
}

vm_value *vm_parameters(rx_context *c) { return frame_registers(c); }

void vm_abandon(rx_context *c) { frame_pop(c); }

// The top frame is the only one of the call. It goes on all ways: popped by leave after success, by unwind after a
// failure.
static rx_status finish(rx_context *c, rx_status matched, vm_value *result) {
    uint32_t bottom = c->frames - 1;
    rx_status status = matched == RX_OK ? loop(c, bottom, result) : matched;
    if (status == RX_OK) return RX_OK;
    unwind(c, bottom);
    value_release(c->heap, result);
    return status;
}

static rx_status match_top(rx_context *c, uint8_t *accepted) {
    return vm_match_params(c, frame_top(c)->function, frame_slots(c), frame_registers(c), accepted);
}

rx_status vm_finish(rx_context *c, uint8_t *accepted, vm_value *result) {
    return finish(c, match_top(c, accepted), result);
}

rx_status vm_match_top(rx_context *c) { return match_top(c, NULL); }

rx_status vm_finish_matched(rx_context *c, vm_value *result) { return finish(c, RX_OK, result); }
