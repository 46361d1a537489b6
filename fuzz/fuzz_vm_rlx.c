// fuzz_vm_rlx.c - .rlx files: any bytes (with their checksums made right) are refused or run without harm. Kernels are
// not run.
#include "exec/format.h"
#include "relax/runtime.h"
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 8 << 20, STEPS = 2000, FUNCTIONS = 8, ARGUMENTS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// One of each kind; their references are the caller's.
static void make_arguments(rx_value *out[ARGUMENTS]) {
    memset(out, 0, ARGUMENTS * sizeof *out);
    (void)!rx_tensor_new("float32", 2, (int64_t[]){3, 4}, NULL, &out[0]);
    (void)!rx_shape_new(1, (int64_t[]){5}, &out[1]);
    (void)!rx_int_new("int64", 2, &out[2]);
    (void)!rx_tuple_new(out, 2, &out[3]);
}

static void call_functions(rx_executable *e, rx_context *c, rx_value *const arg[ARGUMENTS]) {
    for (uint32_t i = 0; i < rx_executable_function_count(e) && i < FUNCTIONS; i++) {
        const char *name = rx_executable_function_name(e, i);
        uint32_t count = rx_executable_param_count(e, name);
        for (uint32_t first = 0; first < ARGUMENTS; first++) {
            rx_value *given[ARGUMENTS], *out = NULL;
            for (uint32_t k = 0; k < ARGUMENTS; k++) given[k] = arg[(first + k) % ARGUMENTS];
            if (count <= ARGUMENTS) (void)!rx_context_call_number(c, i, given, count, &out);
            rx_value_release(out);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *bytes = aligned_alloc(64, size / 64 * 64 + 64);
    rx_value *arg[ARGUMENTS];
    rx_executable *e = NULL;
    rx_context *c = NULL;
    rx_context_options o = {
        .struct_size = sizeof o, .device = "dry-run", .threads = 1, .memory_limit = MEMORY, .step_limit = STEPS};
    if (!bytes) return 0;
    if (size) memcpy(bytes, data, size);
    format_seal(bytes, size);
    make_arguments(arg);
    if (rx_executable_load_memory(bytes, size, NULL, &e, NULL) == RX_OK && rx_context_new(e, &o, &c, NULL) == RX_OK)
        call_functions(e, c, arg);
    rx_context_release(c);
    rx_executable_release(e);
    for (int i = 0; i < ARGUMENTS; i++) rx_value_release(arg[i]);
    free(bytes);
    return 0;
}
