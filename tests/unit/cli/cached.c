// cached.c - the attention of a decoder layer, as the front end builds it, and a main function that calls it.
#include "cached.h"
#include "nn/nn.h"
#include "test.h"
#include "text/script.h"
#include <string.h>

enum { SIZE = 64, PAGE = 16 };

static const char forward_of[] =
    "    @R.function\n"
    "    def main(x: R.Tensor((\"n\", 64), \"float32\"), z: R.Tensor((\"m\",), \"float32\"), "
    "k: R.Tensor((24, 16, 2, 32), \"%s\"), v: R.Tensor((24, 16, 2, 32), \"%s\"), "
    "wq: R.Tensor((128, 64), \"float32\"), wk: R.Tensor((64, 64), \"float32\"), "
    "wv: R.Tensor((64, 64), \"float32\"), wo: R.Tensor((64, 128), \"float32\")):\n"
    "        n = T.int64()\n"
    "        m = T.int64()\n"
    "        cls = Module\n"
    "        x = R.multiply(x, R.const(0.1))\n"
    "        p = R.arange(m - 1, m - 1 + n, 1, dtype=\"int32\")\n"
    "        s = R.arange(0, n * 2, n, dtype=\"int32\")\n"
    "        g = R.reshape(R.arange(23, -1, -1, dtype=\"int32\"), R.shape([1, 24]))\n"
    "        page = R.floor_divide(p, R.const(16, \"int32\"))\n"
    "        slots = R.subtract(R.add(p, R.const(368, \"int32\")), R.multiply(page, R.const(32, \"int32\")))\n"
    "        y = cls.forward(x, p, p, s, g, slots, p, k, v, wq, wk, wv, wo)\n"
    "        return (R.multiply(y[0], R.const(%s)), y[1], y[2])\n";

// Scores are small, so that no softmax is a single place. A half that is rounded to its neighbour counts for little.
// Pages lie in memory from the last to the first.
const char *cached_attention_text(arena *mem, bool half, bool interleaved) {
    const char *type = half ? "float16" : "float32";
    module *m = module_new();
    diag *d = diag_new(m->mem);
    nn *n = nn_new(m, "forward", (nn_source){0}, d);
    const nn_attention like = {.heads = 4,
                               .kv_heads = 2,
                               .head_size = 32,
                               .rope = {.base = 10000, .dims = interleaved ? 16 : 0, .interleaved = interleaved}};
    const node *x = nn_input(n, "x", "float32", arena_format(m->mem, "t, %d", SIZE));
    const nn_cache cache = {.layers = 1, .page = PAGE, .kv_heads = 2, .head_size = 32, .half = half};
    nn_batch batch = nn_batch_new(n, &cache);
    const nn_attention a = nn_attention_new(nn_root(n), SIZE, &like, false, false);
    const node *y = nn_attention_apply(n, &a, x, &batch, 0);
    const node *const all[] = {y, batch.keys[0], batch.values[0]};
    text t = TEXT_IN(mem);
    assert_true(nn_finish(n, all, 3));
    script_print(&t, m, NULL);
    char *forward = strstr(text_get(&t), "@R.function\n");
    assert_non_null(forward);
    const size_t before = (size_t)(forward - text_get(&t));
    const char *called = arena_format(mem, "%.*s@R.function(private=True)%s", (int)before, text_get(&t),
                                      forward + strlen("@R.function"));
    const char *main = arena_format(mem, forward_of, type, type, half ? "0.1" : "1.0");
    module_free(m);
    return arena_format(mem, "%s%s", called, main);
}
