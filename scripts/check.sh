#!/bin/sh
# check.sh - installs what is needed, builds and runs the tests.
# usage: scripts/check.sh          the fast tier: all tests under the address and undefined-behaviour sanitizers, and the
#                                  guards, which look at the source and at the release build
#        scripts/check.sh --full   adds: all tests built by clang, the threaded tests under the thread sanitizer, a minute
#                                  of fuzzing for each target, and the tests that take long
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
'' | --full) full=${1:-} ;;
*) echo "usage: scripts/check.sh [--full]" >&2 && exit 2 ;;
esac
jobs=$(nproc)

# build PRESET TARGET: says nothing more if it succeeds.
build() {
    echo "check: building $1"
    mkdir -p build
    cmake --preset "$1" >build/check.log 2>&1 && cmake --build --preset "$1" --target "$2" >>build/check.log 2>&1 || {
        tail -n 60 build/check.log
        echo "check: the $1 build failed"
        exit 1
    }
}

sh scripts/setup.sh $full
build release product
build debug all

if [ "$full" ]; then
    build clang all
    ctest --preset clang -j "$jobs" -LE full -E '^guard/'
    build tsan all
    ctest --preset tsan -j "$jobs" -LE full -R '^(unit/(base|device|vm|driver)/|cli/)'
    build fuzz all
    for target in build-fuzz/fuzz/fuzz_*; do
        [ -x "$target" ] || continue
        corpus=fuzz/corpus/${target##*/fuzz_}
        found=build-fuzz/found/${target##*/}
        mkdir -p "$found"
        "$target" -max_total_time=60 -rss_limit_mb=2048 -timeout=10 -artifact_prefix="$found/" "$found" "$corpus"
    done
    exec ctest --preset debug -j "$jobs"
fi
exec ctest --preset debug -j "$jobs" -LE full
