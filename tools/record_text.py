#!/usr/bin/env python3
"""Records whether TVM reads what we print as equal to its own reading of the original text.

usage: record_text.py RELAX ROOT DATA    with a Python that has apache-tvm 0.25.0.post1
  RELAX  the relax program
  ROOT   tests/data/tvm_text: our texts (*.py). Gets recorded.tsv, and accepted/NAME.txt for each text of ours that
         TVM accepted: our print of it
  DATA   the folder with samples/ (modules, after, newer-spelling)

A line of recorded.tsv: verdict, text (samples/... or a name in ROOT), FNV-1a hash of our print, reason. Verdicts:
  equal       TVM reads our print as structurally equal to its reading of the original
  unreadable  TVM can't read the original (so there is nothing to compare); the reason is TVM's
  different   TVM can't read our print, or reads something else: a bug of ours
"""
import pathlib, re, subprocess, sys

import tvm
from tvm.script.parser.core.entry import parse


def read(text):
    """What TVM understands. Its parser takes no import lines, and not the sinfo_args that its printer adds to alloc_tensor."""
    text = re.sub(r"(?m)^(from|import) .*$", "", text)
    text = re.sub(r"(R\.builtin\.alloc_tensor\(.*), sinfo_args=\(.*\)\)$", r"\1)", text, flags=re.M)
    return parse(text, check_well_formed=False)


def why(error):
    """One line: what TVM says, or the statement it stumbles over where it says nothing."""
    lines = [l.strip() for l in str(error).split("\n")]
    lines = [l for l in lines if l and l != "error:" and l != "|"] or [type(error).__name__]
    if lines[0].startswith("-->") and len(lines) > 1:
        return "no reason given, at: " + lines[1].split("|")[-1].strip()[:120]
    return re.sub(r"\s+", " ", lines[0])[:160]


def fnv(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = (h ^ b) * 0x100000001B3 & (1 << 64) - 1
    return f"{h:016x}"


def judge(original, printed):
    try:
        wanted = read(original)
    except BaseException as e:
        return "unreadable", why(e)
    try:
        got = read(printed)
    except BaseException as e:
        return "different", "our print: " + why(e)
    try:  # a variable that only an attribute names stands free
        tvm.ir.assert_structural_equal(wanted, got, map_free_vars=True)
    except BaseException as e:
        return "different", why(e)
    return "equal", ""


def texts(root, data):
    for p in sorted(root.glob("*.py")):
        yield p.name, p
    for folder, pattern in (("modules", "*.py"), ("after", "*.txt"), ("newer-spelling", "*")):
        for p in sorted((data / "samples" / folder).glob(pattern)):
            if "timing" not in p.name and ".99." not in p.name:
                yield str(p.relative_to(data)), p


def main(relax, root, data):
    root, data = pathlib.Path(root), pathlib.Path(data)
    accepted = root / "accepted"
    accepted.mkdir(exist_ok=True)
    lines = []
    for name, path in texts(root, data):
        run = subprocess.run([relax, "fmt", "--canonical", str(path)], capture_output=True)
        if run.returncode:
            lines.append(("different", name, "-", "relax can't read it"))
            print(*lines[-1], file=sys.stderr)
            continue
        verdict, reason = judge(path.read_text(), run.stdout.decode())
        lines.append((verdict, name, fnv(run.stdout), reason))
        if verdict == "equal" and path.parent == root:
            (accepted / (path.stem + ".txt")).write_bytes(run.stdout)
        print(verdict, name, reason, file=sys.stderr)
    head = f"# recorded by tools/record_text.py with TVM {tvm.__version__}: verdict, text, hash of our print, reason\n"
    (root / "recorded.tsv").write_text(head + "".join("\t".join(l) + "\n" for l in lines))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
