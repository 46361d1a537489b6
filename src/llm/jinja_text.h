// jinja_text.h - operations on text that filters and methods share, by Python's rules.
#ifndef LLM_JINJA_TEXT_H
#define LLM_JINJA_TEXT_H
#include "llm/jinja.h"

enum { STRIP_LEFT = 1, STRIP_RIGHT = 2 };
// Without the characters in `set` at the ends; an absent or none `set`: white space.
text_span jinja_strip(jinja *j, text_span s, value set, int sides);
value jinja_lower(jinja *j, text_span s);
value jinja_upper(jinja *j, text_span s);
value jinja_capitalize(jinja *j, text_span s);
// Every `old` becomes `new`, at most `most` of them; negative: all.
value jinja_replace(jinja *j, text_span s, text_span old, text_span new, int64_t most);
// The byte offset of `part` in `s`, or -1.
int64_t jinja_find(jinja *j, text_span s, text_span part);
value jinja_join(jinja *j, text_span between, const value_list *items);
// "{} {0} {name}" filled in. Format specifications are refused.
value jinja_format(jinja *j, text_span format, const value_list *given, const value_dict *named);
#endif
