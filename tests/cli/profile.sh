# relax run: --profile, --trace, --check-nan and --dump-tensors show the work inside a call.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "$1"; exit 1; }

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
        return R.sqrt(y)
PY
"$RELAX" compile m.py -o m.rlx --target cpu:x86-64-v2

"$RELAX" run m.rlx -i 'f32[5,8]' -i 'f32[8,4]' --repeat 20 --profile --trace t.json >out
grep -Eq '^ +20 .* matmul.* \(5,8\) \(8,4\)' out || fail "no row of 20 calls: $(cat out)"
grep -q softmax out || fail "no softmax: $(cat out)"
python3 - <<'PY' || fail "the trace is wrong"
import json
events = json.load(open("t.json"))["traceEvents"]
assert len(events) == 40, len(events)
assert all(e["ph"] == "X" and e["dur"] > 0 for e in events)
assert all(a["ts"] + a["dur"] <= b["ts"] + 0.01 for a, b in zip(events, events[1:]))
assert events[0]["args"]["at"].startswith("m.py:6"), events[0]
PY

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
grep -q 'roots: sqrt gives a NaN or infinity: element 0 of output 0, from m.py:13' err || fail "$(cat err)"

"$RELAX" run m.rlx --func roots -i @good.npy --dump-tensors dumped >/dev/null
ls dumped | grep -q '^0000.\.roots\.sqrt\.npy$' || fail "$(ls dumped)"
! "$RELAX" run m.rlx --func roots -i @good.npy --dump-tensors m.py/x 2>err || fail "a folder in a file was made"
! "$RELAX" run m.rlx --func roots -i @good.npy --trace /nowhere/t.json >out 2>err || fail "a trace nowhere was written"
grep -q /nowhere err || fail "$(cat err)"
