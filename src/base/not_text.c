// not_text.c - what a file is that is no text.
#include "base/not_text.h"
#include "base/attributes.h"
#include <stdbool.h>
#include <string.h>

// Text has no control characters at its start but line ends and tabs.
static bool begins_binary(const char *bytes, size_t size) {
    for (size_t i = 0; i < size && i < 16; i++)
        if ((unsigned char)bytes[i] < ' ' && !strchr("\t\n\r\f", bytes[i] ? bytes[i] : 1)) return true;
    return false;
}

const char *not_text(const char *bytes, size_t size) {
    static const struct {
        const char *magic, *is;
    } known[] = {
        {"\x89RLX", "a compiled file, which `relax run` and `relax inspect` read"},
        {"GGUF", "a model, which `relax compile` and `relax import` read if its name ends in .gguf"},
        {"PK\x03\x04", "an archive; arrays in one (.npz) are for --weights and --input"},
        {"\x93NUMPY", "an array, which `relax run --input NAME=@FILE` reads"},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        if (size >= strlen(known[i].magic) && memcmp(bytes, known[i].magic, strlen(known[i].magic)) == 0)
            return known[i].is;
    return begins_binary(bytes, size) ? "no text; models come as .gguf or .safetensors files" : NULL;
}
