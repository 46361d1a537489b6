// t_lexer.c - Python's lexical rules: what the tokens are, what is reported, and that hostile text stays cheap.
#include "base/lexer.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    arena *mem;
    source src;
    diag *d;
    lexer *x;
} fixture;

static fixture *open_text(const char *bytes, size_t size, bool lines) {
    arena *mem = arena_new();
    fixture *f = ARENA_NEW(mem, fixture, 1);
    f->mem = mem;
    char *exact = malloc(size ? size : 1); // so that a read behind the end is seen
    if (size) memcpy(exact, bytes, size);
    f->src = (source){.name = "t", .bytes = exact, .size = size};
    f->d = diag_new(mem);
    f->x = lexer_new(mem, &f->src, f->d, (lexer_options){.lines = lines});
    return f;
}

static void close_text(fixture *f) {
    free((char *)(uintptr_t)f->src.bytes);
    arena_free(f->mem);
}

static void put_token(text *out, const token *t) {
    switch (t->kind) {
    case TOKEN_END: text_put(out, "END"); break;
    case TOKEN_NAME: text_put_n(out, t->start, t->size); break;
    case TOKEN_INT:
        if (t->int_too_big) text_put(out, "big:");
        text_format(out, "%" PRIu64, t->ival);
        break;
    case TOKEN_FLOAT: text_put_double(out, t->fval); break;
    case TOKEN_STRING: text_put_quoted(out, t->str, t->str_size); break;
    case TOKEN_OP: text_put_n(out, t->start, t->size); break;
    case TOKEN_NEWLINE: text_put(out, "NL"); break;
    case TOKEN_INDENT: text_put(out, "IN"); break;
    case TOKEN_DEDENT: text_put(out, "DE"); break;
    case TOKEN_ERROR: text_put(out, "ERROR"); break;
    }
}

// All tokens of a text with a space between them, up to END; then the first error, as "line:col: message".
static void expect_n(const char *bytes, size_t size, bool lines, const char *want) {
    fixture *f = open_text(bytes, size, lines);
    text out = TEXT_IN(f->mem);
    for (token t; (t = lexer_next(f->x)).kind != TOKEN_END;) {
        if (out.len) text_put_char(&out, ' ');
        put_token(&out, &t);
    }
    assert_int_equal(lexer_next(f->x).kind, TOKEN_END); // for ever
    if (f->d->len) {
        const diag_record *r = &f->d->record[0];
        text_format(&out, "%s| %u:%u: %s", out.len ? " " : "", r->at.line, r->at.col, r->message);
    }
    assert_string_equal(text_get(&out), want);
    close_text(f);
}

static void expect(const char *bytes, const char *want) { expect_n(bytes, strlen(bytes), false, want); }
static void expect_lines(const char *bytes, const char *want) { expect_n(bytes, strlen(bytes), true, want); }

static void empty_texts(void **state) {
    (void)state;
    expect("", "");
    expect_n(NULL, 0, true, "");
    expect(" \t\f\n\r\n  # only a comment", "");
    expect_lines(" \n\n  # only a comment\n   ", "");
    expect("\357\273\277", "");
    expect_lines("\357\273\277a\n", "a NL");
    expect("a \357\273\277", "a ERROR | 1:3: unexpected character '\357\273\277' (U+FEFF)");
}

static void names(void **state) {
    (void)state;
    expect("a _b c1 T.int64 while", "a _b c1 T . int64 while");
    expect("gr\303\266\303\237e \346\225\260 \316\261_1", "gr\303\266\303\237e \346\225\260 \316\261_1");
    expect("a\302\240b", "a ERROR b | 1:2: unexpected character '\302\240' (U+00A0)");
    expect("\342\200\234x\342\200\235", "ERROR x ERROR | 1:1: unexpected character '\342\200\234' (U+201C)");
    expect("r rb f b", "r rb f b");
}

