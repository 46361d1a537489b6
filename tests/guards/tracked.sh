# What must not be in a tracked file: paths of one machine, hosts of package registries, left-over work.
set -eu
cd "$SRC"
# The brackets keep this file from finding itself.
paths='(^|[^A-Za-z0-9_.$}-])/(wor[k]|hom[e]|roo[t]|User[s])/'
hosts='deb\.debia[n]|pyp[i]\.org|pythonhoste[d]|npmj[s]\.org|crate[s]\.io|prox[y]\.golang'
leftover='\b(TOD[O]|FIXM[E]|XX[X])\b|^ *# *if 0\b'
files=$(git ls-files 2>/dev/null || find . -type f -not -path './build*' -not -path './.git/*')
bad=0
printf '%s\n' $files | grep -v '^LICENSE$' | xargs grep -nIE "$paths|$hosts" && { echo "a machine's path or a registry's host"; bad=1; }
printf '%s\n' $files | grep -E '\.([ch]|def|cmake|sh|py)$|CMakeLists.txt$' | xargs grep -nIE "$leftover" && { echo "left-over work"; bad=1; }
exit $bad
