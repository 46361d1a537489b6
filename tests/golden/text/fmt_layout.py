# Layout: spaces, line ends, semicolons, continuation lines, comments where they were.
# RUN: relax fmt %s > once.py && relax fmt once.py > twice.py && cmp once.py twice.py && relax diff once.py %s && cat once.py
# above the module
@I.ir_module
class   Module :   # behind the class
  # before the first function
  @R.function(private = True)
  def f( x:R.Tensor( ("n",4),"float32" ) )->R.Tensor(("n",4),"float32"):
      n=T.int64() ; m=n   # two statements
      y = R.reshape( x,   # inside the call
            R.shape( [n*4] ) )


      z=R.reshape(y,R.shape([n,2+2,1-(-3)//4]))  # behind
      w = R.reshape(z, R.shape([n,4]))
      # before the return
      return w
  @T.prim_func(private=True,s_tir=True)
  def g(a:T.handle,B:T.Buffer((4,4),"float32")):
      A=T.match_buffer(a,(4,4),strides=("s",1))
      for i , j in T.grid( 4,4 ):
          with T.sblock( "b" ):
              vi,vj=T.axis.remap( "SS",[i,j] )
              T.reads(A[0 : 4,vj]); T.writes(B[vi,vj])
              T.sblock_attr({"k":T.index_map(lambda i,j:(j,i//2)),"l":[1,-2]})
              if vi<2 and not vj==3:
                  B[vi,vj]=A[vi,vj]*T.float32(-1)+ -A[vj,vi]
              else: B[vi,vj]=T.float32(0)
# at the end
# WANT:
# Layout: spaces, line ends, semicolons, continuation lines, comments where they were.

# above the module
@I.ir_module
class Module:  # behind the class
    # before the first function
    @R.function(private=True)
    def f(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        m = n  # two statements
        # inside the call
        y = R.reshape(x, R.shape([n * 4]))

        z = R.reshape(y, R.shape([n, 2 + 2, 1 - (-3) // 4]))  # behind
        w = R.reshape(z, R.shape([n, 4]))
        # before the return
        return w

    @T.prim_func(private=True, s_tir=True)
    def g(a: T.handle, B: T.Buffer((4, 4), "float32")):
        A = T.match_buffer(a, (4, 4), strides=("s", 1))
        for i, j in T.grid(4, 4):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[0:4, vj])
                T.writes(B[vi, vj])
                T.sblock_attr({"k": T.index_map(lambda i, j: (j, i // 2)), "l": [1, -2]})
                if vi < 2 and not vj == 3:
                    B[vi, vj] = A[vi, vj] * T.float32(-1) + -A[vj, vi]
                else: B[vi, vj] = T.float32(0)
# at the end