static void integers(void **state) {
    (void)state;
    expect("0 00 0_0 7 1_000 18446744073709551615", "0 0 0 7 1000 18446744073709551615");
    expect("18446744073709551616", "big:18446744073709551615");
    expect("99999999999999999999999999999999999999999", "big:18446744073709551615");
    expect("0x1F 0XaB_cd 0o17 0O7 0b101 0B1_1 0x_f", "31 43981 15 7 5 3 15");
    expect("0xffffffffffffffff 0x10000000000000000", "18446744073709551615 big:18446744073709551615");
    expect("-1", "- 1");
    expect("012", "ERROR | 1:1: a decimal number must not begin with 0 (octal numbers begin with 0o)");
    expect("0x", "ERROR | 1:1: want digits behind the number's prefix");
    expect("0b12 3", "ERROR 3 | 1:4: a number must not run into a name or another number");
    expect("0o8", "ERROR | 1:1: want digits behind the number's prefix");
    expect("12abc,", "ERROR , | 1:3: a number must not run into a name or another number");
    expect("1__0", "ERROR | 1:2: a number must not run into a name or another number");
    expect("1_", "ERROR | 1:2: a number must not run into a name or another number");
    expect("1j", "ERROR | 1:2: a number must not run into a name or another number");
    expect("1\303\251", "ERROR | 1:2: a number must not run into a name or another number");
}

static void floats(void **state) {
    (void)state;
    expect("1. .5 1.5 1e10 1e-5 1E+5 1_0.2_5e1_0 0e0", "1.0 0.5 1.5 10000000000.0 1e-05 100000.0 102500000000.0 0.0");
    expect("012.5 1.e3 0.1 1e400 1e-400", "12.5 1000.0 0.1 inf 0.0");
    expect("1..2 1...", "1.0 0.2 1.0 . .");
    expect("x.5 a.b", "x 0.5 a . b");
    expect("1e 2", "ERROR 2 | 1:2: a number must not run into a name or another number");
    expect("1e+", "ERROR + | 1:2: a number must not run into a name or another number");
    expect("1.x", "ERROR | 1:3: a number must not run into a name or another number");
    expect("1._5", "ERROR | 1:3: a number must not run into a name or another number");
    expect("inf nan", "inf nan");
}

static void operators_match_longest(void **state) {
    (void)state;
    expect("+-*/%@&|^~<>()[]{},:.;=", "+ - * / % @ & | ^ ~ < > ( ) [ ] { } , : . ; =");
    expect("** // >> << <= >= == != -> := += -= *= /= %= @= &= |= ^=",
           "** // >> << <= >= == != -> := += -= *= /= %= @= &= |= ^=");
    expect("**= //= >>= <<= ...", "**= //= >>= <<= ...");
    expect("a//=b**c...d", "a //= b ** c ... d");
    expect(">>>=<<<=", ">> >= << <=");
    expect("-->", "- ->");
    expect("===", "== =");
    expect("..", ". .");
    expect("*** ////", "** * // //");
    expect("x[1:2]:=3", "x [ 1 : 2 ] := 3");
    expect("a ! b", "a ERROR b | 1:3: unexpected character '!'");
    expect("$?`", "ERROR ERROR ERROR | 1:1: unexpected character '$'");
    expect("a\rb", "a ERROR b | 1:2: unexpected character '\r'");
}

static void strings(void **state) {
    (void)state;
    expect("'a' \"b\" '' \"\"", "\"a\" \"b\" \"\" \"\"");
    expect("'\"' \"'\"", "\"\\\"\" \"'\"");
    expect("'''a''' \"\"\"b\"\"\" ''''''", "\"a\" \"b\" \"\"");
    expect("'''a'b''c\nd'''", "\"a'b''c\\nd\"");
    expect("'''a\r\nb'''", "\"a\\nb\"");
    expect("\"\"\"a\\\"\"\"\"", "\"a\\\"\"");
    expect("r'a\\n\\'' R\"\\\\\"", "\"a\\\\n\\\\'\" \"\\\\\\\\\"");
    expect("b'x' rb'\\x' bR'y' Rb'z'", "\"x\" \"\\\\x\" \"y\" \"z\"");
    expect("'a''b'", "\"a\" \"b\"");
    expect("\"caf\303\251\"", "\"caf\303\251\"");
    expect("f'a' x", "ERROR x | 1:1: f-strings are not supported");
    expect("rrr'a'", "rrr \"a\"");
}

