// messages.c - builtins that say something: what R.print prints, and why R.assert_op failed.
#define _POSIX_C_SOURCE 200809L
#include "vm/builtins.h"
#include "vm/context.h"
#include "vm/instructions.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- values as text, in the words of `relax eval` ----

enum { PRINT_MOST = 8 }; // elements

static void put_tensor(FILE *out, const tensor *t) {
    char number[32];
    int64_t count = tensor_count(t);
    if (t->rank) fputc('[', out);
    for (int64_t i = 0; i < count && i < PRINT_MOST; i++) {
        if (i) fputs(", ", out);
        fputs(dtype_spell_number(t->type, tensor_get_int(t, (size_t)i), tensor_get_float(t, (size_t)i), number), out);
    }
    if (count > PRINT_MOST) fputs(", ...", out);
    if (t->rank) fputc(']', out);
}

static void put_prim(FILE *out, const vm_value *v) {
    char number[32];
    dtype t = prim_dtype(v);
    double f = dtype_is_float(t) ? dtype_decode_float(t, (uint64_t)v->bits) : 0;
    fputs(dtype_spell_number(t, v->bits, f, number), out);
}

static void put_shape(FILE *out, const vm_shape *s) {
    fputc('(', out);
    for (uint32_t i = 0; i < s->rank; i++) fprintf(out, "%s%" PRId64, i ? ", " : "", s->dim[i]);
    fputc(')', out);
}

static void put_value(FILE *out, const vm_value *v) {
    switch ((vm_kind)v->kind) {
    case VM_NULL: fputs("nothing", out); return;
    case VM_PRIM: put_prim(out, v); return;
    case VM_TENSOR: put_tensor(out, &tensor_object(v)->t); return;
    case VM_STORAGE: fputs("a storage", out); return;
    case VM_SHAPE: put_shape(out, (const vm_shape *)v->obj); return;
    case VM_STRING: fwrite(((const vm_string *)v->obj)->bytes, 1, ((const vm_string *)v->obj)->size, out); return;
    case VM_TUPLE: fputs("a tuple", out); return;
    case VM_LIST: fputs("a list", out); return;
    case VM_CLOSURE: fputs("a function", out); return;
    }
}

// Python's format: each {} is the next value. An empty one puts all, separated by blanks.
static void put_filled(FILE *out, const char *format, const vm_tuple *values) {
    uint32_t next = 0;
    for (uint32_t i = 0; !*format && i < values->count; i++) {
        if (i) fputc(' ', out);
        put_value(out, &values->item[i]);
    }
    for (const char *at = format; *at;) {
        if (at[0] == '{' && at[1] == '}' && next < values->count)
            put_value(out, &values->item[next++]), at += 2;
        else
            fputc(*at++, out);
    }
}

// The text of a format and a tuple, from malloc.
static rx_status fill(rx_context *c, const char *name, const vm_value *format, const vm_value *values, char **text) {
    size_t size;
    *text = NULL;
    if (format->kind != VM_STRING || values->kind != VM_TUPLE)
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s: want a string and a tuple, got %s and %s", here(c), name,
                       kind_name(format->kind), kind_name(values->kind));
    FILE *out = open_memstream(text, &size);
    if (out) put_filled(out, ((const vm_string *)format->obj)->bytes, (const vm_tuple *)values->obj);
    bool whole = out && !ferror(out);
    if (out && fclose(out) == 0 && whole) return RX_OK;
    free(*text);
    return vm_no_memory(c);
}

// ---- the builtins ----

// One write, so that lines of several threads don't mix. Standard output is the program's.
rx_status vm_print(rx_context *c, const vm_value *const *arg, vm_value *out) {
    char *line;
    (void)out;
    RX_TRY(fill(c, "vm.print", arg[0], arg[1], &line));
    fprintf(stderr, "%s\n", line);
    free(line);
    return RX_OK;
}

// One bool, in a tensor without dims or as a scalar.
static bool condition_of(const vm_value *v, bool *holds) {
    const tensor *t = v->kind == VM_TENSOR ? &tensor_object(v)->t : NULL;
    bool fits = t ? t->rank == 0 && !dtype_is_float(t->type) : v->kind == VM_PRIM && !dtype_is_float(prim_dtype(v));
    if (fits) *holds = (t ? tensor_get_int(t, 0) : v->bits) != 0;
    return fits;
}

rx_status vm_assert(rx_context *c, const vm_value *const *arg, vm_value *out) {
    bool holds;
    char *why;
    (void)out;
    if (!condition_of(arg[0], &holds))
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: assert_op: want one bool as the condition", here(c));
    if (holds) return RX_OK;
    RX_TRY(fill(c, "vm.assert", arg[1], arg[2], &why));
    vm_fail(c, RX_INVALID_ARGUMENT, "%s: assertion failed%s%s", here(c), *why ? ": " : "", why);
    free(why);
    return RX_INVALID_ARGUMENT;
}
