// t_checkpoint.c - folders of shards: what belongs together is found, what doesn't is refused.
#define _POSIX_C_SOURCE 200809L
#include "checkpoint/checkpoint.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static void put(const char *name, const void *bytes, size_t size) {
    char path[128], why[FILE_WHY];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (file_write(path, bytes, size, why) != RX_OK) fail_msg("%s", why);
}

static void put_text(const char *name, const char *text) { put(name, text, strlen(text)); }

// A file with one tensor of two floats.
static void put_shard(const char *file, const char *name, float first) {
    char bytes[256] = {0};
    int size = snprintf(bytes + 8, 200, "{\"%s\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", name);
    const float data[] = {first, -first};
    bytes[0] = (char)size;
    memcpy(bytes + 8 + size, data, sizeof data);
    put(file, bytes, 8 + (size_t)size + sizeof data);
}

static int begin(void **state) {
    strcpy(folder, "/tmp/relax-test-XXXXXX");
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int end(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)state;
    return system(command);
}

static void refused(const char *words) {
    char why[FILE_WHY] = "";
    checkpoint *c;
    assert_int_not_equal(checkpoint_open(folder, &c, why), RX_OK);
    assert_null(c);
    if (!strstr(why, words)) fail_msg("want '%s' in '%s'", words, why);
}

static void two_shards(void **state) {
    char why[FILE_WHY] = "";
    checkpoint *c;
    put_shard("one.safetensors", "a", 1.5F);
    put_shard("two.safetensors", "b", 2.5F);
    put_text("model.safetensors.index.json",
             "{\"weight_map\": {\"b\": \"two.safetensors\", \"a\": \"one.safetensors\"}}");
    put_text("config.json", "{\"hidden_size\": 64}");
    assert_true(checkpoint_is(folder));
    if (checkpoint_open(folder, &c, why) != RX_OK) fail_msg("%s", why);
    assert_int_equal(checkpoint_count(c), 2);
    assert_null(checkpoint_find(c, "c"));
    assert_null(checkpoint_gguf(c));
    assert_int_equal(json_int(checkpoint_config(c), "hidden_size", 0), 64);
    const checkpoint_tensor *a = checkpoint_find(c, "a");
    tensor *t;
    assert_int_equal(checkpoint_stored(a, &t), RX_OK);
    assert_int_equal(t->rank, 1);
    assert_true(dtype_equal(t->type, DTYPE_OF(F32)));
    assert_true(dtype_decode_float(t->type, dtype_load_bits(t->type, t->data, 1)) == -1.5);
    tensor_release(t);
    checkpoint_close(c);
    (void)state;
}

static void what_does_not_fit(void **state) {
    refused("the folder has no model.safetensors");
    put_shard("one.safetensors", "a", 1.5F);
    put_shard("two.safetensors", "a", 2.5F);
    put_text("model.safetensors.index.json",
             "{\"weight_map\": {\"a\": \"one.safetensors\", \"b\": \"two.safetensors\"}}");
    refused("two files have a tensor named a");
    put_text("model.safetensors.index.json",
             "{\"weight_map\": {\"a\": \"one.safetensors\", \"b\": \"one.safetensors\"}}");
    refused("no file has the tensor b");
    put_text("model.safetensors.index.json", "{\"weight_map\": {\"a\": \"../one.safetensors\"}}");
    refused("want the name of a file");
    put_text("model.safetensors.index.json", "{\"weight_map\": {\"a\": 1}}");
    refused("want the name of a file");
    put_text("model.safetensors.index.json", "{\"weight_map\": {\"a\": \"three.safetensors\"}}");
    refused("three.safetensors");
    put_text("model.safetensors.index.json", "[]");
    refused("want an object named weight_map");
    put_text("config.json", "{");
    refused("config.json");
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(two_shards, begin, end),
                                       cmocka_unit_test_setup_teardown(what_does_not_fit, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
