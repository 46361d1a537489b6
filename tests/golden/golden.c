// golden.c - runs text-in, text-out tests. One test is one file; comment lines (`#` in .py files, `//` in others) steer
// it:
//   # RUN: relax opt --pass fuse_ops %s   a bash command; several lines run one after the other in a fresh folder
//   # FAILS: 1                            the exit code wanted of the last command (default 0; the others want 0)
//   ...input...
//   # WANT:                               from here on, byte for byte, what the commands print (stdout and stderr)
//
// %s is a copy of the input part, under its own name, in which the lines above are blank (line numbers stay true);
// %t the fresh folder, where the commands run; %S the folder of the test file. Both come back as %t and %S in the
// output. Programs are looked for beside this one first. A signal, a sanitizer's report and the exit codes 3 and >= 126
// are never expected, in any part of a pipe.
//
// usage: golden [--bless] [-j JOBS] [--time SECONDS] PATH...    a PATH is a file, or a folder: its *.py and *.txt, and
//     those of the folders in it
// --bless rewrites what follows WANT in each test whose exit codes are right.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 16, MAX_JOBS = 64, OUTPUT_MAX = 16 << 20, DIFF_LINES = 40, CONTEXT_LINES = 3, CODE_BUG = 3 };
enum { CODE_SHELL = 126 }; // from here on: the shell's own failures, then signals; sanitizers are told to use it too

typedef struct buffer {
    char *at; // zero-terminated once anything was added
    size_t size, room;
} buffer;

typedef struct test {
    const char *path;
    char folder[PATH_MAX], base[NAME_MAX + 1];
    buffer text;  // the whole file
    size_t head;  // bytes before the WANT line
    size_t want;  // where the wanted output begins; the size of the text if there is no WANT line
    buffer input; // the part before WANT, directives blanked
    buffer run[MAX_RUNS];
    size_t runs;
    int fails;
} test;

typedef struct options {
    bool bless;
    unsigned jobs;
    double seconds;
} options;

typedef struct outcome {
    bool passed;
    buffer report; // printed if it is not empty
} outcome;

typedef struct suite {
    options opt;
    char **path;
    size_t count, room;
    outcome *outcome;
    atomic_size_t next;
} suite;

// ---- text ----

static void *must_have(void *memory) {
    if (!memory) {
        fputs("golden: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static void add(buffer *b, const char *bytes, size_t size) {
    if (b->room - b->size <= size) {
        b->room = (b->size + size + 1) * 2;
        b->at = must_have(realloc(b->at, b->room));
    }
    memcpy(b->at + b->size, bytes, size);
    b->at[b->size += size] = 0;
}

static void add_text(buffer *b, const char *text) { add(b, text, strlen(text)); }

__attribute__((format(printf, 2, 3))) static void add_format(buffer *b, const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    int size = vasprintf(&text, format, list);
    va_end(list);
    if (size < 0) must_have(NULL);
    add(b, text, (size_t)size);
    free(text);
}

static void buffer_free(buffer *b) {
    free(b->at);
    *b = (buffer){0};
}

// Every `from` becomes `to`; `from` is not empty.
static void replace_all(buffer *b, const char *from, const char *to) {
    buffer out = {0};
    const char *at = b->at, *end = b->at + b->size, *hit;
    while (at < end && (hit = memmem(at, (size_t)(end - at), from, strlen(from)))) {
        add(&out, at, (size_t)(hit - at));
        add_text(&out, to);
        at = hit + strlen(from);
    }
    if (at < end) add(&out, at, (size_t)(end - at));
    buffer_free(b);
    *b = out;
}

static bool read_file(const char *path, buffer *out) {
    char chunk[1 << 14];
    FILE *f = fopen(path, "rbe");
    if (!f) return false;
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, f)) > 0;) add(out, chunk, got);
    bool ok = !ferror(f);
    fclose(f);
    return ok;
}

static bool write_file(const char *path, const buffer *b) {
    FILE *f = fopen(path, "wbe");
    if (!f) return false;
    bool ok = fwrite(b->at, 1, b->size, f) == b->size;
    return fclose(f) == 0 && ok;
}

// ---- reading a test ----

