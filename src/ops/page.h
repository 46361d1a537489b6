// page.h - operators described for readers: a page each, all of them as Markdown, all of them for programs.
#ifndef OPS_PAGE_H
#define OPS_PAGE_H
#include "base/text.h"
#include "graph/op.h"

void op_page(text *out, const op *o); // plain text, for a terminal
void op_page_list(text *out);         // one line for each operator
// docs/operators.md, whose sections are op_page_section. `example` is more Markdown for the operator; NULL: none.
void op_page_markdown_head(text *out);
void op_page_section(text *out, const op *o, const char *example);
void op_page_json(text *out, const op *o); // one object
const char *op_meaning(const op *o);       // "loops", "runtime function", …
// The compute text, one statement a line, each behind `indent`.
void op_page_compute(text *out, const char *compute, const char *indent);
#endif
