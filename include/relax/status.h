// status.h - the result codes of the runtime and of the compiler's entry points.
#ifndef RELAX_STATUS_H
#define RELAX_STATUS_H
#ifdef __cplusplus
extern "C" {
#endif

// Every fallible public function returns one of these. The text that goes with a failure is kept in
// the handle the call was made on (rx_*_message), valid until the next call on that handle.
typedef enum rx_status {
    RX_OK = 0,
    RX_INVALID_ARGUMENT, // a value, name or count that the call can't take
    RX_SHAPE_MISMATCH,   // an argument's dtype, rank or dims contradict the signature
    RX_OUT_OF_MEMORY,    // the host or the device has no room
    RX_NOT_FOUND,        // a function, weight, builtin or file that isn't there
    RX_UNSUPPORTED,      // legal, but not by this build, device or file version
    RX_BAD_FILE,         // the bytes are not what their format promises
    RX_IO,               // the operating system refused to read or write
    RX_DEVICE_LOST,      // the device stopped answering
    RX_CANCELLED,        // the caller asked to stop
    RX_INTERNAL,         // a bug of ours
} rx_status;

// The name of a status in capitals, such as "SHAPE_MISMATCH". Never NULL; static storage.
const char *rx_status_name(rx_status status);

#ifdef __cplusplus
}
#endif
#endif
