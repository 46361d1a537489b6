// options.c - reads a verb's command line by its option table.
#include "cli/options.h"
#include "base/count_noun.h"
#include "base/suggest.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MOST = 64 };

// Tables end at a row without a name. --help is no row: it is understood before any table is asked.
static uint32_t option_count(const cli_verb *v) {
    uint32_t n = 0;
    while (v->options && v->options[n].name) n++;
    return n;
}

// The count of rows means "there is none", as in letter_row.
static uint32_t option_row(const cli_verb *v, const char *name, size_t size) {
    uint32_t i = 0, n = option_count(v);
    while (i < n && (strlen(v->options[i].name) != size || memcmp(v->options[i].name, name, size) != 0)) i++;
    return i;
}

static uint32_t letter_row(const cli_verb *v, char letter) {
    uint32_t i = 0, n = option_count(v);
    while (i < n && v->options[i].letter != letter) i++;
    return i;
}

// Lists of values are short: a copy each time keeps them in one array.
static void give(cli_args *a, uint32_t row, const char *value) {
    const char **values = ARENA_NEW(a->mem, const char *, a->times[row] + 1);
    for (uint32_t i = 0; i < a->times[row]; i++) values[i] = a->given[row][i];
    values[a->times[row]++] = value;
    a->given[row] = values;
}

static bool unknown_option(const cli_args *a, const char *name, size_t size) {
    const char *known[OPTIONS_MOST + 1];
    uint32_t n = option_count(a->verb), count = n < OPTIONS_MOST ? n : OPTIONS_MOST;
    for (uint32_t i = 0; i < count; i++) known[i] = a->verb->options[i].name;
    known[count++] = "help";
    const char *word = arena_copy(a->mem, name, size), *near = text_nearest(word, known, count);
    for (uint32_t i = 0; i < count && !near; i++) // --function for --func
        if (text_starts(word, known[i])) near = known[i];
    cli_usage(a, "unknown option --%s%s", word, text_suggest(a->mem, near, "--", ""));
    return false;
}

// Takes the option that argv[*at] starts, with its value; moves *at behind it.
static bool take(cli_args *a, uint32_t row, const char *attached, int argc, char **argv, int *at) {
    const cli_option *o = &a->verb->options[row];
    ++*at;
    if (!o->value && attached) {
        cli_usage(a, "--%s takes no value, got '%s'", o->name, attached);
        return false;
    }
    if (o->value && !attached) {
        if (*at >= argc) {
            cli_usage(a, "--%s wants a value: --%s %s", o->name, o->name, o->value);
            return false;
        }
        attached = argv[(*at)++];
    }
    if (a->times[row] && !o->repeat && o->value) {
        cli_usage(a, "--%s is given twice", o->name);
        return false;
    }
    give(a, row, o->value ? attached : "1");
    return true;
}

// --name VALUE and --name=VALUE; nothing is abbreviated, so that new options can't change what a script means.
static bool take_long(cli_args *a, int argc, char **argv, int *at) {
    const char *name = argv[*at] + 2;
    size_t size = strcspn(name, "=");
    uint32_t row = option_row(a->verb, name, size);
    if (row == option_count(a->verb)) return unknown_option(a, name, size);
    return take(a, row, name[size] ? name + size + 1 : NULL, argc, argv, at);
}

// -o VALUE and -oVALUE. Flags are not bundled: "-rf" would be an error to read.
static bool take_short(cli_args *a, int argc, char **argv, int *at) {
    const char *word = argv[*at];
    uint32_t row = letter_row(a->verb, word[1]);
    if (row == option_count(a->verb)) {
        cli_usage(a, "unknown option '%s'", word);
        return false;
    }
    bool flag = !a->verb->options[row].value;
    if (flag && word[2]) {
        cli_usage(a, "-%c takes no value, got '%s'", word[1], word + 2);
        return false;
    }
    return take(a, row, word[2] ? word + 2 : NULL, argc, argv, at);
}

static bool is_number(const char *s) { // "-3" is an argument
    return s[0] == '-' && ((s[1] >= '0' && s[1] <= '9') || s[1] == '.');
}

// Counted last, so that a mistyped option is not reported as an argument too many.
static bool check_positional(cli_args *a) {
    if (a->count < a->verb->least || a->count > a->verb->most) {
        cli_usage(a, "want: relax %s %s; got %s", a->verb->name, a->verb->usage, COUNTED(a->count, "argument"));
        return false;
    }
    return true;
}

// The command line wins; an empty variable counts as none.
static void take_environment(cli_args *a) {
    for (uint32_t i = 0; i < option_count(a->verb); i++) {
        const char *env = a->verb->options[i].env, *value = env ? getenv(env) : NULL;
        if (value && *value && !a->times[i]) give(a, i, value);
    }
}

