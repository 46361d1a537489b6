// bounds.h - the option --bound of compile and plan: n=1..4096.
#ifndef CLI_BOUNDS_H
#define CLI_BOUNDS_H
#include "cli/verb.h"
#include "driver/driver.h"

#define CLI_BOUND                                                                                                      \
    {.name = "bound",                                                                                                  \
     .value = "N=LOW..HIGH",                                                                                           \
     .repeat = true,                                                                                                   \
     .doc = "what a symbolic size keeps to; checked at run time"}

// Reads all that were given into o->bound. False after a message (return CLI_USAGE then).
bool cli_bounds(const cli_args *a, driver_options *o);
#endif