// If the line is the comment `prefix NAME`, what follows NAME without the spaces around it; else NULL.
static char *directive(const char *line, size_t size, const char *prefix, const char *name) {
    const char *end = line + size;
    if (size < strlen(prefix) || memcmp(line, prefix, strlen(prefix)) != 0) return NULL;
    for (line += strlen(prefix); line < end && *line == ' ';) line++;
    if ((size_t)(end - line) < strlen(name) || memcmp(line, name, strlen(name)) != 0) return NULL;
    for (line += strlen(name); line < end && *line == ' ';) line++;
    while (end > line && (end[-1] == ' ' || end[-1] == '\n')) end--;
    return must_have(strndup(line, (size_t)(end - line)));
}

static bool add_run(test *t, char *command, buffer *why) {
    if (t->runs == MAX_RUNS)
        add_format(why, "more than %d RUN lines\n", MAX_RUNS);
    else
        add_text(&t->run[t->runs++], command);
    free(command);
    return why->size == 0;
}

static bool read_code(test *t, char *text, buffer *why) {
    char *end = text;
    long code = strtol(text, &end, 10);
    if (end == text || *end || code < 1 || code >= CODE_SHELL || code == CODE_BUG)
        add_format(why, "FAILS: want an exit code from 1 to 125 other than 3, got '%s'\n", text);
    t->fails = (int)code;
    free(text);
    return why->size == 0;
}

// One line of the part before WANT.
static bool read_line(test *t, const char *line, size_t size, const char *prefix, buffer *why) {
    char *run = directive(line, size, prefix, "RUN:");
    char *code = run ? NULL : directive(line, size, prefix, "FAILS:");
    if (run || code)
        add_text(&t->input, "\n");
    else
        add(&t->input, line, size);
    if (run) return add_run(t, run, why);
    return !code || read_code(t, code, why);
}

// What begins a comment in the language of the file.
static const char *comment_sign(const test *t) {
    const char *dot = strrchr(t->base, '.');
    return dot && strcmp(dot, ".py") == 0 ? "#" : "//";
}

static bool parse_test(test *t, buffer *why) {
    const char *prefix = comment_sign(t);
    size_t at = 0;
    t->head = t->want = t->text.size;
    while (at < t->text.size) {
        const char *line = t->text.at + at, *newline = memchr(line, '\n', t->text.size - at);
        size_t size = newline ? (size_t)(newline - line) + 1 : t->text.size - at;
        char *want = directive(line, size, prefix, "WANT:");
        if (want) {
            free(want);
            t->head = at;
            t->want = at + size;
            break;
        }
        if (!read_line(t, line, size, prefix, why)) return false;
        at += size;
    }
    if (!t->runs) add_format(why, "no '%s RUN: command' line before the WANT line\n", prefix);
    return t->runs != 0;
}

static bool open_test(test *t, const char *path, buffer *why) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    char *copy = must_have(realpath(path, NULL));
    t->path = path;
    snprintf(t->base, sizeof t->base, "%s", basename(copy));
    snprintf(t->folder, sizeof t->folder, "%s", dirname(copy));
    free(copy);
    if (strspn(t->base, plain) != strlen(t->base))
        add_text(why, "file names are made of letters, digits, _ . and -\n");
    else if (!read_file(path, &t->text))
        add_format(why, "cannot read: %s\n", strerror(errno));
    return why->size == 0 && parse_test(t, why);
}

static void close_test(test *t) {
    buffer_free(&t->text);
    buffer_free(&t->input);
    for (size_t i = 0; i < t->runs; i++) buffer_free(&t->run[i]);
}

// ---- running commands ----

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// In the child: never returns. Calls only what is safe after fork in a threaded program.
static void become_shell(const char *script, const char *folder, int output) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int input = open("/dev/null", O_RDONLY);
    if (input >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2 && chdir(folder) == 0)
        execl("/bin/bash", "bash", "-c", script, "golden", (char *)NULL);
    _exit(CODE_SHELL);
}

