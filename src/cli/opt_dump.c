// opt_dump.c - the files and the page of `relax opt --dump-ir`.
#include "cli/opt_dump.h"
#include "base/file.h"
#include "cli/verb.h"
#include <string.h>

static bool write_text(const opt_dump *d, const char *file, const char *bytes) {
    char why[FILE_WHY];
    const char *path = arena_format(d->mem, "%s/%s", d->dir, file);
    if (folder_make(d->dir, why) == RX_OK && file_write(path, bytes, strlen(bytes), why) == RX_OK) return true;
    cli_error("%s", why);
    return false;
}

// A pass that changed nothing gets no file; numbers go on counting, so that they name steps.
bool opt_dump_stage(opt_dump *d, const char *name, const char *bytes, double seconds) {
    uint32_t number = d->steps++;
    if (d->stage.len && strcmp(d->stage.at[d->stage.len - 1].bytes, bytes) == 0) return true;
    opt_stage s = {.name = name, .bytes = bytes, .seconds = seconds};
    s.file = arena_format(d->mem, "%02u.%s.py", number, name);
    VEC_PUSH(d->mem, &d->stage, s);
    return write_text(d, s.file, bytes);
}

// --- Which lines of two texts are the same.

typedef struct line {
    const char *at;
    size_t size;
} line;
typedef VEC(line) line_list;

// Without line ends; a text that ends without one has its last line too.
static void split_lines(arena *mem, const char *bytes, line_list *out) {
    while (*bytes) {
        line l = {.at = bytes, .size = strcspn(bytes, "\n")};
        VEC_PUSH(mem, out, l);
        bytes += l.size + (bytes[l.size] == '\n');
    }
}

static bool same_line(line a, line b) { return a.size == b.size && memcmp(a.at, b.at, a.size) == 0; }

// The longest common subsequence of what lies between equal beginnings and ends, by a table of lengths.
typedef struct comparison {
    arena *mem;
    const line *a, *b;
    uint32_t as, bs;   // lines of the middle
    uint32_t *longest; // (as + 1) * (bs + 1): of a[i..] and b[k..]; NULL: too large, all differ
} comparison;

// Quadratic in time and memory: beyond 16 million pairs all lines count as different.
static comparison compare(arena *mem, const line *a, uint32_t as, const line *b, uint32_t bs) {
    enum { MOST_CELLS = 1 << 24 };
    comparison c = {.mem = mem, .a = a, .b = b, .as = as, .bs = bs};
    if ((uint64_t)as * bs > MOST_CELLS) return c;
    c.longest = ARENA_NEW(mem, uint32_t, (size_t)(as + 1) * (bs + 1));
    uint32_t wide = bs + 1;
    for (uint32_t i = as; i-- > 0;)
        for (uint32_t k = bs; k-- > 0;) {
            uint32_t down = c.longest[(i + 1) * wide + k], right = c.longest[i * wide + k + 1];
            uint32_t best = down > right ? down : right;
            if (same_line(a[i], b[k])) best = c.longest[(i + 1) * wide + k + 1] + 1;
            c.longest[i * wide + k] = best;
        }
    return c;
}

// --- The page.

// Inside of elements only '<' and '&' mean something.
static void put_escaped(text *out, line l) {
    for (size_t i = 0; i < l.size; i++) {
        char c = l.at[i];
        if (c == '<')
            text_put(out, "&lt;");
        else if (c == '&')
            text_put(out, "&amp;");
        else
            text_put_char(out, c);
    }
}

static void put_row(text *out, const char *kind, const line *left, const line *right) {
    text_format(out, "<tr class=%s><td>", kind);
    if (left) put_escaped(out, *left);
    text_put(out, "</td><td>");
    if (right) put_escaped(out, *right);
    text_put(out, "</td></tr>\n");
}

// Walks the table from the front; a line that is gone is shown before one that has come.
static void put_middle(text *out, const comparison *c) {
    uint32_t i = 0, k = 0, wide = c->bs + 1;
    while (i < c->as || k < c->bs) {
        bool both = i < c->as && k < c->bs;
        if (both && c->longest && same_line(c->a[i], c->b[k])) {
            put_row(out, "same", &c->a[i++], &c->b[k++]);
            continue;
        }
        bool left =
            i < c->as && (!both || !c->longest || c->longest[(i + 1) * wide + k] >= c->longest[i * wide + k + 1]);
        if (left)
            put_row(out, "gone", &c->a[i++], NULL);
        else
            put_row(out, "come", NULL, &c->b[k++]);
    }
}

// Equal beginnings and ends are left out of the comparison: passes mostly change a part.
static void put_stage(text *out, arena *mem, const opt_stage *before, const opt_stage *now) {
    line_list a = {0}, b = {0};
    char spelled[32];
    split_lines(mem, before->bytes, &a);
    split_lines(mem, now->bytes, &b);
    uint32_t first = 0, last = 0;
    while (first < a.len && first < b.len && same_line(a.at[first], b.at[first])) first++;
    while (last < a.len - first && last < b.len - first && same_line(a.at[a.len - 1 - last], b.at[b.len - 1 - last]))
        last++;
    text_format(out, "<details><summary><a href=\"%s\">%s</a> %s</summary>\n<table>\n", now->file, now->name,
                text_seconds(now->seconds, spelled));
    for (uint32_t i = 0; i < first; i++) put_row(out, "same", &a.at[i], &b.at[i]);
    comparison c = compare(mem, a.at + first, a.len - first - last, b.at + first, b.len - first - last);
    put_middle(out, &c);
    for (uint32_t i = last; i > 0; i--) put_row(out, "same", &a.at[a.len - i], &b.at[b.len - i]);
    text_put(out, "</table></details>\n");
}

static const char page_head[] =
    "<!doctype html><meta charset=utf-8><title>passes</title>\n"
    "<style>body{font:14px sans-serif}table{border-collapse:collapse;width:100%;table-layout:fixed}"
    "td{white-space:pre-wrap;font:12px monospace;vertical-align:top;width:50%;overflow-wrap:anywhere}"
    ".gone td:first-child{background:#fdd}.come td:last-child{background:#dfd}"
    "summary{cursor:pointer;padding:4px}</style>\n";

bool opt_dump_index(const opt_dump *d) {
    text page = TEXT_IN(d->mem);
    text_put(&page, page_head);
    if (d->stage.len) text_format(&page, "<p><a href=\"%s\">input</a></p>\n", d->stage.at[0].file);
    for (uint32_t i = 1; i < d->stage.len; i++) put_stage(&page, d->mem, &d->stage.at[i - 1], &d->stage.at[i]);
    text_format(&page, "<p>%u of %u passes changed the module.</p>\n", d->stage.len ? d->stage.len - 1 : 0,
                d->steps ? d->steps - 1 : 0);
    return write_text(d, "index.html", text_get(&page));
}
