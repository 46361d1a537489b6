// static_memory.h - memory that stays for the life of a context.
#ifndef VM_STATIC_MEMORY_H
#define VM_STATIC_MEMORY_H
#include "vm/context.h"

// Takes the storages that `cached` functions allocate and do nothing else, and the largest block of constant size that
// a function works in. Last step of making a context; the message is set on failure.
RX_MUST_USE rx_status static_memory_take(rx_context *c);
#endif
