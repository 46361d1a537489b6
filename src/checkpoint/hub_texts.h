// hub_texts.h - what a folder in Hugging Face's layout says about a model's texts (tokenizer.json,
// tokenizer_config.json, chat_template.jinja, generation_config.json), as the keys that a GGUF file would have.
#ifndef CHECKPOINT_HUB_TEXTS_H
#define CHECKPOINT_HUB_TEXTS_H
#include "base/file.h"

// Our own key: the space before a text comes before its beginning only, not behind special tokens.
#define KEY_ONLY_FIRST_PREFIX "relax.only_first_space_prefix"

// A GGUF file of keys alone (checkpoint/gguf.h reads it), malloc'd. `path` is the folder, or a file in it that ends in
// .safetensors. RX_NOT_FOUND when there is no tokenizer.json; RX_UNSUPPORTED and RX_BAD_FILE with one sentence that
// names the file and the part.
RX_MUST_USE rx_status hub_texts_read(const char *path, uint8_t **out, size_t *size, char why[FILE_WHY]);
#endif
