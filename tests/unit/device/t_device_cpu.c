// t_device_cpu.c - the conformance suite of devices, on the CPU: memory, kernels, capture; and images that are refused.
#include "device/cpu.h"
#include "exec/elf.h"
#include "support/kernels.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>

typedef struct loaded {
    device *d;
    device_code *code;
    uint8_t *image;
    size_t size;
    uint64_t entry[3];
} loaded;

static const char *const names[] = {"add_f32", "table", "positive"};

static loaded load(unsigned threads) {
    loaded l = {0};
    char why[DEVICE_WHY];
    elf_image e;
    l.image = test_kernels(&l.size);
    if (!l.image) skip();
    assert_true(elf_open(l.image, l.size, &e, why));
    for (int i = 0; i < 3; i++) assert_true(elf_find(&e, names[i], &l.entry[i]));
    assert_int_equal(device_open("cpu", threads, &l.d, why), RX_OK);
    if (l.d->f->load(l.d, l.image, l.size, l.entry, 3, &l.code, why) != RX_OK) fail_msg("%s", why);
    return l;
}

static void unload(loaded *l) {
    l->d->f->unload(l->code);
    device_release(l->d);
    free(l->image);
}

static void test_memory(void **state) {
    (void)state;
    device *d;
    char why[DEVICE_WHY];
    assert_int_equal(device_open("cpu", 1, &d, why), RX_OK);
    static const size_t sizes[] = {0, 1, 63, 4096, 1 << 20, (1 << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t *a = d->f->allocate(d, sizes[i]), *b = d->f->allocate(d, sizes[i]);
        assert_non_null(a);
        assert_int_equal((uintptr_t)a % DEVICE_ALIGN, 0);
        assert_int_equal(d->f->fill(d, a, 0x5a, sizes[i]), RX_OK);
        assert_int_equal(d->f->copy(d, b, a, sizes[i]), RX_OK);
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(b[k], 0x5a);
        d->f->free(d, a, sizes[i]);
        d->f->free(d, b, sizes[i]);
    }
    assert_null(d->f->allocate(d, SIZE_MAX - 10));
    assert_int_equal(d->f->synchronise(d), RX_OK);
    device_release(d);
    assert_int_equal(device_open("tpu", 1, &d, why), RX_NOT_FOUND);
    assert_string_equal(why, "no device is called tpu; this build has: cpu, dry-run");
}

static void test_launch(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        loaded l = load(threads);
        float a[100], b[100], out[100] = {0};
        for (int i = 0; i < 100; i++) a[i] = (float)i, b[i] = 1;
        int64_t n = 99;
        int32_t failed;
        device_launch add = {.kernel = 0,
                             .buffers = 3,
                             .scalars = 1,
                             .buffer = (void *[]){a, b, out},
                             .scalar = &n,
                             .grid = n,
                             .bytes = 1 << 20};
        assert_int_equal(l.d->f->launch(l.d, l.code, &add, &failed), RX_OK);
        for (int i = 0; i < 100; i++) assert_float_equal(out[i], i < 99 ? (float)i + 1 : 0, 0);
        device_launch table = {
            .kernel = 1, .buffers = 1, .scalars = 1, .buffer = (void *[]){out}, .scalar = &n, .grid = 4};
        assert_int_equal(l.d->f->launch(l.d, l.code, &table, &failed), RX_OK);
        assert_float_equal(out[2], 3, 0); // an address in the image was relocated
        a[50] = -1;
        device_launch positive = {.kernel = 2,
                                  .buffers = 1,
                                  .scalars = 1,
                                  .buffer = (void *[]){a},
                                  .scalar = &n,
                                  .grid = n,
                                  .bytes = 1 << 20};
        assert_int_equal(l.d->f->launch(l.d, l.code, &positive, &failed), RX_INVALID_ARGUMENT);
        assert_int_equal(failed, 2);
        positive.grid = 0;
        assert_int_equal(l.d->f->launch(l.d, l.code, &positive, &failed), RX_OK);
        unload(&l);
    }
}

