// line_input.c - reading lines, on a terminal through libedit.
#define _POSIX_C_SOURCE 200809L
#include "cli/line_input.h"
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { HISTORY_LINES = 1000 };

struct line_input {
    EditLine *edit; // NULL: no terminal
    History *history;
    const char *history_file, *prompt;
    char *line; // of getline, or a copy of libedit's
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
    const char *line = el_gets(in->edit, &size);
    if (!line || size <= 0) return NULL;
    if (line[0] != '\n') history(in->history, &event, H_ENTER, line);
    free(in->line);
    in->line = malloc((size_t)size + 1);
    if (!in->line) return NULL;
    memcpy(in->line, line, (size_t)size);
    return without_end(in->line, (size_t)size);
}

const char *line_input_read(line_input *in, const char *prompt) {
    in->prompt = prompt;
    if (in->edit) return read_edited(in);
    ssize_t size = getline(&in->line, &in->room, stdin);
    // A zero byte would end the line for all who read it: made a byte that is no text either, and refused as such.
    for (ssize_t i = 0; i < size; i++)
        if (!in->line[i]) in->line[i] = '\xff';
    return size < 0 ? NULL : without_end(in->line, (size_t)size);
}
