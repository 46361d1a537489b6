# The Python package: its wheel installs without a compiler into a fresh environment, and its tests pass there.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELEASE/relax"
sh "$SRC/scripts/wheel.sh" "$dir"
/usr/bin/python3 -m venv --system-site-packages "$dir/env"
PATH=/nonexistent "$dir/env/bin/python" -m pip --disable-pip-version-check -q install --no-index --no-deps "$dir"/relax_c-*.whl
cp -r "$SRC/python/tests" "$dir/tests"
cd "$dir"
"$dir/env/bin/python" -m pytest -q -p no:cacheprovider tests
# Once more without python/native.c: cffi alone.
RELAX_CFFI=1 "$dir/env/bin/python" -m pytest -q -p no:cacheprovider tests
