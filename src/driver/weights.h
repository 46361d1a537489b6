// weights.h - tensors of a file bound to parameters by name, and what is computed from them while the file is written.
#ifndef DRIVER_WEIGHTS_H
#define DRIVER_WEIGHTS_H
#include "checkpoint/checkpoint.h"
#include "driver/emit.h"

// Of a mapped file so many bytes, at most one tensor more, are in memory at once.
enum { WEIGHTS_IN_MEMORY = 64 << 20 };

// The open file of weights.
typedef struct weight_file weight_file;

weight_file *weights_open(const char *path, diag *d);       // NULL after reporting
void weights_close(weight_file *w);                         // NULL is allowed
const checkpoint *weights_checkpoint(const weight_file *w); // NULL: an .npz

// Before the pipeline: checks the tensors that parameters of public functions (past num_input, all where it is not
// stated) are named after, and notes them on the functions (rx.bound_weights) for LiftTransformParams where `lift` says
// so. False after reporting; also if no parameter has a tensor.
bool weights_announce(weight_file *w, module *m, bool lift, diag *d);

// Before emission: the weight table, and which functions belong into the file. Parameters that a transformation gives
// have no data yet. `w` may be NULL.
bool weights_bind(emission *e, weight_file *w);

// The same for the module of a further target, whose weights are the first one's.
void weights_share(emission *e);

// Is something to be computed while the file is written?
bool weights_wait(const emission *e);
// Between exec_writer_start and exec_writer_finish: compiles the transformations for this machine, runs them, and puts
// their results where they belong. False after reporting.
bool weights_transform(emission *e, weight_file *w, const driver_options *o);
#endif
