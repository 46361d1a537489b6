// line_history.h - the lines a person typed, kept in a file from one run to the next: one a line, as they were typed.
//
// The file is the user's alone: made with mode 0600; links, other people's files and what is no regular file are
// neither read nor written. Nothing here fails loudly: without its history a conversation goes on.
#ifndef CLI_LINE_HISTORY_H
#define CLI_LINE_HISTORY_H

enum { HISTORY_LINES = 1000 };

// Gives the last HISTORY_LINES lines to `take`, oldest first; a file that has grown far beyond them is cut to them.
void line_history_load(const char *path, void (*take)(void *user, const char *line), void *user);
// Adds a line at once, in one write: conversations side by side keep the lines of both, and none is lost by a signal.
void line_history_add(const char *path, const char *line);
#endif
