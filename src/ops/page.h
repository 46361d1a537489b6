// page.h - operators described for readers: a page each, all of them as Markdown, all of them for programs.
#ifndef OPS_PAGE_H
#define OPS_PAGE_H
#include "base/text.h"
#include "graph/op.h"

void op_page(text *out, const op *o);      // plain text, for a terminal
void op_page_list(text *out);              // one line for each operator
void op_page_markdown(text *out);          // docs/operators.md
void op_page_json(text *out, const op *o); // one object
const char *op_meaning(const op *o);       // "loops", "runtime function", …
// The compute text, one statement a line, each behind `indent`.
void op_page_compute(text *out, const char *compute, const char *indent);
#endif
