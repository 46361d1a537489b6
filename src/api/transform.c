// transform.c - a compiled module in memory, run once with two external functions that give and take weights.
#include "api/transform.h"
#include "vm/vm.h"
#include <stdio.h>

static bool index_of(rx_call *call, int64_t *out) {
    return rx_value_int(rx_call_arg(call, 0), out) == RX_OK && *out >= 0 && *out < UINT32_MAX;
}

static rx_status get_item(void *user, rx_call *call) {
    const driver_items *items = user;
    char why[DRIVER_WHY] = "";
    int64_t index;
    tensor *t;
    rx_value *v = NULL;
    if (!index_of(call, &index)) return rx_call_fail(call, RX_INVALID_ARGUMENT, "get_item: want an index");
    if (!items->get(items->user, (uint32_t)index, &t, why)) return rx_call_fail(call, RX_IO, why);
    rx_status status = vm_value_of_tensor(t, &v);
    tensor_release(t);
    if (status != RX_OK) return rx_call_fail(call, status, "no memory");
    rx_call_return(call, v);
    rx_value_release(v);
    return RX_OK;
}

static rx_status set_item(void *user, rx_call *call) {
    const driver_items *items = user;
    char why[DRIVER_WHY] = "";
    int64_t index;
    tensor *t = index_of(call, &index) ? vm_tensor_of_value(rx_call_arg(call, 1)) : NULL;
    if (!t) return rx_call_fail(call, RX_INVALID_ARGUMENT, "set_item: want an index and a tensor");
    bool ok = items->set(items->user, (uint32_t)index, t, why);
    tensor_release(t);
    return ok ? RX_OK : rx_call_fail(call, RX_IO, why);
}

static rx_status open_context(const uint8_t *rlx, size_t size, const driver_items *items, rx_executable **exe,
                              rx_context **context, char *why) {
    rx_registry *r = NULL;
    *context = NULL;
    rx_status status = rx_executable_load_memory(rlx, size, NULL, exe, why);
    if (status == RX_OK) status = rx_registry_new(&r);
    if (status == RX_OK) status = rx_registry_add(r, "get_item", get_item, (void *)(uintptr_t)items);
    if (status == RX_OK) status = rx_registry_add(r, "set_item", set_item, (void *)(uintptr_t)items);
    const rx_context_options o = {.struct_size = sizeof o, .registry = r};
    if (status == RX_OK) status = rx_context_new(*exe, &o, context, why);
    rx_registry_release(r);
    return status;
}

bool api_transform(const uint8_t *rlx, size_t size, const char *func, const driver_items *items, char why[DRIVER_WHY]) {
    char message[RX_MESSAGE] = "no memory";
    rx_executable *exe = NULL;
    rx_context *context = NULL;
    rx_value *result = NULL;
    rx_status status = open_context(rlx, size, items, &exe, &context, message);
    if (status == RX_OK) {
        status = rx_context_call(context, func, NULL, 0, &result);
        snprintf(message, sizeof message, "%s", rx_context_message(context));
    }
    snprintf(why, DRIVER_WHY, "%s", status == RX_OK ? "" : message);
    rx_value_release(result);
    rx_context_release(context);
    rx_executable_release(exe);
    return status == RX_OK;
}
