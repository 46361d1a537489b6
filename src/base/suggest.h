// suggest.h - the end of a message about a word that is not known.
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H
#include "base/text.h"

// "; did you mean R.nn.relu?": the near word that text_nearest found, with what stands before it ("R.") and after it
// (""). "" where it found none, NULL. Lives in `mem`, or for ever.
const char *text_suggest(arena *mem, const char *near, const char *before, const char *after);
#endif
