# Includes: each folder of src/ (and its tests) includes only what layers.txt grants, by paths from src/;
# public headers include only public headers; relax-run includes only public headers; LLVM is used by target alone.
set -eu
cd "$SRC"
find src include tests tools bench fuzz -name '*.[ch]' -o -name '*.def' | sort | xargs grep -n '^ *# *include' /dev/null | awk '
    BEGIN {
        while ((getline line <"layers.txt") > 0) {
            if (line ~ /^#/ || line !~ /:/) continue
            split(line, part, ":")
            known[part[1]] = may[part[1], part[1]] = 1
            n = split(part[2], to, " ")
            for (i = 1; i <= n; i++) may[part[1], to[i]] = 1
        }
        # What the tests of a folder link besides it, and what that may include.
        while ((getline line <"tests/CMakeLists.txt") > 0) {
            if (line !~ /^set\(RELAX_TEST_ALSO_/) continue
            gsub(/^set\(RELAX_TEST_ALSO_|\)/, "", line)
            n = split(line, to, " ")
            for (i = 2; i <= n; i++)
                for (k in known)
                    if ((to[i], k) in may) may_test[to[1], k] = 1
        }
    }
    function refuse(why) { print $0 ": " why; bad = 1 }
    {
        split($0, f, ":")
        depth = split(f[1], dir, "/")
        if (/<llvm-c\// && f[1] !~ /^src\/target\// && f[1] !~ /^tests\/unit\/target\//) refuse("LLVM is for src/target alone")
        if (!match($0, /"[^"]*"/)) next
        path = substr($0, RSTART + 1, RLENGTH - 2)
        to_dir = index(path, "/") ? substr(path, 1, index(path, "/") - 1) : ""
        if (path ~ /\.\./) refuse("paths go from src/, without ..")
        else if (dir[1] == "include" || f[1] == "tools/relax-run.c") {
            if (to_dir != "relax") refuse("may include public headers (relax/...) alone")
        } else if (to_dir == "relax") next
        else if (dir[1] == "src" && depth == 3) {
            if (!(dir[2] in known)) refuse("folder " dir[2] " has no line in layers.txt")
            else if (to_dir == "") refuse("write the path from src/: \"" dir[2] "/" path "\"")
            else if (!((dir[2], to_dir) in may)) refuse(dir[2] " may not include " to_dir)
        } else if (dir[1] == "tests" && dir[2] == "unit" && depth == 4) {
            if (to_dir != "support" && to_dir != "" && !((dir[3], to_dir) in may) && !((dir[3], to_dir) in may_test)) refuse("tests of " dir[3] " may not include " to_dir)
        } else if (dir[1] == "src") refuse("src/ has one level of folders")
    }
    END { exit bad }'
