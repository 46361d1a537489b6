// fixture.h - what the tests of expressions share: a session per test, expressions from text.
#ifndef TESTS_UNIT_EXPR_FIXTURE_H
#define TESTS_UNIT_EXPR_FIXTURE_H
#include "expr/parse.h"
#include "expr/prove.h"
#include "test.h"
#include <string.h>

typedef struct fixture {
    expr_session *s;
    arena *mem;
    text_map vars; // of everything parsed so far
    diag *d;       // of the last parse
} fixture;

int fixture_open(void **state);
int fixture_close(void **state);
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_open, fixture_close)

// A variable that later texts mean by this name. Unknown names become int64 variables.
const expr *declare(fixture *f, const char *name, const char *type);
// NULL if it is refused; f->d says why.
const expr *try_parse(fixture *f, const char *words);
const expr *parsed(fixture *f, const char *words); // fails the test if it is refused
// Conditions separated by ';' as facts.
facts *given(fixture *f, const char *conditions);
// The first error of the last parse, without its place.
const char *first_error(const fixture *f);
const char *printed(fixture *f, const expr *e, bool graph);
#endif
