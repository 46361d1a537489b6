// bench_table.c - the results of `relax bench` for people and programs.
#include "cli/bench_table.h"
#include "base/count_noun.h"
#include "checkpoint/json.h"
#include <string.h>

enum { LARGEST_FILE = 64 << 20 };

// The median of the same function and sizes in an older file; 0 if it isn't there.
static double old_median(const json_value *old, const bench_row *row) {
    const json_value *list = json_find(old, "results");
    for (uint32_t i = 0; list && list->kind == JSON_LIST && i < list->count; i++) {
        const json_value *one = &list->item[i];
        if (strcmp(json_text(one, "function", ""), row->function) == 0 &&
            strcmp(json_text(one, "dims", ""), row->dims) == 0)
            return json_number(one, "median_seconds", 0);
    }
    return 0;
}

// GFLOP/s and GB/s of the work that kernels declare (exec_kernel.work); the limit is the machine's least time for it.
static void put_row(text *t, const bench_row *r, const json_value *old, int width) {
    char median[32], fast[32], slow[32];
    text_format(t, "%-*s %6u  %9s %9s %9s", width, r->dims, r->runs, text_seconds(r->median, median),
                text_seconds(r->fast, fast), text_seconds(r->slow, slow));
    if (r->known)
        text_format(t, " %10.2f %8.2f %6.1f%%", r->operations / r->median * 1e-9, r->bytes / r->median * 1e-9,
                    100 * r->least / r->median);
    else
        text_format(t, " %10s %8s %7s", "-", "-", "-");
    double before = old ? old_median(old, r) : 0;
    if (before > 0)
        text_format(t, "  %9s %+6.1f%%", text_seconds(before, median), 100 * (r->median / before - 1));
    else if (old)
        text_format(t, "  %9s", "-");
    text_put(t, "\n");
}

// Sizes get the room that the longest takes.
static void put_table(text *t, const cli_args *a, const bench_rows *rows, const machine_limits *m,
                      const json_value *old) {
    int width = (int)strlen("sizes");
    for (uint32_t i = 0; i < rows->len; i++)
        if ((int)strlen(rows->at[i].dims) > width) width = (int)strlen(rows->at[i].dims);
    text_format(t, "%s: %s, %s\n", a->positional[0], rows->at[0].function, COUNTED(m->threads, "thread"));
    text_format(t, "%-*s %6s  %9s %9s %9s %10s %8s %7s", width, "sizes", "runs", "median", "p10", "p90", "GFLOP/s",
                "GB/s", "limit");
    text_put(t, old ? "     before  change\n" : "\n");
    for (uint32_t i = 0; i < rows->len; i++) put_row(t, &rows->at[i], old, width);
}

static void put_json_row(text *t, const bench_row *r, const json_value *old) {
    text_put(t, "{\"function\": ");
    cli_json_string(t, r->function, strlen(r->function));
    text_put(t, ", \"dims\": ");
    cli_json_string(t, r->dims, strlen(r->dims));
    text_format(t, ", \"runs\": %u, \"median_seconds\": %.9f, \"p10_seconds\": %.9f, \"p90_seconds\": %.9f", r->runs,
                r->median, r->fast, r->slow);
    if (r->known)
        text_format(t, ", \"gflops\": %.4f, \"gbs\": %.4f, \"share_of_limit\": %.5f", r->operations / r->median * 1e-9,
                    r->bytes / r->median * 1e-9, r->least / r->median);
    double before = old ? old_median(old, r) : 0;
    if (before > 0) text_format(t, ", \"before_seconds\": %.9f", before);
    text_put(t, "}");
}

// The machine's limits come along, so that a comparison can see that it was another machine.
static void put_json(text *t, const bench_rows *rows, const machine_limits *m, const json_value *old) {
    text_put(t, "{\"machine\": ");
    machine_print_json(m, t);
    text_put(t, ", \"results\": [");
    for (uint32_t i = 0; i < rows->len; i++) {
        if (i) text_put(t, ", ");
        put_json_row(t, &rows->at[i], old);
    }
    text_put(t, "]}\n");
}

int bench_print(const cli_args *a, const bench_rows *rows, const machine_limits *limits) {
    char why[FILE_WHY];
    const char *path = cli_value(a, "compare");
    const json_value *old = path ? json_read(a->mem, path, LARGEST_FILE, why) : NULL;
    text t = TEXT_IN(a->mem);
    if (path && !old) return cli_error("--compare: %s", why);
    if (path && !json_find(old, "results"))
        return cli_error("--compare %s: want what `relax bench --json` printed of a module", path);
    if (cli_flag(a, "json"))
        put_json(&t, rows, limits, old);
    else
        put_table(&t, a, rows, limits, old);
    return cli_print(&t);
}
