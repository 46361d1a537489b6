# What TVM's LowerCrossThreadReduction prints: the thread's loop variable inside a block. TVM's own check refuses it too.
# RUN: relax fmt --canonical %s
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sum(x: T.Buffer((T.int64(32),), "float32"), y: T.Buffer((T.int64(1),), "float32")):
        total = T.sblock_alloc_buffer((1,), scope="local")
        for ax0 in T.thread_binding(T.int64(32), thread="threadIdx.x"):
            with T.sblock("all"):
                vax0 = T.axis.reduce(T.int64(32), ax0)
                T.reads(x[vax0])
                T.writes(total[0])
                T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0.0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0)))
                T.tvm_thread_allreduce(T.uint32(1), x[vax0], T.bool(True), total[0], ax0)
            with T.sblock("write"):
                v = T.axis.spatial(T.int64(1), T.int64(0))
                T.reads(total[0])
                T.writes(y[v])
                y[v] = total[0]
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sum(x: T.Buffer((T.int64(32),), "float32"), y: T.Buffer((T.int64(1),), "float32")):
        # with T.sblock("root"):
        total = T.sblock_alloc_buffer((1,), scope="local")
        for ax0 in T.thread_binding(T.int64(32), thread="threadIdx.x"):
            with T.sblock("all"):
                vax0 = T.axis.reduce(T.int64(32), ax0)
                T.reads(x[vax0])
                T.writes(total[0])
                with T.attr(T.comm_reducer(lambda x0, y0: x0 + y0, [T.float32(0.0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                    T.tvm_thread_allreduce(T.uint32(1), x[vax0], T.bool(True), total[0], ax0)
            with T.sblock("write"):
                v = T.axis.spatial(T.int64(1), T.int64(0))
                T.reads(total[0])
                T.writes(y[v])
                y[v] = total[0]
tvm_thread_loop.py:16:17: error: the loop variable ax0 is used inside a block; bind an iteration variable to it (T.axis.spatial or T.axis.reduce)
                    T.tvm_thread_allreduce(T.uint32(1), x[vax0], T.bool(True), total[0], ax0)
                    ^
