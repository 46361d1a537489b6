// interrupt.c - blocked signals, asked for; and an end where nobody asks.
#define _GNU_SOURCE // RTLD_DEFAULT
#include "cli/interrupt.h"
#include "base/attributes.h"
#include "base/file.h"
#include "cli/verb.h"
#include "target/link.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int held_signals[] = {SIGINT, SIGTERM, SIGHUP};

static sigset_t first_signals(size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++) sigaddset(&set, held_signals[i]);
    return set;
}

// Blocked signals wait: they are asked for, and interrupt no system call of ours.
bool interrupt_hold(bool all) {
    sigset_t set = first_signals(all ? COUNT(held_signals) : 1), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    return sigismember(&before, SIGINT) == 1;
}

void interrupt_release(bool held) {
    sigset_t set = first_signals(COUNT(held_signals));
    if (held) sigdelset(&set, SIGINT);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

// A blocked signal waits even where the program was told to ignore it (nohup): such ones are taken away and no news.
int interrupt_came(void) {
    sigset_t set = first_signals(COUNT(held_signals));
    struct sigaction how;
    int number;
    do number = sigtimedwait(&set, NULL, &(struct timespec){0});
    while (number > 0 && sigaction(number, NULL, &how) == 0 && how.sa_handler == SIG_IGN);
    return number > 0 ? number : 0;
}

// --- The watch. Asking takes a signal away, so one that is still there after PATIENCE looks was asked for by nobody.
// Two different ones at once are a second wish, and end the patience; two of a kind are one for the system.

enum { LOOKS_PER_SECOND = 5, PATIENCE = 3 * LOOKS_PER_SECOND };

struct interrupt_watch {
    pthread_t thread;
    pthread_mutex_t lock; // of `over`
    pthread_cond_t ended;
    bool over;
    const char *output, *folder;
};

// Those of the signals that wait, and how many.
static unsigned waiting_signals(sigset_t *out) {
    sigset_t pending;
    unsigned count = 0;
    sigemptyset(out);
    if (sigpending(&pending) != 0) return 0;
    for (size_t i = 0; i < COUNT(held_signals); i++) {
        struct sigaction how;
        if (sigismember(&pending, held_signals[i]) != 1) continue;
        if (sigaction(held_signals[i], NULL, &how) == 0 && how.sa_handler == SIG_IGN) continue;
        sigaddset(out, held_signals[i]);
        count++;
    }
    return count;
}

// Ends the program by the signal itself, as if it had never been held.
static void let_through(const interrupt_watch *w, const sigset_t *waiting) {
    new_file_sweep(w->output);
    linker_sweep();
    if (w->folder) rmdir(w->folder);
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr); // the bar's line
    fputs("relax: interrupted; nothing was written\n", stderr);
    pthread_sigmask(SIG_UNBLOCK, waiting, NULL);
}

// Sleeps until the next look. Whether there is one.
static bool look_again(interrupt_watch *w) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000000 / LOOKS_PER_SECOND;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&w->lock);
    if (!w->over) pthread_cond_timedwait(&w->ended, &w->lock, &until);
    bool over = w->over;
    pthread_mutex_unlock(&w->lock);
    return !over;
}

static void *watch(void *user) {
    const interrupt_watch *w = user;
    unsigned looks = 0;
    while (look_again(user)) {
        sigset_t waiting;
        unsigned count = waiting_signals(&waiting);
        looks = count ? looks + 1 : 0;
        if (count > 1 || looks > PATIENCE) let_through(w, &waiting);
    }
    return NULL;
}

// LLVM ends the program where memory is out. It is not in the middle of allocating then, so that the folders of linkers
// can be looked for.
static void at_abort(int number) {
    (void)number;
    linker_sweep();
    fputs("\nrelax: error: the code generator gave up, mostly for want of memory: `relax compile` with --jobs 1 or "
          "--isolate needs less\n",
          stderr);
    _exit(CLI_WRONG);
}

// False to the first thread that asks, which says it; the others wait for the end of all. True in a child that works
// for another process (--isolate), which tells its last words.
static bool ends_as_child(void) {
    struct sigaction before, ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGABRT, &ignored, &before);
    while (before.sa_handler == SIG_IGN) pause();
    if (before.sa_handler != at_abort) signal(SIGABRT, SIG_DFL);
    return before.sa_handler != at_abort;
}

// In place of the line of the C++ library ("terminate called after throwing …").
static void at_terminate(void) {
    if (ends_as_child()) fputs("out of memory, or another exception in C++\n", stderr), abort();
    at_abort(SIGABRT);
}

// In place of "LLVM ERROR: out of memory".
static void at_bad_alloc(void *user, const char *reason, bool may_dump) {
    (void)user, (void)may_dump;
    if (ends_as_child()) fprintf(stderr, "out of memory: %s\n", reason), abort();
    at_abort(SIGABRT);
}

// std::set_terminate and llvm::install_bad_alloc_error_handler, which have no names in C. Without them their own lines
// stand before ours.
static void speak_alone(void) {
    void (*(*set_terminate)(void (*)(void)))(void);
    void (*install)(void (*)(void *, const char *, bool), void *);
    void *found = dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE");
    memcpy(&set_terminate, &found, sizeof found); // ISO C has no cast from void * to a function
    if (found) set_terminate(at_terminate);
    found = dlsym(RTLD_DEFAULT, "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");
    memcpy(&install, &found, sizeof found);
    if (found) install(at_bad_alloc, NULL);
}

// What ends by `exit` on the way, as the compiler does without memory, leaves nothing either.
static void clean_at_end(void) {
    struct sigaction before;
    if (sigaction(SIGABRT, NULL, &before) != 0 || before.sa_handler == at_abort) return;
    atexit(linker_sweep);
    signal(SIGABRT, at_abort);
    speak_alone();
}

interrupt_watch *interrupt_watch_begin(const char *output, const char *folder) {
    interrupt_watch *w = calloc(1, sizeof *w);
    clean_at_end();
    if (!w) return NULL;
    w->output = output;
    w->folder = folder;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ended, NULL);
    if (pthread_create(&w->thread, NULL, watch, w) == 0) return w;
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    free(w);
    return NULL;
}

void interrupt_watch_end(interrupt_watch *w) {
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    w->over = true;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
