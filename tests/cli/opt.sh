# relax opt: what it prints, times, dumps; which pass it blames; closures from text to results.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"

cat >model.py <<'END'
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def wrong(var_a: T.handle, var_b: T.handle, var_c: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n,), "float32")
        b = T.match_buffer(var_b, (n,), "float32")
        c = T.match_buffer(var_c, (n,), "float32")
        for i in range(n):
            with T.sblock("c"):
                vi = T.axis.spatial(n, i)
                c[vi] = a[vi] - b[vi]

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        with R.dataflow():
            a = R.exp(x)
            b = R.add(a, y)
            c = R.nn.relu(b)
            R.output(c)
        return c
END

# The first pass that changes results is named, with what it changed; passes that keep them are silent.
blame='Normalize,CanonicalizeBindings,LegalizeOps:customize_legalize_map={add: wrong},AnnotateTIROpPattern,FuseOps'
"$RELAX" opt --pass "$blame" --verify-numerics model.py >out 2>&1
[ $? -eq 1 ] || wrong "--verify-numerics: want 1"
grep -q 'LegalizeOps changes what main computes: main with n = ' out || wrong "blame: $(cat out)"
grep -q 'Normalize changes\|FuseOps changes' out && wrong "blames others: $(cat out)"
"$RELAX" opt --pipeline default --verify-numerics model.py >out 2>&1 || wrong "default pipeline: $(cat out)"

# true, True and 1 are alike; so are false, False, 0; others are refused.
for yes in true True 1; do
    "$RELAX" opt --pass "LegalizeOps,AnnotateTIROpPattern:precise=$yes,FuseOps:producers=$yes" model.py >"yes.$yes" 2>&1 || wrong "$yes: $(cat "yes.$yes")"
    cmp -s "yes.$yes" yes.true || wrong "$yes is not true"
done
"$RELAX" opt --pass AnnotateTIROpPattern:precise=yes model.py >out 2>&1
[ $? -eq 1 ] || wrong "precise=yes: want 1"
grep -q "AnnotateTIROpPattern: precise: want true or false, got 'yes'" out || wrong "precise=yes: $(cat out)"
"$RELAX" opt --pass FuseOps:max_dept=3 model.py >out 2>&1
[ $? -eq 2 ] || wrong "max_dept: want 2"
grep -q "did you mean 'max_depth'" out || wrong "max_dept: $(cat out)"
"$RELAX" opt --pass FuseOp model.py >out 2>&1
grep -q "did you mean 'FuseOps'" out || wrong "FuseOp: $(cat out)"

# One file for the input and each pass that changed something, and a page with both sides of each.
"$RELAX" opt --pass LegalizeOps,Normalize,AnnotateTIROpPattern,FuseOps,FuseTIR --dump-ir dump model.py >out 2>&1 || wrong "--dump-ir: $(cat out)"
for file in 00.input.py 01.LegalizeOps.py 03.AnnotateTIROpPattern.py 04.FuseOps.py 05.FuseTIR.py index.html; do
    [ -s "dump/$file" ] || wrong "--dump-ir: no $file in $(ls dump)"
done
[ -e dump/02.Normalize.py ] && wrong "--dump-ir: Normalize changed nothing"
cmp -s dump/05.FuseTIR.py out || wrong "--dump-ir: the last file is not the result"
for file in dump/*.py; do "$RELAX" check "$file" >out 2>&1 || wrong "$file: $(cat out)"; done
grep -q '<tr class=gone><td>.*R\.exp(x)' dump/index.html || wrong "index.html: nothing on the left"
grep -q '<tr class=come><td></td><td>.*cls\.exp, (x,)' dump/index.html || wrong "index.html: nothing on the right"
grep -q '4 of 5 passes changed the module' dump/index.html || wrong "index.html: the count: $(tail -1 dump/index.html)"

# --time: a line for each pass and the total; --print-after: the module at that point, then the result.
"$RELAX" opt --pipeline clean --time model.py >out 2>&1 || wrong "--time: $(cat out)"
grep -q '^FoldConstant  *[0-9.]* [mun]*s$' out || wrong "--time: $(cat out)"
grep -q '^total  *[0-9.]* [mun]*s$' out || wrong "--time: $(cat out)"
[ "$(wc -l <out)" -eq 7 ] || wrong "--time: want six passes and the total: $(cat out)"
"$RELAX" opt --pass LegalizeOps,FuseOps --print-after LegalizeOps model.py >out 2>&1
grep -q '^# after LegalizeOps' out || wrong "--print-after: $(cat out)"
[ "$("$RELAX" opt --pass Normalize,LegalizeOps --print-after all model.py | grep -c '^# after')" -eq 2 ] || wrong "--print-after all"
[ "$("$RELAX" opt --list | grep -c '^  FuseOps ')" -eq 1 ] || wrong "--list"

# Closures: captured values, a symbol of the function around, one that calls itself; eval and the compiled file agree.
cat >closures.py <<'END'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        @R.function
        def ramp(y: R.Tensor(("m",), "float32")) -> R.Tensor((n,), "float32"):
            m = T.int64()
            u = R.arange(0, n, 1, dtype="float32")
            s = R.sum(y, axis=[0])
            v = R.add(u, s)
            return v
        @R.function
        def loop(i: R.Tensor((), "int64"), a: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            more = R.less(i, R.const(3, "int64"))
            if more:
                j = R.add(i, R.const(1, "int64"))
                b = R.add(a, x)
                r = loop(j, b)
            else:
                r = a
            return r
        w = ramp(x)
        z = loop(R.const(0, "int64"), w)
        if c:
            @R.function
            def inner(t: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
                e = R.multiply(t, z)
                return e
            o = inner(z)
        else:
            o = z
        return o
END
"$RELAX" compile closures.py -o closures.rlx >out 2>&1 || wrong "closures: $(cat out)"
cat >draw.py <<'END'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor((), "bool")):
        n = T.int64()
        return (x, c)
END
for n in 1 5; do
    "$RELAX" eval draw.py main "f32[$n]" 'bool[]' --seed "$n" --output in >out 2>&1 || wrong "closures: drawing: $(cat out)"
    "$RELAX" eval closures.py main @in/out0.npy @in/out1.npy --output want >out 2>&1 || wrong "closures: eval: $(cat out)"
    "$RELAX" run closures.rlx -i x=@in/out0.npy -i c=@in/out1.npy --expect out0=@want/out0.npy >out 2>&1 ||
        wrong "closures: run: $(cat out)"
done
"$RELAX" opt --pipeline default --verify-numerics closures.py >out 2>&1 || wrong "closures: $(cat out)"
finish
