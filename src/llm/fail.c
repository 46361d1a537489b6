// fail.c - sentences that several functions say.
#include "llm/fail.h"

rx_status llm_no_memory(char *why, const char *what) {
    return why_fail(why, RX_OUT_OF_MEMORY, "%s: out of memory", what);
}

rx_status llm_missing(char *why, const char *what) { return why_fail(why, RX_INVALID_ARGUMENT, "%s is NULL", what); }
