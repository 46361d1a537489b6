# relax run: --profile, --trace, --check-nan and --dump-tensors show the work inside a call.
set -eu
. "$SRC/tests/support/shell.sh"

cat >m.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w: R.Tensor((8, 4), dtype="float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.softmax(y)
            R.output(z)
        return z
    @R.function
    def roots(x: R.Tensor(("n",), dtype="float32")):
        y = R.sort(x)
        z: R.Tensor = R.sqrt(y)
        return z
PY
"$RELAX" compile m.py -o m.rlx --target cpu:x86-64-v2

"$RELAX" run m.rlx -i 'f32[5,8]' -i 'f32[8,4]' --repeat 20 --profile --trace t.json >out
grep -Eq '^ +20 .* matmul.* \(5,8\) \(8,4\)' out || fail "no row of 20 calls: $(cat out)"
grep -q softmax out || fail "no softmax: $(cat out)"
grep -q 'calls *total *mean *share *GFLOP/s *GB/s *of limit *kernel' out || fail "no heading: $(cat out)"
grep -Eq '%  *[0-9.]+  *[0-9.]+  *[0-9.]+%  matmul' out || fail "no rates of matmul: $(cat out)"

# The same for programs. A product of (64, 8) and (8, 4) is 64 * 4 * 8 multiplications and as many additions; work that
# the compiler can't count (a sort) has no rate, but its time.
"$RELAX" run m.rlx -i 'f32[64,8]' -i 'f32[8,4]' --repeat 5 --profile --json >out
"$RELAX" run m.rlx --func roots -i 'f32[9]' --profile --json >sorted
python3 - <<'PY' || fail "the profile for programs is wrong: $(cat out sorted)"
import json
p = json.load(open("out"))["profile"]
assert p["machine"]["float32_gflops"] > 0 and p["machine"]["memory_read_gbs"] > 0
rows = {r["kernel"]: r for r in p["kernels"]}
m = rows["matmul"]
assert m["calls"] == 5 and m["shapes"].startswith("(64,8) (8,4)"), m
assert abs(m["flops_per_second"] * m["seconds"] / 5 / (2 * 64 * 8 * 4) - 1) < 0.01, m
assert abs(m["bytes_per_second"] * m["seconds"] / 5 / (4 * (64 * 8 + 8 * 4 + 64 * 4)) - 1) < 0.01, m
assert 0 < m["share_of_limit"] < 2, m
between = p["between_seconds"] / (p["between_seconds"] + sum(r["seconds"] for r in p["kernels"]))
assert between > 0 and p["choosing_seconds"] == 0, p
assert abs(sum(r["share"] for r in p["kernels"]) + between - 1) < 1e-4
assert p["kernels"] == sorted(p["kernels"], key=lambda r: -r["seconds"])
rows = {r["kernel"]: r for r in json.load(open("sorted"))["profile"]["kernels"]}
assert rows["sort"]["flops_per_second"] is None and rows["sort"]["share_of_limit"] is None, rows
assert rows["sort"]["bytes_per_second"] > 0 and rows["sqrt"]["flops_per_second"] > 0, rows
PY
python3 - <<'PY' || fail "the trace is wrong"
import json
events = json.load(open("t.json"))["traceEvents"]
assert len(events) == 40, len(events)
assert all(e["ph"] == "X" and e["dur"] > 0 for e in events)
assert all(a["ts"] + a["dur"] <= b["ts"] + 0.01 for a, b in zip(events, events[1:]))
assert events[0]["args"]["at"] == "m.py:6 y", events[0]
PY

# Time of no kernel has a row: of a call, and of the tokens that a model writes, with the choice of each.
"$RELAX" run m.rlx -i 'f32[5,8]' -i 'f32[8,4]' --repeat 20 --profile >out
grep -Eq '^ +[0-9.]+ [mun]?s +[0-9.]+% +\(between kernels\)$' out || fail "no row of hand-offs: $(cat out)"
grep -q 'choosing' out && fail "nothing was chosen: $(cat out)"
python3 "$SRC/tests/data/llm/make_tiny.py" tiny.gguf
RELAX_CACHE=$dir/cache "$RELAX" generate tiny.gguf 'hello' -n 5 --ignore-end --profile >out 2>err
[ "$(RELAX_CACHE=$dir/cache "$RELAX" generate tiny.gguf 'hello' -n 5 --ignore-end)" = "$(cat out)" ] || fail "$(cat out)"
grep -Eq '^ +4 .* packed_take|^ +4 .* take' err || fail "no row of 4 steps: $(cat err)"
for gap in 'choosing tokens' 'writing text'; do
    grep -Eq "^ +[0-9.]+ [mun]?s +[0-9.]+% +\($gap\)\$" err || fail "no row of $gap: $(cat err)"
done

"$RELAX" run m.rlx --func roots -i '@x.npy' 2>/dev/null && fail "a file that isn't there was read"
python3 - <<'PY'
import struct
def npy(name, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%df" % len(values), *values))
npy("good.npy", [4.0, 1.0])
npy("bad.npy", [4.0, -1.0, 9.0])
PY
"$RELAX" run m.rlx --func roots -i @good.npy --check-nan >out
grep -q '= 1, 2$' out || fail "sqrt of 1, 4: $(cat out)"
code=0
"$RELAX" run m.rlx --func roots -i @bad.npy --check-nan >out 2>err || code=$?
[ $code = 1 ] || fail "want exit code 1, got $code"
grep -q 'roots: sqrt gives a NaN or infinity: element 0 of output 0, from m.py:13 z$' err || fail "$(cat err)"

"$RELAX" run m.rlx --func roots -i @good.npy --dump-tensors dumped >/dev/null
ls dumped | grep -q '^0000.\.roots\.sqrt\.npy$' || fail "$(ls dumped)"
! "$RELAX" run m.rlx --func roots -i @good.npy --dump-tensors m.py/x 2>err || fail "a folder in a file was made"
! "$RELAX" run m.rlx --func roots -i @good.npy --trace /nowhere/t.json >out 2>err || fail "a trace nowhere was written"
grep -q /nowhere err || fail "$(cat err)"
grep -q 'out0' out && fail "it ran before the trace was refused"
ln -s behind.json link.json
"$RELAX" run m.rlx --func roots -i @good.npy --trace link.json >/dev/null
[ -L link.json ] && [ -s behind.json ] || fail "a link to a trace that isn't there yet"
