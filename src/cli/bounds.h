// bounds.h - options that compile and plan share: --bound n=1..4096, --min, --opt, --max, --pipeline.
#ifndef CLI_BOUNDS_H
#define CLI_BOUNDS_H
#include "cli/verb.h"
#include "driver/driver.h"

#define CLI_BOUND                                                                                                      \
    {.name = "bound",                                                                                                  \
     .value = "N=LOW..HIGH",                                                                                           \
     .repeat = true,                                                                                                   \
     .doc = "what a symbolic size keeps to; N=HIGH: at most that; checked at run time"}

// As trtexec takes them: what inputs' shapes are at least, mostly, at most.
#define CLI_SHAPES                                                                                                     \
    {.name = "min",                                                                                                    \
     .value = "X:1x128",                                                                                               \
     .repeat = true,                                                                                                   \
     .doc = "the smallest shape of an input; more than one by commas: x:1x128,y:1"},                                   \
        {.name = "opt", .value = "X:8x128", .repeat = true, .doc = "the usual shape: plans are made to suit it"},      \
        {.name = "max", .value = "X:64x128", .repeat = true, .doc = "the largest shape: checked at run time"}

#define CLI_PIPELINE                                                                                                   \
    {.name = "pipeline", .value = "NAME", .preset = "default", .doc = "which passes run (`relax opt --list`)"}

// Both: false after a message (return CLI_USAGE then).
bool cli_bounds(const cli_args *a, driver_options *o);   // all that were given, into o->bound and o->shape
bool cli_pipeline(const cli_args *a, driver_options *o); // there is one of this name
#endif
