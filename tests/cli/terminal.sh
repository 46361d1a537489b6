# A language model on a terminal: lines are edited and kept, commands answer, Ctrl-C stops an answer and nothing else,
# and whatever a model writes or is called, the terminal obeys none of it.
set -eu
. "$SRC/tests/support/shell.sh"
need python3
export RELAX_CACHE="$dir/cache"
python3 "$SRC/tests/data/llm/make_tiny.py" tiny.gguf
"$RELAX" compile tiny.gguf -o tiny.rlx --target cpu:host >/dev/null
"$RELAX" compile tiny.gguf -o long.rlx --target cpu:host --context 100000 >/dev/null 2>&1
python3 "$SRC/tests/data/llm/make_tiny.py" steering.gguf steering
"$RELAX" compile steering.gguf -o steering.rlx --target cpu:host >/dev/null
cat >terminal.py <<'PY'
import fcntl, os, pty, re, select, signal, struct, subprocess, termios, time

relax = os.environ["RELAX"]

class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *args, program=(relax,), columns=80, **environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.environ.update({"TERM": "vt100", **environment})
            os.execvp(program[0], [*program, *args])
        self.seen = b""

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += piece
        return bool(piece)

    def wait_for(self, what, seconds=120):
        end = time.monotonic() + seconds
        while what not in self.seen:
            assert time.monotonic() < end, f"no {what} in {self.seen[-2000:]}"
            if not self.read(1) and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                self.read(0)
                assert what in self.seen, f"ended without {what}: {self.seen[-2000:]}"
        self.seen = self.seen[self.seen.index(what) + len(what):]

    def say(self, keys):
        os.write(self.fd, keys)

    def prompt(self):
        """Waits until a line is being edited: the prompt is there, and keys come one by one."""
        self.wait_for(b"> ")
        while termios.tcgetattr(self.fd)[3] & termios.ICANON:
            time.sleep(0.01)

    def end(self):
        while self.read(60):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

def ask(*args):
    t = Terminal(*args)
    code = t.end()
    return code, t.seen

history_file = os.path.join(os.environ["RELAX_CACHE"], "history")

def history():
    return open(history_file, encoding="utf-8").read()

# --- A conversation.
t = Terminal("chat", "long.rlx", "--temperature", "0", "--max-tokens", "99999")
t.wait_for(b"/help lists the commands")
t.prompt()
t.say(b"/stats\r")
t.wait_for(b"no answer yet")
t.prompt()
t.say(b"hexllo\x02\x02\x02\x7f\r")  # back to behind the x, which goes: line editing
t.wait_for(b"\n")
while len(t.seen) < 8:
    assert t.read(60), "no answer"
t.say(b"\x03")
t.wait_for(b"[stopped]")
t.prompt()
t.say(b"/stats\r")
t.wait_for(b"conversation: ")
t.wait_for(b"of 100000 tokens")
t.prompt()
t.say(b"/help\r")
t.wait_for(b"/reset   forget")
t.prompt()
t.say(b"/reset\r")
t.prompt()
t.say(b"/stats\r")
t.wait_for(b"conversation: 0 of")
t.say(b"/wrong\r")
t.wait_for(b"there is no command /wrong")
t.prompt()
t.say(b"\x10\x10\x10\r")  # the third line back
t.wait_for(b"/reset")
t.prompt()
t.say(b"\x04")
assert t.end() == 0 and t.seen.endswith(b"\r\n"), t.seen
assert "hello" in history() and "/stats" in history(), history()
assert os.stat(history_file).st_mode & 0o777 == 0o600

# A long message that is stopped before the answer leaves nothing behind.
t = Terminal("chat", "long.rlx", "--temperature", "0", "--max-tokens", "99999")
t.prompt()
t.say(b"x." * 2000)
t.wait_for(b"x." * 10)
time.sleep(0.1)
t.say(b"end\r")
t.wait_for(b"end")
t.wait_for(b"\n")
t.say(b"\x03")
while b"[stopped]" not in t.seen:
    assert t.read(60), "no end"
