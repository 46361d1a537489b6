// interrupt.c - blocked signals, asked for.
#define _POSIX_C_SOURCE 200809L
#include "cli/interrupt.h"
#include "base/attributes.h"
#include <signal.h>
#include <stddef.h>
#include <time.h>

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
