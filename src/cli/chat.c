// chat.c - `relax chat`: a conversation with a language model.
#define _POSIX_C_SOURCE 200809L
#include "base/count_noun.h"
#include "cli/cache_folder.h"
#include "cli/conversation.h"
#include "cli/interrupt.h"
#include "cli/line_input.h"
#include "llm/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chat {
    const cli_args *args;
    language language;
    conversation talk;
    line_input *lines;
    rx_llm_sampling sampling;
    uint64_t max_tokens;
    rx_llm_result last; // answer
    text answer;
    bool over, going; // going: standard output takes more
    int code;         // of writing to it
} chat;

// --- Ctrl-C. The signal is held but while a line is read from a pipe, in all threads: an answer looks whether it came,
// and a line on a terminal asks for it (line_input.h).

// Taken by asking, so that one Ctrl-C stops one answer.
static bool was_interrupted(void) { return interrupt_came() != 0; }

// --- An answer.

static int show_text(void *user, const char *piece, size_t size) {
    chat *c = user;
    text_put_n(&c->answer, piece, size);
    c->code = cli_write(piece, size, &c->going);
    return !c->going;
}

static int look_for_interrupt(void *user) {
    (void)user;
    return was_interrupted();
}

static int show_progress(void *user, uint64_t taken, uint64_t count) {
    chat *c = user;
    conversation_progress(&c->talk, taken, count);
    return 0;
}

static const char *note_of(rx_llm_finish finish) {
    static const char *const note[] = {[RX_LLM_LENGTH] = " [cut off: --max-tokens]",
                                       [RX_LLM_CONTEXT] = " [cut off: the context is full; /reset begins anew]",
                                       [RX_LLM_CALLER] = " [stopped]"};
    return finish < COUNT(note) && note[finish] ? note[finish] : "";
}

// An answer that failed or was cancelled leaves the conversation as it was before the question.
static int say(chat *c, const char *line) {
    char why[RX_MESSAGE] = "";
    rx_llm_request ask = {.struct_size = sizeof ask,
                          .max_tokens = c->max_tokens,
                          .sampling = &c->sampling,
                          .text = show_text,
                          .interrupted = look_for_interrupt,
                          .progress = show_progress,
                          .user = c};
    c->answer.len = 0;
    c->last = (rx_llm_result){.struct_size = sizeof c->last};
    rx_status status = conversation_say(&c->talk, line, &ask, &c->last, why);
    if (status == RX_CANCELLED) return fputs(" [stopped]\n", stderr), CLI_DONE;
    if (status != RX_OK) return cli_error("%s", why);
    conversation_answered(&c->talk, text_get(&c->answer), c->answer.len);
    c->sampling.seed++; // the same question again may be answered otherwise
    if (c->going) c->code = cli_write("\n", 1, &c->going);
    if (!c->going) return c->code;
    const char *note = note_of(c->last.finish);
    if (*note) fprintf(stderr, "%s\n", note);
    return CLI_DONE;
}

// --- Commands.

static int show_help(chat *c) {
    static const char help[] = "/help    this\n"
                               "/reset   forget the conversation\n"
                               "/stats   speed, length and memory\n"
                               "/exit    leave (Ctrl-D too)\n"
                               "Ctrl-C stops an answer, or clears the line. All else is said to the model;\n"
                               "what begins with // is said with one slash.\n";
    return cli_write(help, sizeof help - 1, &c->going);
}

static int reset(chat *c) {
    conversation_reset(&c->talk);
    return CLI_DONE;
}

// The first token of an answer comes out of the prompt's run, so it does not count among those that were timed.
static int show_stats(chat *c) {
    size_t length;
    text t = TEXT_IN(c->args->mem);
    const rx_llm_result *r = &c->last;
    uint64_t timed = r->tokens ? r->tokens - 1 : 0;
    rx_llm_sequence_tokens(c->talk.sequence, &length);
    if (r->tokens) {
        text_format(&t, "prompt: %s\n",
                    language_rate(c->args->mem, r->prompt_tokens, r->prompt_tokens, r->prompt_seconds));
        text_format(&t, "answer: %s\n", language_rate(c->args->mem, r->tokens, timed, r->tokens_seconds));
    } else {
        text_put(&t, "no answer yet whose speed could be told\n");
    }
    text_format(&t, "conversation: %zu of %llu tokens\n", length, (unsigned long long)c->language.cache_tokens);
    language_put_plan(c->language.model, c->language.cache_tokens, &t);
    return cli_print(&t);
}

static int leave(chat *c) {
    c->over = true;
    return CLI_DONE;
}

static const struct {
    const char *name;
    int (*run)(chat *c);
} commands[] = {{"/help", show_help}, {"/reset", reset}, {"/stats", show_stats}, {"/exit", leave}, {"/quit", leave}};