bar = re.compile(rb"\r\x1b\[K(reading the (?:message|prompt) \[[#.]*\] +\d+% )?")
answered = bar.sub(b"", t.seen.split(b" [stopped]")[0])
t.prompt()
t.say(b"/stats\r")
t.wait_for(b"conversation: ")
t.wait_for(b" of 100000 tokens") if answered else t.wait_for(b"0 of 100000 tokens")
t.prompt()
t.say(b"\x04")
assert t.end() == 0

# Where a line is being typed, Ctrl-C clears it and says once how to leave. Keys pressed once too often while an answer
# comes are no end either.
t = Terminal("chat", "long.rlx", "--temperature", "0", "--max-tokens", "99999")
t.prompt()
t.say(b"half a li\x03")
t.wait_for(b"^C\r\n(Ctrl-D leaves)")
t.prompt()
t.say(b"other half\x03")
t.wait_for(b"^C\r\n")
t.prompt()
assert b"Ctrl-D" not in t.seen, t.seen
t.say(b"hello\r")
t.wait_for(b"\n")
while len(t.seen) < 8:
    assert t.read(60), "no answer"
for _ in range(3):
    t.say(b"\x03")
    time.sleep(0.02)
t.wait_for(b"[stopped]")
t.say(b"/reset\r")
t.wait_for(b"/reset")
t.prompt()
t.say(b"//help\r")  # said to the model, which answers
t.wait_for(b"\n")
while len(t.seen) < 8:
    assert t.read(60), "no answer"
assert b"forget" not in t.seen, t.seen
t.say(b"\x03")
t.wait_for(b"[stopped]")
t.prompt()
t.say(b"\x04")
assert t.end() == 0 and "half" not in history()

# Ctrl-Z stops it with the terminal put right, here for a shell that lets it go on; then so does the line.
t = Terminal("chat", "tiny.rlx", program=("sh", "-c", 'set -m; "$0" "$@"; stty -a; fg >/dev/null', relax))
t.prompt()
t.say(b"to be ")
t.wait_for(b"to be ")
t.say(b"\x1a")
t.wait_for(b" icanon")
t.wait_for(b"> to be ")
t.say(b"continued\x01/wrong \r")
t.wait_for(b"there is no command /wrong")
t.prompt()
t.say(b"\x04")
assert t.end() == 0 and "/wrong to be continued\n" in history(), history()

# Signals end it where a line is edited: nothing that was said is lost, and the terminal is as it was.
t = Terminal("chat", "tiny.rlx")
for number in (signal.SIGTERM, signal.SIGHUP):
    t.prompt()
    os.kill(t.pid, number)
    assert t.end() == -number, number
    t = Terminal("chat", "tiny.rlx")
    t.prompt()
    t.say(b"\x10")
    t.wait_for(b"/wrong to be continued")
    t.say(b"\x03")
    t.wait_for(b"^C")
t.prompt()
t.say(b"\x04")
assert t.end() == 0

# Words of all scripts, whatever the locale; bytes that are none are refused as they are from a pipe.
for locale in ("C", "C.UTF-8", "POSIX"):
    t = Terminal("chat", "tiny.rlx", "-n", "4", LC_ALL=locale)
    t.prompt()
    t.say(f"ärger日本 {locale}\r".encode())
    t.prompt()
    assert f"ärger日本 {locale}\n" in history(), history()
    t.say(b"\xe4rger\xff\r")
    t.wait_for(b"the message is not UTF-8")
    t.prompt()
    t.say(b"\x04")
    assert t.end() == 0
    assert "\ufffd" not in history(), history()

# Two conversations at once keep the lines of both; a history that is a link or another's is neither read nor written.
both = [Terminal("chat", "tiny.rlx") for _ in range(2)]
for i, t in enumerate(both):
    t.prompt()
    t.say(f"/wrong {i}\r".encode())
    t.wait_for(b"there is no command")
