# No mutable file-scope state in the libraries: no object of the release build holds a symbol in a writable section.
# (.data.rel.ro is constant data with addresses in it: fine.) The exceptions are in state_allowed.txt.
set -eu
ls "$RELEASE"/lib/librelax_*.a >/dev/null 2>&1 || { echo "skipped: no release build in $RELEASE"; exit 77; }
for archive in "$RELEASE"/lib/librelax_*.a; do
    objdump -t "$archive" | awk -v archive="$(basename "$archive" .a)" -v allowed="$SRC/tests/guards/state_allowed.txt" '
        BEGIN { while ((getline line <allowed) > 0) if (split(line, part, " ") && line !~ /^#/) ok[part[1]] = 1 }
        /file format/ { object = $1; sub(/:$/, "", object) }
        $NF ~ /^\.(data|bss|tdata|tbss)/ || / d  / { next } # the sections themselves
        / (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && !/ \.data\.rel\.ro/ {
            if (archive "/" $NF in ok) next
            print archive " " object " " $NF ": mutable; put it into a struct that is handed around"
            bad = 1
        }
        END { exit bad }' || bad=1
done
exit ${bad:-0}
