// agree.c - nouns that agree with their counts.
#include "base/agree.h"
#include "base/attributes.h"
#include <string.h>

// Nouns that stand behind counts in our sentences; of the others nothing is known.
static const struct {
    const char *many, *one;
} counted[] = {
    {"arguments", "argument"},
    {"axes", "axis"},
    {"bindings", "binding"},
    {"blocks", "block"},
    {"buffers", "buffer"},
    {"bytes", "byte"},
    {"channels", "channel"},
    {"columns", "column"},
    {"dims", "dim"},
    {"elements", "element"},
    {"errors", "error"},
    {"experts", "expert"},
    {"factors", "factor"},
    {"fields", "field"},
    {"functions", "function"},
    {"groups", "group"},
    {"heads", "head"},
    {"indices", "index"},
    {"inputs", "input"},
    {"items", "item"},
    {"kernels", "kernel"},
    {"lanes", "lane"},
    {"layers", "layer"},
    {"letters", "letter"},
    {"loops", "loop"},
    {"numbers", "number"},
    {"operands", "operand"},
    {"outputs", "output"},
    {"parameters", "parameter"},
    {"registers", "register"},
    {"results", "result"},
    {"rows", "row"},
    {"scalars", "scalar"},
    {"slots", "slot"},
    {"steps", "step"},
    {"tensors", "tensor"},
    {"threads", "thread"},
    {"tokens", "token"},
    {"values", "value"},
    {"variables", "variable"},
    {"vectors", "vector"},
    {"weights", "weight"},
    {"words", "word"},
    {"workers", "worker"},
};

// The row of the plural that `at` begins with.
static size_t plural_at(const char *at) {
    size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz"), i = 0;
    while (i < COUNT(counted) && (strlen(counted[i].many) != size || memcmp(counted[i].many, at, size) != 0)) i++;
    return i;
}

char *text_agree(char *sentence) {
    for (char *one = strstr(sentence, "1 "); one; one = strstr(one + 1, "1 ")) {
        // A number of its own: not the end of 21, 0.1 or x1.
        if (one != sentence && !strchr(" (:,", one[-1])) continue;
        if (one - sentence >= 3 && memcmp(one - 3, "of ", 3) == 0) continue; // "1 of 1 elements"
        size_t i = plural_at(one + 2);
        if (i == COUNT(counted)) continue;
        size_t many = strlen(counted[i].many), fewer = strlen(counted[i].one);
        char *noun = one + 2;
        memcpy(noun, counted[i].one, fewer);
        memmove(noun + fewer, noun + many, strlen(noun + many) + 1);
    }
    return sentence;
}