assert "/wrong 0\n/wrong 1\n" in history(), history()
for t in both:
    t.prompt()
    t.say(b"\x04")
    assert t.end() == 0
os.rename(history_file, "kept")
os.symlink(os.path.abspath("kept"), history_file)
kept = open("kept").read()
t = Terminal("chat", "tiny.rlx")
t.prompt()
t.say(b"/secret\r")
t.wait_for(b"there is no command")
t.prompt()
t.say(b"\x04")
assert t.end() == 0 and open("kept").read() == kept
os.unlink(history_file)
os.mkdir("open")
os.chmod("open", 0o777)
t = Terminal("chat", "tiny.rlx", RELAX_CACHE=os.path.abspath("open"))
t.prompt()
t.say(b"/secret\r")
t.wait_for(b"there is no command")
t.prompt()
t.say(b"\x04")
assert t.end() == 0 and not os.listdir("open")
# One that grew is cut to its last lines.
with open(history_file, "w") as f:
    f.writelines(f"line {i} {'x' * 1000}\n" for i in range(1200))
t = Terminal("chat", "tiny.rlx")
t.prompt()
t.say(b"\x04")
assert t.end() == 0
lines = history().splitlines()
assert len(lines) == 1000 and lines[-1].startswith("line 1199 ") and os.stat(history_file).st_mode & 0o777 == 0o600
os.unlink(history_file)

# Ctrl-C while the model is compiled ends that in good order; when it came too late there is a conversation to end.
t = Terminal("chat", "tiny.gguf", "--context", "96")
t.wait_for(b"compiling")
t.say(b"\x03")
assert t.end() in (130, -signal.SIGINT), t.seen
assert not [f for f in os.listdir(os.environ["RELAX_CACHE"]) if f.endswith(".tmp")]

# In a narrow window the bar stays in its row.
t = Terminal("compile", "tiny.gguf", "-o", "narrow.rlx", "--target", "cpu:host", columns=20)
assert t.end() == 0
rows = [row for row in t.seen.split(b"\r\x1b[K") if row.startswith(b"compiling")]
assert rows and all(len(row) < 20 for row in rows), rows

# Long measurements say how far they are, and take that away before what they print.
open("words.txt", "w").write("hello world " * 4000)
for words, what in [(("perplexity", "tiny.rlx", "words.txt", "--window", "16"), b"measuring words.txt ["),
                    (("bench", "tiny.rlx", "-p", "16", "-n", "16"), b"measuring pp16 [")]:
    t = Terminal(*words)
    assert t.end() == 0
    rows = [row for row in t.seen.split(b"\r\x1b[K")]
    assert any(row.startswith(what) for row in rows), t.seen
    assert not rows[-1].startswith(b"measuring"), t.seen

# So does a long prompt, whose bar is gone before the answer.
plain = subprocess.run([relax, "generate", "long.rlx", "ab " * 1500, "-n", "4"], capture_output=True).stdout
code, seen = ask("generate", "long.rlx", "ab " * 1500, "-n", "4")
shares = [int(share) for share in re.findall(rb"\r\x1b\[Kreading the prompt \[[#.]{24}\] +(\d+)% ", seen)]
assert code == 0 and shares and shares[0] == 0 and shares == sorted(shares), seen
assert bar.sub(b"", seen).replace(b"\r\n", b"\n").endswith(plain[-4:]) and seen.rindex(b"\r\x1b[K") < seen.rindex(b"% ") + 8, seen
code, seen = ask("generate", "long.rlx", "hello", "-n", "4")
assert code == 0 and b"reading" not in seen and b"\x1b" not in seen, seen
t = Terminal("sh", "-c", 'printf "%0300d\n" 1 | "$RELAX" chat long.rlx -n 4 --temperature 0', program=("env",))
assert t.end() == 0
rows = t.seen.split(b"\r\x1b[K")
assert any(row.startswith(b"reading the message [") for row in rows) and b"reading" not in rows[-1], t.seen

