# The reference of the public headers is made without a warning, and every function, type and macro is described. (Fields
# of structs may explain themselves.)
set -eu
. "$SRC/tests/support/shell.sh"
command -v doxygen >/dev/null || skip "no doxygen; scripts/setup.sh --full installs it"
cd "$SRC"
{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY=$dir"; } >"$dir/Doxyfile"
doxygen "$dir/Doxyfile" || exit 1
{ cat "$dir/Doxyfile"; echo "EXTRACT_ALL=NO"; echo "WARN_IF_UNDOCUMENTED=YES"; echo "WARN_AS_ERROR=NO"; } >"$dir/strict"
! doxygen "$dir/strict" 2>&1 | grep -v '(variable) of struct'
