# relax reduce: what is left of a model, the same each time; what is no failure; an interruption.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"

cat >model.py <<'END'
@I.ir_module
class Module:
    I.module_attrs({"relax.note": "x"})
    @R.function(private=True)
    def helper(y: R.Tensor(("k", 8), "float32")) -> R.Tensor(("k", 8), "float32"):
        k = T.int64()
        a = R.exp(y)
        b = R.multiply(a, a)
        return b
    @R.function(private=True)
    def unused(y: R.Tensor(("k", 8), "float32")) -> R.Tensor(("k", 8), "float32"):
        k = T.int64()
        a = R.sin(y)
        return a
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 8), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        p = R.matmul(x, w)
        q = Module.helper(p)
        if c:
            s = R.nn.softmax(q, axis=-1)
            r = R.add(s, p)
        else:
            r = R.subtract(q, p)
        t = R.sum(r, axis=[0])
        u = R.nn.relu(r)
        return (t, u)
END

# A "failure": softmax is still in it. One binding, one dim of one is what it takes.
# The check sees a whole module each time.
cat >check.sh <<'END'
"$RELAX" check "$1" >/dev/null || exit 7
grep -q softmax "$1" && exit 5
exit 0
END
"$RELAX" reduce --check 'sh check.sh' model.py 2>log || wrong "reduce failed: $(cat log)"
grep -q '3 functions to 1, 11 bindings to 1' log || wrong "sizes: $(cat log)"
[ "$(grep -c . model.reduced.py)" -le 8 ] || wrong "too large: $(cat model.reduced.py)"
grep -q 'R.nn.softmax' model.reduced.py || wrong "the failure is gone: $(cat model.reduced.py)"
"$RELAX" check model.reduced.py || wrong "not a module"

# %s, --output, stdin; the same again.
"$RELAX" reduce --check 'sh check.sh %s' -o again.py - <model.py 2>log || wrong "from stdin: $(cat log)"
cmp -s model.reduced.py again.py || wrong "another result the second time"

# --match: the exit code alone is not the failure of interest.
"$RELAX" reduce --check 'cat %s; false' --match R.matmul -o match.py model.py 2>log || wrong "match: $(cat log)"
grep -q R.matmul match.py || wrong "matmul is gone: $(cat match.py)"
grep -q R.exp match.py && wrong "exp is not needed: $(cat match.py)"

# What can't be reduced.
"$RELAX" reduce --check true model.py >log 2>&1 && wrong "a command that succeeds is no failure"
grep -q 'the command succeeds on this module' log || wrong "message: $(cat log)"
"$RELAX" reduce --check no-such-command model.py >log 2>&1
[ $? -eq 1 ] || wrong "a command that is not there: want 1"
grep -q "can't run 'no-such-command'" log || wrong "message: $(cat log)"
"$RELAX" reduce model.py >log 2>&1
[ $? -eq 2 ] || wrong "without --check: want 2"
"$RELAX" reduce --check false - </dev/null >log 2>&1
[ $? -eq 2 ] || wrong "stdin without --output: want 2"

# Interrupted after some runs: the output is a module that fails still.
cat >slow.sh <<'END'
echo x >>runs
[ "$(wc -l <runs)" -ge 6 ] && exit 130
grep -q softmax "$1" && exit 5
exit 0
END
"$RELAX" reduce --check 'sh slow.sh' -o part.py model.py >log 2>&1
[ $? -eq 130 ] || wrong "interrupted: want 130"
"$RELAX" check part.py >/dev/null || wrong "an interruption left no module"
grep -q softmax part.py || wrong "an interruption left a module that does not fail"
finish
