// weights.h - tensors of a file bound to parameters by name.
#ifndef DRIVER_WEIGHTS_H
#define DRIVER_WEIGHTS_H
#include "driver/emit.h"

// What stays open until the executable is written.
typedef struct weight_file weight_file;

// Reads the tensors of an .npz or .safetensors file that parameters past num_input (all, where it is not stated) of
// public functions are named after; checks dtype and dims; adds them to the weight table. False after reporting;
// weights_close(*out) in any case.
bool weights_bind(emission *e, const char *path, weight_file **out);
void weights_close(weight_file *w); // NULL is allowed
#endif
