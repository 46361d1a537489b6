# The guards themselves: each must refuse a small tree that breaks its rule. The tree is a copy of the right shape.
set -u
. "$SRC/tests/support/shell.sh"
guards=$SRC/tests/guards

# Makes a right tree in $dir/tree.
fresh() {
    rm -rf "$dir/tree"
    mkdir -p "$dir/tree/src/base" "$dir/tree/src/vm" "$dir/tree/include/relax" "$dir/tree/tests/guards" "$dir/tree/tools" \
        "$dir/tree/bench" "$dir/tree/fuzz" "$dir/tree/python" "$dir/tree/build/lib"
    cp "$SRC/tools/shape.sh" "$SRC/tools/shape.awk" "$dir/tree/tools"
    cp "$SRC/.clang-format" "$dir/tree"
    cp "$guards/state_allowed.txt" "$dir/tree/tests/guards"
    printf 'base:\nvm: base\n' >"$dir/tree/layers.txt"
    printf '#ifndef A_H\n#define A_H\nint a(int x);\n#endif\n' >"$dir/tree/src/base/a.h"
    printf '#include "base/a.h"\nint a(int x) { return x; }\n' >"$dir/tree/src/base/a.c"
    printf '#ifndef P_H\n#define P_H\nint p(void);\n#endif\n' >"$dir/tree/include/relax/p.h"
}

# check GUARD WANTED TEXT: runs a guard on the tree; WANTED is 0 or 1.
check() {
    got=$(SRC=$dir/tree BUILD=$dir/tree/build RELEASE=$dir/tree/build sh "$guards/$1.sh" 2>&1; echo "status $?")
    status=${got##*status }
    if [ $((status != 0)) -ne "$2" ] || ! printf '%s' "$got" | grep -qF -e "$3"; then
        wrong "$1: want result $2 and '$3', got: $got"
    fi
}

# The object of one line of C as the library relax_base.
library() {
    printf '%s\n' "$1" | gcc -fPIC -O1 -fdata-sections -x c -c - -o "$dir/a.o" && rm -f "$dir"/tree/build/lib/*.a &&
        ar rc "$dir/tree/build/lib/librelax_base.a" "$dir/a.o"
}

fresh
for guard in layers format shape headers tracked; do check $guard 0 ""; done

echo '#include "vm/b.h"' >>"$dir/tree/src/base/a.c"
check layers 1 "base may not include vm"
fresh
echo '#include "a.h"' >>"$dir/tree/src/base/a.c"
check layers 1 "write the path from src/"
fresh
echo '#include "../base/a.h"' >>"$dir/tree/src/vm/b.c"
check layers 1 "without .."
fresh
echo '#include "base/a.h"' >>"$dir/tree/include/relax/p.h"
check layers 1 "public headers"
fresh
echo '#include "base/a.h"' >"$dir/tree/tools/relax-run.c"
check layers 1 "public headers"
fresh
mkdir "$dir/tree/src/new"
echo '#include "base/a.h"' >"$dir/tree/src/new/n.c"
check layers 1 "no line in layers.txt"
fresh
echo '#include <llvm-c/Core.h>' >"$dir/tree/src/vm/b.c"
check layers 1 "LLVM is for src/target"

fresh
library 'static const char *const name[] = {"a", "b"}; const char *get(int i) { static const int k[] = {1, 0}; return name[k[i]]; }'
check state 0 ""
for line in 'int counter;' 'int first = 1;' 'static int n; int next(void) { return n++; }' '_Thread_local int t;' \
    'static const char *name[] = {"a"}; const char **get(void) { return name; }' \
    'int next(void) { static int n = 5; return n++; }'; do
    library "$line"
    check state 1 "mutable"
done
library 'int counter;'
echo 'librelax_base/counter a reason' >"$dir/tree/tests/guards/state_allowed.txt"
check state 0 ""

fresh
printf 'int  f(void){return 1;}\n' >"$dir/tree/src/base/a.c"
check format 1 "clang-format"

fresh
{ echo 'int f(void) {'; yes '    f();' | head -160; echo '}'; } >"$dir/tree/src/base/long.c"
check shape 1 "162 f src/base/long.c:1"
fresh
yes '// a line' | head -1001 >"$dir/tree/src/base/long.c"
check shape 1 "1001 src/base/long.c"

fresh
echo 'size_t n(void);' >>"$dir/tree/src/base/a.h"
check headers 1 "not complete as C17"
fresh
echo 'static inline int *q(void *x) { return x; }' >>"$dir/tree/include/relax/p.h"
check headers 1 "not complete as C++17"

for text in "see /wo""rk/x" "from pyp""i.org" "TO""DO: more"; do
    fresh
    echo "// $text" >>"$dir/tree/src/base/a.c"
    check tracked 1 "src/base/a.c"
done

# A runtime that wants the maths library is fine, one that wants another is not.
fresh
printf 'const char *rx_name(void);\n' >"$dir/tree/include/relax/status.h"
touch "$dir/tree/include/relax/runtime.h"
so=$dir/tree/build/librelax-runtime.so
echo 'const char *rx_name(void) { return "x"; }' | gcc -shared -fPIC -x c - -Wl,-soname,librelax-runtime.so.0 -o "$so"
echo 'int main(void) { return 0; }' | gcc -x c - -o "$dir/tree/build/relax-run"
check runtime 0 "bytes stripped"
echo 'void foreign(void); void rx_name(void) { foreign(); }' | gcc -shared -fPIC -x c - -Wl,-soname,librelax-runtime.so.0 -o "$so"
check runtime 1 "wants more than the C library: foreign"
echo 'void rx_other(void) {}' | gcc -shared -fPIC -x c - -Wl,-soname,librelax-runtime.so.0 -o "$so"
check runtime 1 "exports rx_other"
echo 'const char rx_name[500000] = {1};' | gcc -shared -fPIC -x c - -Wl,-soname,librelax-runtime.so.0 -o "$so"
check runtime 1 "too large"
finish
