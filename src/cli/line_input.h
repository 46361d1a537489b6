// line_input.h - lines from a person or a pipe: with editing and history on a terminal that can move its cursor, with a
// prompt alone on others, as they come otherwise.
//
// While a line is edited, signals are asked for instead of delivered: Ctrl-C clears the line, those that end or stop
// the program do so with the terminal put right, a new size of the window redraws the line.
#ifndef CLI_LINE_INPUT_H
#define CLI_LINE_INPUT_H
#include "relax/status.h"
#include <stdbool.h>

typedef struct line_input line_input;

// `history`: a file that keeps the lines of a terminal from one run to the next; NULL: none. Sets the locale's
// characters, for the editor. NULL without memory.
line_input *line_input_open(const char *history);
void line_input_close(line_input *in); // NULL is allowed
bool line_input_is_terminal(const line_input *in);

// *line: the next line without its end, valid until the next call; NULL at the end of the input. With a sentence in
// `why` (RX_MESSAGE bytes): RX_INVALID_ARGUMENT for a line past 16 MiB, which is skipped, or one typed with bytes that
// are no UTF-8, RX_IO where reading fails. Bytes from a pipe come as they are.
rx_status line_input_read(line_input *in, const char *prompt, const char **line, char *why);
#endif
