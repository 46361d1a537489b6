// dlpack.h - the structs of DLPack, declared by us after dlpack.h 1.1 (github.com/dmlc/dlpack, "DLPack: Open In Memory
// Tensor Structure"). They are an ABI: never change them.
#ifndef VM_DLPACK_H
#define VM_DLPACK_H
#include <stdint.h>

// The version we write, kDLCPU, and DLPACK_FLAG_BITMASK_READ_ONLY.
enum { DLPACK_MAJOR = 1, DLPACK_MINOR = 1, DLPACK_CPU = 1, DLPACK_READ_ONLY = 1 };

// Where the data lies.
typedef struct dlpack_device {
    int32_t type, id; // DLDeviceType, DLDevice.device_id
} dlpack_device;

// DLDataType: code as in tensor/dtypes.def, bits of one lane.
typedef struct dlpack_dtype {
    uint8_t code, bits;
    uint16_t lanes;
} dlpack_dtype;

typedef struct dlpack_tensor { // DLTensor
    void *data;
    dlpack_device device;
    int32_t ndim;
    dlpack_dtype dtype;
    int64_t *shape;
    int64_t *strides; // in elements; NULL: compact and row-major
    uint64_t byte_offset;
} dlpack_tensor;

// Before version 1.0: no version, no flags.
struct DLManagedTensor {
    dlpack_tensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self); // may be NULL
};

// Since 1.0. An importer looks at `major` before anything else.
struct DLManagedTensorVersioned {
    uint32_t major, minor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self); // may be NULL
    uint64_t flags;
    dlpack_tensor dl_tensor;
};
#endif
