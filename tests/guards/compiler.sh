# Only public names leave librelax-compiler.so, and all that the public headers of both libraries declare is there.
set -eu
so=$RELEASE/librelax-compiler.so
[ -f "$so" ] || { echo "skipped: no $so"; exit 77; }
cd "$SRC/include/relax"
declared=$(grep -hoE '\brx_[a-z0-9_]+\(' status.h runtime.h compiler.h | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$so" | awk '{ print $3 }' | sort -u)
bad=0
for name in $exported; do
    echo "$declared" | grep -qx "$name" || { echo "$so: exports $name, which no public header declares"; bad=1; }
done
# Types of functions are declared with a parenthesis too: they are no symbols.
types="rx_external rx_observer rx_done"
for name in $declared; do
    case " $types " in *" $name "*) continue ;; esac
    echo "$exported" | grep -qx "$name" || { echo "$so: $name is declared but not exported"; bad=1; }
done
exit $bad
