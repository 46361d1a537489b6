# Signals while a step runs that asks for none, for much longer than anybody waits: one ends it after three seconds, two
# at once. Nothing is left, no file and no process of `--isolate`.
set -eu
. "$SRC/tests/support/shell.sh"
need python3
mkdir tmp
export RELAX_CACHE="$dir/cache" TMPDIR="$dir/tmp"
cat >stop.py <<'PY'
import os, signal, subprocess, time

with open("long.py", "w") as f:
    f.write("@I.ir_module\nclass Module:\n    @T.prim_func(private=True)\n"
            '    def k(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):\n'
            "        for i in range(64):\n            y[i] = x[i]\n")
    for n in range(100):
        f.write(f"        for a in T.unroll(64):\n            for b in T.unroll(64):\n"
                f"                y[(a + b) % 64] = x[a] * x[b] + y[(a + {n}) % 64]\n")
    f.write('    @R.function\n    def main(x: R.Tensor((64,), "float32")):\n'
            '        return R.call_tir(Module.k, (x,), out_sinfo=R.Tensor((64,), "float32"))\n')

def stopped(sent, more, wait):
    p = subprocess.Popen([os.environ["RELAX"], "compile", "long.py", "-o", "no.rlx", "--no-cache", *more],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while p.poll() is None and not os.listdir("tmp"):  # the linker's folder: from here signals wait
        pass
    time.sleep(wait)
    for number in sent:
        p.send_signal(number)
    out, err = p.communicate(timeout=100)  # until a process that was started closes its output, too
    assert err == b"relax: interrupted; nothing was written\n" and not out, (sent, p.returncode, err)
    left = os.listdir("tmp") + [f for f in os.listdir(".") if f not in ("tmp", "cache", "long.py", "stop.py")]
    assert not left, left
    return p.returncode

for sent, more in [([signal.SIGTERM], []), ([signal.SIGINT, signal.SIGTERM], []), ([signal.SIGINT], ["--isolate"])]:
    wait = 1
    while (code := stopped(sent, more, wait)) in [128 + n for n in sent] and wait < 32:  # a pass before was asked
        wait *= 2
    assert code in [-n for n in sent], (sent, code)
PY
python3 stop.py

# A model that is compiled for one run, because the cache takes no file, has a folder of its own: it goes too. LLVM takes
# as long as it likes here (a library in front of it sleeps).
command -v cc >/dev/null || exit 0
cat >sleeping.c <<'C'
#include <unistd.h>
int LLVMTargetMachineEmitToMemoryBuffer(void) { return sleep(1000) != 0; }
C
cc -shared -fPIC -o sleeping.so sleeping.c
python3 "$SRC/tests/data/llm/make_tiny.py" tiny.gguf
touch file
RELAX_CACHE="$dir/file/relax" LD_PRELOAD="$dir/sleeping.so" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" \
    "$RELAX" generate tiny.gguf hello -n 2 >out 2>err </dev/null &
child=$!
while kill -0 $child && [ -z "$(ls tmp)" ]; do sleep 0.1; done
sleep 2
kill -TERM $child
code=0
wait $child || code=$?
[ $code -eq 143 ] && grep -q 'interrupted; nothing was written' err && [ ! -s out ] || fail "exit $code: $(cat out err)"
[ -z "$(ls tmp)" ] || fail "left behind: $(find tmp)"

# Where LLVM ends the program, as it does without memory, nothing is left either.
cat >aborting.c <<'C'
#include <stdlib.h>
int LLVMTargetMachineEmitToMemoryBuffer(void) { abort(); }
C
cc -shared -fPIC -o aborting.so aborting.c
code=0
LD_PRELOAD="$dir/aborting.so" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" \
    "$RELAX" compile tiny.gguf -o no.rlx --no-cache >out 2>err </dev/null || code=$?
[ $code -eq 1 ] && grep -q 'the code generator gave up, mostly for want of memory' err || fail "exit $code: $(cat err)"
[ -z "$(ls tmp)" ] && [ ! -e no.rlx ] || fail "left: $(ls tmp)"

# Memory that is out is told in our words alone, once, whichever threads find it out and by whose check: LLVM's own or
# the C++ library's. A process of --isolate leaves its last words to the one that waits for it.
for way in '_ZSt9terminatev()' '_ZN4llvm22report_bad_alloc_errorEPKcb("Allocation failed", 1)'; do
    printf 'void %s(); int LLVMTargetMachineEmitToMemoryBuffer(void) { %s; return 1; }\n' "${way%%(*}" "$way" >out_of_memory.c
    cc -shared -fPIC -o out_of_memory.so out_of_memory.c
    code=0
    LD_PRELOAD="$dir/out_of_memory.so" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" \
        "$RELAX" compile tiny.gguf -o no.rlx --no-cache --jobs 4 >out 2>err </dev/null || code=$?
    [ $code -eq 1 ] && [ "$(grep -c . err)" -eq 1 ] && grep -q 'error: the code generator gave up' err || fail "exit $code: $(cat err)"
    code=0
    LD_PRELOAD="$dir/out_of_memory.so" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" \
        "$RELAX" compile tiny.gguf -o no.rlx --no-cache --isolate >out 2>err </dev/null || code=$?
    [ $code -eq 1 ] && grep -q "LLVM can't compile [a-z0-9_]*: out of memory" err || fail "exit $code: $(cat err)"
done
[ -z "$(ls tmp)" ] && [ ! -e no.rlx ] || fail "left: $(ls tmp)"
