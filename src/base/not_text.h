// not_text.h - what a file is that was given where the text of a module is wanted.
#ifndef BASE_NOT_TEXT_H
#define BASE_NOT_TEXT_H
#include <stddef.h>

// The end of a sentence "this is …": what the bytes are, and what takes them; NULL where they may be a text.
const char *not_text(const char *bytes, size_t size);
#endif
