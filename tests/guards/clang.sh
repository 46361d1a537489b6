# clang-22 accepts every C file under the same warnings as gcc (the whole build by clang is in check.sh --full).
set -eu
cd "$SRC"
command -v clang-22 >/dev/null || { echo "skipped: no clang-22"; exit 77; }
flags="-std=c17 -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wswitch-enum
    -Wstrict-prototypes -Werror -O0 -Isrc -Iinclude -Itests"
llvm=$(llvm-config-22 --includedir) folders='src tests tools bench fuzz examples'
# python/native.c where Python's headers are.
python=$(ls -d /usr/include/python3.* 2>/dev/null | tail -n 1)
[ ! -f "$python/Python.h" ] || folders="$folders python"
# Only an object can be cached, so one is made: a second run looks at what changed alone.
cache=
command -v ccache >/dev/null && cache=ccache
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
find $folders -name '*.c' | sort |
    xargs -P 2 -I FILE sh -c 'exec "$@" -c FILE -o "$0/$(echo FILE | tr / _).o"' "$objects" \
        $cache clang-22 $flags -isystem "$llvm" -isystem "$python" -DRELAX_VERSION='"0"'
