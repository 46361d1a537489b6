// example.h - the decoder of docs/models.md.
#ifndef TESTS_NN_EXAMPLE_H
#define TESTS_NN_EXAMPLE_H
#include "nn/nn.h"

enum { EXAMPLE_VOCAB = 32, EXAMPLE_SIZE = 16, EXAMPLE_HEADS = 4, EXAMPLE_LAYERS = 2, EXAMPLE_PAGE = 4 };

// Puts "forward" into the module. False after reporting.
bool example_decoder(module *m, nn_source from, diag *d);
#endif
