# relax compile and relax run: one compilation for all sizes, weights, messages, exit codes, equal bytes.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"
data=$SRC/tests/data/mlp

# One file with both default variants, with and without weights, for every batch size; equal to NumPy's to 1e-5.
want 0 "" compile "$data/mlp.py" -o mlp.rlx
want 0 "" compile "$data/mlp.py" -o full.rlx --weights "$data/weights.npz"
python=$(command -v python3 || true)
for n in 0 1 7 128; do
    want 0 "out0: float32[$n, 5]" run full.rlx --input x=@"$data/x$n.npy" --expect out0=@"$data/y$n.npy"
done

want 0 "" compile "$data/mlp.py" -o safe.rlx --weights "$data/weights.safetensors"
python3 -c 'import sys, zipfile; zipfile.ZipFile("inputs.npz", "w").write(sys.argv[1], "x.npy")' "$data/x7.npy"
for output in results results.npz; do want 0 "" run full.rlx --input x=@"$data/x7.npy" -o $output; done
want 0 "" run full.rlx --input x=@"$data/x7.npy" --expect @results.npz
want 1 "out0 is not as expected" run full.rlx --input x=f32[7,8] --expect @results.npz
want 1 "the archive has x, but there is no such result" run full.rlx -i @inputs.npz --expect @inputs.npz
want 0 "" run full.rlx -i @inputs.npz --expect @results.npz
want 1 "an archive has names of its own" run full.rlx -i x=@inputs.npz
python3 -c 'import zipfile; z = zipfile.ZipFile("results.npz"); assert z.namelist() == ["out0.npy"], z.namelist()
assert z.read("out0.npy") == open("results/out0.npy", "rb").read()' || wrong "differs"
cmp -s full.rlx safe.rlx || wrong "weights of .npz and .safetensors differ"
sed 's/@R.function$/@R.function(private=True)/' "$data/mlp.py" >hidden.py
want 1 "no function in it is public" compile hidden.py -o hidden.rlx
[ ! -e hidden.rlx ] || wrong "a file without functions was written"
want 1 "no.npz: No such file" compile "$data/mlp.py" -o no.rlx --weights no.npz
printf 'broken' >broken.safetensors
want 1 "broken.safetensors: 6 bytes are too few" compile "$data/mlp.py" -o no.rlx --weights broken.safetensors

# What depends on weights alone is computed while the file is written.
linear=$SRC/tests/data/weights
want 0 "" compile "$linear/linear.py" -o linear.rlx --weights "$linear/weights.npz"
want 0 "float32[5, 8]" run linear.rlx -i x=@"$linear/x.npy" --expect out0=@"$linear/y.npy"
want 0 "w.permute_dims  float32 (4, 8)" inspect linear.rlx
want 0 "all weights are as they were written" inspect --verify linear.rlx
want 0 "" compile "$linear/linear.py" -o linear2.rlx --weights "$linear/weights.npz"
cmp -s linear.rlx linear2.rlx || wrong "transformed weights differ"
want 1 "parameter w1 is R.Tensor((8, 16), dtype=\"float32\"), but" compile "$data/mlp.py" -o no.rlx \
    --weights "$data/wrong.npz"
want 1 "none of its 3 tensors has the name of a parameter" compile "$data/mlp.py" -o no.rlx \
    --weights "$linear/weights.npz"

# Weights by name, without a file.
if [ -n "$python" ]; then
    "$python" - "$data/weights.npz" <<'END' || exit 1
import sys, zipfile
for name in zipfile.ZipFile(sys.argv[1]).namelist():
    open(name, "wb").write(zipfile.ZipFile(sys.argv[1]).read(name))
END
    want 0 "out0: float32[7, 5]" run mlp.rlx -i x=@"$data/x7.npy" -i w1=@w1.npy -i b1=@b1.npy -i w2=@w2.npy \
        -i b2=@b2.npy --expect out0=@"$data/y7.npy"
fi
want 1 "w1 is not set: want R.Tensor((8, 16), dtype=\"float32\"); not set either: b1, w2, b2; --input" run mlp.rlx -i x=f32[7,8]
want 1 "is a weight of the file" run full.rlx -i x=f32[7,8] -i w1=f32[8,16]

# Wrong arguments are named with the function, the dim, what was wanted and what came.
want 1 "main: x.shape[1] is 9, but must be 8" run full.rlx -i x=f32[7,9]
want 1 "x has dtype float16, but must have float32" run full.rlx -i x=f16[7,8]
want 1 "x has 1 dim, but must have 2" run full.rlx -i x=f32[7]
want 1 "--input x=f32[1,8]: x is given twice" run full.rlx -i x=f32[7,8] -i x=f32[1,8]
want 1 "is not as expected" run full.rlx -i x=@"$data/x7.npy" --expect out0=f32[7,5]
want 1 "has no parameter y" run full.rlx -i y=f32[7,8]

