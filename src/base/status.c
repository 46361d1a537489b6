// status.c - the names of the result codes.
#include "relax/status.h"
#include "base/attributes.h"
#include <stddef.h>

static const char *const status_names[] = {
    [RX_OK] = "OK",
    [RX_INVALID_ARGUMENT] = "INVALID_ARGUMENT",
    [RX_SHAPE_MISMATCH] = "SHAPE_MISMATCH",
    [RX_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
    [RX_NOT_FOUND] = "NOT_FOUND",
    [RX_UNSUPPORTED] = "UNSUPPORTED",
    [RX_BAD_FILE] = "BAD_FILE",
    [RX_IO] = "IO",
    [RX_DEVICE_LOST] = "DEVICE_LOST",
    [RX_CANCELLED] = "CANCELLED",
    [RX_INTERNAL] = "INTERNAL",
};

// Static text: never NULL, valid for as long as the program runs.
const char *rx_status_name(rx_status status) {
    size_t index = (size_t)status; // a value from outside the enum becomes a large index
    return index < COUNT(status_names) ? status_names[index] : "UNKNOWN";
}
