# relax-run: inputs by name and position, results, expectations, exit codes. The module is the fuzzers' file without kernels.
set -u
. "$SRC/tests/support/shell.sh"
RELAX=$RELAX_RUN
need "$RELAX"
file=$SRC/fuzz/corpus/vm_rlx/values.rlx

want 0 "usage: relax-run" --help
want 2 "usage: relax-run"
want 2 "is not understood" "$file" --nonsense 1
want 2 "is not understood" "$file" --repeat x
want 1 "threads: want 0 to 1024, got 1025" "$file" --threads 1025
want 0 "relax-run 0." --version
if [ -w /dev/full ]; then
    for arguments in --help --version "$file --input f32[3,4] --input (5)"; do
        code=0
        # shellcheck disable=SC2086
        "$RELAX" $arguments >/dev/full 2>full || code=$?
        [ $code -eq 1 ] && grep -q "can't write to stdout: No space" full || wrong "$arguments: $code $(cat full)"
    done
fi
want 2 "one file, please" "$file" "$file"
want 1 "No such file" "$dir/absent.rlx"
printf 'text' >"$dir/text.rlx"
want 1 "not an .rlx file" "$dir/text.rlx"

printf 'PK\003\004xxxxxxxxxxxx' >"$dir/archive.npz"
want 0 "out0: float32[3, 1]" "$file" --input x=f32[3,4] --input 's=(5)'
want 1 "doesn't fit into 0 bytes" "$file" --input 'f32[0,4]' --input '(5)'
want 0 "median of 20" "$file" --input 'f32[3,4]' --input '(5)' --repeat 20
want 0 '{"results": [{"name": "out0", "value": "float32[2, 1]' "$file" --input 'f32[2,4]' --input '(5)' --json
want 1 "main: x.shape[1] is 5, but must be 4" "$file" --input 'f32[3,5]' --input '(5)'
want 1 "main: argument s is not set" "$file" --input 'f32[3,4]'
want 1 "has no parameter q" "$file" --input q=3
want 1 "no dtype is called f33" "$file" --input f33[3]
want 1 "no public function is called other" "$file" --func other --input 3

want 0 "out0" "$file" --input x=f32[3,4] --input 's=(5)' --output "$dir/out"
[ -s "$dir/out/out0.npy" ] || wrong "no $dir/out/out0.npy"
want 0 "out1: float32[1]" "$file" --input x=f32[3,4] --input 's=(5)' --expect "out1=@$dir/out/out1.npy"
want 1 "out1 is not as expected: 1 of 1 elements differ" "$file" --input x=f32[3,4] --input 's=(5)' --seed 9 \
    --expect "out1=@$dir/out/out1.npy"
want 1 "want outN=VALUE" "$file" --input x=f32[3,4] --input 's=(5)' --expect y=3
want 1 "relax-run: $dir/text.rlx: want a folder, this is a file" "$file" --input x=f32[3,4] --input 's=(5)' --output "$dir/text.rlx"
"$RELAX_RUN" "$file" --input x=f32[3,4] --input 's=(5)' --output "$dir/text.rlx" 2>/dev/null | grep -q . && wrong "it ran before its output was refused"
want 0 "out0: float32[3, 1]" "$file" -f main -i x=f32[3,4] -i 's=(5)' -o "$dir/out"
want 1 "want one array (.npy)" "$file" -i x=f32[3,4] -i "s=@$dir/archive.npz"
finish
