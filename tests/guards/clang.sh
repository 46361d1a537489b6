# clang-22 accepts every C file under the same warnings as gcc (the whole build by clang is in check.sh --full).
set -eu
cd "$SRC"
command -v clang-22 >/dev/null || { echo "skipped: no clang-22"; exit 77; }
flags="-std=c17 -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wswitch-enum
    -Wstrict-prototypes -Werror -fsyntax-only -Isrc -Iinclude -Itests"
llvm=$(llvm-config-22 --includedir)
find src tests tools bench fuzz -name '*.c' | sort |
    xargs -P 2 -n 8 clang-22 $flags -isystem "$llvm" -DRELAX_VERSION='"0"'