static void escapes(void **state) {
    (void)state;
    expect("'\\\\ \\' \\\" \\n \\t'", "\"\\\\ ' \\\" \\n \\t\"");
    expect("'\\a\\b\\f\\r\\v'", "\"\\x07\\x08\\x0c\\x0d\\x0b\"");
    expect("'\\x41\\x00\\xfF'", "\"A\\x00\\xff\"");
    expect("'\\101\\0\\377\\18'", "\"A\\x00\\xff\\x018\"");
    expect("'\\u00e9\\U0001F600'", "\"\303\251\360\237\230\200\"");
    expect("'a\\\nb' 'c\\\r\nd'", "\"ab\" \"cd\"");
    expect("'\\d\\ '", "\"\\\\d\\\\ \"");
    expect("'ab\\x4' x", "ERROR x | 1:4: want two hexadecimal digits behind \\x");
    expect("'\\u12g4'", "ERROR | 1:2: want four hexadecimal digits behind \\u");
    expect("'\\U0011000'", "ERROR | 1:2: want eight hexadecimal digits behind \\U");
    expect("'\\ud800'",
           "ERROR | 1:2: this escape is no character: want one up to 10FFFF and no surrogate (D800 to DFFF)");
    expect("'\\U00110000'",
           "ERROR | 1:2: this escape is no character: want one up to 10FFFF and no surrogate (D800 to DFFF)");
    expect("'\\N{DASH}'", "ERROR | 1:2: names of characters (\\N{...}) are not supported: write \\uNNNN");
    expect("'\\400'", "ERROR | 1:2: this escape is no byte: want at most \\377");
    expect("'''\n\n  \\xz''' y", "ERROR y | 3:3: want two hexadecimal digits behind \\x");
}

static void unterminated_strings(void **state) {
    (void)state;
    expect("x = 'abc\ny", "x = ERROR y | 1:5: this string is never closed");
    expect("x = 'abc\r\ny", "x = ERROR y | 1:5: this string is never closed");
    expect("'", "ERROR | 1:1: this string is never closed");
    expect("'abc\\", "ERROR | 1:1: this string is never closed");
    expect("a\n  '''bc\nde''", "a ERROR | 2:3: this string is never closed");
    expect("'''", "ERROR | 1:1: this string is never closed");
    expect("\"\"\"\"", "ERROR | 1:1: this string is never closed");
    expect_lines("x = 'abc\ny\n", "x = ERROR NL y NL | 1:5: this string is never closed");
}

static void quoted_text_reads_back(void **state) {
    (void)state;
    char bytes[256 + 6];
    for (int i = 0; i < 256; i++) bytes[i] = (char)i;
    memcpy(bytes + 256, "\xf0\x9f\x98\x80\\x", 6);
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    text_put_quoted(&t, bytes, sizeof bytes);
    fixture *f = open_text(t.at, t.len, false);
    token back = lexer_next(f->x);
    assert_int_equal(back.kind, TOKEN_STRING);
    assert_int_equal(back.str_size, sizeof bytes);
    assert_memory_equal(back.str, bytes, sizeof bytes);
    assert_int_equal(back.str[back.str_size], '\0');
    assert_int_equal(f->d->errors, 0);
    close_text(f);
    arena_free(mem);
}

static void lines_and_blocks(void **state) {
    (void)state;
    expect_lines("a", "a NL");
    expect_lines("a\nb\n", "a NL b NL");
    expect_lines("a\r\nb\r\n", "a NL b NL");
    expect_lines("a:\n  b\n  c\nd\n", "a : NL IN b NL c NL DE d NL");
    expect_lines("a:\n  b:\n    c\n", "a : NL IN b : NL IN c NL DE DE");
    expect_lines("a:\n  b:\n    c", "a : NL IN b : NL IN c NL DE DE");
    expect_lines("a:\n  b:\n    c\nd", "a : NL IN b : NL IN c NL DE DE d NL");
    expect_lines("a:\n  b\n\n   \n      # far\n# near\n  c\n", "a : NL IN b NL c NL DE");
    expect_lines("a:\n  b\n      ", "a : NL IN b NL DE");
    expect_lines("  a\n  b\nc\n", "IN a NL b NL DE c NL");
    expect_lines("\n\n# x\n\na\n", "a NL");
    expect_lines("a ; b # c\n", "a ; b NL");
    expect_lines("a: b\n", "a : b NL");
}