static void test_capture(void **state) {
    (void)state;
    loaded l = load(2);
    float a[10], b[10], c[10] = {0};
    for (int i = 0; i < 10; i++) a[i] = (float)i, b[i] = 100;
    int64_t n = 10;
    void *first[] = {a, b, c}, *second[] = {c, b, c};
    device_launch add = {
        .kernel = 0, .buffers = 3, .scalars = 1, .buffer = first, .scalar = &n, .grid = n, .bytes = 1 << 20};
    device_list *list;
    assert_int_equal(l.d->f->list_new(l.d, &list), RX_OK);
    assert_int_equal(l.d->f->record(list, l.code, &add), RX_OK);
    add.buffer = second;
    assert_int_equal(l.d->f->record(list, l.code, &add), RX_OK);
    n = 0; // what was recorded is a copy
    first[0] = second[0] = NULL;
    assert_float_equal(c[3], 0, 0);
    uint32_t kernel;
    int32_t failed;
    for (int i = 0; i < 3; i++) {
        a[0] = (float)i;
        assert_int_equal(l.d->f->replay(l.d, list, &kernel, &failed), RX_OK);
        assert_float_equal(c[0], 200 + (float)i, 0);
        assert_float_equal(c[9], 209, 0);
    }
    l.d->f->list_free(list);
    unload(&l);
}

// An image need not have every kernel of its file.
static void test_kernel_that_is_not_there(void **state) {
    (void)state;
    loaded l = load(1);
    char why[DEVICE_WHY] = "";
    device_code *code;
    device_list *list;
    int64_t n = 4;
    float a[4] = {0}, b[4] = {0}, c[4] = {0};
    void *buffer[] = {a, b, c};
    uint64_t entry = l.entry[0];
    l.entry[0] = 0;
    assert_int_equal(l.d->f->load(l.d, l.image, l.size, l.entry, 3, &code, why), RX_OK);
    device_launch add = {.kernel = 0, .buffers = 3, .scalars = 1, .buffer = buffer, .scalar = &n, .grid = n};
    uint32_t kernel;
    int32_t failed;
    assert_int_equal(l.d->f->launch(l.d, code, &add, &failed), RX_BAD_FILE);
    assert_int_equal(l.d->f->list_new(l.d, &list), RX_OK);
    assert_int_equal(l.d->f->record(list, code, &add), RX_OK);
    assert_int_equal(l.d->f->replay(l.d, list, &kernel, &failed), RX_BAD_FILE);
    l.d->f->list_free(list);
    l.d->f->unload(code);
    l.entry[0] = entry;
    unload(&l);
}

static void expect_refused(loaded *l, const uint8_t *image, size_t size, const char *message) {
    char why[DEVICE_WHY] = "";
    device_code *code;
    assert_int_not_equal(l->d->f->load(l->d, image, size, l->entry, 3, &code, why), RX_OK);
    assert_null(code);
    assert_non_null(strstr(why, message));
}

static void test_refused_images(void **state) {
    (void)state;
    loaded l = load(1);
    expect_refused(&l, l.image, 10, "not a 64-bit little-endian ELF image");
    uint64_t entry = l.entry[0];
    l.entry[0] = 8; // the header: mapped, but not code
    expect_refused(&l, l.image, l.size, "the entry of kernel 0 is not code");
    l.entry[0] = entry;
    uint8_t *bad = malloc(l.size);
    memcpy(bad, l.image, l.size);
    bad[18] = 40; // e_machine: 32-bit ARM
    expect_refused(&l, bad, l.size, "not supported");
    memcpy(bad, l.image, l.size);
    bad[18] = bad[18] == 62 ? 183 : 62;
    expect_refused(&l, bad, l.size, "");
    // Whatever one byte is changed to: loaded or refused, never a crash.
    for (size_t i = 0; i < l.size; i += 1 + i / 512) {
        char why[DEVICE_WHY];
        device_code *code;
        memcpy(bad, l.image, l.size);
        bad[i] ^= 0xff;
        if (l.d->f->load(l.d, bad, l.size, l.entry, 3, &code, why) == RX_OK) l.d->f->unload(code);
    }
    for (size_t size = 0; size < l.size; size += 7) { // cut off, with the exact size, so that a byte past it is noticed
        char why[DEVICE_WHY];
        device_code *code;
        uint8_t *exact = malloc(size ? size : 1);
        memcpy(exact, l.image, size);
        if (l.d->f->load(l.d, exact, size, l.entry, 3, &code, why) == RX_OK) l.d->f->unload(code);
        free(exact);
    }
    free(bad);
    unload(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_launch),
        cmocka_unit_test(test_capture),        cmocka_unit_test(test_kernel_that_is_not_there),
        cmocka_unit_test(test_refused_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
