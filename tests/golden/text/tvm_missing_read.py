# What TVM's ManifestSharedMemoryLocalStage prints: the new stage is missing in T.reads. TVM has no rule for it.
# RUN: relax fmt --canonical %s
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(16),), "float16"), y: T.Buffer((T.int64(16),), "float16")):
        stage = T.sblock_alloc_buffer((T.int64(16),), "float16", scope="local")
        for i in range(T.int64(16)):
            with T.sblock("stage"):
                v = T.axis.spatial(T.int64(16), i)
                T.reads(x[v])
                T.writes(stage[v])
                stage[v] = x[v]
        for i in range(T.int64(16)):
            with T.sblock("shared"):
                v = T.axis.spatial(T.int64(16), i)
                T.reads(x[v])
                T.writes(y[v])
                y[v] = stage[v]
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(16),), "float16"), y: T.Buffer((T.int64(16),), "float16")):
        # with T.sblock("root"):
        stage = T.sblock_alloc_buffer((T.int64(16),), "float16", scope="local")
        for i in range(T.int64(16)):
            with T.sblock("stage"):
                v = T.axis.spatial(T.int64(16), i)
                T.reads(x[v])
                T.writes(stage[v])
                stage[v] = x[v]
        for i in range(T.int64(16)):
            with T.sblock("shared"):
                v = T.axis.spatial(T.int64(16), i)
                T.reads(x[v])
                T.writes(y[v])
                y[v] = stage[v]
tvm_missing_read.py:17:13: error: block shared accesses stage, which is missing in T.reads
                with T.sblock("shared"):
                ^
