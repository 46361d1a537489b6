// json.h - JSON texts as values in an arena: what configurations beside checkpoints are written in.
//
// Values are immutable and live as long as the arena. Names of an object keep their order; of equal names the last one
// counts. The reader is bounded: memory is linear in the text, nesting at most JSON_DEPTH.
#ifndef CHECKPOINT_JSON_H
#define CHECKPOINT_JSON_H
#include "base/arena.h"
#include "base/file.h"
#include "base/json_lex.h"

enum { JSON_DEPTH = 64 };

typedef struct json_value json_value;
struct json_value {
    json_kind kind;
    uint32_t count;         // of a list or an object
    double number;          // JSON_NUMBER; JSON_BOOL: 0 or 1
    const char *text;       // JSON_STRING: UTF-8 without a NUL inside
    const char *const *key; // JSON_OBJECT
    const json_value *item; // elements of a list, values of an object
};

// NULL after writing one sentence into `why`: not JSON, or what is promised above does not hold.
const json_value *json_parse(arena *mem, const char *bytes, size_t size, char why[FILE_WHY]);
// The same of a file of at most `limit` bytes; the sentence names the path.
const json_value *json_read(arena *mem, const char *path, size_t limit, char why[FILE_WHY]);

// NULL: none, null, or `object` is no object (or NULL).
const json_value *json_find(const json_value *object, const char *key);
// A member of that kind, or what stands in for it.
double json_number(const json_value *object, const char *key, double otherwise);
int64_t json_int(const json_value *object, const char *key, int64_t otherwise); // also if it is no whole number
bool json_truth(const json_value *object, const char *key, bool otherwise);
const char *json_text(const json_value *object, const char *key, const char *otherwise);
#endif
