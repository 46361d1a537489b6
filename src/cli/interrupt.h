// interrupt.h - Ctrl-C as a question instead of an end: what holds it asks whether it came, and leaves nothing
// half-written and no temporary file behind.
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
#endif
