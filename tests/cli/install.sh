# What cmake --install lays down is enough to build the example programs outside the tree and run them.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELEASE/relax"
cmake --install "$RELEASE" --prefix "$dir/to" >/dev/null
PKG_CONFIG_PATH=$(find "$dir/to" -name pkgconfig)
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cd "$dir"

# build NAME LIBRARY...: an example against installed libraries.
build() {
    name=$1
    shift
    gcc -std=c17 -Wall -Wextra -Werror "$SRC/examples/c/$name.c" $(pkg-config --cflags --libs "$@") -o "$name"
}
want() {
    [ "$2" = "$1" ] || { printf 'want\n%s\ngot\n%s\n' "$1" "$2"; exit 1; }
}

build compile relax-compiler
want "line 5, column 16: there is no operator R.ad; did you mean R.add?
wrote double.rlx" "$(./compile double.rlx)"
build run relax-runtime
./run double.rlx 'f32[7,4]' >out
grep -q '^main(x: R.Tensor((n, 4), dtype="float32")' out || { cat out; exit 1; }
grep -q 'float32 *[[(]7, *4' out || { cat out; exit 1; }
! ./run double.rlx 'f32[7,5]' 2>err || fail "a wrong shape is taken"
grep -q '5' err
build build relax-compiler
want 'lv3: R.Tensor((n, 3), dtype="float32")
float32[1, 3] = 0.274069, 0.451863, 0.274069
float32[4, 3] = 0.274069, 0.451863, 0.274069, 0.331499, 0.546549, 0.121952, ...' "$(./build)"
build external relax-compiler
want "float32[3] = 2.5, 5, 7.5" "$(./external)"

# A language model, made with the tree's own compiler.
build talk relax-llm
python3 "$SRC/tests/data/llm/make_tiny.py" tiny.gguf
"$RELEASE/relax" compile tiny.gguf -o tiny.rlx --target cpu:host >/dev/null
./talk tiny.rlx 'hello hello' >out
[ "$(grep -ac '^[0-9]* tokens$' out)" -eq 2 ] || { cat out; exit 1; }

# The static runtime, without pkg-config.
gcc -std=c17 "$SRC/examples/c/run.c" -I"$dir/to/include" "$(find "$dir/to" -name librelax-runtime.a)" -lm -lpthread -ldl -o run
./run double.rlx 'f32[7,4]' >/dev/null

# By CMake.
mkdir project
cat >project/CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(relax 0.1 REQUIRED)
add_executable(run $SRC/examples/c/run.c)
target_link_libraries(run PRIVATE relax::runtime)
CMAKE
cmake -S project -B built -G Ninja -DCMAKE_PREFIX_PATH="$dir/to" >log 2>&1 && cmake --build built >>log 2>&1 || { cat log; exit 1; }
built/run double.rlx 'f32[2,4]' >/dev/null