static void brackets_hide_lines(void **state) {
    (void)state;
    expect_lines("f(a,\n      b\n  )\nc\n", "f ( a , b ) NL c NL");
    expect_lines("[\n# c\n{\n}\n\n]\n", "[ { } ] NL");
    expect_lines("x:\n  f(\na)\n  b\n", "x : NL IN f ( a ) NL b NL DE");
    expect_lines(")\na\n", ") NL a NL");
    expect_lines("a\nf([1\nb\n", "a NL f ( [ 1 b NL | 2:2: this bracket is never closed");
    expect("(a\n", "( a");
}

static void continued_lines(void **state) {
    (void)state;
    expect_lines("a + \\\n    b\nc\n", "a + b NL c NL");
    expect_lines("a \\\r\n b\n", "a b NL");
    expect_lines("a:\n  b \\\n c\n  d\n", "a : NL IN b c NL d NL DE");
    expect("a \\\n b", "a b");
    expect_lines("a \\ b\n", "a ERROR b NL | 1:3: want the end of the line behind a backslash");
    expect_lines("a \\", "a ERROR NL | 1:3: want the end of the line behind a backslash");
}

static void wrong_indentation(void **state) {
    (void)state;
    expect_lines(
        "a:\n    b\n  c\nd\n",
        "a : NL IN b NL c NL DE d NL | 3:3: the indentation matches no open block: want 0 or 4 columns, got 2");
    expect_lines("a:\n  b:\n      c\n    d\n  e\n", "a : NL IN b : NL IN c NL d NL DE e NL DE | 4:5: the indentation "
                                                    "matches no open block: want 2 or 6 columns, got 4");
    expect_lines("a:\n\tb\n        c\n",
                 "a : NL IN b NL c NL DE | 2:1: tab in the indentation: use spaces (taken as 8 columns)");
    expect_lines("a\t=\tb\n", "a = b NL");
    fixture *f = open_text("a:\n\tb\n\tc\n", 9, true);
    while (lexer_next(f->x).kind != TOKEN_END) {}
    assert_int_equal(f->d->errors, 1); // tabs are reported once
    close_text(f);
    expect("a:\n\tb", "a : b");
}

static void bytes_that_are_no_text(void **state) {
    (void)state;
    expect_n("a\0\0b\0", 5, false, "a ERROR b ERROR | 1:2: NUL byte: the source must be text");
    expect_n("'a\0b'", 5, false, "\"a\\x00b\" | 1:3: NUL byte: the source must be text");
    expect("a\n \xff\xfe b \xff", "a ERROR b ERROR | 2:2: byte 0xff is not UTF-8: the source must be UTF-8");
    expect("# \xff\nb", "b | 1:3: byte 0xff is not UTF-8: the source must be UTF-8");
    expect("\xc3", "ERROR | 1:1: byte 0xc3 is not UTF-8: the source must be UTF-8");
    fixture *f = open_text("\xff\0\xff\0 \xff\0", 7, false);
    while (lexer_next(f->x).kind != TOKEN_END) {}
    assert_int_equal(f->d->errors, 2); // once each
    close_text(f);
}

static void sources_of_4_gib_are_refused(void **state) {
    (void)state;
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    source src = {.name = "huge", .bytes = "x", .size = UINT32_MAX};
    lexer *x = lexer_new(mem, &src, d, (lexer_options){.lines = true});
    assert_int_equal(lexer_next(x).kind, TOKEN_END);
    assert_int_equal(d->errors, 1);
    arena_free(mem);
}

