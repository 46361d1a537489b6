// plan_svg.c - a plan of memory as a picture: steps to the right, bytes upwards, what is held and the tensors in it.
//
// Storages stand on each other, each from its first tensor to its last; a line tells how much is held at once.
#include "base/count_noun.h"
#include "pass/plan_view.h"
#include <string.h>

enum { WIDTH = 960, HEIGHT = 480, LEFT = 90, RIGHT = 30, TOP = 76, BOTTOM = 56, LETTER = 7, MOST_TICKS = 12 };

typedef struct picture {
    const plan_view *v;
    int64_t total; // bytes of the whole height
    text *out;
} picture;

static double x_of(const picture *p, double step) {
    return (double)LEFT + step * (double)WIDTH / (double)(p->v->positions + 1);
}

static double y_of(const picture *p, int64_t bytes) {
    return TOP + HEIGHT - (double)bytes * (double)HEIGHT / (double)p->total;
}

// Names of extern functions are any text.
static void put_escaped(text *out, const char *s) {
    static const char *const spelling[] = {['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;"};
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c < COUNT(spelling) && spelling[c])
            text_put(out, spelling[c]);
        else
            text_put_char(out, c < ' ' ? '?' : *s);
    }
}

// --- Axes.

// 1, 2, 5, 10, ...: the first of them that needs few marks.
static uint32_t step_between(uint32_t count) {
    static const uint32_t next[] = {1, 2, 5};
    for (uint32_t power = 1; power <= UINT32_MAX / 50; power *= 10)
        for (size_t i = 0; i < COUNT(next); i++)
            if (count / (next[i] * power) < MOST_TICKS) return next[i] * power;
    return count;
}

// A power of two, which is a round number of KiB and MiB.
static int64_t bytes_between(int64_t total) {
    int64_t unit = 1;
    while (total / unit >= MOST_TICKS) unit *= 2;
    return unit;
}

// A step is the room between two marks: its number stands in the middle.
static void put_steps(const picture *p) {
    uint32_t unit = step_between(p->v->positions + 1);
    for (uint32_t at = 0; at <= p->v->positions && at + unit > at; at += unit)
        text_format(p->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u</text>\n", x_of(p, at + 0.5),
                    TOP + HEIGHT + 18, at);
    text_format(
        p->out,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">step: bindings of the lowered function, the last is the "
        "return</text>\n",
        LEFT + WIDTH / 2, TOP + HEIGHT + 40);
}

static void put_bytes(const picture *p) {
    char size[32];
    int64_t unit = bytes_between(p->total);
    for (int64_t at = 0; at <= p->total - p->total % unit; at += unit) {
        text_format(p->out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, LEFT + WIDTH,
                    y_of(p, at), y_of(p, at));
        text_format(p->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y_of(p, at) + 4,
                    text_bytes((uint64_t)at, size));
        if (at > INT64_MAX - unit) break;
    }
    text_format(p->out, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#333\"/>\n", LEFT, TOP, TOP + HEIGHT,
                LEFT + WIDTH);
}

static void put_head(const picture *p) {
    char size[32];
    const plan_view *v = p->v;
    text_format(p->out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                "<text x=\"%d\" y=\"22\" font-size=\"15\">",
                LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, LEFT);
    put_escaped(p->out, v->f->name);
    text_format(p->out, ": memory over time, peak %s at step %u (", text_bytes((uint64_t)v->peak_bytes, size),
                v->peak_at);
    put_escaped(p->out, v->what[v->peak_at]);
    text_format(p->out,
                ")</text>\n<text x=\"%d\" y=\"42\" fill=\"#555\">grey: blocks, stacked, while they are held; coloured: "
                "the tensors in them; line: all that is held at once</text>\n",
                LEFT);
}

// --- Blocks and tensors.

