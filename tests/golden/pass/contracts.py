# RUN: for p in ComputePrimValue CallTIRRewrite KillAfterLastUse RemovePurityChecking LowerRuntimeBuiltin StaticPlanBlockMemory SplitLaunches RewriteCUDAGraph; do relax opt --pass $p %s && echo "$p took it"; done; true
# RUN: relax opt --pass ToNonDataflow,KillAfterLastUse %s; true
# RUN: relax opt --pass BindSymbolicVars:binding_map={q:4} %s; true
# RUN: relax opt --pass 'BindParams:params={y: y.npy}' %s; true
# RUN: relax opt --pass ToNonDataflow,RemovePurityChecking,LegalizeOps,CallTIRRewrite,StaticPlanBlockMemory,KillAfterLastUse,LowerRuntimeBuiltin %s | grep -c cls.exp
# A pass that is given something else than it needs says which of its statements fails, and what makes it hold.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n,), "float32")
        b = T.match_buffer(var_b, (n,), "float32")
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                b[vi] = a[vi] + a[vi]

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
            b = R.exp(a)
            R.output(b)
        return b
# WANT:
contracts.py:24:17: error: ComputePrimValue needs a module without dataflow blocks; main breaks that here: run ToNonDataflow before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: CallTIRRewrite needs a module without dataflow blocks; main breaks that here: run ToNonDataflow before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: KillAfterLastUse needs a module without dataflow blocks; main breaks that here: run ToNonDataflow before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: RemovePurityChecking needs a module without dataflow blocks; main breaks that here: run ToNonDataflow before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: LowerRuntimeBuiltin needs functions in which effects are allowed; main breaks that here: run RemovePurityChecking before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: StaticPlanBlockMemory needs a module without dataflow blocks; main breaks that here: run ToNonDataflow before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: SplitLaunches needs explicit destinations in place of R.call_tir; main breaks that here: run CallTIRRewrite before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: RewriteCUDAGraph needs functions in which effects are allowed; main breaks that here: run RemovePurityChecking before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
contracts.py:24:17: error: KillAfterLastUse needs functions in which effects are allowed; main breaks that here: run RemovePurityChecking before it
                a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), "float32"))
                    ^
relax: error: BindSymbolicVars: no parameter has a symbol 'q'
contracts.py:20:9: error: BindParams: main has no parameter 'y'
        def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
            ^
1