// Collects what arrives until all writers are gone. False if the time or the room is used up, with the reason.
static bool collect(int from, double deadline, buffer *out, const char **reason) {
    char chunk[1 << 14];
    for (;;) {
        double left = deadline - now();
        struct pollfd p = {.fd = from, .events = POLLIN};
        *reason = "still running at the time limit: killed";
        if (left <= 0 || poll(&p, 1, (int)(left * 1000) + 1) == 0) return false;
        ssize_t got = read(from, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        *reason = "more than 16 MiB of output: killed";
        if (out->size + (size_t)got > OUTPUT_MAX) return false;
        add(out, chunk, (size_t)got);
    }
}

// Waits for the end of a process that has closed its output.
static bool reap(pid_t pid, double deadline, int *status) {
    struct timespec nap = {.tv_nsec = 1000 * 1000};
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (now() >= deadline) return false;
        nanosleep(&nap, NULL);
    }
    return true;
}

// Runs a script and leaves nothing of it running. Returns its exit code (128 + n for signal n), or -1 with a reason.
static int run_script(const char *script, const char *folder, double seconds, buffer *out, const char **reason) {
    int ends[2], status = 0;
    *reason = "cannot start a process";
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t pid = fork();
    if (pid == 0) become_shell(script, folder, ends[1]);
    close(ends[1]);
    if (pid < 0) return close(ends[0]), -1;
    setpgid(pid, pid); // also here: the group must exist before it is killed
    double deadline = now() + seconds;
    bool ended = collect(ends[0], deadline, out, reason) && reap(pid, deadline, &status);
    kill(-pid, SIGKILL);
    if (!ended) waitpid(pid, &status, 0);
    close(ends[0]);
    if (!ended) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The command of one RUN line as a script that exits with 3 or >= 126 if any part of its pipe did.
static void build_script(const test *t, const buffer *run, const char *folder, buffer *script) {
    buffer command = {0};
    add(&command, run->at, run->size);
    replace_all(&command, "%s", t->base);
    replace_all(&command, "%S", t->folder);
    replace_all(&command, "%t", folder);
    add_format(script,
               "set -o pipefail\n%s\n"
               "code=$? parts=(\"${PIPESTATUS[@]}\")\n"
               "for part in \"${parts[@]}\"; do\n"
               "    if [ $part -eq %d ] || [ $part -ge %d ]; then exit $part; fi\n"
               "done\n"
               "exit $code\n",
               command.at, CODE_BUG, CODE_SHELL);
    buffer_free(&command);
}

static bool has_sanitizer_report(const buffer *out) {
    static const char *const sign[] = {"ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "WARNING: ThreadSanitizer",
                                       ": runtime error: "};
    for (size_t i = 0; i < sizeof sign / sizeof sign[0]; i++)
        if (out->at && memmem(out->at, out->size, sign[i], strlen(sign[i]))) return true;
    return false;
}

// Runs all commands of the test in `folder`; false, with a report, if one ended otherwise than it should.
static bool run_commands(const test *t, const char *folder, double seconds, buffer *out, buffer *report) {
    for (size_t i = 0; i < t->runs; i++) {
        buffer script = {0};
        const char *reason = NULL;
        int wanted = i + 1 == t->runs ? t->fails : 0;
        build_script(t, &t->run[i], folder, &script);
        int code = run_script(script.at, folder, seconds, out, &reason);
        buffer_free(&script);
        if (code < 0)
            add_format(report, "  %s: %s\n", t->run[i].at, reason);
        else if (has_sanitizer_report(out))
            add_format(report, "  %s: sanitizer report\n", t->run[i].at);
        else if (code != wanted)
            add_format(report, "  %s: want exit code %d, got %d\n", t->run[i].at, wanted, code);
        else
            continue;
        add(report, out->at ? out->at : "", out->size);
        return false;
    }
    return true;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where) {
    (void)s, (void)kind, (void)where;
    return remove(path);
}

// Makes the fresh folder with the input in it, runs the commands there and takes the folder away again.
static bool run_in_fresh_folder(const test *t, double seconds, buffer *out, buffer *report) {
    char folder[PATH_MAX], file[PATH_MAX + NAME_MAX + 2];
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/golden.XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder)) return add_format(report, "  cannot make %s: %s\n", folder, strerror(errno)), false;
    snprintf(file, sizeof file, "%s/%s", folder, t->base);
    bool ok = write_file(file, &t->input);
    if (!ok) add_format(report, "  cannot write %s: %s\n", file, strerror(errno));
    ok = ok && run_commands(t, folder, seconds, out, report);
    replace_all(out, folder, "%t");
    replace_all(out, t->folder, "%S");
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return ok;
}

