# shape.awk - the measuring of shape.sh. Reads C files that clang-format has laid out.
# A function is what stands from its first line to its closing brace. A comment line is a line with a comment on it;
# shares are of lines that are not blank.

# The line without comments and with empty strings. Sets has_comment, keeps in_block from line to line.
function clean(line, i, c, two, quote, out) {
    has_comment = in_block
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (in_block) {
            if (two == "*/") { in_block = 0; i++ }
        } else if (quote != "") {
            if (c == "\\") i++
            else if (c == quote) { quote = ""; out = out "0" }
        } else if (two == "//" || two == "/*") {
            has_comment = 1
            if (two == "//") break
            in_block = 1
            i++
        } else if (c == "\"" || c == "'") quote = c
        else out = out c
    }
    return out
}

function end_of_file() {
    if (!file) return
    file_lines[++files] = lines
    file_name[files] = file
    kind = file ~ /\.h$/ ? "h" : "c"
    total[kind] += filled
    commented[kind] += comments
    all_lines += lines
}

# The identifier before the parameter list.
function name_of(text) {
    gsub(/__attribute__ *\(\([^)]*(\([^)]*\))*[^)]*\)\)/, "", text)
    gsub(/RX_[A-Z_]+ *(\([^)]*\))?/, "", text)
    sub(/ *\(.*/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}

# Follows one line of code, outside comments and macros, brace by brace.
function follow(code, i, c) {
    for (i = 1; i <= length(code); i++) {
        c = substr(code, i, 1)
        if (depth == 0 && text == "" && c ~ /[A-Za-z_]/) first = lines
        if (c == "{") {
            if (depth++ == 0) in_function = text ~ /\(/ && text !~ /=/ && text !~ /^ *typedef/
        } else if (c == "}") {
            if (--depth == 0 && in_function) {
                function_name[++functions] = name_of(text) " " file ":" first
                function_lines[functions] = lines - first + 1
            }
            if (depth == 0 && in_function) text = ""
        } else if (depth == 0) {
            text = c == ";" ? "" : text c
        }
    }
    if (depth == 0 && text != "") text = text " "
    if (text ~ /^ *$/) text = ""
}

FNR == 1 {
    end_of_file()
    file = FILENAME
    lines = filled = comments = depth = in_block = macro = 0
    text = ""
}
{ lines++ }
/^[ \t]*$/ { next }
{
    filled++
    code = clean($0)
    if (has_comment) comments++
    if (macro || code ~ /^[ \t]*#/) {
        if (!macro && $0 ~ /^[ \t]*# *define +[A-Za-z_0-9]+\(/) {
            macros++
            macro_name = $0
            sub(/^[ \t]*# *define +/, "", macro_name)
            sub(/\(.*/, "", macro_name)
            macro_start = lines
            like_function = 1
        } else if (!macro) like_function = 0
        macro = $0 ~ /\\$/
        if (!macro && like_function && lines - macro_start + 1 > 8)
            long_macros = long_macros " " macro_name "(" lines - macro_start + 1 ")"
        next
    }
    follow(code)
}

# Sorts value[1..n] downwards, other[] along with it.
function sort(value, other, n, gap, i, j, v, o) {
    for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++) {
            v = value[i]; o = other[i]
            for (j = i; j > gap && value[j - gap] < v; j -= gap) { value[j] = value[j - gap]; other[j] = other[j - gap] }
            value[j] = v; other[j] = o
        }
}

# The value that `share` of the n values, sorted downwards, do not exceed.
function quantile(value, n, share, at) {
    at = n - int(share * n + 0.999999) + 1
    return n ? value[at < 1 ? 1 : at] : 0
}

function row(what, got, want, ok) { printf "%-34s %9s   bar %-8s %s\n", what, got, want, ok ? "" : "<- over the bar" }

function share(part, whole) { return whole ? 100 * part / whole : 0 }

END {
    end_of_file()
    sort(function_lines, function_name, functions)
    sort(file_lines, file_name, files)
    printf "%d files, %d lines, %d functions\n", files, all_lines, functions
    m = quantile(function_lines, functions, 0.5); row("function lines, median", m, "<= 12", m <= 12)
    m = quantile(function_lines, functions, 0.9); row("function lines, 90 %", m, "<= 40", m <= 40)
    m = quantile(function_lines, functions, 0.99); row("function lines, 99 %", m, "<= 80", m <= 80)
    row("function lines, longest", function_lines[1] + 0, "<= 150", function_lines[1] <= 150)
    m = quantile(file_lines, files, 0.5); row("file lines, median", m, "<= 250", m <= 250)
    row("file lines, longest", file_lines[1] + 0, "<= 1000", file_lines[1] <= 1000)
    m = share(commented["h"], total["h"]); row("comment lines in headers, %", sprintf("%.1f", m), ">= 35", m >= 35)
    m = share(commented["c"], total["c"]); row("comment lines in .c files, %", sprintf("%.1f", m), "10-20", m >= 10 && m <= 20)
    m = all_lines ? macros * 1000 / all_lines : 0; row("function-like macros / 1000 lines", sprintf("%.1f", m), "<= 3", m <= 3)
    if (long_macros) print "macros over 8 lines:" long_macros
    print "longest functions:"
    for (i = 1; i <= 10 && i <= functions; i++) printf "  %4d %s\n", function_lines[i], function_name[i]
    print "longest files:"
    for (i = 1; i <= 10 && i <= files; i++) printf "  %4d %s\n", file_lines[i], file_name[i]
    if (limits == "--limits" && (function_lines[1] > 150 || file_lines[1] > 1000)) {
        print "over a limit: split it"
        exit 1
    }
}
