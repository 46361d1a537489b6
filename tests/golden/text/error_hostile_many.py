# No more than twenty errors are shown.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y0 = R.exp(unknown0)
        y1 = R.exp(unknown1)
        y2 = R.exp(unknown2)
        y3 = R.exp(unknown3)
        y4 = R.exp(unknown4)
        y5 = R.exp(unknown5)
        y6 = R.exp(unknown6)
        y7 = R.exp(unknown7)
        y8 = R.exp(unknown8)
        y9 = R.exp(unknown9)
        y10 = R.exp(unknown10)
        y11 = R.exp(unknown11)
        y12 = R.exp(unknown12)
        y13 = R.exp(unknown13)
        y14 = R.exp(unknown14)
        y15 = R.exp(unknown15)
        y16 = R.exp(unknown16)
        y17 = R.exp(unknown17)
        y18 = R.exp(unknown18)
        y19 = R.exp(unknown19)
        y20 = R.exp(unknown20)
        y21 = R.exp(unknown21)
        y22 = R.exp(unknown22)
        y23 = R.exp(unknown23)
        y24 = R.exp(unknown24)
        y25 = R.exp(unknown25)
        y26 = R.exp(unknown26)
        y27 = R.exp(unknown27)
        y28 = R.exp(unknown28)
        y29 = R.exp(unknown29)
        return x
# WANT:
error_hostile_many.py:9:20: error: 'unknown0' is not defined
            y0 = R.exp(unknown0)
                       ^
error_hostile_many.py:10:20: error: 'unknown1' is not defined; did you mean 'unknown0'?
            y1 = R.exp(unknown1)
                       ^
error_hostile_many.py:11:20: error: 'unknown2' is not defined; did you mean 'unknown1'?
            y2 = R.exp(unknown2)
                       ^
error_hostile_many.py:12:20: error: 'unknown3' is not defined; did you mean 'unknown2'?
            y3 = R.exp(unknown3)
                       ^
error_hostile_many.py:13:20: error: 'unknown4' is not defined; did you mean 'unknown3'?
            y4 = R.exp(unknown4)
                       ^
error_hostile_many.py:14:20: error: 'unknown5' is not defined; did you mean 'unknown4'?
            y5 = R.exp(unknown5)
                       ^
error_hostile_many.py:15:20: error: 'unknown6' is not defined; did you mean 'unknown5'?
            y6 = R.exp(unknown6)
                       ^
error_hostile_many.py:16:20: error: 'unknown7' is not defined; did you mean 'unknown6'?
            y7 = R.exp(unknown7)
                       ^
error_hostile_many.py:17:20: error: 'unknown8' is not defined; did you mean 'unknown7'?
            y8 = R.exp(unknown8)
                       ^
error_hostile_many.py:18:20: error: 'unknown9' is not defined; did you mean 'unknown8'?
            y9 = R.exp(unknown9)
                       ^
error_hostile_many.py:19:21: error: 'unknown10' is not defined; did you mean 'unknown1'?
            y10 = R.exp(unknown10)
                        ^
error_hostile_many.py:20:21: error: 'unknown11' is not defined; did you mean 'unknown10'?
            y11 = R.exp(unknown11)
                        ^
error_hostile_many.py:21:21: error: 'unknown12' is not defined; did you mean 'unknown11'?
            y12 = R.exp(unknown12)
                        ^
error_hostile_many.py:22:21: error: 'unknown13' is not defined; did you mean 'unknown12'?
            y13 = R.exp(unknown13)
                        ^
error_hostile_many.py:23:21: error: 'unknown14' is not defined; did you mean 'unknown13'?
            y14 = R.exp(unknown14)
                        ^
error_hostile_many.py:24:21: error: 'unknown15' is not defined; did you mean 'unknown14'?
            y15 = R.exp(unknown15)
                        ^
error_hostile_many.py:25:21: error: 'unknown16' is not defined; did you mean 'unknown15'?
            y16 = R.exp(unknown16)
                        ^
error_hostile_many.py:26:21: error: 'unknown17' is not defined; did you mean 'unknown16'?
            y17 = R.exp(unknown17)
                        ^
error_hostile_many.py:27:21: error: 'unknown18' is not defined; did you mean 'unknown17'?
            y18 = R.exp(unknown18)
                        ^
error_hostile_many.py:28:21: error: 'unknown19' is not defined; did you mean 'unknown18'?
            y19 = R.exp(unknown19)
                        ^
10 more errors not shown
