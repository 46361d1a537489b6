// isolate.c - code generation in processes of its own, so that a fatal error of LLVM becomes a message.
//
// A child sends: whether it went well, what the machine refused, its messages, the object. Messages hold places, whose
// addresses mean the same in both processes, as the child is a copy of its parent.
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "base/threads.h"
#include "driver/kernel_jobs.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct child {
    pid_t pid;
    int from;     // the end of a pipe
    FILE *stderr; // what it says, a file without a name
} child;

typedef struct answer {
    char *at;
    size_t size, read;
} answer;

// --- The child.

static bool send_record(int to, const diag_record *r) {
    uint32_t level = r->level, size = (uint32_t)strlen(r->message);
    return file_write_all(to, &level, sizeof level) && file_write_all(to, &r->at, sizeof r->at) &&
           file_write_all(to, &size, sizeof size) && file_write_all(to, r->message, size);
}

static bool work_and_send(kernel_job *j, const target_options *code, int to) {
    diag *d = diag_new(arena_new());
    uint8_t good = target_compile(j->target, j->func, j->funcs, code, TARGET_OBJECT, &j->object, d);
    uint64_t size = j->object.size;
    bool ok = file_write_all(to, &good, sizeof good) && file_write_all(to, &d->refused, sizeof d->refused) &&
              file_write_all(to, &d->len, sizeof d->len);
    for (uint32_t i = 0; i < d->len && ok; i++) ok = send_record(to, &d->record[i]);
    return ok && file_write_all(to, &size, sizeof size) && file_write_all(to, j->object.bytes, j->object.size);
}

static bool start_child(kernel_job *j, const target_options *code, child *out) {
    int end[2];
    out->stderr = tmpfile();
    if (!out->stderr || pipe(end) != 0) return false;
    out->from = end[0];
    out->pid = fork();
    if (out->pid == 0) {
        signal(SIGABRT, SIG_DFL);         // what the parent says then tells how it ended
        prctl(PR_SET_PDEATHSIG, SIGKILL); // a parent that is ended leaves nobody behind at work
        close(end[0]);
        dup2(fileno(out->stderr), STDERR_FILENO);
        _exit(work_and_send(j, code, end[1]) ? 0 : 1);
    }
    close(end[1]);
    if (out->pid < 0) close(end[0]);
    return out->pid > 0;
}

// --- The parent.

static bool receive_all(int from, answer *a) {
    size_t room = 0;
    for (;;) {
        if (a->size == room) {
            room = room ? 2 * room : 1 << 16;
            char *grown = realloc(a->at, room);
            if (!grown) return false;
            a->at = grown;
        }
        ssize_t got = read(from, a->at + a->size, room - a->size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        a->size += (size_t)got;
    }
}

static bool take(answer *a, void *out, size_t size) {
    if (size > a->size - a->read) return false;
    memcpy(out, a->at + a->read, size);
    a->read += size;
    return true;
}

static bool take_record(answer *a, kernel_job *j) {
    uint32_t level, size;
    loc at;
    if (!take(a, &level, sizeof level) || !take(a, &at, sizeof at) || !take(a, &size, sizeof size)) return false;
    if (size > a->size - a->read) return false;
    const char *message = arena_copy(j->mem, a->at + a->read, size);
    a->read += size;
    switch ((diag_level)level) {
    case DIAG_ERROR: diag_error(j->d, at, "%s", message); return true;
    case DIAG_WARNING: diag_warning(j->d, at, "%s", message); return true;
    case DIAG_NOTE: diag_note(j->d, at, "%s", message); return true;
    }
    return false;
}

static bool take_answer(answer *a, kernel_job *j) {
    uint8_t good;
    uint32_t records;
    uint64_t size;
    if (!take(a, &good, sizeof good) || !take(a, &j->d->refused, sizeof j->d->refused) ||
        !take(a, &records, sizeof records))
        return false;
    for (uint32_t i = 0; i < records; i++)
        if (!take_record(a, j)) return false;
    if (!take(a, &size, sizeof size) || size != a->size - a->read) return false;
    j->object = (compiled){.bytes = malloc((size_t)size + 1), .size = (size_t)size};
    if (!j->object.bytes) return false;
    j->ok = good;
    return take(a, j->object.bytes, (size_t)size);
}

// The last line a child wrote before it died, without our own prefix.
static const char *last_words(const kernel_job *j, FILE *said, int status) {
    static const char prefix[] = "relax: error: ";
    char line[1024], last[1024] = "";
    rewind(said);
    while (fgets(line, sizeof line, said))
        if (line[0] != '\n') memcpy(last, line, sizeof line);
    last[strcspn(last, "\n")] = 0;
    if (strncmp(last, prefix, sizeof prefix - 1) == 0) return arena_format(j->mem, "%s", last + sizeof prefix - 1);
    if (*last) return arena_format(j->mem, "LLVM can't compile %s: %s", j->func[0]->name, last);
    return arena_format(j->mem, "LLVM can't compile %s: it ended the process with %s %d", j->func[0]->name,
                        WIFSIGNALED(status) ? "signal" : "exit code",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void run_alone(kernel_job *j, const target_options *code);

// Which program of a bundle it was is found by trying each alone.
static void find_culprit(kernel_job *j, const target_options *code, const char *words) {
    for (uint32_t i = 0; i < j->funcs && j->funcs > 1; i++) {
        kernel_job one = {.target = j->target, .func = {j->func[i]}, .funcs = 1, .mem = j->mem, .d = j->d};
        run_alone(&one, code);
        compiled_free(&one.object);
        if (!one.ok) return;
    }
    diag_error(j->d, j->func[0]->at, "%s", words);
}

static void finish_child(kernel_job *j, const target_options *code, child *c) {
    answer a = {0};
    int status = 0;
    bool whole = receive_all(c->from, &a) && take_answer(&a, j);
    free(a.at);
    close(c->from);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {}
    if (!whole) {
        compiled_free(&j->object);
        j->ok = false;
        find_culprit(j, code, last_words(j, c->stderr, status));
    }
    fclose(c->stderr);
}

static void fail_to_start(kernel_job *j, child *c) {
    diag_refused(j->d, RX_IO, "--isolate: can't start a process: %s", strerror(errno));
    if (c->stderr) fclose(c->stderr);
    j->ok = false;
}

static void run_alone(kernel_job *j, const target_options *code) {
    child c = {0};
    if (start_child(j, code, &c))
        finish_child(j, code, &c);
    else
        fail_to_start(j, &c);
}

// Some children at a time; they are asked for their answers in order.
void kernel_jobs_isolate(kernel_work *w) {
    enum { MOST = 64 };
    child running[MOST];
    size_t most = w->jobs ? w->jobs : threads_available(), started = 0;
    if (most > MOST) most = MOST;
    for (size_t i = 0; i < w->count; i++) {
        for (; started < w->count && started < i + most; started++) {
            kernel_job *j = &w->list[started];
            j->mem = arena_new();
            j->d = diag_new(j->mem);
            running[started % MOST] = (child){0};
            if (j->wanted && !start_child(j, w->code, &running[started % MOST]))
                fail_to_start(j, &running[started % MOST]);
        }
        if (w->list[i].wanted && running[i % MOST].pid > 0) finish_child(&w->list[i], w->code, &running[i % MOST]);
    }
}
