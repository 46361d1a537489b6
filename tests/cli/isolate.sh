# A fatal error of LLVM: it names the kernel and ends the process with 3; with --isolate it is a message and the exit
# code 1. LLVM has no error that text can provoke, so a library in front of it makes one.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELAX"
command -v cc >/dev/null || skip "no C compiler"

# Modules with the function named in FATAL end as LLVM ends them: by its handler, or by a signal.
cat >fatal.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
typedef void handler(const char *reason);
static handler *installed;
void LLVMInstallFatalErrorHandler(handler *h) { installed = h; }
int LLVMTargetMachineEmitToMemoryBuffer(void *machine, void *module, int type, char **why, void **out) {
    void *(*named)(void *, const char *);
    int (*next)(void *, void *, int, char **, void **);
    *(void **)&named = dlsym(RTLD_NEXT, "LLVMGetNamedFunction");
    *(void **)&next = dlsym(RTLD_NEXT, "LLVMTargetMachineEmitToMemoryBuffer");
    const char *name = getenv("FATAL");
    if (!named(module, name)) return next(machine, module, type, why, out);
    if (getenv("BY_SIGNAL")) raise(SIGKILL);
    installed("Cannot select: t1");
    abort();
}
C
cc -shared -fPIC -o fatal.so fatal.c -ldl
cat >m.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 24), dtype="float32"), w: R.Tensor((24, 10), dtype="float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.softmax(y)
            s = R.cumsum(z, axis=0)
            t = R.cumsum(R.sum(s, axis=1), axis=0)
            u = R.cumsum(R.max(s, axis=0), axis=0)
            v = R.cumsum(R.flip(R.permute_dims(s), axis=1), axis=1)
            R.output(s, t, u, v)
        return (s, t, u, v)
PY
compile() {
    code=0
    env LD_PRELOAD="$dir/fatal.so" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" "$@" "$RELAX" compile m.py \
        -o m.rlx --no-cache --target cpu:x86-64-v3 $more >out 2>&1 || code=$?
}
more= && compile FATAL=nothing && [ $code = 0 ] || fail "the library gets in the way: $(cat out)"
rm -f m.rlx
compile FATAL=softmax
[ $code = 3 ] && grep -q "LLVM can't compile softmax: Cannot select: t1" out || fail "want 3, got $code: $(cat out)"
[ ! -e m.rlx ] || fail "a file was left"
more=--isolate
compile FATAL=softmax
[ $code = 1 ] && grep -q "error: LLVM can't compile softmax: Cannot select: t1" out || fail "want 1, got $code: $(cat out)"
[ "$(grep -c error: out)" = 1 ] || fail "more than one message: $(cat out)"
[ ! -e m.rlx ] || fail "a file was left"
compile FATAL=softmax BY_SIGNAL=1
[ $code = 1 ] && grep -q "error: LLVM can't compile softmax: it ended the process with signal 9" out || fail "signal: $code $(cat out)"
compile FATAL=nothing
[ $code = 0 ] && [ -e m.rlx ] || fail "--isolate: $(cat out)"
