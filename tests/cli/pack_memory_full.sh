# An .npz of 1 GB whose 16 weights are all transformed while the file is written: that takes the memory of a few of them.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELEASE/relax"
python3 - <<'PY'
import struct, zipfile
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 4096), }"
head += " " * (63 - (10 + len(head)) % 64) + "\n"
rows = struct.pack("<1024f", *[i / 1024 for i in range(1024)]) * 256
with zipfile.ZipFile("w.npz", "w", zipfile.ZIP_STORED) as z:
    for k in range(16):
        with z.open(f"w{k}.npy", "w") as f:
            f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
            for _ in range(64):
                f.write(rows)
params = ", ".join(f'w{k}: R.Tensor((4096, 4096), "float32")' for k in range(16))
lines = [f"            v{k + 1} = R.matmul(v{k}, R.permute_dims(w{k}))" for k in range(16)]
open("m.py", "w").write(f"""@I.ir_module
class Module:
    @R.function
    def main(v0: R.Tensor(("n", 4096), "float32"), {params}):
        R.func_attr({{"num_input": 1}})
        with R.dataflow():
""" + "\n".join(lines) + "\n            R.output(v16)\n        return v16\n")
PY
python3 - "$RELEASE/relax" <<'PY'
import subprocess, sys, time
child = subprocess.Popen([sys.argv[1], "compile", "m.py", "-o", "m.rlx", "--weights", "w.npz", "--target", "cpu:x86-64-v2"])
most = {}
while child.poll() is None:
    try:
        for line in open(f"/proc/{child.pid}/status"):
            if line.startswith(("RssAnon:", "VmRSS:")):
                name, kib = line.split()[:2]
                most[name] = max(most.get(name, 0), int(kib) / 1024)
    except OSError:
        pass
    time.sleep(0.01)
assert child.returncode == 0
print("most memory in MiB:", most)
assert most["RssAnon:"] < 300 and most["VmRSS:"] < 500, most
PY
"$RELEASE/relax" inspect m.rlx | grep -q '16 times float32' || fail "not all weights are transformed"
[ "$(wc -c <m.rlx)" -lt 1080000000 ] || fail "size of the file: $(wc -c <m.rlx)"
