// interrupt.h - Ctrl-C as a question instead of an end: what holds it asks whether it came, and leaves nothing
// half-written and no temporary file behind. A long step that asks for seconds nothing can be ended too: see the watch.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H
#include <stdbool.h>

// From here SIGINT waits, with `all` SIGTERM and SIGHUP too, for this thread and those it starts. Returns whether
// SIGINT did before.
bool interrupt_hold(bool all);
// They end the program again; SIGINT not if `held`, which interrupt_hold returned.
void interrupt_release(bool held);
// The number of a signal that waits, which is taken away by asking; 0: none.
int interrupt_came(void);

// A thread that sees to it that a program which holds all signals can be ended at any time: a signal that nobody asked
// for within three seconds, or a second one of another kind beside it, ends the program there and then, by the signal,
// with a message. (The same signal twice is one for the system: the second Ctrl-C changes nothing, the three seconds
// count from the first.) `output`, which was to be written, keeps what it had; its temporary files and those of linkers
// are removed, and `folder` (NULL: none), a temporary one that was made for `output` alone.
typedef struct interrupt_watch interrupt_watch;
// Behind interrupt_hold(true). Both live as long as the watch. NULL: there is no thread to be had.
interrupt_watch *interrupt_watch_begin(const char *output, const char *folder);
void interrupt_watch_end(interrupt_watch *w); // before interrupt_release; NULL is fine
#endif
