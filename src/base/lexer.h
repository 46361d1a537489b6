// lexer.h - the tokens of all our small languages: TVMScript, compute text, expressions, rules, bytecode text.
//
// Python's lexical rules: names, numbers, strings, operators, comments, and, where asked, NEWLINE, INDENT and
// DEDENT. Inside brackets line ends mean nothing. Bounded: no recursion, each token costs its length; at most 1000
// blocks inside each other. Names may have letters beyond ASCII. Where Python would stop, the lexer reports and goes
// on: a line that matches no open block belongs to the innermost block it could mean. Such reports, and those about
// bytes inside comments, come without a TOKEN_ERROR: a text is good only if the diag has no errors.
#ifndef BASE_LEXER_H
#define BASE_LEXER_H
#include "base/diag.h"

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NAME,    // identifier or keyword
    TOKEN_INT,     // 12, 0x1F, 1_000; value in ival
    TOKEN_FLOAT,   // 1.5, 1e-5, .5; value in fval. (inf and nan are names)
    TOKEN_STRING,  // 'a', "a", """a""", r"a", b"a"; decoded bytes in str/str_size; \xNN is one byte, as text_put_quoted
                   // has it
    TOKEN_OP,      // operators and punctuation, longest match; compare with token_is
    TOKEN_NEWLINE, // the end of a line with tokens; also before END where the last line has no end
    TOKEN_INDENT,  // at: the first token of the block; start: the white space before it
    TOKEN_DEDENT,
    TOKEN_ERROR, // already reported to the diag; the lexer goes on behind it
} token_kind;

typedef struct token {
    token_kind kind;
    loc at;
    const char *start; // its bytes in the source (empty for DEDENT and END)
    uint32_t size;
    bool space_before; // white space or line start precedes it
    bool int_too_big;  // does not fit in uint64
    uint64_t ival;
    double fval;
    const char *str; // decoded string, in the lexer's arena; may contain NUL
    uint32_t str_size;
} token;

// A comment: `#` to the end of the line, without the line end.
typedef struct comment {
    loc at;
    const char *start;
    uint32_t size;
    bool own_line;         // nothing but space before it
    uint32_t blank_before; // blank lines directly above it
} comment;

typedef struct lexer_options {
    bool lines; // report NEWLINE, INDENT, DEDENT
} lexer_options;

typedef struct lexer lexer;
// `src` must outlive the lexer's tokens. Invalid UTF-8, NUL bytes and tabs in indentation are reported once each.
lexer *lexer_new(arena *mem, const source *src, diag *d, lexer_options options);
const token *lexer_peek(lexer *x, uint32_t ahead); // 0 is the next one; at most 3; valid until lexer_next
token lexer_next(lexer *x);
// The comments seen so far, in order.
const comment *lexer_comments(const lexer *x, uint32_t *count);

bool token_is(const token *t, const char *op_or_name); // kind OP or NAME with exactly this spelling
#endif
