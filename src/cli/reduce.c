// reduce.c - `relax reduce`: the smallest module it finds for which a command still fails in the same way.
//
// Delta debugging: each kind of edit (pass/reduce.h) is tried on all its items, then on halves, quarters, … down to
// single ones; what keeps the failure is kept. Rounds go on until one finds nothing. The file on disk is always the
// smallest module so far, so an interruption costs only what was not tried yet.
#define _GNU_SOURCE
#include "pass/reduce.h"
#include "base/count_noun.h"
#include "base/file.h"
#include "cli/verb.h"
#include "graph/verify.h"
#include "text/script.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST_OUTPUT = 16 << 20 };

typedef struct reduction {
    const cli_args *a;
    const char *command, *match; // match: must be in what the command prints; NULL: anything
    const char *output;          // where the smallest module goes
    // A folder with two files: the module to try, what the command printed.
    const char *folder, *candidate, *printed;
    char *best; // malloc'd text
    int status; // of the command on the whole module
    int64_t runs, most_runs;
    bool verified; // the module keeps the rules of modules, so smaller ones must too
} reduction;

// --- The command.

static void remove_candidate(const reduction *r) {
    if (!r->folder) return;
    unlink(r->candidate);
    unlink(r->printed);
    rmdir(r->folder);
}

static bool prints_match(const reduction *r) {
    char why[FILE_WHY], *bytes;
    size_t size;
    if (!r->match) return true;
    if (file_read(r->printed, LARGEST_OUTPUT, &bytes, &size, why) != RX_OK) return false;
    bool found = strstr(bytes, r->match) != NULL;
    free(bytes);
    return found;
}

// Its status as of wait(2), or -1 when it could not be run or prints something else than asked for.
static int run_command(reduction *r, const char *module_text) {
    char why[FILE_WHY];
    if (file_write(r->candidate, module_text, strlen(module_text), why) != RX_OK) return cli_error("%s", why), -1;
    arena *mem = arena_new();
    const char *place = strstr(r->command, "%s");
    const char *line =
        place ? arena_format(mem, "%.*s%s%s", (int)(place - r->command), r->command, r->candidate, place + 2)
              : arena_format(mem, "%s %s", r->command, r->candidate);
    int status = system(arena_format(mem, "{ %s\n} </dev/null >'%s' 2>&1", line, r->printed));
    arena_free(mem);
    r->runs++;
    // The shell passes an interruption on as a signal or as its exit code for one; ours waited for it meanwhile.
    bool interrupted = WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT);
    if (interrupted || (WIFEXITED(status) && WEXITSTATUS(status) == CLI_INTERRUPTED)) {
        remove_candidate(r);
        exit(CLI_INTERRUPTED);
    }
    return prints_match(r) ? status : -1;
}

// --- Candidates.

static module *read_text(const char *bytes, diag *d) {
    source src = {.name = "<module>", .bytes = bytes, .size = strlen(bytes)};
    return script_parse(&src, d);
}

static char *print_text(const module *m) {
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    script_print(&t, m, NULL);
    text_put_char(&t, '\n');
    char *copy = strdup(text_get(&t));
    arena_free(mem);
    return copy;
}

static bool is_module(const reduction *r, const char *bytes) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    // A source must outlive its module; both go here.
    module *m = read_text(bytes, d);
    bool good = m && (!r->verified || module_verify(m, d));
    module_free(m);
    arena_free(mem);
    return good;
}

// Takes over `bytes` if it is a module for which the command fails as before.
static bool take(reduction *r, char *bytes) {
    char why[FILE_WHY];
    bool better = bytes && strcmp(bytes, r->best) != 0 && r->runs < r->most_runs && is_module(r, bytes) &&
                  run_command(r, bytes) == r->status;
    if (!better) return free(bytes), false;
    free(r->best);
    r->best = bytes;
    if (file_write(r->output, bytes, strlen(bytes), why) != RX_OK) cli_error("%s", why);
    return true;
}

static bool try_edit(reduction *r, reduce_kind kind, uint32_t from, uint32_t count) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    module *m = read_text(r->best, d);
    char *smaller = m && reduce_apply(m, kind, from, count, d) ? print_text(m) : NULL;
    module_free(m);
    arena_free(mem);
    return take(r, smaller);
}

