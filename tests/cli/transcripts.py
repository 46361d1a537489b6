"""Runs the commands that the pages show and compares what comes out.

usage: transcripts.py [--bless] PAGE...

A page is Markdown. Its commands run in order in one folder of their own, with `relax` first in PATH and SRC naming the
source tree. What is looked at, by what stands in a fenced block:

  lines with "$ "       a transcript: each command's output, on both streams, must be what follows it. "..." stands for
                        anything within a line, a line "..." for any lines. "> " after a command continues it.
  lang sh, or lines     commands alone: each line that is no comment must succeed.
  that begin "relax "

Comments of the page, invisible to its readers, say more about the block that follows:

  <!-- before: COMMAND -->      run first; its output doesn't matter
  <!-- file: NAME -->           the block is written to this file
  <!-- unchecked: REASON -->    the block is not run: figures of one machine, a download, minutes of work
  <!-- checked by: TEST -->     the block is checked by this test of the tree

Nothing else that shows commands may stand in a page. --bless writes what came out into the pages.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = re.compile(r"^(\$ |relax |sh |cmake |ninja |cc |gcc |pip |doxygen |ctest |python3? )", re.M)
TIME_LIMIT = 120  # seconds of one command


class Failure(Exception):
    pass


def shell(command, folder):
    """The output of a command and its exit code. The folder of a command stays that of the page."""
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIME_LIMIT
    )
    if done.returncode < 0 or done.returncode in (3, 126, 127) or done.returncode > 128:
        raise Failure(f"{command}: ended with {done.returncode}:\n{done.stdout.decode(errors='replace')}")
    return done.stdout.decode("utf-8", "replace"), done.returncode


def matches(want, got):
    """Compares texts with "..." in `want`."""
    pattern = ""
    for line in want.rstrip("\n").split("\n"):
        if line == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    got = got.rstrip("\n")
    return re.fullmatch(pattern, got + "\n" if got or want.strip() else "") is not None or (not want.strip() and not got)


def steps(block):
    """The commands of a transcript with the output that follows each."""
    found = []
    for line in block.split("\n")[:-1]:
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif not found:
            raise Failure(f"a transcript begins with its output: {line}")
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1] += line + "\n"
    return found


class Page:
    def __init__(self, path, bless):
        self.path, self.bless = path, bless
        self.text = path.read_text()
        self.notes = []  # of the block that comes next
        self.ran = self.unchecked = 0
        self.folder = tempfile.TemporaryDirectory()

    def at(self, position):
        return f"{self.path.name}:{self.text.count(chr(10), 0, position) + 1}"

    def transcript(self, block):
        said = ""
        for command, want in steps(block):
            got, _ = shell(command, self.folder.name)
            self.ran += 1
            if not matches(want, got):
                if not self.bless:
                    raise Failure(f"$ {command}\nwant\n{want}got\n{got}")
                want = got if not got or got.endswith("\n") else got + "\n"
            said += "$ " + command.replace("\n", "\n> ") + "\n" + want
        return said

    def commands(self, block):
        for line in block.replace("\\\n", " ").split("\n"):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            got, code = shell(line, self.folder.name)
            self.ran += 1
            if code:
                raise Failure(f"{line}: ended with {code}:\n{got}")

    def block(self, language, body):
        """Checks one block; what it should say."""
        notes, self.notes = dict(self.notes), []
        if "file" in notes:
            Path(self.folder.name, notes["file"]).write_text(body)
        shows_commands = language == "sh" or (COMMANDS.search(body) and language not in ("c", "python", "text"))
        if not shows_commands or "file" in notes:
            return body
        if "checked by" in notes:
            test = Path(os.environ["SRC"], notes["checked by"])
            if not test.is_file():
                raise Failure(f"there is no {test}")
            return body
        if "unchecked" in notes:
            self.unchecked += 1
            if len(notes["unchecked"]) < 20:
                raise Failure(f"why is this unchecked? '{notes['unchecked']}' says too little")
            return body
        if "$ " in body and re.search(r"^\$ ", body, re.M):
            return self.transcript(body)
        self.commands(body)
        return body

    def check(self):
        """All blocks in order. The text of the page as it should be."""
        said, end = "", 0
        for m in re.finditer(r"<!-- ([a-z ]+): (.*?) -->|^```(\w*)\n(.*?)^```$", self.text, re.S | re.M):
            said += self.text[end : m.start()]
            end = m.end()
            try:
                if m[1] == "before":
                    shell(m[2], self.folder.name)
                elif m[1]:
                    self.notes.append((m[1], m[2]))
            except Failure as failure:
                raise Failure(f"{self.at(m.start())}: {failure}") from None
            if m[1]:
                said += m[0]
                continue
            try:
                said += f"```{m[3]}\n{self.block(m[3], m[4])}```"
            except Failure as failure:
                raise Failure(f"{self.at(m.start())}: {failure}") from None
        return said + self.text[end:]


def main(arguments):
    bless = "--bless" in arguments
    failures = 0
    for name in arguments:
        if name == "--bless":
            continue
        page = Page(Path(name), bless)
        try:
            said = page.check()
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(failure)
            failures += 1
            continue
        if bless and said != page.text:
            page.path.write_text(said)
        print(f"{page.path.name}: {page.ran} commands, {page.unchecked} blocks unchecked")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
