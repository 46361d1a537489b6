#!/bin/sh
# setup.sh - installs what building and testing need, on Debian 12, as root or with sudo. Does nothing if all is there.
# usage: scripts/setup.sh [--build | --full]     --build: what building and running models need, no more
#                                                --full: also what `check.sh --full` needs
set -eu
case ${1:-} in
'' | --build | --full) ;;
*) echo "usage: scripts/setup.sh [--build | --full]" >&2 && exit 2 ;;
esac

# With --build, what is for tests stays out: half of the packages.
left_out='^$'
[ "${1:-}" != --build ] || left_out='# tests:'

# package               what for
packages=$(grep -v "$left_out" <<'LIST' | sed 's/ *#.*//'
gcc                     # the compiler
g++                     # tests: the public headers as C++
libc6-dev               # the C library's headers
cmake                   # the build
ninja-build
pkg-config              # finds libraries
ccache                  # makes a second build fast
git                     # tests: the list of tracked files
binutils                # tests: symbols and sizes
llvm-22-dev             # code generation
lld-22                  # links kernels
libzip-dev              # .npz files
libpcre2-dev            # tokenizers: regular expressions
libutf8proc-dev         # tokenizers: Unicode
libedit-dev             # conversations: line editing
libcmocka-dev           # unit tests, which the build's configuration asks for
libz3-dev               # simplification rules are proved; as above
clang-22                # tests: second compiler; libFuzzer
libclang-rt-22-dev      # tests: clang's sanitizers
clang-format-22         # tests: the format of the code
python3                 # small scripts
python3-dev             # short calls of the Python package
python3-pip             # gets the model of the quickstart; builds the Python package
python3-venv            # tests: the Python package's wheel, and its tests in an environment of their own
python3-setuptools      # tests: of the Python package
python3-wheel           # tests: of the Python package
python3-cffi            # tests: the Python package calls the libraries through it
python3-pygments        # tests: modules in colours
python3-numpy           # arrays: pages of docs/ write inputs with it; tests
python3-pytest          # tests: of the Python package
LIST
)
[ "${1:-}" != --full ] || packages="$packages $(sed 's/ *#.*//' <<'LIST'
gcc-aarch64-linux-gnu   # the runtime for other processors
gcc-riscv64-linux-gnu
libc6-dev-arm64-cross
libc6-dev-riscv64-cross
qemu-user               # runs it
doxygen                 # the reference of the public headers
python3-torch           # the Python package with PyTorch's tensors
LIST
)"

missing=
for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
log=$(dirname "$0")/../build/setup.log
mkdir -p "$(dirname "$log")"
: >"$log"
echo "setup: installing$missing (what apt-get says goes into build/setup.log)"

if [ "$(id -u)" -eq 0 ]; then
    as_root=env
elif command -v sudo >/dev/null; then
    as_root="sudo env"
else
    echo "setup: want root or sudo to install packages; or install them by hand and run this again" >&2
    exit 1
fi
apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3"

# A list that can't be fetched (another registry of this machine, perhaps) is no reason to stop: the install says
# what is really missing.
for try in 1 2 3; do
    $apt update >>"$log" 2>&1 && break
    echo "setup: apt-get update failed (try $try)" >&2
    sleep $((try * 5))
done
for try in 1 2 3; do
    $apt install -y --no-install-recommends $missing >>"$log" 2>&1 && exit 0
    echo "setup: apt-get install failed (try $try)" >&2
    sleep $((try * 5))
    $apt update >>"$log" 2>&1 || true
done
tail -n 20 "$log" >&2
echo "setup: could not install$missing" >&2
exit 1
