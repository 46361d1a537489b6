// npy.c - .npy files to tensors and back: byte order, storage order and the packing of small types.
#include "tensor/npy.h"
#include "base/count_noun.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensors are copied to little-endian files as they are");

// Small types have an element per byte in files; bools of any non-zero byte are true in NumPy.
static bool is_widened(dtype t) { return dtype_bits(t) < 8 || dtype_family_of(t) == FAMILY_BOOL; }

bool npy_is_plain(const npy_info *info) {
    return !info->big_endian && !(info->fortran && info->rank > 1) && !is_widened(info->type);
}

// The bits of an element of the file; data may be aligned to nothing.
static uint64_t load_element(const npy_info *info, const uint8_t *data, size_t index) {
    const uint8_t *bytes = data + index * info->item_bytes;
    uint64_t bits = 0;
    for (size_t i = 0; i < info->item_bytes; i++) {
        size_t place = info->big_endian ? info->item_bytes - 1 - i : i;
        bits |= (uint64_t)bytes[i] << 8 * place;
    }
    return dtype_family_of(info->type) == FAMILY_BOOL ? bits != 0 : bits;
}

// The next row-major index, and the element of the file it stands at. `stride` counts elements.
static size_t advance(const npy_info *info, const int64_t *stride, int64_t *index, size_t at) {
    for (uint32_t i = info->rank; i-- > 0;) {
        at += (size_t)stride[i];
        if (++index[i] < info->dim[i]) break;
        at -= (size_t)(stride[i] * info->dim[i]);
        index[i] = 0;
    }
    return at;
}

// How far apart the elements of the file are along each dim.
static void fill_strides(const npy_info *info, int64_t *stride) {
    int64_t step = 1;
    for (uint32_t k = 0; k < info->rank; k++) {
        uint32_t i = info->fortran ? k : info->rank - 1 - k;
        stride[i] = step;
        step *= info->dim[i];
    }
}

// The walk is in the order of the tensor, so that writes are sequential and packed elements fill up from the low bits.
rx_status npy_convert(const npy_info *info, const uint8_t *data, tensor **out) {
    int64_t stride[TENSOR_MAX_RANK], index[TENSOR_MAX_RANK] = {0};
    tensor *t;
    RX_TRY(tensor_new(info->type, info->rank, info->dim, &t));
    *out = t;
    if (t->bytes == 0) return RX_OK;
    if (npy_is_plain(info)) return memcpy(t->data, data, t->bytes), RX_OK;
    fill_strides(info, stride);
    size_t count = (size_t)tensor_count(t), at = 0;
    for (size_t i = 0; i < count; i++) {
        dtype_store_bits(t->type, t->data, i, load_element(info, data, at));
        at = advance(info, stride, index, at);
    }
    return RX_OK;
}

rx_status npy_parse_as(const uint8_t *bytes, size_t size, dtype unnamed, tensor **out, char why[FILE_WHY]) {
    npy_info info;
    RX_TRY(npy_parse_header(bytes, size, unnamed, &info, why));
    size_t left = size - info.header_bytes;
    if (info.data_bytes != left)
        return why_fail(why, RX_BAD_FILE, "npy: the header asks for %s of data, but %zu follow it",
                        COUNTED(info.data_bytes, "byte"), left);
    rx_status status = npy_convert(&info, bytes + info.header_bytes, out);
    if (status == RX_OK) return status;
    return why_fail(why, status, "npy: no memory for an array of %s", COUNTED(info.data_bytes, "byte"));
}

rx_status npy_parse(const uint8_t *bytes, size_t size, tensor **out, char why[FILE_WHY]) {
    return npy_parse_as(bytes, size, (dtype){0}, out, why);
}

// Puts the path before a reason.
static rx_status blame(rx_status status, const char *path, const char *reason, char *why) {
    return status == RX_OK ? status : why_fail(why, status, "%s: %s", path, reason);
}

rx_status npy_read(const char *path, tensor **out, char why[FILE_WHY]) {
    mapped_file file = {0};
    char reason[FILE_WHY];
    RX_TRY(file_map(path, &file, why));
    rx_status status = npy_parse(file.data, file.size, out, reason);
    file_unmap(&file);
    return blame(status, path, reason, why);
}

rx_status npy_data(const tensor *t, const void **data, size_t *size, void **owned) {
    *owned = NULL;
    *data = t->data;
    *size = t->bytes;
    if (dtype_bits(t->type) >= 8) return RX_OK;
    size_t count = (size_t)tensor_count(t);
    uint8_t *wide = malloc(count ? count : 1);
    if (!wide) return RX_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) wide[i] = (uint8_t)dtype_load_bits(t->type, t->data, i);
    *data = *owned = wide;
    *size = count;
    return RX_OK;
}

// The tensor is written from where it lies: no copy of large data.
static rx_status write_all(new_file *f, const tensor *t) {
    const void *data;
    void *owned = NULL;
    uint8_t *header = NULL;
    size_t header_size, size;
    rx_status status = npy_header(t, &header, &header_size);
    if (status == RX_OK) status = npy_data(t, &data, &size, &owned);
    if (status == RX_OK) status = new_file_write(f, header, header_size);
    if (status == RX_OK) status = new_file_write(f, data, size);
    free(owned);
    free(header);
    return status;
}

rx_status npy_write(const char *path, const tensor *t, char why[FILE_WHY]) {
    new_file *f = NULL;
    if (dtype_lanes(t->type) != 1) return blame(RX_UNSUPPORTED, path, "npy files can't hold vectors", why);
    RX_TRY(new_file_open(path, &f, why));
    rx_status status = write_all(f, t);
    if (status == RX_OK || status == RX_IO) return new_file_commit(f, why); // which tells why a write failed
    new_file_discard(f);
    return blame(status, path, status == RX_OUT_OF_MEMORY ? "no memory to convert the array" : "can't be written", why);
}
