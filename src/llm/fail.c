// fail.c - one sentence that says why.
#include "llm/fail.h"
#include <stdarg.h>
#include <stdio.h>

rx_status llm_fail(char *why, rx_status status, const char *format, ...) {
    va_list list;
    if (!why) return status;
    va_start(list, format);
    vsnprintf(why, FILE_WHY, format, list);
    va_end(list);
    return status;
}

rx_status llm_no_memory(char *why, const char *what) {
    return llm_fail(why, RX_OUT_OF_MEMORY, "%s: out of memory", what);
}

rx_status llm_missing(char *why, const char *what) { return llm_fail(why, RX_INVALID_ARGUMENT, "%s is NULL", what); }