static void put_block(const picture *p, const storage_view *s, int64_t base) {
    char size[32];
    if (s->from > s->to) return; // nothing lives in it
    double x = x_of(p, s->from), y = y_of(p, base + s->room);
    text_format(p->out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#eee\" stroke=\"#bbb\"><title>", x,
                y, x_of(p, s->to + 1.0) - x, y_of(p, base) - y);
    put_escaped(p->out, s->name);
    text_format(p->out, ": %s, steps %u to %u</title></rect>\n", text_bytes((uint64_t)s->size, size), s->from, s->to);
}

// The name with its size where both fit, else the name, else nothing: pointing at the box tells it.
static void put_label(const picture *p, const tensor_view *t, double x, double y, double width) {
    char size[32];
    size_t name = strlen(t->name), all = name + strlen(text_bytes((uint64_t)t->size, size)) + 2;
    if ((double)(name * LETTER + 6) > width) return;
    text_format(p->out, "<text x=\"%.1f\" y=\"%.1f\">", x + 4, y);
    put_escaped(p->out, t->name);
    if ((double)(all * LETTER + 6) <= width) text_format(p->out, ", %s", size);
    text_put(p->out, "</text>\n");
}

// Boxes of a few bytes would vanish: they get half a point.
static void put_tensor(const picture *p, const tensor_view *t, int64_t base, uint32_t colour) {
    double x = x_of(p, t->from), width = x_of(p, t->to + 1.0) - x, low = y_of(p, base + t->start);
    double y = y_of(p, base + t->start + t->size), height = low - y < 0.5 ? 0.5 : low - y;
    text_format(p->out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"hsl(%u,60%%,75%%)\" "
                "stroke=\"#555\"><title>",
                x, y, width, height, colour);
    put_escaped(p->out, t->name);
    text_format(p->out, ": %s at %lld, from %u (", COUNTED(t->size, "byte"), (long long)t->start, t->from);
    put_escaped(p->out, p->v->what[t->from]);
    text_format(p->out, ") to %u (", t->to);
    put_escaped(p->out, p->v->what[t->to]);
    text_put(p->out, ")</title></rect>\n");
    if (height > 14) put_label(p, t, x, y + height / 2 + 4, width);
}

// --- What is held.

static int64_t held_at(const plan_view *v, uint32_t step) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < v->storages.len; i++)
        if (v->storages.at[i].from <= step && step <= v->storages.at[i].to) sum += v->storages.at[i].room;
    return sum;
}

// The peak's words stand on that side of it where there is more room.
static void put_held(const picture *p) {
    char size[32];
    const plan_view *v = p->v;
    bool late = v->peak_at > v->positions / 2;
    double x = x_of(p, v->peak_at + 0.5), y = y_of(p, v->peak_bytes);
    text_put(p->out, "<path fill=\"none\" stroke=\"#c22\" stroke-width=\"2\" d=\"");
    for (uint32_t at = 0; at <= v->positions; at++)
        text_format(p->out, "%s%.1f %.1f H%.1f ", at ? "L" : "M", x_of(p, at), y_of(p, held_at(v, at)),
                    x_of(p, at + 1.0));
    text_format(p->out, "\"/>\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"#c22\"/>\n", x, y);
    text_format(p->out,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#c22\" font-weight=\"bold\" stroke=\"white\" "
                "stroke-width=\"3\" paint-order=\"stroke\">peak %s</text>\n",
                x, y - 10, late ? "end" : "start", text_bytes((uint64_t)v->peak_bytes, size));
}

void plan_view_svg(const plan_view *v, text *out) {
    picture p = {.v = v, .out = out};
    int64_t base = 0;
    for (uint32_t i = 0; i < v->storages.len; i++) p.total += v->storages.at[i].room;
    if (p.total < 1) p.total = 1;
    put_head(&p);
    put_bytes(&p);
    put_steps(&p);
    for (uint32_t i = 0; i < v->storages.len; i++) {
        const storage_view *s = &v->storages.at[i];
        put_block(&p, s, base);
        for (uint32_t k = 0; k < s->tensors.len; k++) put_tensor(&p, &s->tensors.at[k], base, (i * 67 + k * 29) % 360);
        base += s->room;
    }
    put_held(&p);
    text_put(out, "</svg>\n");
}
