// messages.c - what all verbs share: errors on stderr, results on stdout, sources, JSON strings.
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "base/not_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/verb.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOURCE_LIMIT = 1 << 30 };

// Whether to use colours on a stream: a terminal, no NO_COLOR (https://no-color.org), TERM not dumb.
static bool has_colour(int fd) {
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    return isatty(fd) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

// --- What a terminal would obey rather than show: controls, marks that reorder text, bytes that are no character.
// Models and names in files can hold any of them.

// The two joiners are hidden as well, but emoji and several scripts are spelled with them.
static bool is_shown(uint32_t point, const char *kept) {
    if (point == 0x200c || point == 0x200d) return true;
    return !utf8_is_hidden(point) || (point && point < 0x80 && strchr(kept, (int)point));
}

// Controls, marks that reorder text and bytes that are no UTF-8 are written out; `kept` names controls that stay.
static void put_shown(text *out, const char *s, size_t size, const char *kept) {
    for (size_t i = 0; i < size;) {
        uint32_t point = 0;
        size_t length = utf8_decode(s + i, size - i, &point);
        if (!length)
            text_format(out, "\\x%02x", (unsigned char)s[i]);
        else if (is_shown(point, kept))
            text_put_n(out, s + i, length);
        else
            text_format(out, point < 0x80 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x", point);
        i += length ? length : 1;
    }
}

const char *cli_name(arena *mem, text_span name) {
    text shown = TEXT_IN(mem);
    put_shown(&shown, name.at, name.size, "");
    return text_get(&shown);
}

// Names from files and command lines may hold anything, so the whole sentence is made harmless: one line, whatever is
// in a name.
static void say(const char *who, const char *format, va_list args) {
    arena *mem = arena_new();
    text shown = TEXT_IN(mem);
    const char *sentence = arena_vformat(mem, format, args);
    put_shown(&shown, sentence, strlen(sentence), "\t");
    fprintf(stderr, "%s: %s\n", who, text_get(&shown));
    arena_free(mem);
}

int cli_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("relax: error", format, args);
    va_end(args);
    return CLI_WRONG;
}

void cli_note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("relax: note", format, args);
    va_end(args);
}

void cli_awaits(const char *path, const char *what) {
    if (strcmp(path, "-") == 0 && isatty(STDIN_FILENO)) cli_note("reading %s from the terminal; Ctrl-D ends it", what);
}

int cli_usage(const cli_args *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(arena_format(a->mem, "relax %s", a->verb->name), format, args);
    fprintf(stderr, "`relax %s --help` explains it.\n", a->verb->name);
    va_end(args);
    return CLI_USAGE;
}

int cli_report(const diag *d) {
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    diag_print_from(d, "relax", &t, has_colour(STDERR_FILENO));
    fputs(text_get(&t), stderr);
    arena_free(mem);
    return d->errors ? CLI_WRONG : CLI_DONE;
}

bool cli_apart(const cli_args *a, const char *output, const char *input) {
    if (!output || !input || !file_is_same(output, input)) return true;
    cli_usage(a, "%s is what is read; want another name for the output", output);
    return false;
}

// Nothing is left where the work is interrupted.
bool cli_may_write(const char *file) {
    char why[FILE_WHY];
    new_file *f;
    if (new_file_open(file, &f, why) != RX_OK) return cli_error("%s", why), false;
    new_file_discard(f);
    return true;
}

bool cli_may_write_into(const char *folder) {
    char why[FILE_WHY];
    if (folder_make(folder, why) != RX_OK) return cli_error("%s", why), false;
    if (access(folder, W_OK | X_OK) == 0) return true;
    return cli_error("%s: can't write into it: %s", folder, strerror(errno)), false;
}

const source *cli_source(const cli_args *a, const char *path) {
    char *bytes = NULL, why[FILE_WHY];
    size_t size = 0;
    cli_awaits(path, "a text");
    if (file_read(path, SOURCE_LIMIT, &bytes, &size, why) != RX_OK) {
        cli_error("%s", why);
        return NULL;
    }
    const char *other = not_text(bytes, size);
    if (other) {
        cli_error("%s: want the text of a module, this is %s", path, other);
        return free(bytes), NULL;
    }
    source *s = ARENA_NEW(a->mem, source, 1);
    *s = (source){
        .name = strcmp(path, "-") == 0 ? "<stdin>" : path, .bytes = arena_copy(a->mem, bytes, size), .size = size};
    free(bytes);
    return s;
}

// A closed pipe (`relax ops | head`) is how a reader says that it has enough.
static int write_all(const char *bytes, size_t size, bool *written) {
    *written = (!size || fwrite(bytes, 1, size, stdout) == size) && fflush(stdout) == 0;
    if (*written || errno == EPIPE) return CLI_DONE;
    return cli_error("can't write to stdout: %s", strerror(errno));
}

int cli_write(const char *bytes, size_t size, bool *written) {
    if (!isatty(STDOUT_FILENO)) return write_all(bytes, size, written);
    arena *mem = arena_new();
    text shown = TEXT_IN(mem);
    put_shown(&shown, bytes, size, "\n\t");
    int code = write_all(text_get(&shown), shown.len, written);
    arena_free(mem);
    return code;
}

int cli_print(const text *t) {
    bool written;
    return cli_write(t->at, t->len, &written);
}

// RFC 8259. What is not UTF-8 becomes U+FFFD, since JSON has no way to write it.
void cli_json_string(text *out, const char *s, size_t size) {
    text_put_char(out, '"');
    for (size_t i = 0; i < size;) {
        uint32_t point = 0;
        size_t length = utf8_decode(s + i, size - i, &point);
        if (!length)
            text_put(out, "\xef\xbf\xbd"); // U+FFFD: JSON is UTF-8
        else if (point == '"' || point == '\\')
            text_format(out, "\\%c", (int)point);
        else if (point == '\n')
            text_put(out, "\\n");
        else if (point < 0x20 || point == 0x7f)
            text_format(out, "\\u%04x", point);
        else
            text_put_n(out, s + i, length);
        i += length ? length : 1;
    }
    text_put_char(out, '"');
}

// JSON can't write what is no UTF-8: its bytes are given as well.
void cli_json_token(text *out, text_span token) {
    text_put(out, "\"token\": ");
    cli_json_string(out, token.at, token.size);
    if (utf8_first_bad(token.at, token.size) >= token.size) return;
    for (size_t i = 0; i < token.size; i++)
        text_format(out, "%s%u", i ? ", " : ", \"bytes\": [", (unsigned char)token.at[i]);
    text_put(out, "]");
}
