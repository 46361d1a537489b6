// forget_code.h - memory of libraries that were only needed to start, or to compile.
#ifndef CLI_FORGET_CODE_H
#define CLI_FORGET_CODE_H

// Takes pages of code and constants of all loaded libraries out of this process's resident memory. They lie in the
// system's cache of files, from which those that are used again come back by themselves.
void forget_code(void);
#endif
