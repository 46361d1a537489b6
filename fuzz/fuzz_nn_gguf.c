// fuzz_nn_gguf.c - any bytes as a GGUF file of a decoder: refused with a message, or a module that keeps the rules.
#include "graph/verify.h"
#include "nn/decoder.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void build(const checkpoint *c) {
    module *m = module_new();
    diag *d = diag_new(m->mem);
    decoder_config config;
    // Layers in the thousands are legal and slow.
    bool read = decoder_read_config(c, m->mem, &config, d);
    if (!read && !d->errors) abort();
    bool built = read && config.layers < 16 && decoder_build(m, &config, &(decoder_options){0}, c, d);
    if (read && config.layers < 16 && !built && !d->errors) abort();
    if (built && !module_verify(m, d)) abort();
    module_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "";
    checkpoint *c;
    if (checkpoint_parse_gguf("x.gguf", data, size, &c, why) != RX_OK) {
        if (c || !why[0]) abort();
        return 0;
    }
    build(c);
    checkpoint_close(c);
    return 0;
}
