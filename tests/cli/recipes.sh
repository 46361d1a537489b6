# Does what the recipes in docs/add-*.md say, in a folder of its own, and compares what they promise.
# Only changed and new files are compiled; the rest is linked from the release build.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELEASE/relax"

# split PAGE DIR: files, rows, inputs, commands and promised output of a page.
split() {
    awk -v dir="$2" '
        /^```/ { if (inside) { inside = 0; close(out); next } inside = 1; kind = substr($0, 4); first = 1; out = ""; next }
        !inside { next }
        first { first = 0
            if (kind == "c") out = dir "/" $2
            else if (kind == "" && /^add to /) { gsub("/", "+", $3); out = dir "/rows/" $3; next }
            else if (kind == "python") out = dir "/" $2
            else if (kind == "sh") out = dir "/commands"
            else if (kind == "text") out = dir "/want" }
        out != "" { print > out }' "$1"
}

# overlay DIR: the .def files with the new rows; prints the sources that have to be compiled.
overlay() {
    for rows in "$1"/rows/*; do
        file=$(basename "$rows" | tr + /)
        mkdir -p "$1/$(dirname "$file")"
        awk -v rows="$rows" '/^#undef/ { while ((getline line < rows) > 0) print line } { print }' "$SRC/$file" >"$1/$file"
        (cd "$SRC" && grep -rl "\"${file#src/}\"" src --include='*.c')
    done | sort -u
    (cd "$1" && find src -name '*.c')
}

build() {
    objects=
    for source in $(overlay "$1"); do
        from=$SRC
        [ -f "$1/$source" ] && from=$1
        object=$1/$(echo "$source" | tr / +).o
        cc -std=c17 -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror -O1 \
            -isystem "$(llvm-config-22 --includedir)" -I"$1/src" -I"$SRC/src" -I"$SRC/include" -c "$from/$source" -o "$object"
        objects="$objects $object"
    done
    link=$(ninja -C "$RELEASE" -t commands relax | tail -1 | sed "s# -o relax # $objects -o $1/relax #")
    (cd "$RELEASE" && sh -c "$link")
}

for page in "$SRC"/docs/add-*.md; do
    work=$dir/$(basename "$page" .md)
    mkdir -p "$work/rows" "$work/src/ops" "$work/src/pass" "$work/src/arch" "$work/src/target"
    split "$page" "$work"
    build "$work"
    (cd "$work" && PATH="$work:$PATH" sh -eu ./commands >got 2>messages) || { cat "$work/messages"; exit 1; }
    sed -i 's/^time: .*/time: /' "$work/got"
    diff -u "$work/want" "$work/got" || { echo "$(basename "$page") promises something else"; exit 1; }
done
