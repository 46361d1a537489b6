# Each header compiles alone, twice included, as C17; the public ones also as C++17.
set -eu
cd "$SRC"
flags="-Isrc -Iinclude -isystem $(llvm-config-22 --includedir) -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror -fsyntax-only"
bad=0
for header in $(find src include -name '*.h' | sort); do
    name=${header#*/}
    printf '#include "%s"\n#include "%s"\n' "$name" "$name" >"$BUILD/header.tmp.c"
    gcc -std=c17 $flags "$BUILD/header.tmp.c" || { echo "$header: not complete as C17"; bad=1; }
    case $header in
    include/*)
        gcc -std=c11 -x c $flags "$BUILD/header.tmp.c" || { echo "$header: not complete as C11"; bad=1; }
        g++ -std=c++17 -x c++ $flags "$BUILD/header.tmp.c" || { echo "$header: not complete as C++17"; bad=1; }
        ;;
    esac
done
rm -f "$BUILD/header.tmp.c"
exit $bad
