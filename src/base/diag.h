// diag.h - what the compiler has to say about its input: errors, warnings, notes, each with its place.
//
//   mlp.py:7:15: error: matmul: want (n, 256) times (256, m), got 128 columns and 256 rows
//       lv0 = R.matmul(x, w1)
//             ^
#ifndef BASE_DIAG_H
#define BASE_DIAG_H
#include "base/arena.h"
#include "base/text.h"
#include "relax/status.h"
#include <stdbool.h>

// One text that is being compiled. `bytes` need not end in NUL.
typedef struct source {
    const char *name; // as the user wrote it, or "<text>"
    const char *bytes;
    size_t size;
} source;

// A place in a source. Zero (`src == NULL`) means "made by the compiler".
typedef struct loc {
    const source *src;
    uint32_t line, col; // from 1; col counts bytes (a byte order mark at the start of the source is not counted)
} loc;

typedef enum diag_level { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } diag_level;
typedef struct diag_record {
    diag_level level;
    loc at;
    const char *message;
} diag_record;

// Collects records; at most DIAG_LIMIT errors and as many warnings are kept, the rest counted. Not thread-safe.
enum { DIAG_LIMIT = 20 };
typedef struct diag {
    arena *mem;
    diag_record *record;
    uint32_t len, room, errors, warnings;
    rx_status refused; // of the first diag_refused; RX_OK: all errors are of the input
    bool dropped;      // the last error or warning was only counted, so its notes go too
} diag;
diag *diag_new(arena *mem);

// Reporting never stops the caller. Returns false, so that a bool function can `return diag_error(...)`.
bool diag_error(diag *d, loc at, const char *format, ...) RX_PRINTF(3, 4);
// An error of the machine's and not of the input: a file that can't be written, memory. It has no place.
bool diag_refused(diag *d, rx_status status, const char *format, ...) RX_PRINTF(3, 4);
bool diag_warning(diag *d, loc at, const char *format, ...) RX_PRINTF(3, 4);
bool diag_note(diag *d, loc at, const char *format, ...) RX_PRINTF(3, 4); // belongs to the record before it

// All records in order, with source lines and carets; colour codes only where asked. Lines over 160 bytes are cut
// around the caret with `...`, very long messages too; control bytes, invisible characters and what is not UTF-8 are
// shown escaped. Tabs are kept, in the caret's line as well, so that it aligns. Ends with "N more errors not shown"
// when there are more than DIAG_LIMIT.
void diag_print(const diag *d, text *out, bool colour);
// The same; records without a place begin with "program: ", as what the program itself has to say does.
void diag_print_from(const diag *d, const char *program, text *out, bool colour);
#endif
