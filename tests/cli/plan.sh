# relax plan: peaks as expressions and numbers, limits, pictures; the plan in the compiled file.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"
data=$SRC/tests/data/mlp

want 0 "(in brackets: with every size that has no --bound as 512)" plan "$data/mlp.py"
want 0 "alloc            n * 64 bytes (32 KiB) at 0, from 1" plan "$data/mlp.py"
want 0 "peak               n * 20 + 43008 bytes (52 KiB)" plan "$data/mlp.py" --bound n=0..512 --func main
want 0 "\"lower_bound_bytes\": " plan "$data/mlp.py" --json
want 0 "peak" plan "$data/mlp.py" --svg plan.svg
grep -q "<rect" plan.svg || wrong "no boxes in the picture"
want 1 "main needs" plan "$data/mlp.py" --bound n=1..4096 --mem-limit 1K
want 2 "such as n=1..4096" plan "$data/mlp.py" --bound n=1..99999999999999999999
want 2 "leaves nothing to run" plan "$data/mlp.py" --bound n=0..0
want 2 "leaves nothing to run" plan "$data/mlp.py" --max x:0x4
want 1 "lower the bounds of n (--bound, --max)" plan "$data/mlp.py" --bound n=1..4096 --mem-limit 1000
want 1 "the module has no function 'no'" plan "$data/mlp.py" --func no
want 2 "--bound" plan "$data/mlp.py" --bound =3
want 0 "" compile "$data/mlp.py" -o mlp.rlx
want 0 "memory plan" inspect mlp.rlx
finish