bool cli_read(cli_args *a, int argc, char **argv, bool *help) {
    uint32_t options = option_count(a->verb);
    a->given = ARENA_NEW(a->mem, const char **, options + 1);
    a->times = ARENA_NEW(a->mem, uint32_t, options + 1);
    a->positional = ARENA_NEW(a->mem, const char *, (size_t)argc + 1);
    bool ended = false;
    for (int at = 0; at < argc;) {
        const char *word = argv[at];
        if (!ended && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            *help = true;
            return true;
        }
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
            at++;
        } else if (ended || word[0] != '-' || !word[1] || is_number(word)) {
            a->positional[a->count++] = word;
            at++;
        } else if (!(word[1] == '-' ? take_long(a, argc, argv, &at) : take_short(a, argc, argv, &at))) {
            return false;
        }
    }
    take_environment(a);
    return check_positional(a);
}

// --- Reading what was given.

// A verb that asks for an option it does not declare is a bug of ours.
static uint32_t must_row(const cli_args *a, const char *name) {
    uint32_t row = option_row(a->verb, name, strlen(name));
    CHECK(row < option_count(a->verb));
    return row;
}

bool cli_flag(const cli_args *a, const char *name) { return a->times[must_row(a, name)] > 0; }

const char *cli_value(const cli_args *a, const char *name) {
    uint32_t row = must_row(a, name);
    return a->times[row] ? a->given[row][a->times[row] - 1] : a->verb->options[row].preset;
}

const char *const *cli_values(const cli_args *a, const char *name, uint32_t *count) {
    uint32_t row = must_row(a, name);
    *count = a->times[row];
    return a->given[row];
}

const char *cli_spelling(const cli_args *a, const char *name) {
    const char *env = a->verb->options[must_row(a, name)].env;
    return env && cli_value(a, name) == getenv(env) ? env : arena_format(a->mem, "--%s", name);
}

bool cli_int(const cli_args *a, const char *name, int64_t low, int64_t high, int64_t *out) {
    const char *s = cli_value(a, name);
    char *end = NULL;
    errno = 0;
    long long value = s ? strtoll(s, &end, 10) : 0;
    if (s && end != s && !*end && !errno && value >= low && value <= high) {
        *out = value;
        return true;
    }
    cli_usage(a, "%s: want a whole number from %lld to %lld, got '%s'", cli_spelling(a, name), (long long)low,
              (long long)high, s ? s : "");
    return false;
}

bool cli_float(const cli_args *a, const char *name, double *out) {
    const char *s = cli_value(a, name);
    char *end = NULL;
    double value = s ? strtod(s, &end) : 0;
    bool number = s && end != s && !*end;
    if (number && isfinite(value)) {
        *out = value;
        return true;
    }
    cli_usage(a, "%s: want a %snumber, got '%s'", cli_spelling(a, name), number ? "finite " : "", s ? s : "");
    return false;
}

bool cli_tolerance(const cli_args *a, const char *name, double *out) {
    if (!cli_float(a, name, out)) return false;
    if (*out >= 0) return true;
    cli_usage(a, "%s: a tolerance is 0 or more, got %g", cli_spelling(a, name), *out);
    return false;
}

// --- Help.

enum { HELP_INDENT = 29, HELP_WIDTH = 110 };

// Behind what was put, which is HELP_INDENT wide or more; further lines begin under the first.
static void put_wrapped(text *t, const char *s, size_t column) {
    while (*s) {
        size_t size = strcspn(s, " ");
        bool fits = column + 1 + size <= HELP_WIDTH || column <= HELP_INDENT;
        if (!fits) text_format(t, "\n%*s", HELP_INDENT - 1, "");
        text_put_char(t, ' ');
        text_put_n(t, s, size);
        column = (fits ? column : HELP_INDENT - 1) + 1 + size;
        s += size + (s[size] == ' ');
    }
    text_put(t, "\n");
}

// Letter, name, what stands for the value, then the sentence and all that qualifies it.
static void put_option(text *t, const cli_option *o) {
    text left = TEXT_IN(t->mem);
    if (o->letter) text_format(&left, "-%c, ", o->letter);
    text_format(&left, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    text right = TEXT_IN(t->mem);
    text_put(&right, o->doc);
    if (o->repeat) text_put(&right, "; may be repeated");
    if (o->preset) text_format(&right, " (default %s)", o->preset);
    if (o->env) text_format(&right, " [%s]", o->env);
    size_t before = t->len;
    text_format(t, "  %-26s", text_get(&left));
    put_wrapped(t, text_get(&right), t->len - before);
}

// In the order of the table, which is the order of a verb's author.
void cli_help(const cli_verb *v, text *t) {
    text_format(t, "relax %s - %s\n\nusage: relax %s %s\n", v->name, v->summary, v->name, v->usage);
    if (v->details) {
        size_t size = strlen(v->details);
        text_format(t, "\n%s%s", v->details, size && v->details[size - 1] == '\n' ? "" : "\n");
    }
    text_put(t, "\noptions:\n");
    for (uint32_t i = 0; i < option_count(v); i++) put_option(t, &v->options[i]);
    put_option(t, &(cli_option){.name = "help", .letter = 'h', .doc = "print this and stop"});
    if (v->examples) text_format(t, "\nexamples:\n%s", v->examples);
}
