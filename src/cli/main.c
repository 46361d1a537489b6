// main.c - `relax VERB …`: finds the verb, reads its options, runs it.
#define _POSIX_C_SOURCE 200809L
#include "base/text.h"
#include "cli/options.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cli_verb *const verbs[] = {
#define VERB(name) &verb_##name,
#include "cli/verbs.def"
};

static const cli_verb *verb_find(const char *name) {
    for (size_t i = 0; i < COUNT(verbs); i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

// What holds for all verbs.
static const char conventions[] =
    "Folders that options name (--output DIR, --dump-ir DIR) are made, with those above them; the folder of a\n"
    "file (-o FILE) must be there. Files appear under their names when they are complete.\n\n"
    "exit codes: 0 done; 1 the input is wrong, a check failed, or the machine failed (memory, disk, device);\n"
    "            2 wrong usage; 3 a bug of relax; 130 interrupted\n";

static int overview(void) {
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    text_put(&t, "relax - compiles machine-learning models with dynamic shapes, and runs them\n\nusage: relax VERB "
                 "...\n\nverbs:\n");
    for (size_t i = 0; i < COUNT(verbs); i++) text_format(&t, "  %-12s %s\n", verbs[i]->name, verbs[i]->summary);
    text_format(&t, "\n`relax VERB --help` explains a verb, with examples.\n\n%s", conventions);
    int code = cli_print(&t);
    arena_free(mem);
    return code;
}

// docs/commands.md: what the verbs say of themselves.
static int reference(void) {
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    text_format(&t,
                "# Commands\n\nMade by `relax help --markdown` from the tables in `src/cli`; do not edit. `relax VERB "
                "--help` prints the same.\n\n```text\n%s```\n",
                conventions);
    for (size_t i = 0; i < COUNT(verbs); i++) {
        text help = TEXT_IN(mem);
        cli_help(verbs[i], &help);
        const char *usage = strstr(text_get(&help), "usage: ");
        text_format(&t, "\n## relax %s\n\n`relax %s` %s.\n\n```text\n%s```\n", verbs[i]->name, verbs[i]->name,
                    verbs[i]->summary, usage);
    }
    int code = cli_print(&t);
    arena_free(mem);
    return code;
}

static int version(void) {
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    text_put(&t, "relax " RELAX_VERSION "\n");
    int code = cli_print(&t);
    arena_free(mem);
    return code;
}

static int unknown_verb(const char *name) {
    const char *known[COUNT(verbs) + 3] = {"help", "--help", "--version"};
    for (size_t i = 0; i < COUNT(verbs); i++) known[3 + i] = verbs[i]->name;
    const char *near = text_nearest(name, known, COUNT(known));
    fprintf(stderr, near ? "relax: there is no %s '%s'; did you mean '%s'?\n" : "relax: there is no %s '%s'\n",
            name[0] == '-' ? "option" : "verb", name, near);
    fputs("`relax --help` lists the verbs.\n", stderr);
    return CLI_USAGE;
}

static int run_verb(const cli_verb *v, int argc, char **argv) {
    cli_args a = {.verb = v, .mem = arena_new()};
    bool help = false;
    int code = CLI_USAGE;
    if (cli_read(&a, argc, argv, &help)) {
        text t = TEXT_IN(a.mem);
        if (help) cli_help(v, &t);
        code = help ? cli_print(&t) : v->run(&a);
    }
    arena_free(a.mem);
    return code;
}

// A stream that was closed before us would be the number of the next file that is opened. In its place comes one that
// can't be read (or written), so that using it fails.
static void hold_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
}

int main(int argc, char **argv) {
    hold_streams();
    signal(SIGPIPE, SIG_IGN); // a closed pipe is an error code, not the end
    signal(SIGXFSZ, SIG_IGN); // so is a file that grows past its limit
    const char *name = argc > 1 ? argv[1] : "--help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return argc > 1 ? overview() : (overview(), CLI_USAGE);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return version();
    if (strcmp(name, "help") == 0) {
        if (argc == 2) return overview();
        if (strcmp(argv[2], "--markdown") == 0) return reference();
        static char help[] = "--help";
        char *words[] = {help};
        const cli_verb *asked = verb_find(argv[2]);
        return asked ? run_verb(asked, 1, words) : unknown_verb(argv[2]);
    }
    const cli_verb *v = verb_find(name);
    return v ? run_verb(v, argc - 2, argv + 2) : unknown_verb(name);
}
