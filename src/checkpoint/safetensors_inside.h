// safetensors_inside.h - the tables a header is read into; for safetensors.c and safetensors_header.c alone.
#ifndef CHECKPOINT_SAFETENSORS_INSIDE_H
#define CHECKPOINT_SAFETENSORS_INSIDE_H
#include "checkpoint/safetensors.h"

typedef struct safetensors_range {
    uint64_t begin, end; // of the data
} safetensors_range;

typedef struct safetensors_pair {
    char *key, *value;
} safetensors_pair;

struct safetensors {
    mapped_file file;         // zero if the bytes are the caller's
    safetensors_entry *entry; // names are owned
    safetensors_range *range; // one per entry
    size_t entries, room;
    safetensors_pair *meta;
    size_t metas, meta_room;
};

// Reads the JSON text of a header into the tables. The data it speaks of is not looked at.
RX_MUST_USE rx_status safetensors_read_header(const char *json, size_t size, safetensors *s, char why[FILE_WHY]);
#endif
