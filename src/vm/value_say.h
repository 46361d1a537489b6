// value_say.h - sentences about values written as text. For value_text.c and value_parse.c.
#ifndef VM_VALUE_SAY_H
#define VM_VALUE_SAY_H
#include "base/attributes.h"
#include "relax/runtime.h"

// Writes a sentence into `message` (RX_MESSAGE bytes, may be NULL) and returns the status.
rx_status value_say(char *message, rx_status status, const char *format, ...) RX_PRINTF(3, 4);
// The same for a status of a function that makes values, about `text`; RX_OK says nothing.
rx_status value_say_status(char *message, rx_status status, const char *text);
#endif
