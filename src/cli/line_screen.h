// line_screen.h - rows and columns of a terminal that a line takes.
#ifndef CLI_LINE_SCREEN_H
#define CLI_LINE_SCREEN_H
#include <histedit.h>
#include <stdbool.h>
#include <stddef.h>

// Draws the line again; `resized`: the window's width changed and the terminal moved the line's rows with it, as most
// do, so that the old ones are taken away first.
void line_screen_redraw(EditLine *edit, const char *prompt, bool resized);
// Columns of the window behind a descriptor; 80 where it doesn't say.
size_t line_screen_width(int fd);
// How many bytes of a text are shown in fewer than `columns` columns: whole characters.
size_t line_screen_fit(const char *s, size_t size, size_t columns);
#endif
