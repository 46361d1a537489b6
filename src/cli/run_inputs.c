// run_inputs.c - arguments from the command line into a context, and the parts of a result by name.
#include "cli/run_inputs.h"
#include "base/map.h"
#include "base/text.h"
#include "checkpoint/npz.h"
#include "vm/vm.h"
#include <string.h>

const char *run_input_name(const cli_args *a, const char *spelling, const char **value) {
    size_t size = strcspn(spelling, "=@([' \""); // a name may have letters of any script
    bool named = size && spelling[size] == '=';
    *value = named ? spelling + size + 1 : spelling;
    return named ? arena_copy(a->mem, spelling, size) : NULL;
}

// Each input has a seed of its own that does not depend on the order of the command line.
static uint64_t seed_of(const run_inputs *r, const char *name, uint32_t position) {
    uint64_t own = name ? hash_bytes(name, strlen(name), 0) : position;
    return r->seed + own;
}

// A name among the inputs before this one: which of the two is meant can't be known.
static bool given_before(const run_inputs *r, const char *name, uint32_t count) {
    const char *value, *const *input = cli_values(r->a, "input", &(uint32_t){0});
    for (uint32_t i = 0; i < count; i++) {
        const char *other = run_input_name(r->a, input[i], &value);
        if (name && other && strcmp(name, other) == 0) return true;
    }
    return false;
}

const char *run_input_reason(const char *why, const char *value) {
    size_t size = strlen(value);
    if (*value == '@' && strncmp(why, value, size) != 0) value++, size--;
    return strncmp(why, value, size) == 0 && strncmp(why + size, ": ", 2) == 0 ? why + size + 2 : why;
}

static int set_input(const run_inputs *r, const char *spelling, uint32_t *position) {
    char why[RX_MESSAGE];
    const char *value, *name = run_input_name(r->a, spelling, &value);
    rx_value *v = NULL;
    if (rx_value_parse(value, seed_of(r, name, *position), &v, why) != RX_OK)
        return cli_error("--input %s: %s", spelling, run_input_reason(why, value));
    rx_status status = name ? rx_context_set_input_by_name(r->context, r->func, name, v)
                            : rx_context_set_input(r->context, r->func, (*position)++, v);
    rx_value_release(v);
    return status == RX_OK ? CLI_DONE : cli_error("%s", rx_context_message(r->context));
}

static int set_member(const run_inputs *r, npz *archive, const char *name) {
    char why[FILE_WHY];
    tensor *t = NULL;
    rx_value *v = NULL;
    if (npz_read(archive, name, &t, why) != RX_OK) return cli_error("%s", why);
    rx_status status = vm_value_of_tensor(t, &v);
    tensor_release(t);
    if (status != RX_OK) return cli_error("out of memory");
    status = rx_context_set_input_by_name(r->context, r->func, name, v);
    rx_value_release(v);
    return status == RX_OK ? CLI_DONE : cli_error("%s", rx_context_message(r->context));
}

// "@inputs.npz": each array for the parameter of its name.
static int set_archive(const run_inputs *r, const char *path) {
    char why[FILE_WHY];
    npz *archive = NULL;
    int code = npz_open(path, &archive, why) == RX_OK ? CLI_DONE : cli_error("%s", why);
    for (size_t i = 0; code == CLI_DONE && i < npz_count(archive); i++)
        code = set_member(r, archive, npz_name(archive, i));
    npz_close(archive);
    return code;
}

// Positions count only inputs without a name.
int run_inputs_set(const run_inputs *r) {
    uint32_t count, position = 0;
    const char *const *input = cli_values(r->a, "input", &count);
    int code = CLI_DONE;
    for (uint32_t i = 0; i < count && code == CLI_DONE; i++) {
        const char *value, *name = run_input_name(r->a, input[i], &value);
        if (given_before(r, name, i)) return cli_error("--input %s: %s is given twice", input[i], name);
        bool archive = *value == '@' && text_ends(value, ".npz");
        if (archive && name) return cli_error("--input %s: an archive has names of its own: @FILE.npz", input[i]);
        code = archive ? set_archive(r, value + 1) : set_input(r, input[i], &position);
    }
    return code;
}

int run_failed(const rx_context *context, const char *path, const char *verb) {
    const char *why = rx_context_message(context), *colon = path ? ": " : "";
    bool unset = strstr(why, " is not set: want ");
    if (!path) path = "";
    return unset ? cli_error("%s%s%s; --input NAME=VALUE gives it (`relax %s --help`)", path, colon, why, verb)
                 : cli_error("%s%s%s", path, colon, why);
}

// out0, out1.0, out1.1: fields of tuples by their place, "out0" where the result is no tuple.
static void flatten(arena *mem, const char *name, rx_value *v, value_list *out) {
    if (rx_value_kind(v) != RX_TUPLE) {
        VEC_PUSH(mem, out, ((named_value){name, rx_value_retain(v)}));
        return;
    }
    for (uint32_t i = 0; i < rx_value_count(v); i++) {
        rx_value *item = NULL;
        if (rx_value_item(v, i, &item) != RX_OK) continue;
        const char *dot = strcmp(name, "out") == 0 ? "" : ".";
        flatten(mem, arena_format(mem, "%s%s%u", name, dot, i), item, out);
        rx_value_release(item);
    }
}

value_list run_results(arena *mem, rx_value *result) {
    value_list list = {0};
    flatten(mem, rx_value_kind(result) == RX_TUPLE ? "out" : "out0", result, &list);
    return list;
}

void run_results_release(value_list *list) {
    for (uint32_t i = 0; i < list->len; i++) rx_value_release(list->at[i].v);
    list->len = 0;
}
