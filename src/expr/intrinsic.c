// intrinsic.c - the table of intrinsics and the look-up by name.
#include "expr/intrinsic.h"
#include "base/attributes.h"
#include <string.h>

enum { MANY = INTRIN_VARIADIC };

// In the order of the fields of `intrinsic`; rows of the .def may stand in any order.
static const intrinsic table[] = {
#define INTRINSIC(NAME, spelling, min, max, takes, result, leads, pure, lanes, doc)                                    \
    [INTRIN_##NAME] = {spelling, INTRIN_##NAME, min, max, TAKES_##takes, INTRIN_##result, leads, pure, lanes, doc},
#include "expr/intrinsics.def"
};

// Spellings of other versions of TVM.
static const struct {
    const char *name;
    intrinsic_id id;
} other_names[] = {
    {"tvm_call_packed", INTRIN_CALL_PACKED},
    {"tvm_call_packed_lowered", INTRIN_CALL_PACKED_LOWERED},
    {"tvm_call_cpacked", INTRIN_CALL_CPACKED},
    {"tvm_call_cpacked_lowered", INTRIN_CALL_CPACKED_LOWERED},
    {"ptx_mma", INTRIN_PTX_MMA},
    {"ptx_mma_sp", INTRIN_PTX_MMA_SP},
    {"ptx_ldmatrix", INTRIN_PTX_LDMATRIX},
    {"ptx_cp_async", INTRIN_PTX_CP_ASYNC},
    {"ptx_cp_async_bulk", INTRIN_PTX_CP_ASYNC_BULK},
    {"ptx_commit_group", INTRIN_PTX_CP_ASYNC_COMMIT_GROUP},
    {"ptx_wait_group", INTRIN_PTX_CP_ASYNC_WAIT_GROUP},
    {"mma_fill", INTRIN_CUDA_MMA_FILL},
    {"mma_store", INTRIN_CUDA_MMA_STORE},
    {"make_filled_simdgroup_matrix", INTRIN_METAL_MAKE_FILLED_SIMDGROUP_MATRIX},
    {"simdgroup_load", INTRIN_METAL_SIMDGROUP_LOAD},
    {"simdgroup_store", INTRIN_METAL_SIMDGROUP_STORE},
    {"simdgroup_multiply_accumulate", INTRIN_METAL_SIMDGROUP_MULTIPLY_ACCUMULATE},
};

const intrinsic *intrinsic_get(intrinsic_id id) {
    CHECK(id < INTRINSICS);
    return &table[id];
}

// A linear search: names are looked up while reading text, and most calls there are of the first rows.
const intrinsic *intrinsic_find(const char *name) {
    for (size_t i = 0; i < COUNT(table); i++)
        if (!strcmp(table[i].name, name)) return &table[i];
    for (size_t i = 0; i < COUNT(other_names); i++)
        if (!strcmp(other_names[i].name, name)) return &table[other_names[i].id];
    return NULL;
}