static void places_and_bytes(void **state) {
    (void)state;
    const char *bytes = "ab  = 'x\\n' #c\n  (\n\t'''q\n'''z)";
    fixture *f = open_text(bytes, strlen(bytes), false);
    static const struct {
        uint32_t line, col, size;
        bool space_before;
    } want[] = {{1, 1, 2, true}, {1, 5, 1, true},  {1, 7, 5, true},  {2, 3, 1, true},
                {3, 2, 8, true}, {4, 4, 1, false}, {4, 5, 1, false}, {4, 6, 0, false}};
    for (size_t i = 0; i < COUNT(want); i++) {
        token t = lexer_next(f->x);
        assert_ptr_equal(t.at.src, &f->src);
        assert_int_equal(t.at.line, want[i].line);
        assert_int_equal(t.at.col, want[i].col);
        assert_int_equal(t.size, want[i].size);
        if (t.kind != TOKEN_END) assert_int_equal(t.space_before, want[i].space_before);
    }
    close_text(f);
    f = open_text("a:\n   b\nc", 9, true);
    token t;
    while ((t = lexer_next(f->x)).kind != TOKEN_INDENT) {}
    assert_true(t.at.line == 2 && t.at.col == 4 && t.size == 3 && t.start[0] == ' ');
    t = lexer_next(f->x);
    assert_true(token_is(&t, "b") && t.space_before);
    while ((t = lexer_next(f->x)).kind != TOKEN_DEDENT) {}
    assert_true(t.at.line == 3 && t.at.col == 1 && t.size == 0);
    close_text(f);
}

static void peeking(void **state) {
    (void)state;
    fixture *f = open_text("a b c d e", 9, false);
    assert_true(token_is(lexer_peek(f->x, 0), "a"));
    assert_true(token_is(lexer_peek(f->x, 3), "d"));
    assert_true(token_is(lexer_peek(f->x, 1), "b"));
    token t = lexer_next(f->x);
    assert_true(token_is(&t, "a") && !token_is(&t, "ab") && !token_is(&t, ""));
    assert_true(token_is(lexer_peek(f->x, 3), "e"));
    for (int i = 0; i < 4; i++) t = lexer_next(f->x);
    assert_true(token_is(&t, "e"));
    assert_int_equal(lexer_peek(f->x, 3)->kind, TOKEN_END);
    close_text(f);
    f = open_text("'a' 1", 5, false);
    t = lexer_next(f->x);
    assert_false(token_is(&t, "'a'")); // names and operators only
    t = lexer_next(f->x);
    assert_false(token_is(&t, "1"));
    close_text(f);
}

static void comments(void **state) {
    (void)state;
    const char *bytes = "# one\n\n \n  # two\r\na # three\n\"\"\"x\n\n\"\"\" # four\n\n(\n\n# five\n) #";
    static const struct {
        const char *text;
        uint32_t line, col, blank_before;
        bool own_line;
    } want[] = {{"# one", 1, 1, 0, true},   {"# two", 4, 3, 2, true},   {"# three", 5, 3, 0, false},
                {"# four", 8, 5, 0, false}, {"# five", 12, 1, 1, true}, {"#", 13, 3, 0, false}};
    for (int lines = 0; lines < 2; lines++) {
        fixture *f = open_text(bytes, strlen(bytes), lines);
        uint32_t count;
        lexer_comments(f->x, &count);
        assert_int_equal(count, 0);
        while (lexer_next(f->x).kind != TOKEN_END) {}
        const comment *c = lexer_comments(f->x, &count);
        assert_int_equal(count, COUNT(want));
        for (size_t i = 0; i < COUNT(want); i++) {
            assert_int_equal(c[i].size, strlen(want[i].text));
            assert_memory_equal(c[i].start, want[i].text, c[i].size);
            assert_int_equal(c[i].at.line, want[i].line);
            assert_int_equal(c[i].at.col, want[i].col);
            assert_int_equal(c[i].blank_before, want[i].blank_before);
            assert_int_equal(c[i].own_line, want[i].own_line);
        }
        close_text(f);
    }
}

// Lexes `bytes`, which it frees, and returns the number of tokens; the memory used must stay near the text's size.
static size_t count_tokens(char *bytes, size_t size) {
    fixture *f = open_text(bytes, size, true);
    free(bytes);
    size_t count = 0, before = arena_used(f->mem);
    while (lexer_next(f->x).kind != TOKEN_END) count++;
    assert_true(arena_used(f->mem) - before <= 4 * size + 65536);
    close_text(f);
    return count;
}

