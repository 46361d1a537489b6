# Every C file is as clang-format 22 writes it.
set -eu
cd "$SRC"
command -v clang-format-22 >/dev/null || { echo "skipped: no clang-format-22"; exit 77; }
find src include tests tools bench fuzz python -name '*.[ch]' | sort | xargs clang-format-22 --dry-run -Werror
