# Lambdas of reducers: their variables and neutral values, results, types.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        T.attr(T.comm_reducer(lambda x, y: x + y, []), "reduce_scope", 0)
        T.attr(T.comm_reducer(lambda x: x, [T.float32(0)]), "reduce_scope", 0)
        T.attr(T.comm_reducer(lambda x, y: x + z, [T.float32(0)]), "reduce_scope", 0)
        T.attr(T.comm_reducer(lambda x, y: (x, y), [T.float32(0)]), "reduce_scope", 0)
        T.attr(T.comm_reducer(lambda x, y: x < y, [T.float32(0)]), "reduce_scope", 0)
        T.attr(T.comm_reducer(lambda x, y: , [T.float32(0)]), "reduce_scope", 0)
        T.attr(T.comm_reducer(A), "reduce_scope", 0)
# WANT:
error_loop_reducer.py:8:51: error: T.comm_reducer: want a list of neutral values, one for every two of the 2 variables
            T.attr(T.comm_reducer(lambda x, y: x + y, []), "reduce_scope", 0)
                                                      ^
error_loop_reducer.py:9:44: error: T.comm_reducer: want a list of neutral values, one for every two of the 1 variable
            T.attr(T.comm_reducer(lambda x: x, [T.float32(0)]), "reduce_scope", 0)
                                               ^
error_loop_reducer.py:10:16: error: T.comm_reducer: the body of the lambda: 'z' is not defined
            T.attr(T.comm_reducer(lambda x, y: x + z, [T.float32(0)]), "reduce_scope", 0)
                   ^
error_loop_reducer.py:11:16: error: T.comm_reducer: the body of the lambda: want 1 result
            T.attr(T.comm_reducer(lambda x, y: (x, y), [T.float32(0)]), "reduce_scope", 0)
                   ^
error_loop_reducer.py:12:16: error: T.comm_reducer: the body of the lambda: a result has another type than its neutral value
            T.attr(T.comm_reducer(lambda x, y: x < y, [T.float32(0)]), "reduce_scope", 0)
                   ^
error_loop_reducer.py:13:16: error: T.comm_reducer: the body of the lambda: expected a value, got the end of the text
            T.attr(T.comm_reducer(lambda x, y: , [T.float32(0)]), "reduce_scope", 0)
                   ^
error_loop_reducer.py:14:31: error: expected 'lambda', got 'A'
            T.attr(T.comm_reducer(A), "reduce_scope", 0)
                                  ^
