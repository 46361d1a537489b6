// fail.h - how functions of this folder say why they failed.
#ifndef LLM_FAIL_H
#define LLM_FAIL_H
#include "base/file.h" // FILE_WHY: the room of every `why` in this folder

// why_fail for memory that ran out while doing `what`.
rx_status llm_no_memory(char *why, const char *what);
// The same for a pointer to `what` that a caller left out.
rx_status llm_missing(char *why, const char *what);
#endif
