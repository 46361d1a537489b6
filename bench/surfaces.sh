#!/bin/sh
# surfaces.sh [FOLDER]: time per element of kernels over the range of their size n, as tables and SVG files in FOLDER
# (default build/surfaces): a product with weights as arguments, one with weights that come with the module, softmax,
# layer norm, attention. RELAX: the program (default build/relax); OPTIONS: more of `relax bench`'s.
set -eu
relax=${RELAX:-build/relax} folder=${1:-build/surfaces}
mkdir -p "$folder"

# surface NAME PARAMETERS VALUE
surface() {
    cat >"$folder/$1.py" <<END
@I.ir_module
class Module:
    @R.function
    def main($2):
        n = T.int64()
        R.func_attr({"tir_var_upper_bound": {"n": ${4:-512}}})
        with R.dataflow():
            y = $3
            R.output(y)
        return y
END
    echo "== $1"
    # shellcheck disable=SC2086
    "$relax" bench "$folder/$1.py" --surface "$folder/$1.svg" ${OPTIONS:-}
}

f32='"float32")'
surface product 'x: R.Tensor(("n", 1024), '"$f32"', w: R.Tensor((1024, 1024), '"$f32" 'R.matmul(x, w)'
surface linear 'x: R.Tensor(("n", 1024), '"$f32"', w: R.Tensor((1024, 1024), '"$f32" \
    'R.einsum((x, w), subscripts="ay,zy->az")'
surface panels 'x: R.Tensor(("n", 1024), '"$f32"', w: R.Tensor((64, 1024, 16), '"$f32" \
    'R.rx.panel_matmul(x, w, columns=1024)'
surface softmax 'x: R.Tensor((64, "n"), '"$f32" 'R.nn.softmax(x)' 4096
surface layer_norm 'x: R.Tensor(("n", 768), '"$f32"', w: R.Tensor((768,), '"$f32"', b: R.Tensor((768,), '"$f32" \
    'R.nn.layer_norm(x, w, b, axes=[-1])' 4096
surface attention 'q: R.Tensor((1, "n", 8, 64), '"$f32"', k: R.Tensor((1, "n", 8, 64), '"$f32"', v: R.Tensor((1, "n", 8, 64), '"$f32" \
    'R.nn.attention(q, k, v)'
