// line_screen.c - how wide a line is, and drawing it again where the window changed.
#define _DEFAULT_SOURCE // TIOCGWINSZ
#include "cli/line_screen.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t line_screen_width(int fd) {
    struct winsize window;
    return ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col ? window.ws_col : 80;
}

// The bytes of the first character, and the columns it takes.
static size_t first_character(const char *s, size_t size, size_t *columns) {
    uint32_t point;
    size_t length = utf8_decode(s, size, &point);
    *columns = length ? utf8_columns(point) : 1;
    return length ? length : 1;
}

// Columns that UTF-8 text takes; bytes that are none count one each.
static size_t columns_of(const char *s, size_t size) {
    size_t all = 0, columns;
    for (size_t i = 0; i < size; all += columns) i += first_character(s + i, size - i, &columns);
    return all;
}

size_t line_screen_fit(const char *s, size_t size, size_t columns) {
    size_t at = 0, taken = 0;
    while (at < size) {
        size_t more, length = first_character(s + at, size - at, &more);
        if (taken + more >= columns) break;
        at += length, taken += more;
    }
    return at;
}

// libedit draws from where the cursor is and believes it to be the line's beginning: it is brought there.
void line_screen_redraw(EditLine *edit, const char *prompt, bool resized) {
    if (resized) {
        const LineInfo *line = el_line(edit);
        size_t before =
            columns_of(prompt, strlen(prompt)) + columns_of(line->buffer, (size_t)(line->cursor - line->buffer));
        size_t up = before / line_screen_width(STDOUT_FILENO);
        if (up) printf("\033[%zuA", up);
        printf("\r\033[J");
        fflush(stdout);
        el_resize(edit);
    }
    el_set(edit, EL_REFRESH);
}