// A line that begins with one slash is never said to the model.
static int run_command(chat *c, const char *line) {
    size_t size = strcspn(line, " \t");
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strlen(commands[i].name) == size && strncmp(commands[i].name, line, size) == 0) return commands[i].run(c);
    return cli_error("there is no command %.*s; /help lists them", (int)size, line);
}

// --- The conversation.

static void greet(const chat *c) {
    const rx_llm_info *info = &c->language.info;
    text t = TEXT_IN(c->args->mem);
    text_format(&t, "%s, context of %s. /help lists the commands; Ctrl-D ends.\n",
                cli_name(c->args->mem, span_of(*info->name ? info->name : c->args->positional[0])),
                COUNTED(c->language.cache_tokens, "token"));
    cli_print(&t);
}

static int take_line(chat *c, const char *line) {
    if (!line[strspn(line, " \t")]) return CLI_DONE;
    if (cli_flag(c->args, "echo")) {
        text t = TEXT_IN(c->args->mem);
        text_format(&t, "> %s\n", line);
        c->code = cli_write(t.at, t.len, &c->going);
        if (!c->going) return c->code;
    }
    if (line[0] == '/' && line[1] != '/') return run_command(c, line);
    return say(c, line[0] == '/' ? line + 1 : line);
}

// What could not be answered is told and the next line is read; from a pipe the exit code tells it as well.
static int converse(chat *c) {
    char why[RX_MESSAGE] = "";
    const char *line;
    bool is_terminal = line_input_is_terminal(c->lines);
    int worst = CLI_DONE;
    if (is_terminal) greet(c);
    while (!c->over && c->going) {
        while (was_interrupted()) continue; // a second Ctrl-C meant the answer too
        if (!is_terminal) interrupt_release(false);
        rx_status status = line_input_read(c->lines, "> ", &line, why);
        interrupt_hold(false);
        if (status == RX_OK && !line) break;
        int code = status == RX_OK ? take_line(c, line) : cli_error("%s", why);
        if (code != CLI_DONE) worst = code;
        if (status == RX_IO) break; // it would fail again
    }
    return is_terminal ? CLI_DONE : worst;
}

// A model without a template could only continue texts, which would look like a conversation and be none.
static int open_all(chat *c) {
    const cli_args *a = c->args;
    int64_t max_tokens;
    if (!language_count(a, "max-tokens", &max_tokens) || !language_sampling(a, &c->sampling)) return CLI_USAGE;
    c->max_tokens = (uint64_t)max_tokens;
    const char *system = cli_value(a, "system");
    if (system && !text_is_utf8(system, strlen(system))) return cli_error("--system: the text is not UTF-8");
    int code = language_open(a, a->positional[0], &c->language);
    if (code != CLI_DONE) return code;
    if (!c->language.info.has_template)
        return cli_error("%s: no conversation with this model (`relax generate` continues texts): %s", a->positional[0],
                         c->language.model->no_template);
    c->lines = line_input_open(history_file(a->mem));
    if (!c->lines || !conversation_open(&c->talk, a->mem, &c->language, cli_value(a, "system")))
        return cli_error("out of memory");
    c->talk.interrupted = was_interrupted;
    return CLI_DONE;
}

static int run(const cli_args *a) {
    chat c = {.args = a, .answer = TEXT_IN(a->mem), .going = true};
    interrupt_hold(false);
    int code = open_all(&c);
    if (code == CLI_DONE) code = converse(&c);
    line_input_close(c.lines);
    conversation_close(&c.talk);
    language_close(&c.language);
    interrupt_release(false);
    return code;
}

static const cli_option options[] = {
    {.name = "system", .value = "TEXT", .doc = "what the model is told first (default: what its template says)"},
    {.name = "max-tokens", .letter = 'n', .value = "N", .preset = "1024", .doc = "the longest answer"},
    {.name = "echo", .doc = "print what is said, too: a transcript of a conversation from a pipe"},
    SAMPLING_OPTIONS("0.8"),
    PENALTY_OPTIONS,
    LANGUAGE_OPTIONS,
    {0},
};

const cli_verb verb_chat = {
    .name = "chat",
    .summary = "holds a conversation with a language model",
    .usage = "FILE [options]",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "FILE is what `relax compile` made of a model (.rlx), or a .gguf file or a folder, which is compiled "
               "into the cache\n"
               "folder once ($RELAX_CACHE, else ~/.cache/relax). On a terminal lines can be edited and are kept\n"
               "in that folder; /help lists the commands, Ctrl-C stops an answer or clears the line, Ctrl-D ends.\n"
               "Otherwise each line of standard input is a message, and the answers are all that is printed.\n"
               "A message that begins with / is written with two: //etc.\n",
    .examples = "  relax chat model.gguf\n"
                "  relax chat model.rlx --system \"You answer in one sentence.\" --temperature 0\n"
                "  echo \"What is 2+2?\" | relax chat model.gguf\n",
    .run = run,
};
