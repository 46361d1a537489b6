# The runtime built for other processors, and every operator and sample module compiled for them and run under an
# emulator, with the instructions that only some processors have and without: each set of features on a processor that
# has no more than these, where QEMU knows one.
# usage: cross_full.sh [SWEEP...]     aarch64, dotprod, i8mm, sve, sve256, sve512, sve-longer, rvv128, rvv256, rvv512; else all
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

sweeps=0
failed=
# sweep NAME TEST PROCESSOR CPU: the tests of one set of features on one emulated processor.
sweep() {
    case " $wanted " in *" $1 "* | "  ") ;; *) return 0 ;; esac
    runner="qemu-$3 -cpu $4 -L /usr/$3-linux-gnu $BUILD/cross-$3/relax-run"
    begin=$(date +%s)
    if RELAX_RUN_AARCH64=$runner RELAX_RUN_RISCV64=$runner "$BUILD/tests/t_cli_targets_full" "$2" >"$BUILD/cross-$1.log" 2>&1; then
        echo "$1 (-cpu $4): $(sed -n 's/^.*: \([0-9]* runs compared\)/\1/p' "$BUILD/cross-$1.log"), $(($(date +%s) - begin)) s"
    else
        tail -n 30 "$BUILD/cross-$1.log"
        echo "$1 (-cpu $4): failed"
        failed="$failed $1"
    fi
    sweeps=$((sweeps + 1))
}
wanted="$*"
sweep aarch64 aarch64 aarch64 cortex-a53
sweep dotprod aarch64_dotprod aarch64 cortex-a76
sweep i8mm aarch64_i8mm aarch64 max,sve=off
sweep sve aarch64_sve aarch64 max,sve-max-vq=1
sweep sve256 aarch64_sve256 aarch64 max,sve-max-vq=2
sweep sve512 aarch64_sve512 aarch64 max,sve-max-vq=4
sweep sve-longer aarch64_sve256 aarch64 max,sve-max-vq=16
sweep rvv128 riscv64 riscv64 rv64,v=true,vext_spec=v1.0,vlen=128
sweep rvv256 riscv64_longer riscv64 rv64,v=true,vext_spec=v1.0,vlen=256
sweep rvv512 riscv64_longer riscv64 rv64,v=true,vext_spec=v1.0,vlen=512
[ -z "$failed" ] || { echo "$sweeps sweeps, failed:$failed"; exit 1; }
echo "$sweeps sweeps: all runs compared agree with the interpreter"