// ---- comparing ----

// The bytes of the line at `at`, its newline included.
static size_t line_size(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? (size_t)(newline - at) + 1 : (size_t)(end - at);
}

static void show_lines(buffer *report, char sign, const char *at, const char *end) {
    int shown = 0;
    for (; at < end && shown < DIFF_LINES; shown++) {
        size_t size = line_size(at, end);
        add_format(report, "  %c%.*s", sign, (int)size, at);
        if (at[size - 1] != '\n') add_text(report, "\n  \\ no newline at the end\n");
        at += size;
    }
    if (at < end) add_format(report, "  %c... %zu more bytes\n", sign, (size_t)(end - at));
}

// Where the last `lines` lines before `at` begin.
static const char *lines_back(const char *start, const char *at, int lines) {
    for (; lines > 0 && at > start; lines--)
        for (at--; at > start && at[-1] != '\n';) at--;
    return at;
}

// Shows what lies between the lines that both begin with and the lines that both end with.
static void show_difference(buffer *report, const char *want, size_t want_size, const char *got, size_t got_size) {
    const char *w = want, *w_end = want + want_size, *g = got, *g_end = got + got_size;
    int line = 1;
    while (w < w_end && g < g_end) {
        size_t size = line_size(w, w_end);
        if (size != line_size(g, g_end) || memcmp(w, g, size) != 0) break;
        w += size, g += size, line++;
    }
    for (;;) {
        const char *w_last = lines_back(w, w_end, 1), *g_last = lines_back(g, g_end, 1);
        size_t size = (size_t)(w_end - w_last);
        if (!size || size != (size_t)(g_end - g_last) || memcmp(w_last, g_last, size) != 0) break;
        w_end = w_last, g_end = g_last;
    }
    add_format(report, "  line %d of the output (- wanted, + got):\n", line);
    show_lines(report, ' ', lines_back(want, w, CONTEXT_LINES), w);
    show_lines(report, '-', w, w_end);
    show_lines(report, '+', g, g_end);
}

static bool bless(const test *t, const buffer *out, buffer *report) {
    buffer fresh = {0};
    char draft[PATH_MAX];
    add(&fresh, t->text.at, t->head);
    if (t->head && t->text.at[t->head - 1] != '\n') add_text(&fresh, "\n");
    add_format(&fresh, "%s WANT:\n", comment_sign(t));
    add(&fresh, out->at ? out->at : "", out->size);
    bool same = fresh.size == t->text.size && memcmp(fresh.at, t->text.at, fresh.size) == 0;
    bool ok = same || ((size_t)snprintf(draft, sizeof draft, "%s.blessed", t->path) < sizeof draft &&
                       write_file(draft, &fresh) && rename(draft, t->path) == 0);
    if (!ok)
        add_format(report, "  cannot write %s: %s\n", t->path, strerror(errno));
    else if (!same)
        add_format(report, "blessed %s\n", t->path);
    buffer_free(&fresh);
    return ok;
}

static bool judge(const test *t, const options *opt, const buffer *out, buffer *report) {
    const char *want = t->text.at + t->want, *got = out->at ? out->at : "";
    size_t want_size = t->text.size - t->want;
    if (opt->bless) return bless(t, out, report);
    if (t->head == t->text.size) return add_text(report, "  no WANT line (--bless adds it)\n"), false;
    if (want_size == out->size && memcmp(want, got, want_size) == 0) return true;
    show_difference(report, want, want_size, got, out->size);
    return false;
}

// ---- the suite ----

static outcome run_test(const char *path, const options *opt) {
    test t = {0};
    outcome o = {0};
    buffer out = {0}, report = {0};
    o.passed = open_test(&t, path, &report) && run_in_fresh_folder(&t, opt->seconds, &out, &report) &&
               judge(&t, opt, &out, &report);
    if (!o.passed) add_format(&o.report, "FAIL %s\n", path);
    if (report.size) add(&o.report, report.at, report.size);
    if (report.size && report.at[report.size - 1] != '\n') add_text(&o.report, "\n");
    buffer_free(&out);
    buffer_free(&report);
    close_test(&t);
    return o;
}

