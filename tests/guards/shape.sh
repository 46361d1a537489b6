# The hard limits of tools/shape.sh: no file over 1000 lines, no function over 150.
set -eu
cd "$SRC"
sh tools/shape.sh --limits
