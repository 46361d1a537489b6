#!/bin/sh
# build.sh - builds the libraries and programs. usage: scripts/build.sh [PRESET]   (release, in build/, by default)
# On a terminal ninja's line tells how far it is; elsewhere all goes into build/build.log, of which errors show the end.
set -eu
cd "$(dirname "$0")/.."
preset=${1:-release}
case $preset in
release | debug | tsan | clang | fuzz) ;;
*) echo "usage: scripts/build.sh [release | debug | tsan | clang | fuzz]" >&2 && exit 2 ;;
esac
log=build/build.log
mkdir -p build
failed() {
    tail -n 60 "$log" >&2
    echo "build: the $preset build failed ($log has all of it)" >&2
    exit 1
}

cmake --preset "$preset" >"$log" 2>&1 || failed
if [ -t 1 ]; then
    cmake --build --preset "$preset" --target product
else
    echo "build: building $preset, some minutes ($log tells how far it is)"
    cmake --build --preset "$preset" --target product >>"$log" 2>&1 || failed
fi
