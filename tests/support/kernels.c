// kernels.c - compiles the test kernels with the system's C compiler and reads the image.
#define _POSIX_C_SOURCE 200809L
#include "support/kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "typedef long long i64; typedef int i32;\n"
    "typedef struct { void *const *buffer; const i64 *scalar; } args;\n"
    "i32 add_f32(const args *a, i64 b, i64 e, void *s) {\n"
    "    const float *x = a->buffer[0], *y = a->buffer[1]; float *o = a->buffer[2];\n"
    "    for (i64 i = b; i < e; i++) o[i] = x[i] + y[i];\n"
    "    return 0;\n}\n"
    "i32 scale_f32(const args *a, i64 b, i64 e, void *s) {\n"
    "    const float *x = a->buffer[0]; float *o = a->buffer[1];\n"
    "    union { i64 i; float f[2]; } k = {a->scalar[1]};\n"
    "    for (i64 i = b; i < e; i++) o[i] = x[i] * k.f[0];\n"
    "    return 0;\n}\n"
    "i32 row_sum(const args *a, i64 b, i64 e, void *s) {\n"
    "    const float *x = a->buffer[0]; float *o = a->buffer[1]; volatile float *t = s; i64 m = a->scalar[1];\n"
    "    for (i64 i = b; i < e; i++) {\n"
    "        for (i64 j = 0; j < m; j++) t[j] = x[i * m + j];\n"
    "        float r = 0;\n"
    "        for (i64 j = 0; j < m; j++) r += t[j];\n"
    "        o[i] = r;\n"
    "    }\n"
    "    return 0;\n}\n"
    "i32 positive(const args *a, i64 b, i64 e, void *s) {\n"
    "    const float *x = a->buffer[0];\n"
    "    for (i64 i = b; i < e; i++) if (x[i] < 0) return 2;\n"
    "    return 0;\n}\n"
    "static const float one = 1, two = 2, three = 3;\n"
    "static const float *const addresses[] = {&one, &two, &three};\n"
    "i32 table(const args *a, i64 b, i64 e, void *s) {\n"
    "    float *o = a->buffer[0];\n"
    "    for (i64 i = b; i < e; i++) o[i] = *((const float *const volatile *)addresses)[i % 3];\n"
    "    return 0;\n}\n"
    "i32 count_calls(const args *a, i64 b, i64 e, void *s) {\n"
    "    ((float *)a->buffer[0])[0] += 1;\n"
    "    return 0;\n}\n";

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 20);
    *size = f && bytes ? fread(bytes, 1, 1 << 20, f) : 0;
    if (f) fclose(f);
    if (*size) return bytes;
    free(bytes);
    return NULL;
}

uint8_t *test_kernels(size_t *size) {
    char folder[] = "/tmp/relax-kernels-XXXXXX", command[512], path[64];
    if (!mkdtemp(folder)) return NULL;
    snprintf(path, sizeof path, "%s/k.so", folder);
    snprintf(command, sizeof command,
             "cc -O1 -w -fPIC -shared -nostdlib -fno-tree-loop-distribute-patterns -x c - -o %s", path);
    FILE *cc = popen(command, "w");
    if (cc) fputs(source, cc);
    uint8_t *bytes = cc && pclose(cc) == 0 ? read_file(path, size) : NULL;
    unlink(path);
    rmdir(folder);
    return bytes;
}
