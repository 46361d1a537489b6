// config.h - the two places that a decoder's configuration is read from; for the files of this folder alone.
#ifndef NN_CONFIG_H
#define NN_CONFIG_H
#include "nn/decoder.h"

// Both start from a zeroed *out and return false after reporting. Text in *out lives in `mem`.
bool decoder_read_json(const checkpoint *c, arena *mem, decoder_config *out, diag *d); // config.json
bool decoder_read_gguf(const checkpoint *c, arena *mem, decoder_config *out,
                       diag *d); // keys under general.architecture
// What holds for both: sizes that must divide each other. False after reporting.
bool decoder_check_config(const checkpoint *c, const decoder_config *config, diag *d);
#endif
