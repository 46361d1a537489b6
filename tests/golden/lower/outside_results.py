# What a function from outside gives is used though the text says it is nothing, or calls it `_`.
# RUN: relax compile %s -o m.rlx
# RUN: relax inspect m.rlx --bytecode | grep -A12 '^function'
@I.ir_module
class Module:
    @R.function(pure=False)
    def outside(x: R.Tensor(("n", 2), "float32")):
        y = R.call_packed("relax.print", x, sinfo_args=R.Tuple())
        return y
    @R.function(pure=False)
    def opaque(x: R.Tensor(("n", 2), "float32")):
        _ = R.call_packed("some.function", x, sinfo_args=R.Object())
        return (_, _)
# WANT:
function 0 outside public inputs 1 registers 2 slots 1 result a1
  param x a0
  symbol n s0 from 0 to 9223372036854775807 multiple 1
  extern _, relax.print, (%0)
  tuple %1, ()
  ret %1
end
function 1 opaque public inputs 1 registers 3 slots 1 result a3
  param x a0
  symbol n s0 from 0 to 9223372036854775807 multiple 1
  extern %1, some.function, (%0)
  tuple %2, (%1, %1)
  ret %2
end
metadata bindings "outside 0 outside_results.py:8 y\x0aopaque 0 outside_results.py:12\x0a"
