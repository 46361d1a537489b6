#!/bin/sh
# check.sh - installs what is needed, builds and runs the tests.
# usage: scripts/check.sh                  the fast tier: all tests under the address and undefined-behaviour sanitizers,
#                                          and the guards, which look at the source and at the release build
#        scripts/check.sh --full           all parts below, one after another, each with a limit of two hours; a table at
#                                          the end has part, result, minutes and seconds, and what the part says of
#                                          itself. Logs are build/check-PART.log.
#        scripts/check.sh --full PART...   these parts alone
#   debug        the fast tier
#   clang        the same tests built by clang, optimised
#   quickstart   scripts/quickstart.sh: gets a language model and talks with it
#   long         the tests that take long: 1,000 random modules, all operators on all x86-64 levels, numerics, ...
#   cross        the runtime for AArch64 and RISC-V, all operators and sample modules under an emulator
#   tsan         the threaded tests under the thread sanitizer
#   fuzz         each fuzz target for RELAX_FUZZ_SECONDS (60)
#   torch        the Python package with PyTorch
set -eu
cd "$(dirname "$0")/.."
parts="debug clang quickstart long cross tsan fuzz torch"
usage() { sed -n 's/^# \{0,1\}//; 2,/^set/{/^set/d;p;}' "$0" >&2; exit 2; }
jobs=$(nproc)

# build PRESET TARGET...: says nothing more if it succeeds.
build() {
    preset=$1
    shift
    echo "check: building $preset"
    mkdir -p build
    log=build/check-build-$preset.log
    cmake --preset "$preset" >"$log" 2>&1 && cmake --build --preset "$preset" --target "$@" >>"$log" 2>&1 || {
        tail -n 60 "$log"
        echo "check: the $preset build failed"
        exit 1
    }
}

# unit_tests FOLDER...: the names of their programs.
unit_tests() {
    for folder; do
        for test in tests/unit/"$folder"/t_*.c; do
            name=${test##*/t_}
            name=${name%.c}
            echo "t_${folder}_${name#"${folder}_"}"
        done
    done
}

# ---- the parts: each ends with a line that says what it came to ----

debug() {
    build release product
    build debug all
    ctest --preset debug -j "$jobs" -LE full
}
clang() {
    build release product
    build clang all
    ctest --preset clang -j "$jobs" -LE full -E '^guard/'
}
quickstart() {
    sh scripts/quickstart.sh
    echo "a conversation of $(grep -o 'answer: .*' build/check-quickstart.log | tail -n 1)"
}
long() {
    build release product
    build clang all
    ctest --preset clang -j "$jobs" -L full -E 'cross_full'
}
cross() {
    build clang t_cli_targets_full
    ctest --preset clang --verbose -L full -R 'cross_full'
}
tsan() {
    # shellcheck disable=SC2046
    build tsan relax relax-run $(unit_tests base device vm driver api)
    # Of the shell tests those that compile or run on several threads: programs take ten times as long here.
    ctest --preset tsan -j "$jobs" -LE full \
        -R '^(unit/(base|device|vm|driver|api)/|cli/(relax_run|cache|bench|profile|diff_run)$)'
}
fuzz() {
    # shellcheck disable=SC2046
    build fuzz $(basename -s .c fuzz/fuzz_*.c)
    # shellcheck disable=SC2012
    targets=$(ls -d build-fuzz/fuzz/fuzz_* | wc -l)
    [ "$targets" -gt 0 ]
    printf '%s\n' build-fuzz/fuzz/fuzz_* | xargs -P "$jobs" -n 1 sh scripts/check.sh --part fuzz_target
    echo "$targets targets, nothing found"
}
# 60 seconds for one input: expressions of the corpus that were slow once take five, and as often more as other programs
# run beside.
fuzz_target() {
    found=build-fuzz/found/${1##*/}
    mkdir -p "$found"
    "$1" -max_total_time="${RELAX_FUZZ_SECONDS:-60}" -rss_limit_mb=2048 -timeout=60 -report_slow_units=60 \
        -print_final_stats=1 -artifact_prefix="$found/" "$found" "fuzz/corpus/${1##*/fuzz_}" 2>&1 | tail -n 40 >"$found.log"
    grep -E 'ERROR|SUMMARY|Test unit written' "$found.log" && { cat "$found.log"; exit 1; }
    echo "${1##*/}: $(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log") inputs"
}
torch() {
    build release product
    RELAX_TEST_TORCH=1 RELEASE=$PWD/build BUILD=$PWD/build SRC=$PWD sh tests/cli/python.sh
}

# ---- which of them ----

case ${1:-} in
'')
    sh scripts/setup.sh
    debug
    exit
    ;;
--part) # one part, or one target of the fuzzers, in a process of its own: the names are ours
    shift
    "$@"
    exit
    ;;
--full) shift ;;
*) usage ;;
esac
for part; do
    case " $parts " in *" $part "*) ;; *) echo "check: there is no part $part" >&2 && usage ;; esac
done
sh scripts/setup.sh --full
mkdir -p build
table=build/check-table.txt
: >"$table"
failed=0
running=
# timeout's tests are a group of their own, which a Ctrl-C at the terminal does not reach. What a script starts with &
# ignores that signal, which some tests send: it is set back.
trap '[ -z "$running" ] || kill "$running"; exit 130' INT TERM
for part in ${*:-$parts}; do
    echo "check: $part"
    log=build/check-$part.log
    begin=$(date +%s)
    result=passed
    env --default-signal=INT,QUIT timeout -k 30 7200 sh scripts/check.sh --part "$part" >"$log" 2>&1 &
    running=$!
    wait "$running" || {
        result="FAILED ($?)"
        failed=1
        tail -n 60 "$log"
        echo "check: $part failed; all that was said is in $log"
    }
    running=
    skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
    if [ "$skipped" -gt 0 ]; then skipped=", $skipped skipped"; else skipped=; fi
    # What the part says of itself, else what ctest or pytest does.
    last=$(grep -oE '[0-9]+ sweeps: .*|.*nothing found|^a conversation.*' "$log" | tail -n 1)
    [ "$last" ] || last=$(grep -E '^[0-9]+% tests passed|^[0-9]+ passed' "$log" | tail -n 1)
    seconds=$(($(date +%s) - begin))
    printf '%-11s %-13s %4d:%02d  %s\n' "$part" "$result" $((seconds / 60)) $((seconds % 60)) "$last$skipped" >>"$table"
    tail -n 1 "$table"
done
printf '\n%-11s %-13s %7s\n' part result time
cat "$table"
exit "$failed"
