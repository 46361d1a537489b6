// line_input.c - reading lines: through libedit, or byte by byte.
#define _GNU_SOURCE // signalfd
#include "cli/line_input.h"
#include "base/attributes.h"
#include "base/utf8.h"
#include "cli/line_history.h"
#include "cli/line_screen.h"
#include "relax/runtime.h"
#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { LINE_LIMIT = 16 << 20, REPLACEMENT = 0xfffd };

struct line_input {
    bool terminal;
    EditLine *edit; // NULL: lines come as they are
    History *history;
    const char *history_file, *prompt;
    sigset_t held;      // signals that are asked for while a line is read on a terminal
    int signals;        // where they are asked for, -1: nowhere
    int signal;         // that ended the reading of a line; 0: none
    bool foreign, told; // foreign: bytes came that are no UTF-8; told: how to leave
    char bytes[4096];   // of standard input, read ahead
    size_t at, end;     // of what is left of them
    int error;          // errno of a read that failed
    char *line;         // a copy of libedit's, or what was read
    size_t room;
};

// --- Bytes and signals.

static sigset_t one_signal(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

// Puts the terminal right and stops as Ctrl-Z wants, where there is a shell that can let it go on.
static void stop(line_input *in) {
    sigset_t stopping = one_signal(SIGTSTP), going_on = one_signal(SIGCONT);
    el_set(in->edit, EL_PREP_TERM, 0);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stopping, NULL); // here it stops
    sigprocmask(SIG_BLOCK, &stopping, NULL);
    sigtimedwait(&going_on, NULL, &(struct timespec){0});
}

// False: the signal ends the line.
static bool obey(line_input *in, int number) {
    bool stopped = number == SIGTSTP || number == SIGCONT;
    if (number == SIGTSTP) stop(in);
    if (stopped) el_set(in->edit, EL_PREP_TERM, 1);
    if (stopped || number == SIGWINCH) return line_screen_redraw(in->edit, in->prompt, !stopped), true;
    in->signal = number;
    in->at = in->end = 0; // what was typed before belongs to the line that ends
    return false;
}

// Waits for standard input and signals; false when a signal came that ends the line.
static bool wait_for_input(line_input *in) {
    for (;;) {
        struct signalfd_siginfo came;
        struct pollfd from[] = {{STDIN_FILENO, POLLIN, 0}, {in->signals, POLLIN, 0}};
        if (poll(from, COUNT(from), -1) < 0 && errno == EINTR) continue;
        if (!(from[1].revents & POLLIN)) return true;
        if (read(in->signals, &came, sizeof came) == (ssize_t)sizeof came && !obey(in, (int)came.ssi_signo))
            return false;
    }
}

// The next byte of standard input, EOF at its end, when reading fails (in->error) or a signal ends it (in->signal).
static int next_byte(line_input *in) {
    if (in->at == in->end) {
        ssize_t got = -1;
        in->at = in->end = 0;
        in->error = 0;
        if (in->terminal && !wait_for_input(in)) return EOF;
        do got = read(STDIN_FILENO, in->bytes, sizeof in->bytes);
        while (got < 0 && errno == EINTR);
        if (got < 0) in->error = errno;
        if (got <= 0) return EOF;
        in->end = (size_t)got;
    }
    return (unsigned char)in->bytes[in->at++];
}

// Signals that the program was told to ignore (nohup) stay ignored.
static void listen_to_signals(line_input *in) {
    static const int wanted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
    struct sigaction how;
    sigemptyset(&in->held);
    for (size_t i = 0; i < (in->edit ? COUNT(wanted) : 1); i++)
        if (sigaction(wanted[i], NULL, &how) == 0 && how.sa_handler != SIG_IGN) sigaddset(&in->held, wanted[i]);
    in->signals = signalfd(-1, &in->held, SFD_CLOEXEC | SFD_NONBLOCK);
}

// --- The editor.

