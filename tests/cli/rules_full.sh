# The sweep of schedule rules: every rule with dims from 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257, equal to the
# interpreter on x86-64-v2, v3, v4 and, under QEMU, AArch64.
# usage: rules_full.sh [x86_64_v2 | x86_64_v3 | x86_64_v4 | host | aarch64]     SRC, BUILD: source and build folder;
# RELAX_RULES: a part of the names of the programs to run, several by commas
set -eu
if command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then
    folder=$BUILD/cross-aarch64
    cmake -S "$SRC" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux \
        -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc >"$folder.log" 2>&1 &&
        ninja -C "$folder" relax-run relax-runtime >>"$folder.log" 2>&1 || { tail -n 40 "$folder.log"; exit 1; }
    RELAX_RUN_AARCH64="qemu-aarch64 -cpu cortex-a53 -L /usr/aarch64-linux-gnu $folder/relax-run"
    export RELAX_RUN_AARCH64
else
    echo "AArch64 skipped: no qemu-aarch64 or no aarch64-linux-gnu-gcc; scripts/setup.sh --full installs them"
fi
"$BUILD/tests/t_cli_rules_full" "$@"
