# Whatever writes a file, on a disk without room: it fails with 1, a message names the file and the system's reason, the
# old file stays and nothing is left beside it. A limit of a file's size stands for the full disk; where a file system of
# a few pages can be made (by root), that too.
set -eu
. "$SRC/tests/support/shell.sh"
trap 'umount "$dir/small" 2>/dev/null || true; rm -rf "$dir"' EXIT

cp "$SRC/examples/mlp.py" m.py
"$RELAX" compile m.py -o m.rlx --target cpu:host
arguments="-i f32[64,128] -i f32[128,256] -i f32[256] -i f32[256,10] -i f32[10]"
python3 "$SRC/tests/data/llm/make_tiny.py" tiny.gguf
"$RELAX" compile tiny.gguf -o tiny.rlx --target cpu:host >/dev/null
printf '%s\n' '@I.ir_module' 'class Module:' '    @R.function' '    def main(x: R.Tensor((4,), "float32")):' \
    '        return R.add( x,x )' '# comments make it longer than one block of 512 bytes' >ugly.py
for i in 1 2 3 4 5 6 7 8; do echo "# a comment that goes with nothing and only takes up room, line $i of eight" >>ugly.py; done

# refused BLOCKS FILE REASON COMMAND...: with files of so many blocks of 512 bytes at most. FILE is what can't be written.
refused() {
    blocks=$1 file=$2 reason=$3
    shift 3
    rm -rf kept
    [ ! -f "$file" ] || cp "$file" kept
    (
        trap '' XFSZ
        ulimit -f "$blocks"
        code=0
        "$@" </dev/null 2>&1 || code=$?
        echo "ended with $code"
    ) | cat >said
    grep -q '^ended with 1$' said || fail "$*: $(cat said)"
    grep -q "$file.*$reason" said || fail "$*: want \"$file… $reason\" in: $(cat said)"
    ! grep -qi 'internal' said || fail "$*: $(cat said)"
    [ ! -f kept ] || cmp -s "$file" kept || fail "$* spoiled the old $file"
    [ -z "$(find . -name '.*.tmp' -o -name 'new-??????')" ] || fail "$* left a part of a file: $(find . -name '.*')"
}

large='File too large'
for old in yes no; do
    if [ $old = yes ]; then
        for file in out.rlx out.ll trace.json x.svg reduced.py outs.npz outs.npz; do echo old >$file; done
        mkdir outs values dumped tensors
        echo old >outs/out0.npy
        echo old >values/out0.npy
    else
        rm -rf out.rlx out.ll trace.json x.svg reduced.py outs.npz outs values dumped tensors
    fi
    # shellcheck disable=SC2086
    {
        refused 8 out.rlx "$large" "$RELAX" compile m.py -o out.rlx --target cpu:host
        refused 8 '\(out.rlx\|relax-link\)' "$large" "$RELAX" compile tiny.gguf -o out.rlx --target cpu:host
        refused 1 out.ll "$large" "$RELAX" compile m.py -o out.ll --emit llvm --target cpu:host
        refused 1 "dumped/" "$large" "$RELAX" compile m.py -o out.rlx --dump-ir dumped --target cpu:host
        refused 1 "dumped/" "$large" "$RELAX" opt m.py --pass LegalizeOps --dump-ir dumped
        refused 1 trace.json "$large" "$RELAX" run m.rlx $arguments --trace trace.json
        refused 1 "tensors/" "$large" "$RELAX" run m.rlx $arguments --dump-tensors tensors
        refused 1 outs/out0.npy "$large" "$RELAX" run m.rlx $arguments -o outs
        refused 1 outs.npz "$large" "$RELAX" run m.rlx $arguments -o outs.npz
        refused 1 values/out0.npy "$large" "$RELAX" eval m.py main $(echo "$arguments" | sed 's/-i //g') -o values
        refused 1 x.svg "$large" "$RELAX" plan m.py --svg x.svg
        refused 1 relax-reduce "$large" "$RELAX" reduce --check 'false %s' --runs 1 m.py -o reduced.py
        refused 1 ugly.py "$large" "$RELAX" fmt -i ugly.py
    }
done

# A cache that can't be written is no error, but leaves nothing half done.
mkdir cache
(
    trap '' XFSZ
    ulimit -f 2
    RELAX_CACHE=$dir/cache "$RELAX" opt m.py --pass LegalizeOps >/dev/null
    RELAX_CACHE=$dir/cache "$RELAX" compile m.py -o out.rlx --target cpu:host --dump-ir . 2>/dev/null
) || true
[ -z "$(find cache -type f -size -3)" ] || fail "the cache has parts of files: $(find cache -type f)"
refused 8 '\(tiny\|relax-link\)' "$large" env "RELAX_CACHE=$dir/cache" "$RELAX" generate tiny.gguf hello -n 2

# Temporary files of the linker.
refused 1 "relax-link" "$large; TMPDIR" "$RELAX" compile m.py -o out.rlx --target cpu:host --no-cache
# What all targets meet is said once.
for isolate in '' --isolate; do
    code=0
    TMPDIR=$dir/nowhere "$RELAX" compile m.py -o out.rlx --no-cache $isolate 2>said || code=$?
    [ $code -eq 1 ] && [ "$(wc -l <said)" -eq 1 ] && grep -q "can't make a folder in $dir/nowhere: No such file" said ||
        fail "no TMPDIR: $code $(cat said)"
done
mkdir small
if mount -t tmpfs -o size=16k none small 2>/dev/null; then
    head -c 16384 /dev/zero >small/full 2>/dev/null || true
    code=0
    TMPDIR=$dir/small "$RELAX" compile m.py -o out.rlx --target cpu:host --no-cache 2>said || code=$?
    [ $code -eq 1 ] && grep -q "small.*No space left.*TMPDIR" said || fail "a full TMPDIR: $code $(cat said)"
    code=0
    "$RELAX" compile m.py -o small/m.rlx --target cpu:host 2>said || code=$?
    [ $code -eq 1 ] && grep -q "small/m.rlx: .*No space left" said || fail "a full disk: $code $(cat said)"
    [ "$(ls -A small)" = full ] || fail "left on the full disk: $(ls -A small)"
fi

# Results on a standard output without room.
if [ -w /dev/full ]; then
    for command in "opt --pass LegalizeOps m.py" "fmt -" "inspect m.rlx" "run m.rlx $arguments" "ops" \
        "plan m.py" "tokenize tiny.rlx hello" "compile m.py --emit ir -o -" "infer R.exp(x) --var x=R.Tensor((2,),'float32')"; do
        code=0
        # shellcheck disable=SC2086
        "$RELAX" $command <m.py >/dev/full 2>said || code=$?
        [ $code -eq 1 ] && grep -q 'No space left' said || fail "relax $command >/dev/full: $code $(cat said)"
    done
fi
