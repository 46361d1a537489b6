# The runtime built for other processors, and every operator compiled for them, with and without the instructions that
# only some of them have, under an emulator.
set -eu
for program in qemu-aarch64 qemu-riscv64 aarch64-linux-gnu-gcc riscv64-linux-gnu-gcc; do
    command -v "$program" >/dev/null || { echo "skipped: no $program; scripts/setup.sh --full installs it"; exit 77; }
done
for processor in aarch64 riscv64; do
    folder=$BUILD/cross-$processor
    cmake -S "$SRC" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux \
        -DCMAKE_SYSTEM_PROCESSOR=$processor -DCMAKE_C_COMPILER=$processor-linux-gnu-gcc >"$folder.log" 2>&1 &&
        ninja -C "$folder" relax-run relax-runtime >>"$folder.log" 2>&1 || { tail -n 40 "$folder.log"; exit 1; }
done
RELAX_RUN_AARCH64="qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu $BUILD/cross-aarch64/relax-run"
RELAX_RUN_RISCV64="qemu-riscv64 -cpu rv64,v=true,vext_spec=v1.0 -L /usr/riscv64-linux-gnu $BUILD/cross-riscv64/relax-run"
export RELAX_RUN_AARCH64 RELAX_RUN_RISCV64
"$BUILD/tests/t_cli_targets_full" 'aarch64*'
"$BUILD/tests/t_cli_targets_full" riscv64
