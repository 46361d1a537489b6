// print_const.c - R.const(...): tensors as nested lists.
#include "text/printer.h"
#include <inttypes.h>
#include <math.h>

static void put_float(text *out, double value) {
    if (isnan(value) || isinf(value)) {
        text_format(out, "float(\"%s\")", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    size_t from = out->len;
    text_put_double(out, value);
    for (size_t i = from; i < out->len; i++)
        if (out->at[i] == '.' || out->at[i] == 'e') return;
    text_put(out, ".0");
}

static void put_element(text *out, const tensor *t, size_t i) {
    dtype_family family = dtype_family_of(t->type);
    if (family == FAMILY_FLOAT)
        put_float(out, tensor_get_float(t, i));
    else if (family == FAMILY_BOOL)
        text_put(out, tensor_get_int(t, i) ? "True" : "False");
    else if (family == FAMILY_UINT)
        text_format(out, "%" PRIu64, (uint64_t)tensor_get_int(t, i));
    else
        text_format(out, "%" PRId64, tensor_get_int(t, i));
}

// The rank bounds the depth.
static void put_level(text *out, const tensor *t, uint32_t level, size_t *next) {
    if (level == t->rank) {
        put_element(out, t, (*next)++);
        return;
    }
    text_put_char(out, '[');
    for (int64_t i = 0; i < t->dim[level]; i++) {
        if (i) text_put(out, ", ");
        put_level(out, t, level + 1, next);
    }
    text_put_char(out, ']');
}

// Do the lists lose a dim? [] is all there is of (0, 3).
static bool loses_dims(const tensor *t) {
    for (uint32_t i = 0; i + 1 < t->rank; i++)
        if (t->dim[i] == 0) return true;
    return false;
}

void put_constant(printer *p, const tensor *t) {
    size_t next = 0;
    char type[32];
    text_put(p->out, "R.const(");
    put_level(p->out, t, 0, &next);
    text_format(p->out, ", \"%s\"", dtype_spell(t->type, type));
    if (loses_dims(t)) {
        text_put(p->out, ", shape=[");
        for (uint32_t i = 0; i < t->rank; i++) text_format(p->out, "%s%" PRId64, i ? ", " : "", t->dim[i]);
        text_put_char(p->out, ']');
    }
    text_put_char(p->out, ')');
}