static uint32_t count_items(const reduction *r, reduce_kind kind) {
    arena *mem = arena_new();
    module *m = read_text(r->best, diag_new(mem));
    uint32_t items = m ? reduce_items(m, kind) : 0;
    module_free(m);
    arena_free(mem);
    return items;
}

static bool reduce_by(reduction *r, reduce_kind kind) {
    bool any = false;
    uint32_t items = count_items(r, kind);
    for (uint32_t chunk = reduce_singly(kind) ? 1 : items; chunk > 0; chunk /= 2)
        for (uint32_t from = 0; from < items;) {
            bool fewer = try_edit(r, kind, from, chunk);
            uint32_t left = fewer ? count_items(r, kind) : items;
            any |= fewer;
            // What comes behind moves to where the items were, unless something stands in for them.
            if (left >= items) from += chunk;
            items = left;
        }
    return any;
}

// --- Sizes: one number of the text becomes a smaller one wherever it stands.

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// Where the next whole number of at least two begins; NULL: no more. Strings and exponents are passed over.
static const char *next_number(const char *bytes, const char **end) {
    char before = 0, quote = 0;
    for (const char *at = bytes; *at; before = *at++) {
        if (quote || *at == '"' || *at == '\'') {
            quote = !quote ? *at : quote == *at ? 0 : quote;
            continue;
        }
        bool exponent = before == '+' || (before == '-' && at >= bytes + 2 && is_word(at[-2]));
        size_t digits = is_word(before) || exponent ? 0 : strspn(at, "0123456789");
        if (!digits) continue;
        *end = at + digits;
        if (!is_word(**end) && digits < 10 && atoi(at) > 1) return at;
        at += digits - 1;
    }
    return NULL;
}

static char *with_number(const char *bytes, int was, int now) {
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    const char *end;
    for (const char *at; (at = next_number(bytes, &end)); bytes = end) {
        text_format(&t, "%.*s", (int)(at - bytes), bytes);
        text_format(&t, "%d", atoi(at) == was ? now : atoi(at));
    }
    text_put(&t, bytes);
    char *copy = strdup(text_get(&t));
    arena_free(mem);
    return copy;
}

// The smallest number of the text above `above`; 0: none.
static int number_above(const char *bytes, int above) {
    int least = 0;
    const char *end;
    for (const char *at = bytes; (at = next_number(at, &end)); at = end)
        if (atoi(at) > above && (!least || atoi(at) < least)) least = atoi(at);
    return least;
}

static bool reduce_numbers(reduction *r) {
    bool any = false;
    for (int above = 1, number; (number = number_above(r->best, above)) != 0; above = number) {
        const int to[] = {1, 2, number / 2};
        for (size_t i = 0; i < COUNT(to); i++) {
            if (to[i] >= number || !take(r, with_number(r->best, number, to[i]))) continue;
            any = true;
            break;
        }
    }
    return any;
}

// --- The run.

static void reduce_all(reduction *r) {
    for (bool any = true; any && r->runs < r->most_runs;) {
        any = false;
        for (reduce_kind kind = 0; kind < REDUCE_KINDS; kind++) {
            if (kind == REDUCE_PARAMETERS) any |= reduce_numbers(r); // small constants stand for small tensors alone
            any |= reduce_by(r, kind);
        }
    }
}

static void count_module(const char *bytes, uint32_t *functions, uint32_t *bindings) {
    arena *mem = arena_new();
    module *m = read_text(bytes, diag_new(mem));
    *functions = m ? reduce_items(m, REDUCE_FUNCTIONS) : 0;
    *bindings = m ? reduce_items(m, REDUCE_BINDINGS) : 0;
    module_free(m);
    arena_free(mem);
}