static char *repeated(const char *piece, size_t times) {
    size_t size = strlen(piece);
    char *bytes = malloc(size * times + 1);
    for (size_t i = 0; i < times; i++) memcpy(bytes + i * size, piece, size);
    return bytes;
}

static void hostile_texts_are_cheap(void **state) {
    (void)state;
    enum { MANY = 1000000 };
    assert_int_equal(count_tokens(repeated("(", MANY), MANY), MANY + 1);
    assert_int_equal(count_tokens(repeated(")", MANY), MANY), MANY + 1);
    assert_int_equal(count_tokens(repeated("a", 5 * MANY), 5 * MANY), 2);
    assert_int_equal(count_tokens(repeated("9", 5 * MANY), 5 * MANY), 2);
    assert_int_equal(count_tokens(repeated("'", 5 * MANY), 5 * MANY), 833335); // empty triple-quoted strings
    assert_int_equal(count_tokens(repeated(" ", MANY), MANY), 0);
    assert_int_equal(count_tokens(repeated("\n", MANY), MANY), 0);
    assert_int_equal(count_tokens(repeated("\\\n", MANY), 2 * MANY), 0);
    assert_int_equal(count_tokens(repeated("\xff", MANY), MANY), 2);
    assert_int_equal(count_tokens(repeated("$", MANY), MANY), MANY + 1);
    assert_int_equal(count_tokens(repeated("'\\x'", MANY), 4 * MANY), MANY + 1);
    assert_int_equal(count_tokens(repeated("1.", MANY), 2 * MANY), MANY + 1);
    assert_int_equal(count_tokens(repeated("\t\n", MANY), 2 * MANY), 0);
}

// Line i is indented by i columns.
static char *staircase(size_t levels, size_t *size) {
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    for (size_t i = 0; i < levels; i++) {
        text_put_repeat(&t, ' ', i);
        text_put(&t, "a\n");
    }
    char *bytes = malloc(t.len);
    memcpy(bytes, t.at, t.len);
    *size = t.len;
    arena_free(mem);
    return bytes;
}

static void deep_indentation_is_refused(void **state) {
    (void)state;
    size_t size;
    char *bytes = staircase(1001, &size);
    assert_int_equal(count_tokens(bytes, size), 1001 * 2 + 2 * 1000);
    bytes = staircase(5000, &size);
    fixture *f = open_text(bytes, size, true);
    free(bytes);
    size_t count = 0;
    while (lexer_next(f->x).kind != TOKEN_END) count++;
    assert_int_equal(count, 1001 * 2 + 2 * 1000 + 1); // the line that is too deep ends the text
    assert_int_equal(f->d->errors, 1);
    assert_string_equal(f->d->record[0].message, "more than 1000 levels of indentation");
    assert_int_equal(f->d->record[0].at.line, 1002);
    close_text(f);
    char *deep = repeated(" ", 100001);
    deep[100000] = 'a';
    assert_int_equal(count_tokens(deep, 100001), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_texts),
        cmocka_unit_test(names),
        cmocka_unit_test(integers),
        cmocka_unit_test(floats),
        cmocka_unit_test(operators_match_longest),
        cmocka_unit_test(strings),
        cmocka_unit_test(escapes),
        cmocka_unit_test(unterminated_strings),
        cmocka_unit_test(quoted_text_reads_back),
        cmocka_unit_test(lines_and_blocks),
        cmocka_unit_test(brackets_hide_lines),
        cmocka_unit_test(continued_lines),
        cmocka_unit_test(wrong_indentation),
        cmocka_unit_test(bytes_that_are_no_text),
        cmocka_unit_test(sources_of_4_gib_are_refused),
        cmocka_unit_test(places_and_bytes),
        cmocka_unit_test(peeking),
        cmocka_unit_test(comments),
        cmocka_unit_test(hostile_texts_are_cheap),
        cmocka_unit_test(deep_indentation_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
