// line_input.c - reading lines, on a terminal through libedit.
#define _POSIX_C_SOURCE 200809L
#include "cli/line_input.h"
#include "relax/runtime.h"
#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HISTORY_LINES = 1000, LINE_LIMIT = 16 << 20 };

struct line_input {
    EditLine *edit; // NULL: no terminal
    History *history;
    const char *history_file, *prompt;
    char *line; // a copy of libedit's, or what was read
    size_t room;
};

// libedit asks for the prompt each time it draws the line.
static char *give_prompt(EditLine *edit) {
    line_input *in = NULL;
    el_get(edit, EL_CLIENTDATA, &in);
    return (char *)(size_t)in->prompt; // libedit only reads it
}

static void open_editor(line_input *in) {
    HistEvent event;
    in->edit = el_init("relax", stdin, stdout, stderr);
    in->history = history_init();
    if (!in->edit || !in->history) return;
    el_set(in->edit, EL_CLIENTDATA, in);
    el_set(in->edit, EL_PROMPT, give_prompt);
    el_set(in->edit, EL_EDITOR, "emacs");
    el_set(in->edit, EL_SIGNAL, 1); // puts the terminal right before a signal ends us
    el_set(in->edit, EL_HIST, history, in->history);
    history(in->history, &event, H_SETSIZE, (int)HISTORY_LINES);
    history(in->history, &event, H_SETUNIQUE, 1);
    if (in->history_file) history(in->history, &event, H_LOAD, in->history_file);
    el_source(in->edit, NULL); // the user's .editrc
}

// Both ends must be a terminal: with the output in a pipe an editor would draw into it.
line_input *line_input_open(const char *history) {
    line_input *in = calloc(1, sizeof *in);
    if (!in) return NULL;
    in->history_file = history;
    const char *term = getenv("TERM");
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0) open_editor(in);
    return in;
}

// The history is written at the end: two conversations at once keep that of the last.
void line_input_close(line_input *in) {
    HistEvent event;
    if (!in) return;
    if (in->history && in->history_file) history(in->history, &event, H_SAVE, in->history_file);
    if (in->history) history_end(in->history);
    if (in->edit) el_end(in->edit);
    free(in->line);
    free(in);
}

bool line_input_is_terminal(const line_input *in) { return in->edit != NULL; }

static const char *without_end(char *line, size_t size) {
    while (size && (line[size - 1] == '\n' || line[size - 1] == '\r')) size--;
    line[size] = 0;
    return line;
}

// libedit owns what it returns and overwrites it; so the line is copied. Empty lines don't go into the history.
static const char *read_edited(line_input *in) {
    HistEvent event;
    int size = 0;
    el_resize(in->edit); // the window may have changed while an answer was written
    const char *line = el_gets(in->edit, &size);
    if (!line || size <= 0) return NULL;
    if (line[0] != '\n') history(in->history, &event, H_ENTER, line);
    free(in->line);
    in->line = malloc((size_t)size + 1);
    if (!in->line) return NULL;
    memcpy(in->line, line, (size_t)size);
    return without_end(in->line, (size_t)size);
}

// Room for one byte more and a NUL.
static bool has_room(line_input *in, size_t size) {
    if (in->room - size >= 2 && in->line) return true;
    size_t room = in->room ? in->room * 2 : 256;
    char *moved = realloc(in->line, room);
    if (!moved) return false;
    in->line = moved, in->room = room;
    return true;
}

// Of a line past the limit the rest is read and dropped, so that the next line is one again. A zero byte would end the
// line for all who read it: made a byte that is no text either, and refused as such.
static rx_status read_plain(line_input *in, const char **line, char *why) {
    size_t size = 0;
    int byte;
    while ((byte = getc(stdin)) != EOF && byte != '\n') {
        if (size <= LINE_LIMIT && !has_room(in, size))
            return snprintf(why, RX_MESSAGE, "out of memory"), RX_OUT_OF_MEMORY;
        if (size <= LINE_LIMIT) in->line[size++] = byte ? (char)byte : '\xff';
    }
    if (ferror(stdin)) return snprintf(why, RX_MESSAGE, "can't read stdin: %s", strerror(errno)), RX_IO;
    if (size > LINE_LIMIT)
        return snprintf(why, RX_MESSAGE, "a line is longer than %d MiB; it is skipped", LINE_LIMIT >> 20),
               RX_INVALID_ARGUMENT;
    if (byte == EOF && !size) return RX_OK;
    if (!has_room(in, size)) return snprintf(why, RX_MESSAGE, "out of memory"), RX_OUT_OF_MEMORY;
    *line = without_end(in->line, size);
    return RX_OK;
}

rx_status line_input_read(line_input *in, const char *prompt, const char **line, char *why) {
    *line = NULL;
    in->prompt = prompt;
    if (!in->edit) return read_plain(in, line, why);
    *line = read_edited(in);
    return RX_OK;
}
