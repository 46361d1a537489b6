// emit_debug.h - debug information: which function and which line of the text an instruction comes from.
#ifndef TARGET_EMIT_DEBUG_H
#define TARGET_EMIT_DEBUG_H
#include "target/emit.h"

// Opens and completes the information of a module; nothing happens unless the options ask for it.
void debug_open(emitter *e);
void debug_close(emitter *e);
// Gives `fn` the name and the place of the present program; what is built from here on comes from its first line.
void debug_function(emitter *e, LLVMValueRef fn, const char *name);
// What is built from here on comes from there, if that is known.
void debug_at(emitter *e, loc at);
// What is built from here on belongs to no line.
void debug_nowhere(emitter *e);
#endif
