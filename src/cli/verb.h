// verb.h - one verb of the command line: `relax VERB …`. Each verb is one file and one row of verbs.def.
//
// The option table of a verb is the single place: it parses the command line, fills in defaults and RELAX_* environment
// names, and prints `--help`.
#ifndef CLI_VERB_H
#define CLI_VERB_H
#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"
#include "relax/runtime.h"
#include <stdbool.h>
#include <stdint.h>

// What a verb returns to the shell (design: exit codes).
enum {
    CLI_DONE = 0,
    CLI_WRONG = 1, // the input is wrong, a check failed, or the machine failed us
    CLI_USAGE = 2, // the command line is wrong
    CLI_BUG = 3,   // a bug of ours
    CLI_INTERRUPTED = 130
};

typedef struct cli_option {
    const char *name;   // "output": written --output VALUE or --output=VALUE; ends the table when NULL
    char letter;        // 'o': also -o VALUE; 0: none
    const char *value;  // what stands for the value in --help ("FILE"); NULL: a flag
    const char *preset; // the default; NULL: none
    const char *doc;    // one line
    bool repeat;        // may be given several times
    const char *env;    // environment variable that sets it when the command line doesn't ("RELAX_THREADS"); NULL: none
} cli_option;
_Static_assert(RX_MAX_THREADS == 1024, "the texts of --threads and --jobs say so");
// The row of verbs that run kernels.
#define CLI_THREADS                                                                                                    \
    {.name = "threads",                                                                                                \
     .letter = 't',                                                                                                    \
     .value = "N",                                                                                                     \
     .preset = "0",                                                                                                    \
     .doc = "of kernels, up to 1024; 0: as many as the machine grants",                                                \
     .env = "RELAX_NUM_THREADS"}

typedef struct cli_args cli_args;
typedef struct cli_verb {
    const char *name, *summary;
    const char *usage;         // what follows "relax NAME ": "FILE FUNC [ARG]..."
    uint32_t least, most;      // positional arguments; most UINT32_MAX: any number
    const cli_option *options; // ends at the first NULL name; NULL: none
    const char *details;       // paragraphs for --help; may be NULL
    const char *examples;      // lines for --help, each a command
    int (*run)(const cli_args *a);
} cli_verb;

#define VERB(name) extern const cli_verb verb_##name;
#include "cli/verbs.def"

struct cli_args {
    const cli_verb *verb;
    arena *mem; // freed when the verb returns
    uint32_t count;
    const char **positional;
    const char ***given; // per row of the option table: its values in order
    uint32_t *times;     // per row: how many
};

// --- Reading what was given. Names must stand in the verb's table (CHECK).
bool cli_flag(const cli_args *a, const char *name);
const char *cli_value(const cli_args *a, const char *name); // the last one given, or the default, or NULL
const char *const *cli_values(const cli_args *a, const char *name, uint32_t *count);
const char *cli_spelling(const cli_args *a, const char *name); // "--threads", or the variable that gave the value
// A whole number within [low, high]; false after saying on stderr what is wrong with it (return CLI_USAGE then).
bool cli_int(const cli_args *a, const char *name, int64_t low, int64_t high, int64_t *out);
bool cli_float(const cli_args *a, const char *name, double *out);     // finite
bool cli_tolerance(const cli_args *a, const char *name, double *out); // and not negative

// --- Messages. All go to stderr.
int cli_error(const char *format, ...) RX_PRINTF(1, 2);                    // "relax: error: …"; returns CLI_WRONG
void cli_note(const char *format, ...) RX_PRINTF(1, 2);                    // "relax: note: …"
int cli_usage(const cli_args *a, const char *format, ...) RX_PRINTF(2, 3); // with a hint at --help; returns CLI_USAGE
// Prints collected diagnostics (in colour on a terminal); CLI_WRONG if there are errors, else CLI_DONE.
int cli_report(const diag *d);

// Reads a text file, or stdin for "-", into a->mem. NULL after an error message.
const source *cli_source(const cli_args *a, const char *path);
// False after a message (return CLI_USAGE then) if writing `output` would replace `input`; either may be NULL.
bool cli_apart(const cli_args *a, const char *output, const char *input);
// Whether a file, or one in a folder, which is made, can be written: asked before long work. False after a message
// (return CLI_WRONG then).
bool cli_may_write(const char *file);
bool cli_may_write_into(const char *folder);
// Before a file is read: where it is "-", a terminal, a note says that `what` is waited for.
void cli_awaits(const char *path, const char *what);
// Writes text to stdout; CLI_WRONG after a message when it can't (a closed pipe is no error).
// On a terminal control characters are written out, "\x1b"; elsewhere bytes go as they are.
int cli_print(const text *t);
int cli_write(const char *bytes, size_t size, bool *written); // the same for bytes; *written: more may follow
void cli_json_string(text *out, const char *s, size_t size);  // quoted and escaped as JSON wants it
// Members of an object for a token's text: "token", and "bytes" where that is no UTF-8 (a part of a character).
void cli_json_token(text *out, text_span token);
// A name from a file in a text of lines: controls are written out as in messages, line ends too, so that it can neither
// steer a terminal nor look like a line of ours.
const char *cli_name(arena *mem, text_span name);
#endif
