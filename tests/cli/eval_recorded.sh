# relax eval computes what TVM computed for the sample modules (tests/data/eval, recorded by tools/record_eval.py), and
# the same at every stage of TVM's lowering, where those texts are at hand.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"
cd "$SRC/tests/data/eval" || exit 1
ran=0

# check FILE FUNCTION ARGUMENTS RESULTS
check() {
    expect=
    for result in $4; do expect="$expect --expect $result"; done
    # shellcheck disable=SC2086
    if ! "$RELAX" eval "$1" "$2" $3 $expect --rtol 1e-4 --atol 1e-5 >"$dir/log" 2>&1; then
        wrong "$1 $3: $(head -5 "$dir/log")"
    fi
    ran=$((ran + 1))
}

# The stages of a module that are text. TVM's plan of callpacked_if uses the storage of one branch in the other, where it
# is not bound: the verifier refuses those.
stages() {
    for stage in "$RELAX_TEST_DATA/samples/after/$1".*.txt; do
        case $stage in
        *.99.vm.txt | *.timing.txt | *"*"* | *callpacked_if.1[2-9].*) ;;
        *) echo "$stage" ;;
        esac
    done
}

while IFS='|' read -r module function arguments results; do
    case $module in \#*) continue ;; esac
    module=${module% } function=$(echo $function)
    check "modules/$module.py" "$function" "$arguments" "$results"
    case $arguments in *"[3,"* | *"[1,3,"* | *"[3]"*) ;; *) continue ;; esac
    for stage in $(stages "$module"); do check "$stage" "$function" "$arguments" "$results"; done
done <cases.txt
echo "$ran runs, $failures failures"
[ "$failures" -eq 0 ] && [ "$ran" -ge 18 ]