static int reduce_module(reduction *r) {
    uint32_t functions[2], bindings[2];
    char why[FILE_WHY];
    r->status = run_command(r, r->best);
    if (r->status == 0) return cli_error("the command succeeds on this module; want one on which it fails");
    if (r->status == -1) return cli_error("the command can't be run, or does not print '%s'", r->match ? r->match : "");
    // What a shell ends with when there is no such program (127), or it may not be executed (126).
    if (WIFEXITED(r->status) && (WEXITSTATUS(r->status) == 126 || WEXITSTATUS(r->status) == 127))
        return cli_error("the shell can't run '%s' (exit code %d)", r->command, WEXITSTATUS(r->status));
    if (file_write(r->output, r->best, strlen(r->best), why) != RX_OK) return cli_error("%s", why);
    count_module(r->best, &functions[0], &bindings[0]);
    reduce_all(r);
    count_module(r->best, &functions[1], &bindings[1]);
    fprintf(stderr, "relax reduce: %s to %u, %s to %u; %lld runs; %s\n", COUNTED(functions[0], "function"),
            functions[1], COUNTED(bindings[0], "binding"), bindings[1], (long long)r->runs, r->output);
    return CLI_DONE;
}

static bool read_module(reduction *r, const char *path) {
    const source *src = cli_source(r->a, path);
    diag *d = diag_new(r->a->mem);
    if (!src) return false;
    module *m = script_parse(src, d);
    if (m) r->best = print_text(m);
    r->verified = m && module_verify(m, diag_new(r->a->mem));
    module_free(m);
    if (!r->best) cli_report(d);
    return r->best;
}

static bool make_folder(reduction *r) {
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/relax-reduce.XXXXXX", folder_for_temporaries());
    if (!mkdtemp(pattern)) return false;
    r->folder = arena_copy(r->a->mem, pattern, strlen(pattern));
    r->candidate = arena_format(r->a->mem, "%s/module.py", pattern);
    r->printed = arena_format(r->a->mem, "%s/printed", pattern);
    return true;
}

static const char *output_path(const cli_args *a) {
    const char *given = cli_value(a, "output"), *path = a->positional[0], *dot = strrchr(path, '.');
    if (given) return given;
    int stem = dot && strcmp(dot, ".py") == 0 ? (int)(dot - path) : (int)strlen(path);
    return arena_format(a->mem, "%.*s.reduced.py", stem, path);
}

static int run(const cli_args *a) {
    reduction r = {.a = a, .command = cli_value(a, "check"), .match = cli_value(a, "match")};
    if (!r.command) return cli_usage(a, "want --check COMMAND");
    if (strcmp(a->positional[0], "-") == 0 && !cli_value(a, "output")) return cli_usage(a, "stdin wants --output FILE");
    if (!cli_int(a, "runs", 1, INT32_MAX, &r.most_runs)) return CLI_USAGE;
    r.output = output_path(a);
    if (!cli_apart(a, r.output, a->positional[0])) return CLI_USAGE;
    if (!cli_may_write(r.output) || !read_module(&r, a->positional[0])) return CLI_WRONG;
    int code = make_folder(&r)
                   ? reduce_module(&r)
                   : cli_error("can't make a folder for candidates: %s; TMPDIR names another place", strerror(errno));
    remove_candidate(&r);
    free(r.best);
    return code;
}

static const cli_option options[] = {
    {.name = "check",
     .letter = 'c',
     .value = "CMD",
     .doc = "a shell command; %s in it is the module's file, else the last word is"},
    {.name = "match", .value = "TEXT", .doc = "the failure of interest prints this"},
    {.name = "output", .letter = 'o', .value = "FILE", .doc = "the smallest module so far (default FILE.reduced.py)"},
    {.name = "runs", .value = "N", .preset = "10000", .doc = "most runs of the command"},
    {0}};

const cli_verb verb_reduce = {
    .name = "reduce",
    .summary = "shrinks a module while a command still fails on it",
    .usage = "--check CMD FILE",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Functions, bindings, outputs, parameters, attributes and sizes are taken away as long as the command ends\n"
        "with the exit code that it has on the whole module. The output file is a whole module at any time: an\n"
        "interrupted run can be continued from it.",
    .examples = "  relax reduce --check 'relax compile -o reduced.rlx' model.py\n"
                "  relax reduce --check 'relax opt --pipeline default --verify-numerics' --match FuseOps model.py\n",
    .run = run,
};