# Who gives no text is told what is waited for.
for words, what in [(("generate", "tiny.rlx", "-n", "2"), b"the prompt"), (("tokenize", "tiny.rlx"), b"the text"),
                    (("check", "-"), b"a text")]:
    t = Terminal(*words)
    t.wait_for(b"relax: note: reading " + what + b" from the terminal; Ctrl-D ends it")
    t.say(b"hello\r\x04")
    t.end()

def resize(t, columns):
    fcntl.ioctl(t.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 20, columns, 0, 0))

# The window changes while a line is typed and while an answer comes: the line is what was typed.
t = Terminal("chat", "long.rlx", "--temperature", "0", "--max-tokens", "99999")
t.prompt()
t.say(b"begin")
t.wait_for(b"begin")
resize(t, 40)
t.wait_for(b"\x1b[J")
t.wait_for(b"> begin")  # drawn again, without a key
t.say(b"\x15")
resize(t, 30)
t.say(b"a line that is longer " * 3)
resize(t, 11)
t.say(b"than the window\r")
t.wait_for(b"\n")
resize(t, 70)
t.say(b"\x03")
t.wait_for(b"[stopped]")
t.prompt()
t.say(b"/stats\r")
t.wait_for(b"conversation: ")
t.prompt()
t.say(b"\x04")
assert t.end() == 0
assert "a line that is longer " * 3 + "than the window" in history()

# A terminal without cursor movement: greeting and prompt, lines come as they are.
for term in ("dumb", ""):
    t = Terminal("chat", "tiny.rlx", "--temperature", "0", "-n", "4", TERM=term)
    t.wait_for(b"/help lists the commands")
    t.wait_for(b"> ")
    t.say(b"half a li\x03")
    t.wait_for(b"(Ctrl-D leaves)")
    t.wait_for(b"> ")
    t.say(b"/help\r")
    t.wait_for(b"/reset   forget")
    t.wait_for(b"> ")
    t.say(b"\x04")
    assert t.end() == 0

# --- What would steer a terminal is written out there, and left alone in a pipe.
escape = ["tokenize", "tiny.rlx", "--decode", os.environ["ESCAPE"]]
assert subprocess.run([relax, *escape], capture_output=True).stdout == b"\x1b"
code, seen = ask(*escape)
assert code == 0 and seen == b"\\x1b", seen
noise = ["generate", "tiny.rlx", "hello", "-n", "100", "--temperature", "9", "--top-k", "0", "--top-p", "1",
         "--min-p", "0", "--seed", "5", "--ignore-end"]
steering = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
piped = subprocess.run([relax, *noise], capture_output=True).stdout
assert steering.search(piped), piped
code, seen = ask(*noise)
assert code == 0 and b"\\x" in seen and not steering.search(seen.replace(b"\r\n", b"\n")), seen
for args in (["import", "--check", "steering.gguf"], ["compile", "steering.gguf"],
             ["generate", "steering.rlx", "hello", "--stats"], ["inspect", "steering.rlx"], ["bench", "steering.rlx", "-p", "4", "-n", "4"]):
    code, seen = ask(*args)
    assert not steering.search(seen.replace(b"\r\n", b"\n").replace(b"\r\x1b[K", b"")), (args, seen)
    assert "\u202e".encode() not in seen and (args[0] not in ("import", "inspect") or b"\\x1b[31m" in seen), (args, seen)
t = Terminal("chat", "steering.rlx")
t.wait_for(b"Ti\\x1b[31mny\\u202e")
t.prompt()
t.say(b"\x04")
assert t.end() == 0
named = "\x1b]0;title\x07"
open(named, "w").close()
for verb in ("generate", "tokenize"):
    got = subprocess.run([relax, verb, named, "hello"], capture_output=True)
    assert got.returncode == 1 and not steering.search(got.stderr), got
PY
# The token of byte 27.
ESCAPE=$(printf '\033' | "$RELAX" tokenize tiny.rlx -) python3 terminal.py
