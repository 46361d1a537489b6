// devices.c - `relax devices`: the processor this machine has and the targets it can run.
#include "arch/arch.h"
#include "base/cpu.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/verb.h"

// Of one core, but for L3, which several share.
static void put_cache(text *t, const char *name, unsigned level) {
    char size[32];
    size_t bytes = cpu_cache_bytes(level);
    text_format(t, "  %-12s %s\n", name, bytes ? text_bytes(bytes, size) : "unknown");
}

static void put_plain(text *t, const arch *host, const char *features) {
    char model[128];
    text_format(t, "cpu\n  %-12s %s\n  %-12s %u\n", "model", cpu_model(model, sizeof model), "threads",
                threads_available());
    put_cache(t, "L1 data", 1);
    put_cache(t, "L2", 2);
    put_cache(t, "L3", 3);
    text_format(t, "  %-12s %s\n  %-12s %s\n", "target", host->name, "features", features);
}

static void put_json(text *t, const arch *host, const char *features) {
    char model[128];
    cpu_model(model, sizeof model);
    text_put(t, "[{\"kind\": \"cpu\", \"model\": ");
    cli_json_string(t, model, __builtin_strlen(model));
    text_format(t, ", \"threads\": %u, \"l1_bytes\": %zu, \"l2_bytes\": %zu, \"l3_bytes\": %zu", threads_available(),
                cpu_cache_bytes(1), cpu_cache_bytes(2), cpu_cache_bytes(3));
    text_format(t, ", \"target\": \"%s\", \"features\": \"%s\"}]\n", host->name, features);
}

static int run(const cli_args *a) {
    char why[256], features[1024];
    const arch *host = arch_parse(a->mem, "cpu:host", why);
    if (!host) return cli_error("%s", why);
    cpu_features_text(cpu_host_features(), features, sizeof features);
    text t = TEXT_IN(a->mem);
    if (cli_flag(a, "json"))
        put_json(&t, host, features);
    else
        put_plain(&t, host, features);
    return cli_print(&t);
}

static const cli_option options[] = {{.name = "json", .doc = "print for programs"}, {0}};

const cli_verb verb_devices = {
    .name = "devices",
    .summary = "shows the devices of this machine",
    .usage = "[--json]",
    .options = options,
    .examples = "  relax devices\n  relax devices --json\n",
    .run = run,
};