// libedit asks for the prompt each time it draws the line.
static char *give_prompt(EditLine *edit) {
    line_input *in = NULL;
    el_get(edit, EL_CLIENTDATA, &in);
    return (char *)(size_t)in->prompt; // libedit only reads it
}

// How many bytes the first byte of a character announces; 0: it is none.
static size_t announced(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

// One character for libedit, which would drop bytes that are no UTF-8 without a word: they show as U+FFFD.
static int give_character(EditLine *edit, wchar_t *out) {
    line_input *in = NULL;
    char bytes[4];
    uint32_t point = REPLACEMENT;
    el_get(edit, EL_CLIENTDATA, &in);
    int byte = next_byte(in);
    if (byte == EOF) return in->signal || in->error ? -1 : 0;
    size_t size = 1, want = announced((unsigned char)byte);
    bytes[0] = (char)byte;
    for (; size < want; size++) {
        if ((byte = next_byte(in)) == EOF) break;
        if ((byte & 0xc0) != 0x80) {
            in->at--; // begins another character
            break;
        }
        bytes[size] = (char)byte;
    }
    if (in->signal) return -1;
    if (!utf8_decode(bytes, size, &point)) in->foreign = true, point = REPLACEMENT;
    *out = (wchar_t)point;
    return 1;
}

static void take_old_line(void *user, const char *line) {
    line_input *in = user;
    HistEvent event;
    history(in->history, &event, H_ENTER, line);
}

static void open_editor(line_input *in) {
    HistEvent event;
    in->history = history_init();
    in->edit = in->history ? el_init("relax", stdin, stdout, stderr) : NULL;
    if (!in->edit) return;
    el_set(in->edit, EL_CLIENTDATA, in);
    el_set(in->edit, EL_PROMPT, give_prompt);
    el_set(in->edit, EL_EDITOR, "emacs");
    el_set(in->edit, EL_SIGNAL, 0); // signals are ours
    el_set(in->edit, EL_GETCFN, give_character);
    el_set(in->edit, EL_HIST, history, in->history);
    history(in->history, &event, H_SETSIZE, (int)HISTORY_LINES);
    history(in->history, &event, H_SETUNIQUE, 1);
    if (in->history_file) line_history_load(in->history_file, take_old_line, in);
    el_source(in->edit, NULL); // the user's .editrc
}

// The editor takes its lines apart by the locale: one whose characters are not UTF-8's would lose ours.
static bool choose_locale(void) {
    static const char *const others[] = {"", "C.UTF-8", "C.utf8", "en_US.UTF-8"};
    for (size_t i = 0; i < COUNT(others); i++)
        if (setlocale(LC_CTYPE, others[i]) && strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return true;
    return false;
}

// Both ends must be a terminal: with the output in a pipe an editor would draw into it.
line_input *line_input_open(const char *history) {
    line_input *in = calloc(1, sizeof *in);
    if (!in) return NULL;
    in->history_file = history;
    in->signals = -1;
    const char *term = getenv("TERM");
    in->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    bool moves = term && *term && strcmp(term, "dumb") != 0; // the cursor
    if (in->terminal && choose_locale() && moves) open_editor(in);
    if (in->terminal) listen_to_signals(in);
    return in;
}

void line_input_close(line_input *in) {
    if (!in) return;
    if (in->edit) el_end(in->edit);
    if (in->history) history_end(in->history);
    if (in->signals >= 0) close(in->signals);
    free(in->line);
    free(in);
}

bool line_input_is_terminal(const line_input *in) { return in->terminal; }

// --- Lines.

static const char *without_end(char *line, size_t size) {
    while (size && (line[size - 1] == '\n' || line[size - 1] == '\r')) size--;
    line[size] = 0;
    return line;
}

// Empty lines don't go into the history, nor does one that was said twice in a row.
static void remember(line_input *in) {
    HistEvent event;
    bool same = history(in->history, &event, H_FIRST) == 0 && strcmp(event.str, in->line) == 0;
    if (!*in->line || same) return;
    history(in->history, &event, H_ENTER, in->line);
    if (in->history_file) line_history_add(in->history_file, in->line);
}

// libedit owns what it returns and overwrites it; so the line is copied.
static rx_status read_edited(line_input *in, const char **line, char *why) {
    int size = 0;
    in->foreign = false;
    el_resize(in->edit); // the window may have changed while an answer was written
    const char *typed = el_gets(in->edit, &size);
    if (in->signal || !typed || size <= 0) return RX_OK;
    free(in->line);
    in->line = malloc((size_t)size + 1);
    if (!in->line) return snprintf(why, RX_MESSAGE, "out of memory"), RX_OUT_OF_MEMORY;
    memcpy(in->line, typed, (size_t)size);
    *line = without_end(in->line, (size_t)size);
    if (in->foreign && strstr(*line, "\xef\xbf\xbd"))
        return snprintf(why, RX_MESSAGE, "the message is not UTF-8, which this terminal should send"),
               RX_INVALID_ARGUMENT;
    remember(in);
    return RX_OK;
}

// Room for one byte more and a NUL.
static bool has_room(line_input *in, size_t size) {
    if (in->room - size >= 2 && in->line) return true;
    size_t room = in->room ? in->room * 2 : 256;
    char *moved = realloc(in->line, room);
    if (!moved) return false;
    in->line = moved, in->room = room;
    return true;
}

// Of a line past the limit the rest is read and dropped, so that the next line is one again. A zero byte would end the
// line for all who read it: made a byte that is no text either, and refused as such.
static rx_status read_plain(line_input *in, const char **line, char *why) {
    size_t size = 0;
    int byte;
    if (in->terminal) fputs(in->prompt, stdout), fflush(stdout);
    while ((byte = next_byte(in)) != EOF && byte != '\n') {
        if (size <= LINE_LIMIT && !has_room(in, size))
            return snprintf(why, RX_MESSAGE, "out of memory"), RX_OUT_OF_MEMORY;
        if (size <= LINE_LIMIT) in->line[size++] = byte ? (char)byte : '\xff';
    }
    if (in->signal) return RX_OK;
    if (in->error) return snprintf(why, RX_MESSAGE, "can't read stdin: %s", strerror(in->error)), RX_IO;
    if (size > LINE_LIMIT)
        return snprintf(why, RX_MESSAGE, "a line is longer than %d MiB; it is skipped", LINE_LIMIT >> 20),
               RX_INVALID_ARGUMENT;
    if (byte == EOF && !size) return RX_OK;
    if (!has_room(in, size)) return snprintf(why, RX_MESSAGE, "out of memory"), RX_OUT_OF_MEMORY;
    *line = without_end(in->line, size);
    return RX_OK;
}

// What Ctrl-C leaves of a line: nothing but the row that it stands in, and once how to leave.
static void clear(line_input *in) {
    fputs(in->edit ? "^C\n" : "\n", stdout);
    if (!in->told) fputs("(Ctrl-D leaves)\n", stdout);
    fflush(stdout);
    in->told = true;
}

// Other signals end the program, now that the terminal is as it was: the mask lets them through.
rx_status line_input_read(line_input *in, const char *prompt, const char **line, char *why) {
    sigset_t before;
    bool asked = in->signals >= 0;
    rx_status status;
    *line = NULL;
    in->prompt = prompt;
    if (asked) sigprocmask(SIG_BLOCK, &in->held, &before);
    do {
        in->signal = 0;
        status = in->edit ? read_edited(in, line, why) : read_plain(in, line, why);
        if (in->signal == SIGINT) clear(in);
    } while (in->signal == SIGINT);
    if (in->terminal && status == RX_OK && !*line) fputs("\n", stdout), fflush(stdout);
    if (in->signal) raise(in->signal);
    if (asked) sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}
