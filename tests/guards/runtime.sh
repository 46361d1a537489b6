# relax-run needs the runtime library alone, the runtime libc alone; both stay small; only public names leave the .so.
set -eu
run=$RELEASE/relax-run so=$RELEASE/librelax-runtime.so
[ -x "$run" ] || { echo "skipped: no $run"; exit 77; }
limit=$((400 * 1024))
bad=0
for file in "$run" "$so"; do
    foreign=$(nm -D -u "$file" | awk '$1 == "U" && $2 !~ /@GLIBC_/ { print $2 }')
    libraries=$(readelf -d "$file" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(lib(c|m|pthread|dl)\.so|ld-linux)' || true)
    if [ -n "$foreign$libraries" ]; then
        echo "$file: wants more than the C library:" $foreign $libraries
        bad=1
    fi
    strip -o stripped.tmp "$file"
    size=$(wc -c <stripped.tmp)
    rm stripped.tmp
    echo "$(basename "$file"): $size bytes stripped (limit $limit)"
    [ "$size" -le $limit ] || { echo "$file is too large"; bad=1; }
done
readelf -d "$so" | grep -q 'SONAME.*\[librelax-runtime.so.0\]' || { echo "$so: want SONAME librelax-runtime.so.0"; bad=1; }
for name in $(nm -D --defined-only "$so" | awk '{ print $3 }'); do
    grep -qw "$name" "$SRC/include/relax/status.h" "$SRC/include/relax/runtime.h" || {
        echo "$so: exports $name, which no public header of the runtime declares"
        bad=1
    }
done
exit $bad
