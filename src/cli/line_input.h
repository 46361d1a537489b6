// line_input.h - lines from a person or a pipe: with editing and history on a terminal, as they come otherwise.
#ifndef CLI_LINE_INPUT_H
#define CLI_LINE_INPUT_H
#include "relax/status.h"
#include <stdbool.h>

typedef struct line_input line_input;

// `history`: a file that keeps the lines of a terminal from one run to the next; NULL: none. NULL without memory.
line_input *line_input_open(const char *history);
void line_input_close(line_input *in); // writes the history; NULL is allowed
bool line_input_is_terminal(const line_input *in);

// *line: the next line without its end, valid until the next call; NULL at the end of the input. With a sentence in
// `why` (RX_MESSAGE bytes): RX_INVALID_ARGUMENT for a line past 16 MiB, which is skipped, RX_IO where reading fails.
rx_status line_input_read(line_input *in, const char *prompt, const char **line, char *why);
#endif
