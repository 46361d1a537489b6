// fuzz_tensor_npy.c - any bytes as a .npy file: refused with a sentence, or read, written and read again as the same.
#include "tensor/npy.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What is wrong with our own output is a crash, so that the fuzzer keeps the input.
static void must(bool holds) {
    if (!holds) abort();
}

static tensor *write_and_read(const tensor *t) {
    uint8_t *header;
    const void *data;
    void *owned;
    size_t header_size, data_size;
    tensor *again;
    must(npy_header(t, &header, &header_size) == RX_OK);
    must(npy_data(t, &data, &data_size, &owned) == RX_OK);
    uint8_t *file = malloc(header_size + data_size);
    must(file);
    memcpy(file, header, header_size);
    memcpy(file + header_size, data, data_size);
    must(npy_parse(file, header_size + data_size, &again, NULL) == RX_OK);
    free(header);
    free(owned);
    free(file);
    return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "";
    tensor *t;
    // The first byte picks the type that a header without one gets.
    dtype unnamed = {.kind = size ? data[0] % DTYPE_KINDS : 0};
    if (size) data++, size--;
    if (npy_parse_as(data, size, unnamed, &t, why) != RX_OK) {
        must(why[0] && memchr(why, 0, sizeof why));
        return 0;
    }
    tensor *again = write_and_read(t);
    must(dtype_equal(t->type, again->type) && t->rank == again->rank && t->bytes == again->bytes);
    must(memcmp(t->dim, again->dim, t->rank * sizeof *t->dim) == 0);
    must(memcmp(t->data, again->data, t->bytes) == 0);
    tensor_release(t);
    tensor_release(again);
    return 0;
}
