// attributes.h - the four compiler attributes this code base uses, and the few macros that earn their life.
#ifndef BASE_ATTRIBUTES_H
#define BASE_ATTRIBUTES_H

#define RX_MUST_USE __attribute__((warn_unused_result))
#define RX_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#define RX_NORETURN __attribute__((noreturn))
// AUTO(file_close) file *f = NULL;  calls file_close(&f)-style cleanup functions at the end of the scope.
#define AUTO(cleanup_function) __attribute__((cleanup(cleanup_function)))

// The number of elements of an array (not of a pointer).
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// Returns the status of a failed call from the calling function.
#define RX_TRY(call)                                                                                                   \
    do {                                                                                                               \
        rx_status rx_try_status = (call);                                                                              \
        if (rx_try_status != RX_OK) return rx_try_status;                                                              \
    } while (0)

// Stops the program with exit code 3 when an invariant of ours is broken; never for what a user can cause.
#define CHECK(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))
RX_NORETURN void check_failed(const char *condition, const char *file, int line);
#endif
