// jinja_filters.h - the second half of the table of filters.
#ifndef LLM_JINJA_FILTERS_H
#define LLM_JINJA_FILTERS_H
#include "llm/jinja.h"

// A filter of lists, or NULL. What Jinja gives as a generator is a list here.
const function *jinja_find_list_filter(text_span name);
#endif