static void *work(void *user) {
    suite *s = user;
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;) s->outcome[i] = run_test(s->path[i], &s->opt);
    return NULL;
}

static void run_suite(suite *s) {
    pthread_t worker[MAX_JOBS];
    unsigned started = 0;
    s->outcome = must_have(calloc(s->count + 1, sizeof *s->outcome));
    while (started < s->opt.jobs && pthread_create(&worker[started], NULL, work, s) == 0) started++;
    if (!started) work(s);
    for (unsigned i = 0; i < started; i++) pthread_join(worker[i], NULL);
}

static int report_suite(suite *s) {
    size_t failed = 0;
    for (size_t i = 0; i < s->count; i++) {
        failed += !s->outcome[i].passed;
        if (s->outcome[i].report.size) fwrite(s->outcome[i].report.at, 1, s->outcome[i].report.size, stdout);
        buffer_free(&s->outcome[i].report);
        free(s->path[i]);
    }
    free(s->path);
    free(s->outcome);
    if (!s->count) puts("no tests found");
    printf("%zu passed, %zu failed\n", s->count - failed, failed);
    return failed || !s->count;
}

static void add_path(suite *s, char *path) {
    if (s->count == s->room) {
        s->room = s->room ? s->room * 2 : 64;
        s->path = must_have(realloc(s->path, s->room * sizeof *s->path));
    }
    s->path[s->count++] = path;
}

static bool is_test(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".py") == 0 || strcmp(dot, ".txt") == 0);
}

static int is_visible(const struct dirent *e) { return e->d_name[0] != '.'; }

// A file is a test whatever its name; of a folder, the *.py and *.txt in it and below, in the order of their names.
static bool add_tests(suite *s, const char *path) {
    struct stat st;
    struct dirent **entry;
    if (stat(path, &st) != 0) return perror(path), false;
    if (!S_ISDIR(st.st_mode)) return add_path(s, must_have(strdup(path))), true;
    int count = scandir(path, &entry, is_visible, alphasort);
    bool fine = count >= 0;
    for (int i = 0; i < count; i++) {
        buffer full = {0};
        add_format(&full, "%s/%s", path, entry[i]->d_name);
        bool folder = stat(full.at, &st) == 0 && S_ISDIR(st.st_mode);
        if (!folder && is_test(entry[i]->d_name))
            add_path(s, full.at);
        else {
            fine = (!folder || add_tests(s, full.at)) && fine;
            buffer_free(&full);
        }
        free(entry[i]);
    }
    if (count >= 0) free(entry);
    return fine;
}

// Programs beside this one come first on PATH; a sanitizer's report ends a program with a code no test can want.
static void set_environment(void) {
    static const char *const sanitizer[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"};
    char self[PATH_MAX] = {0};
    buffer path = {0};
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) add_format(&path, "%s:", dirname(self));
    add_text(&path, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    setenv("PATH", path.at, 1);
    buffer_free(&path);
    for (size_t i = 0; i < sizeof sanitizer / sizeof sanitizer[0]; i++) setenv(sanitizer[i], "exitcode=126", 0);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("BASH_ENV");
}

static int usage(void) {
    fputs("usage: golden [--bless] [-j JOBS] [--time SECONDS] PATH...\n", stderr);
    return 2;
}

int main(int argc, char **argv) {
    suite s = {.opt = {.jobs = 2, .seconds = 20}};
    set_environment();
    for (int i = 1; i < argc; i++) {
        bool valued = i + 1 < argc;
        if (strcmp(argv[i], "--bless") == 0)
            s.opt.bless = true;
        else if (strcmp(argv[i], "-j") == 0 && valued)
            s.opt.jobs = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--time") == 0 && valued)
            s.opt.seconds = strtod(argv[++i], NULL);
        else if (argv[i][0] == '-' || !add_tests(&s, argv[i]))
            return usage();
    }
    if (argc < 2 || s.opt.jobs < 1 || s.opt.jobs > MAX_JOBS || !(s.opt.seconds > 0)) return usage();
    run_suite(&s);
    return report_suite(&s);
}
