#!/bin/sh
# wheel.sh - builds the Python package: a wheel that installs without a compiler.
# usage: scripts/wheel.sh [FOLDER]     where the wheel goes (default: build/)
set -eu
cd "$(dirname "$0")/.."
to=${1:-build}
case $to in -*) echo "usage: scripts/wheel.sh [FOLDER]" >&2 && exit 2 ;; esac
for library in runtime compiler; do
    [ -f "build/librelax-$library.so.0" ] || { echo "wheel: build first: sh scripts/build.sh" >&2 && exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r python/. "$work"
mkdir -p "$work/relax_c/lib" "$work/relax_c/include"
cp -r include/relax "$work/relax_c/include/"
for library in runtime compiler; do strip -o "$work/relax_c/lib/librelax-$library.so.0" "build/librelax-$library.so.0"; done
# Makes calls short; without it the package is slower, and whole.
[ ! -f build/relax_native.abi3.so ] || strip -o "$work/relax_c/lib/relax_native.abi3.so" build/relax_native.abi3.so
# Debian's Python, which has the packages that setup.sh installs: another one may come first in PATH.
/usr/bin/python3 -m pip --disable-pip-version-check -q wheel --no-deps --no-build-isolation --no-index -w "$work/out" "$work" 2>"$work/log" || {
    cat "$work/log" >&2
    exit 1
}
mkdir -p "$to"
cp "$work"/out/*.whl "$to"
echo "wheel: $to/$(basename "$work"/out/*.whl)"
