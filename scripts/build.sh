#!/bin/sh
# build.sh - builds the libraries and programs. usage: scripts/build.sh [PRESET]   (release, in build/, by default)
set -eu
cd "$(dirname "$0")/.."
preset=${1:-release}
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target product
