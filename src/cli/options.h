// options.h - the reader of command lines, for main.c and its tests.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H
#include "base/text.h"
#include "cli/verb.h"

// Fills `a` (verb and mem are set) from the words after the verb. False after saying on stderr what is wrong; *help is
// set when --help was asked for.
bool cli_read(cli_args *a, int argc, char **argv, bool *help);
void cli_help(const cli_verb *v, text *out);
#endif
