// config.c - the configuration of a decoder, whichever way the checkpoint states it.
#include "nn/config.h"

bool decoder_check_config(const checkpoint *c, const decoder_config *k, diag *d) {
    const char *path = checkpoint_path(c);
    if (k->heads % k->kv_heads)
        return diag_error(d, (loc){0}, "%s: %lld heads of attention can't share %lld heads of keys and values evenly",
                          path, (long long)k->heads, (long long)k->kv_heads);
    if (k->head_size % 2)
        return diag_error(d, (loc){0}, "%s: heads of %lld elements have no pairs for rotary embedding", path,
                          (long long)k->head_size);
    return true;
}

bool decoder_read_config(const checkpoint *c, arena *mem, decoder_config *out, diag *d) {
    *out = (decoder_config){0};
    bool ok = checkpoint_gguf(c) ? decoder_read_gguf(c, mem, out, d) : decoder_read_json(c, mem, out, d);
    return ok && decoder_check_config(c, out, d);
}
