// file_why.h - sentences about failed system calls. Helper of file.c and new_file.c.
#ifndef BASE_FILE_WHY_H
#define BASE_FILE_WHY_H
#include "base/file.h"

// Writes "PATH: what: the system's reason" for an errno into `why` (NULL is allowed) and returns the status that goes
// with it. Thread-safe.
rx_status file_failed(char why[FILE_WHY], const char *path, const char *what, int error);

// "PATH: sentence", with a status of the caller's choice.
rx_status file_refused(char why[FILE_WHY], const char *path, const char *sentence, rx_status status);
#endif
