# A language model on a terminal: lines are edited and kept, commands answer, Ctrl-C stops an answer and nothing else,
# and whatever a model writes or is called, the terminal obeys none of it.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
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

    def __init__(self, *args, term="vt100"):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = term
            os.execv(relax, [relax, *args])
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


# --- A conversation.
t = Terminal("chat", "long.rlx", "--temperature", "0", "--max-tokens", "99999")
t.wait_for(b"/help lists the commands")
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
assert t.end() == 0
history = open(os.path.join(os.environ["RELAX_CACHE"], "history")).read()
assert "hello" in history and "/stats" in history, history

# Where a line is being typed, Ctrl-C ends the program as it ends others; the terminal is left as it was.
t = Terminal("chat", "tiny.rlx")
t.prompt()
t.say(b"half a li\x03")
assert t.end() in (-signal.SIGINT, 130)

# Ctrl-C while the model is compiled ends that in good order; when it came too late there is a conversation to end.
t = Terminal("chat", "tiny.gguf", "--context", "96")
t.wait_for(b"compiling")
t.say(b"\x03")
assert t.end() in (130, -signal.SIGINT), t.seen
assert not [f for f in os.listdir(os.environ["RELAX_CACHE"]) if f.endswith(".tmp")]


def resize(t, columns):
    fcntl.ioctl(t.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 20, columns, 0, 0))


# The window changes while a line is typed and while an answer comes: the line is what was typed.
t = Terminal("chat", "long.rlx", "--temperature", "0", "--max-tokens", "99999")
t.prompt()
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
assert "a line that is longer " * 3 + "than the window" in open(
    os.path.join(os.environ["RELAX_CACHE"], "history")).read().replace("\\040", " ")

# A terminal without cursor movement: lines come as they are.
t = Terminal("chat", "tiny.rlx", "--temperature", "0", "-n", "4", term="dumb")
t.say(b"/help\r")
t.wait_for(b"/reset   forget")
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
