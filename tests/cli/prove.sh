# relax prove and relax simplify: exit codes and messages.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"

want 0 "proved" prove '(n+1)*4 == 4*n+4'
want 0 "proved" prove '(i*4+j)//4 == i' --given '0<=j<4'
want 0 "proved" prove 'n*2 % 16 == 0' --given='n%8==0'
want 0 "proved" prove 'a < d' -g 'a<b, b<c' -g 'c<d'
want 0 "proved" prove 'min(n, 4) <= max(m, 4)' --given 'min(n, m) >= 1'
want 0 "contradict" prove 'n == 7' --given 'n>3, n<2'
want 0 "proved" prove --given 'n>=-3' -- '-n <= 3'
want 1 "counterexample: n = 1" prove 'n//2*2 == n'
want 1 "counterexample: n = " prove 'n*n >= 2*n'
want 1 "canonical form:" prove 'n*n*n*n - 2*n*n + 1 >= 0'
want 2 "the end" prove '0 <= j <'
want 2 "want a condition" prove 'n + 1'
want 2 "given:" prove 'n == 1' --given 'n + 1'
want 2 "error:" prove 'n == 1' --given 'n >='
want 2 "want: relax prove" prove
want 2 "did you mean --given" prove 'n == 1' --givn 'n == 1'
want 2 "9223372036854775808 does not fit in int64" prove '9223372036854775808 > 0'
want 2 "18446744073709551615 does not fit in int64" simplify 'n + 18446744073709551615'
want 2 "does not fit in int64" prove 'n > 0' --given 'n > 9223372036854775808'
want 2 "does not fit in 64 bits" prove 'n < 99999999999999999999'
want 0 "proved" prove '9223372036854775807 > 0'
want 0 "proved" prove -- '-9223372036854775808 < 0'
want 0 '"proved": true' prove 'n == n' --json
want 1 '"counterexample": "n = 0' prove 'n == 1' --json
want 0 "examples:" prove --help

want 0 "n * 8" simplify 'n*4 + (n + 1)*4 - 4'
want 0 "i" simplify '(i*4 + j)//4' --given '0 <= j < 4'
want 0 "0" simplify 'n*2 % 16' --given 'n % 8 == 0'
want 0 '"high": 7' simplify 'n % 8' --json
want 2 "error:" simplify 'n +'
want 2 "did you mean 'simplify'" simplfy 'n'

[ "$(printf 'n + 0' | "$RELAX" simplify -)" = n ] || wrong "simplify - does not read stdin"
deep=$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf "("; }')
want 2 "nested too deep" prove "$deep"
long=$(awk 'BEGIN { printf "a"; for (i = 0; i < 20000; i++) printf " + a"; print " == 20001*a" }')
want 0 "proved" prove "$long"
finish
