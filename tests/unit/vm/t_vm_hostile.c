// t_vm_hostile.c - damaged files with right checksums: refused or harmless. Kernels are not run.
#include "exec/format.h"
#include "fixture.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUTATIONS = 10000, MEMORY = 16 << 20, STEPS = 2000 };

static uint64_t random_bits(uint64_t *state) { // xorshift64*
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

// Arguments that fit the good file.
typedef struct feed {
    rx_value *x, *s, *pair;
} feed;

static feed feed_new(void) {
    feed a = {.x = counting(2, (int64_t[]){3, 4}, 0)};
    assert_int_equal(rx_shape_new(1, (int64_t[]){5}, &a.s), RX_OK);
    assert_int_equal(rx_tuple_new((rx_value *[]){a.x, a.s}, 2, &a.pair), RX_OK);
    return a;
}

static void feed_free(feed *a) {
    rx_value_release(a->x);
    rx_value_release(a->s);
    rx_value_release(a->pair);
}

// Calls every public function. Returns how many calls succeeded.
static unsigned call_all(rx_executable *e, rx_context *c, const feed *a) {
    unsigned good = 0;
    for (uint32_t i = 0; i < rx_executable_function_count(e) && i < 16; i++) {
        rx_value *arg[4] = {a->x, a->s, a->pair, a->x}, *out = NULL;
        const char *name = rx_executable_function_name(e, i);
        uint32_t count = rx_executable_param_count(e, name);
        if (count <= 4) good += rx_context_call_number(c, i, arg, count, &out) == RX_OK;
        rx_value_release(out);
    }
    return good;
}

// True if the file was loaded and run.
static bool try_file(const uint8_t *bytes, size_t size, const feed *a, unsigned *good) {
    rx_executable *e = NULL;
    rx_context *c = NULL;
    char message[RX_MESSAGE] = "";
    rx_context_options o = {
        .struct_size = sizeof o, .device = "dry-run", .threads = 1, .memory_limit = MEMORY, .step_limit = STEPS};
    rx_status status = rx_executable_load_memory(bytes, size, NULL, &e, message);
    if (status == RX_OK) status = rx_context_new(e, &o, &c, message);
    if (status == RX_OK)
        *good += call_all(e, c, a);
    else
        assert_true(*message != 0);
    rx_context_release(c);
    rx_executable_release(e);
    return status == RX_OK;
}

// A place in the file: each section as likely as the others, whatever its size, and now and then the frame.
static size_t choose_place(const format_frame *frame, uint64_t *seed) {
    const format_section *s = &frame->section[random_bits(seed) % frame->sections];
    if (!s->size || random_bits(seed) % 16 == 0) return (size_t)(random_bits(seed) % format_head_size(frame->sections));
    return (size_t)(s->offset + random_bits(seed) % s->size);
}

// Changes a few bytes: single ones, or words to values that are often wrong.
static void mutate(uint8_t *bytes, size_t size, const format_frame *frame, uint64_t *seed) {
    static const uint32_t word[] = {0, 1, 2, 3, 4, 7, 16, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 65536};
    unsigned changes = 1 + (unsigned)(random_bits(seed) % 4);
    for (unsigned i = 0; i < changes; i++) {
        size_t at = choose_place(frame, seed);
        if (random_bits(seed) & 1) {
            bytes[at] = (uint8_t)random_bits(seed);
        } else if (at / 4 * 4 + 4 <= size) {
            memcpy(bytes + at / 4 * 4, &word[random_bits(seed) % COUNT(word)], 4);
        }
    }
}

static void test_mutations(void **state) {
    (void)state;
    fixture f = fixture_everything();
    char message[RX_MESSAGE];
    if (exec_writer_bytes(f.w, &f.bytes, &f.size, message) != RX_OK) fail_msg("%s", message);
    feed a = feed_new();
    unsigned good = 0, ran = 0;
    assert_true(try_file(f.bytes, f.size, &a, &good));
    assert_int_equal(good, 4); // "deep" wants other arguments
    uint8_t *copy = NULL;
    assert_int_equal(exec_writer_bytes(f.w, &copy, &f.size, message), RX_OK);
    assert_memory_equal(copy, f.bytes, f.size); // the same calls, the same bytes
    format_frame frame;
    assert_int_equal(format_read(f.bytes, f.size, &frame, message), RX_OK);
    uint64_t seed = 88172645463325252u;
    unsigned count = getenv("RELAX_MUTATIONS") ? (unsigned)atoi(getenv("RELAX_MUTATIONS")) : MUTATIONS;
    for (unsigned i = 0; i < count; i++) {
        memcpy(copy, f.bytes, f.size);
        mutate(copy, f.size, &frame, &seed);
        format_seal(copy, f.size);
        ran += try_file(copy, f.size, &a, &good);
    }
    print_message("%u of %u mutated files were loaded, %u calls returned\n", ran, count, good);
    assert_true(ran > MUTATIONS / 100);
    free(copy);
    feed_free(&a);
    fixture_free(&f);
}

// Cut off at every length, and lengthened.
static void test_truncation(void **state) {
    (void)state;
    fixture f = fixture_everything();
    char message[RX_MESSAGE];
    assert_int_equal(exec_writer_bytes(f.w, &f.bytes, &f.size, message), RX_OK);
    void *exact = NULL;
    for (size_t size = 0; size < f.size; size += 1 + size / 64) {
        rx_executable *e;
        exact = aligned_alloc(64, size / 64 * 64 + 64);
        uint8_t *at = (uint8_t *)exact;
        memcpy(at, f.bytes, size);
        assert_int_equal(rx_executable_load_memory(at, size, NULL, &e, message), RX_BAD_FILE);
        assert_null(e);
        free(exact);
    }
    fixture_free(&f);
}

// One flipped bit without a new checksum is always noticed, but for the weights, which are looked at on request.
static void test_checksums(void **state) {
    (void)state;
    fixture f = fixture_everything();
    char message[RX_MESSAGE];
    assert_int_equal(exec_writer_bytes(f.w, &f.bytes, &f.size, message), RX_OK);
    format_frame frame;
    assert_int_equal(format_read(f.bytes, f.size, &frame, message), RX_OK);
    for (uint32_t i = 0; i < frame.sections; i++) {
        const format_section *s = &frame.section[i];
        if (!s->size) continue;
        size_t at = (size_t)(s->offset + (s->flags & SECTION_UNCHECKED ? 0 : s->size / 2)); // not in the padding
        f.bytes[at] ^= 16;
        executable *e;
        rx_status status = exec_load_memory(f.bytes, f.size, NULL, &e, message);
        if (s->flags & SECTION_UNCHECKED) {
            assert_int_equal(status, RX_OK);
            assert_int_equal(exec_verify_weights(e, message), RX_BAD_FILE);
            assert_non_null(strstr(message, "the checksum of weight w is wrong"));
            exec_release(e);
        } else {
            assert_int_equal(status, RX_BAD_FILE);
            assert_non_null(strstr(message, "checksum"));
        }
        f.bytes[at] ^= 16;
    }
    fixture_free(&f);
}

// A file of the past is still read: if this fails, the format changed without a new version.
static void test_old_file(void **state) {
    (void)state;
    char path[512], message[RX_MESSAGE];
    const char *root = getenv("SRC");
    if (!root) skip();
    snprintf(path, sizeof path, "%s/fuzz/corpus/vm_rlx/everything.rlx", root);
    executable *e;
    if (exec_load(path, NULL, &e, message) != RX_OK) fail_msg("%s", message);
    assert_int_equal(exec_verify_weights(e, message), RX_OK);
    exec_release(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
