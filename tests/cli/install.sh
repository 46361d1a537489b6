# What cmake --install lays down is enough to build a C program against the runtime.
set -eu
[ -f "$RELEASE/librelax-runtime.so" ] || { echo "skipped: no release build in $RELEASE"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cmake --install "$RELEASE" --prefix "$dir/to" >/dev/null
cat >"$dir/user.c" <<'C'
#include <relax/status.h>
#include <stdio.h>
int main(void) { return puts(rx_status_name(RX_SHAPE_MISMATCH)) < 0; }
C
config=$(find "$dir/to" -name pkgconfig)
flags=$(PKG_CONFIG_PATH=$config pkg-config --cflags --libs relax-runtime)
gcc -std=c17 "$dir/user.c" $flags -o "$dir/user"
got=$(LD_LIBRARY_PATH=$(dirname "$config") "$dir/user")
[ "$got" = SHAPE_MISMATCH ] || { echo "with the .so: want SHAPE_MISMATCH, got $got"; exit 1; }
gcc -std=c17 "$dir/user.c" -I"$dir/to/include" "$(find "$dir/to" -name librelax-runtime.a)" -lm -lpthread -ldl -o "$dir/user"
got=$("$dir/user")
[ "$got" = SHAPE_MISMATCH ] || { echo "with the .a: want SHAPE_MISMATCH, got $got"; exit 1; }
