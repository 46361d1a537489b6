// dense.h - a decoder without a cache of pages, in TVM's own operators.
#ifndef TESTS_NN_DENSE_H
#define TESTS_NN_DENSE_H
#include "nn/nn.h"

// main(tokens: (b, s), weights…) -> logits (b, s, 256): what tools/decoder --preset tiny --layers 2 prints.
bool dense_decoder(module *m, diag *d);
#endif