# The same input gives the same bytes; what is not finished does not appear.
want 0 "" compile "$data/mlp.py" -o again.rlx -j 1
cmp -s mlp.rlx again.rlx || wrong "two compilations differ"
want 0 "" compile "$data/mlp.py" -o v2.rlx --target cpu:x86-64-v2
want 0 "float32[3, 5]" run v2.rlx --json -i x=f32[3,8] -i w1=f32[8,16] -i b1=f32[16] -i w2=f32[16,5] -i b2=f32[5]
want 2 "unknown target" compile "$data/mlp.py" -o no.rlx --target cpu:i386
want 2 "standard input can be read once" diff - -
"$RELAX" --help >/dev/full 2>/dev/null && wrong "help that can't be written is no error"
"$RELAX" --version >/dev/full 2>/dev/null && wrong "a version that can't be written is no error"
[ ! -e no.rlx ] || wrong "a failed compilation left a file"
want 1 "nosuch.py" compile nosuch.py
want 1 "error: no/no.rlx: can't write into its folder" compile "$data/mlp.py" -o no/no.rlx
want 2 "want -o FILE.rlx" compile -
want 2 "want -o FILE.rlx" compile "$data/mlp.py" -o -

# A file that can't be finished (here: the system allows no more than 512 KiB) leaves the old one as it was.
cat >large.py <<'END'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), w: R.Tensor((262144,), "float32")):
        R.func_attr({"num_input": 1})
        return R.add(x, R.sum(w))
END
python3 - <<'END'
import struct
header = b'{"w":{"dtype":"F32","shape":[262144],"data_offsets":[0,1048576]}}'
open("w.safetensors", "wb").write(struct.pack("<Q", len(header)) + header + bytes(1048576))
END
cp mlp.rlx full.rlx
for output in full.rlx new.rlx; do
    (
        trap '' XFSZ
        ulimit -f 1024
        "$RELAX" compile large.py -o $output --weights w.safetensors
    ) >out 2>&1 && wrong "compile -o $output: a full disk is no error"
    grep -q "$output.*File too large" out || wrong "$(cat out)"
done
cmp -s mlp.rlx full.rlx || wrong "a full disk spoiled the old file"
[ ! -e new.rlx ] && [ -z "$(find . -name '.*.tmp')" ] || wrong "a full disk left a part of a file"

# Names in letters of any script.
cat >letters.py <<'END'
@I.ir_module
class Module:
    @R.function
    def main(größe: R.Tensor(("n",), "float32")):
        return größe
END
want 0 "" compile letters.py -o letters.rlx
want 0 "out0: float32[2]" run letters.rlx -i größe=f32[2]
want 0 "out0: float32[2]" eval letters.py main größe=f32[2]
printf '@I.ir_module\nclass Module:\n    pass\n' >none.py
want 1 "no function main to run; it has none" eval none.py main

# Powers of integers are whole.
cat >power.py <<'END'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "int32")):
        n = T.int64()
        y = R.add(R.multiply(x, R.const(0, "int32")), R.arange(251, R.prim_value(n + 251), 1, dtype="int32"))
        z = R.power(y, R.const(1, "int32"))
        return z
END
want 0 "" compile power.py -o power.rlx
want 0 "out0: int32[5] = 251, 252, 253, 254, 255" run power.rlx -i x=i32[5]
want 2 "--bound: want SYMBOL=LOWER..UPPER" compile "$data/mlp.py" --bound n
want 2 "n is bounded already" compile "$data/mlp.py" --bound n=1..4 --bound n=7..9
want 1 "no function has a size named k" compile "$data/mlp.py" -o no.rlx --bound k=1..4

# Bounds are kept at run time.
want 0 "" compile "$data/mlp.py" -o bound.rlx --bound n=1..64 --weights "$data/weights.npz"
want 0 "float32[64, 5]" run bound.rlx -i x=f32[64,8]
want 1 "main: x.shape[0] is 65, but n must be at most 64" run bound.rlx -i x=f32[65,8]
want 1 "main: x.shape[0] is 0, but n must be at least 1" run bound.rlx -i x=f32[0,8]

# Intermediate forms.
want 0 "cls.fused_matmul_add_gelu" compile "$data/mlp.py" --emit ir
want 0 "define" compile "$data/mlp.py" --emit llvm
want 0 ".text" compile "$data/mlp.py" --emit asm
want 0 "kernels" compile "$data/mlp.py" -o timed.rlx --time
want 0 "" compile "$data/mlp.py" -o dumped.rlx --dump-ir dump
[ -s dump/00.parsed.py ] && ls dump | grep -q CallTIRRewrite || wrong "--dump-ir wrote nothing"
finish
