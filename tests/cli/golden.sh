# The golden runner itself: what it must accept, and above all what it must refuse.
set -u
. "$SRC/tests/support/shell.sh"
mkdir "$dir/tmp"
export TMPDIR="$dir/tmp"

# expect NAME CODE TEXT [OPTION...]: runs the test file $dir/NAME; wants that exit code and TEXT in what is printed.
expect() {
    name=$1 code=$2 text=$3
    shift 3
    got=$("$BUILD/golden" "$@" "$dir/$name" 2>&1)
    status=$?
    if [ $status -ne "$code" ]; then
        wrong "$name: want exit code $code, got $status: $got"
    fi
    case $got in
    *"$text"*) ;;
    *) wrong "$name: '$text' is not in: $got" ;;
    esac
}

printf '# RUN: cat %%s\nx = 1\n# WANT:\n\nx = 1\n' >"$dir/same.py"
expect same.py 0 "1 passed, 0 failed"

printf '// RUN: cat %%s\nx\n// WANT:\n\ny\n' >"$dir/other.txt"
expect other.txt 1 "-y"
expect other.txt 1 "0 passed, 1 failed"

printf '// RUN: grep -n x %%s\n// RUN: echo %%s; pwd\nx\n// WANT:\n3:x\nlines.txt\n%%t\n' >"$dir/lines.txt"
expect lines.txt 0 "1 passed"

printf '// RUN: cat %%S/same.py >%%t/copy && tail -n 1 copy; echo %%S\n// WANT:\nx = 1\n%%S\n' >"$dir/folders.txt"
expect folders.txt 0 "1 passed"

printf '// RUN: echo no; exit 1\n// FAILS: 1\n// WANT:\nno\n' >"$dir/refused.txt"
expect refused.txt 0 "1 passed"

printf '// RUN: echo no\n// FAILS: 1\n// WANT:\nno\n' >"$dir/accepted.txt"
expect accepted.txt 1 "want exit code 1, got 0"

printf '// RUN: exit 1\n// WANT:\n' >"$dir/unexpected.txt"
expect unexpected.txt 1 "want exit code 0, got 1"

printf '// RUN: exit 1\n// RUN: echo two\n// WANT:\ntwo\n' >"$dir/first.txt"
expect first.txt 1 "want exit code 0, got 1"

# A crash is never expected, wherever it stands in a pipe, and no code for it can be asked for.
printf '// RUN: sh -c "kill -SEGV \\$\\$"\n// FAILS: 1\n// WANT:\n' >"$dir/crash.txt"
expect crash.txt 1 "got 139"
printf '// RUN: sh -c "kill -ABRT \\$\\$" | (cat; exit 1)\n// FAILS: 1\n// WANT:\n' >"$dir/pipe_crash.txt"
expect pipe_crash.txt 1 "got 134"
printf '// RUN: (exit 3) | (exit 1)\n// FAILS: 1\n// WANT:\n' >"$dir/bug.txt"
expect bug.txt 1 "got 3"
for code in 0 3 126 139 x; do
    printf '// RUN: exit %s\n// FAILS: %s\n// WANT:\n' $code $code >"$dir/code.txt"
    expect code.txt 1 "FAILS: want an exit code from 1 to 125"
done
printf '// RUN: echo "==1==ERROR: AddressSanitizer: x"; exit 1\n// FAILS: 1\n// WANT:\n==1==ERROR: AddressSanitizer: x\n' \
    >"$dir/report.txt"
expect report.txt 1 "sanitizer report"

# A hang is killed with all that it started.
printf '// RUN: sleep 1000 & echo $! >%s/pid; sleep 1001\n// WANT:\n' "$dir" >"$dir/hang.txt"
expect hang.txt 1 "still running at the time limit" --time 1
sleep 0.2
if grep -s '^State:.*[RSDT] ' "/proc/$(cat "$dir/pid")/status"; then
    wrong "hang.txt: process $(cat "$dir/pid") is still there"
fi
printf '// RUN: exec >&- 2>&-; sleep 1000\n// WANT:\n' >"$dir/silent.txt"
expect silent.txt 1 "still running at the time limit" --time 1
printf '// RUN: yes\n// WANT:\n' >"$dir/flood.txt"
expect flood.txt 1 "more than 16 MiB"

printf 'x\n' >"$dir/norun.txt"
expect norun.txt 1 "no '// RUN: command' line"
printf '// RUN: cat %%s\n' >"$dir/nowant.txt"
expect nowant.txt 1 "no WANT line"
mkdir "$dir/none"
expect none 1 "no tests found"
expect absent.txt 2 "No such file"

# --bless writes what came out, but not for a test whose exit code is wrong.
expect nowant.txt 0 "blessed" --bless
expect nowant.txt 0 "1 passed"
cp "$dir/unexpected.txt" "$dir/before"
expect unexpected.txt 1 "got 1" --bless
cmp "$dir/before" "$dir/unexpected.txt" || wrong "differs"
printf '# RUN: printf a\n# WANT:\nold\nlines\n' >"$dir/bless.py"
expect bless.py 0 "blessed" --bless
[ "$(cat "$dir/bless.py")" = "$(printf '# RUN: printf a\n# WANT:\na')" ] || wrong "bless.py is wrong"

# Many at once, in the order of their names.
mkdir "$dir/many"
for i in 1 2 3 4 5 6 7 8 9; do printf '// RUN: echo %s\n// WANT:\n%s\n' $i $i >"$dir/many/$i.txt"; done
expect many 0 "9 passed, 0 failed" -j 4
ls "$dir/tmp" | grep . && wrong "folders left behind"
finish
