// text_support.h - reading texts in tests, from memory and from files.
#ifndef TEXT_SUPPORT_H
#define TEXT_SUPPORT_H
#include "text/script.h"

// Everything lives in `mem`, but the module: free it. NULL if the text has errors; `said` (may be NULL: then it goes
// to stderr) gets what was reported.
module *read_text(arena *mem, const char *name, const char *bytes, size_t size, char **said);
char *print_text(arena *mem, const module *m);
char *read_file(arena *mem, const char *path, size_t *size); // NULL after saying why
// Paths of the files of a folder, sorted; NULL if there is no such folder.
char **list_files(arena *mem, const char *folder, const char *ending, size_t *count);
#endif
