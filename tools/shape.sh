#!/bin/sh
# shape.sh - prints how the code measures against the style's bar.
# usage: tools/shape.sh            functions, files, comments and macros of src/, include/ and tools/
#        tools/shape.sh --limits   the same; exit code 1 if a file has over 1000 lines or a function over 150
set -eu
cd "$(dirname "$0")/.."
find src include tools -name '*.[ch]' | sort | xargs awk -v limits="${1:-}" -f tools/shape.awk /dev/null
