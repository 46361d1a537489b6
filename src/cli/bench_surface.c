// bench_surface.c - time per element over the range of a size, as a table and as a drawing.
//
// A shape-generic program should cost what its neighbours cost: a size that takes more than one and a half times what
// lies between those of its neighbours is named.
#include "cli/bench_surface.h"
#include "base/count_noun.h"
#include "base/file.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 420, LEFT = 80, RIGHT = 20, TOP = 30, BOTTOM = 50 };
static const double too_much = 1.5;

// --- Sizes.

static void add(int64_t size, int64_t lower, int64_t upper, int64_t multiple, int64_t *out, uint32_t *count,
                uint32_t room) {
    if (size < lower || size > upper || size % multiple || *count == room) return;
    if (*count && out[*count - 1] >= size) return;
    out[(*count)++] = size;
}

uint32_t surface_sizes(int64_t lower, int64_t upper, int64_t multiple, int64_t *out, uint32_t room) {
    uint32_t count = 0;
    add(lower, lower, upper, multiple, out, &count, room);
    for (int64_t power = 1; power <= upper && power <= INT64_MAX / 4; power *= 2) {
        const int64_t sizes[] = {power - 1, power, power + 1, power + power / 4 + 1, power + power / 2 + 1};
        for (size_t i = 0; i < COUNT(sizes); i++) {
            int64_t size = multiple > 1 ? sizes[i] / multiple * multiple : sizes[i];
            if (size > 0 || lower <= 0) add(size, lower, upper, multiple, out, &count, room);
        }
    }
    add(upper, lower, upper, multiple, out, &count, room);
    return count;
}

// What the time of the row is, as a multiple of what lies between its neighbours' times; 0 at the ends.
static double excess_of(const int64_t *size, const bench_rows *rows, uint32_t i) {
    if (!i || i + 1 >= rows->len) return 0;
    double before = rows->at[i - 1].fast, after = rows->at[i + 1].fast;
    double share = (double)(size[i] - size[i - 1]) / (double)(size[i + 1] - size[i - 1]);
    return rows->at[i].fast / (before + (after - before) * share);
}

bool surface_stands_out(const int64_t *size, const bench_rows *rows, uint32_t i) {
    return excess_of(size, rows, i) > too_much;
}

// --- The drawing: both axes are logarithms.

typedef struct axis {
    double low, high, from, to; // values, and where they are drawn
} axis;

static double place(const axis *x, double value) {
    double share = x->high > x->low ? log(value / x->low) / log(x->high / x->low) : 0.5;
    return x->from + share * (x->to - x->from);
}

static double per_element(const int64_t *size, const bench_rows *rows, uint32_t i) {
    return rows->at[i].fast / (double)(size[i] > 0 ? size[i] : 1);
}

static void draw_axes(text *t, const axis *x, const axis *y, const char *function, const char *symbol) {
    text_format(t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                WIDTH, HEIGHT);
    text_format(t, "<text x=\"%d\" y=\"18\">%s: time per %s, over %s</text>\n", LEFT, function, symbol, symbol);
    for (double v = exp2(ceil(log2(x->low))); v <= x->high; v *= 2)
        text_format(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", place(x, v),
                    HEIGHT - BOTTOM + 18, v);
    for (double v = pow(10, floor(log10(y->low))); v <= y->high; v *= 10)
        for (int k = 1; k < 10; k += k == 1 ? 1 : 3) { // 1, 2, 5
            if (v * k < y->low || v * k > y->high) continue;
            text_format(t,
                        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g us</text>\n"
                        "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                        LEFT - 6, place(y, v * k) + 4, v * k * 1e6, LEFT, WIDTH - RIGHT, place(y, v * k),
                        place(y, v * k));
        }
}

static void draw_points(text *t, const axis *x, const axis *y, const int64_t *size, const bench_rows *rows) {
    text_put(t, "<polyline fill=\"none\" stroke=\"#36c\" points=\"");
    for (uint32_t i = 0; i < rows->len; i++)
        text_format(t, "%.1f,%.1f ", place(x, (double)size[i]), place(y, per_element(size, rows, i)));
    text_put(t, "\"/>\n");
    for (uint32_t i = 0; i < rows->len; i++) {
        double px = place(x, (double)size[i]), py = place(y, per_element(size, rows, i));
        bool much = excess_of(size, rows, i) > too_much;
        text_format(
            t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"><title>%" PRId64 ": %.3g us</title></circle>\n",
            px, py, much ? "4" : "2.5", much ? "#c33" : "#36c", size[i], rows->at[i].fast * 1e6);
        if (much)
            text_format(t, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#c33\">%" PRId64 "</text>\n", px + 5, py - 5, size[i]);
    }
}

static const char *drawing(const cli_args *a, const char *symbol, const int64_t *size, const bench_rows *rows) {
    text t = TEXT_IN(a->mem);
    axis x = {(double)size[0], (double)size[rows->len - 1], LEFT, WIDTH - RIGHT};
    axis y = {per_element(size, rows, 0), per_element(size, rows, 0), HEIGHT - BOTTOM, TOP};
    if (x.low < 1) x.low = 1;
    for (uint32_t i = 1; i < rows->len; i++) {
        y.low = fmin(y.low, per_element(size, rows, i));
        y.high = fmax(y.high, per_element(size, rows, i));
    }
    draw_axes(&t, &x, &y, rows->at[0].function, symbol);
    draw_points(&t, &x, &y, size, rows);
    text_put(&t, "</svg>\n");
    return text_get(&t);
}

// --- The table.

int surface_print(const cli_args *a, const char *path, const char *symbol, const int64_t *size,
                  const bench_rows *rows) {
    char why[FILE_WHY];
    uint32_t many = 0;
    text t = TEXT_IN(a->mem);
    text_format(&t, "%10s %12s %14s %20s\n", symbol, "time", "per element", "of what is between");
    for (uint32_t i = 0; i < rows->len; i++) {
        double excess = excess_of(size, rows, i);
        many += excess > too_much;
        text_format(&t, "%10" PRId64 " %9.2f us %11.4f us", size[i], rows->at[i].fast * 1e6,
                    per_element(size, rows, i) * 1e6);
        if (excess > 0) text_format(&t, " %14.2f%s", excess, excess > too_much ? "  !" : "");
        text_put(&t, "\n");
    }
    if (many)
        text_format(&t, "%s cost%s more than %.1f times what lies between the neighbours\n", COUNTED(many, "size"),
                    many > 1 ? "" : "s", too_much);
    const char *svg = drawing(a, symbol, size, rows);
    int code = cli_print(&t);
    if (file_write(path, svg, strlen(svg), why) != RX_OK) return cli_error("%s", why);
    return code;
}
