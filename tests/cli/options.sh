# Options of the verbs around machine code, each as a user gives it: bounds by shapes, intermediate forms, folders and
# files that are not there, exit codes; and that every verb explains itself.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"

cat >m.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w: R.Tensor((8, 5), dtype="float32")):
        return R.nn.relu(R.matmul(x, w))
PY

# Every verb has examples; an option that it doesn't know is a wrong command line.
verbs=$("$RELAX" --help | sed -n '/^verbs:/,/^$/{s/^  \([a-z-]*\) .*/\1/p;}')
[ "$(echo "$verbs" | wc -l)" -gt 20 ] || wrong "verbs: $verbs"
for verb in $verbs; do
    want 0 "examples:" $verb --help
    want 2 "unknown option --nonsense" $verb --nonsense
    "$RELAX" $verb --help | awk 'length > 120 { print; long = 1 } END { exit long }' || wrong "$verb --help is wider than 120"
done
want 2 "unknown option --function; did you mean --func?" run m.rlx --function main
want 0 "the folder of a" --help
want 2 "there is no verb 'compil'; did you mean 'compile'?" compil m.py
want 2 "there is no option '--versio'; did you mean '--version'?" --versio
want 2 "unknown option --hel; did you mean --help?" compile --hel
want 0 "relax 0." -V
for verb in compile run bench; do want 2 "relax $verb --help" $verb; done

# Bounds by shapes, as trtexec takes them.
want 0 "" compile m.py -o m.rlx --min x:2x8 --opt x:4x8 --max x:64x8,w:8x5
want 0 "n in 2..64" inspect m.rlx
want 1 "x.shape[0] is 65, but n must be at most 64" run m.rlx -i x=f32[65,8] -i w=f32[8,5]
want 1 "x.shape[0] is 1, but n must be at least 2" run m.rlx -i x=f32[1,8] -i w=f32[8,5]
want 0 "n * 20 bytes (180 B) at 0" plan m.py --min x:3x8 --max x:9x8
want 1 "--opt: main: n would be 65, but is at most 64" compile m.py --opt x:65x8 --max x:64x8
want 1 "--opt: main: n would be 1, but is at least 2" compile m.py --opt x:1x8 --min x:2x8
want 1 "n would be at least 9 and at most 8" compile m.py --min x:9x8 --max x:8x8
want 1 "dim 1 of x is 8, got 7" compile m.py --max x:64x7
want 1 "got a shape with 1 dim" compile m.py --max x:64
want 1 "no public function has a parameter y" compile m.py --max y:64x8
want 2 "--min: want INPUT:DIMxDIM, such as x:1x128, got 'x'" compile m.py --min x
want 2 "--max x:0x8: a size of at most 0 leaves nothing to run" compile m.py --max x:0x8

want 2 "--bound n=4..1: the lower end is above the upper one" compile m.py --bound n=4..1
want 1 "no function has a size named batch, which a bound is given for; did you mean n?" compile m.py --bound batch=4

# Names and numbers.
for verb in compile plan; do want 2 "there is no pipeline 'defalt'; did you mean 'default'?" $verb m.py --pipeline defalt; done
for verb in compile plan; do want 2 "there is no pipeline 'xyz'; \`relax opt --list\` lists them" $verb m.py --pipeline xyz; done
want 1 "R.call_tir has no machine form: no pass of the pipeline" compile m.py --pipeline fuse
want 1 "R.matmul has no machine form: no pass of the pipeline" compile m.py --pipeline clean
want 2 "there is no pipeline 'xyz'; there are default, " opt m.py --pipeline xyz
want 2 "there is no pipeline 'defalt'" opt m.py --pipeline defalt
want 2 "there is no pass 'nope'" opt m.py --pass nope
want 2 "--emit: want rlx, ir, llvm, asm or obj, got 'c'" compile m.py --emit c
want 2 "--optimize: want a whole number from 0 to 3, got '4'" compile m.py -O4
want 2 "--jobs: want a whole number from 0 to 1024, got '-1'" compile m.py -j -1
"$RELAX" compile m.py -o threads.rlx
for verb in run diff-run bench generate chat perplexity verify-model; do
    case $verb in diff-run) files="threads.rlx threads.rlx";; generate | perplexity) files="m.gguf text";; verify-model) files="m.gguf --expected want.npz";; chat) files=m.gguf;; *) files=threads.rlx;; esac
    # shellcheck disable=SC2086
    want 2 "relax $verb: --threads: want a whole number from 0 to 1024, got '1025'" $verb $files --threads 1025
done
want 2 "--target wants a value" compile m.py --target
for level in 0 1 2 3; do
    want 0 "" compile m.py -o O$level.rlx -O$level -j $level
    want 0 "out0: float32[3, 5]" run O$level.rlx -i x=f32[3,8] -i w=f32[8,5]
done
RELAX_JOBS=1 "$RELAX" compile m.py -o one.rlx && cmp -s one.rlx O2.rlx || wrong "the number of jobs changes the file"
RELAX_JOBS=x "$RELAX" compile m.py -o one.rlx 2>out && wrong "RELAX_JOBS=x" || grep -q RELAX_JOBS out || wrong "$(cat out)"

# Intermediate forms: to stdout, or to the file that is named. The text of the last pass can be compiled.
want 0 "R.call_tir" compile m.py --emit ir --pipeline fuse
want 0 "define" compile m.py --emit llvm
want 0 ".text" compile m.py --emit asm
for form in ir llvm asm obj; do want 0 "" compile m.py --emit $form -o out.$form; done
"$RELAX" compile m.py --emit asm >asm.txt && cmp -s asm.txt out.asm || wrong "--emit asm -o differs from stdout"
[ "$(head -c 4 out.obj | od -An -c | tr -d ' ')" = '177ELF' ] || wrong "--emit obj is no object file"
want 0 "" check out.ir
want 0 "" compile m.py --emit rlx -o again.rlx
cmp -s again.rlx O2.rlx || wrong "--emit rlx is not what comes without it"

# One rule: folders that options name are made with those above them, the folder of a file must be there.
want 0 "" compile m.py -o m.rlx --dump-ir a/b/c
[ -s a/b/c/00.parsed.py ] || wrong "--dump-ir a/b/c"
want 0 "class Module" opt m.py --pass Normalize --dump-ir o/p/q
want 0 "" run m.rlx -i x=f32[3,8] -i w=f32[8,5] --output d/e/f --dump-tensors g/h/i
want 0 "" eval m.py main n=3 --output j/k/l
for made in o/p/q d/e/f/out0.npy g/h/i j/k/l/out0.npy; do [ -e $made ] || wrong "$made was not made"; done
for option in "compile m.py -o" "compile m.py --emit obj -o" "run m.rlx -i x=f32[3,8] -i w=f32[8,5] --trace" \
    "plan m.py --svg"; do
    # shellcheck disable=SC2086
    want 1 "no/such/file: can't write into its folder: No such file or directory" $option no/such/file
done
want 1 "no/such/file.npz: can't write into its folder" run m.rlx -i x=f32[3,8] -i w=f32[8,5] -o no/such/file.npz
[ ! -e no ] || wrong "a folder was made for a file"
# Asked before anything runs: nothing is printed, no candidate is made.
for ran in "run m.rlx -i x=f32[3,8] -i w=f32[8,5] -o m.py" "run m.rlx -i x=f32[3,8] -i w=f32[8,5] -o no/such/file.npz" \
    "eval m.py main n=3 -o m.rlx" "reduce --check false m.py -o no/such/file.py"; do
    # shellcheck disable=SC2086
    "$RELAX" $ran >out 2>err && wrong "$ran: no error"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || wrong "$ran: $(cat out err)"
    grep -Eq "want a folder, this is a file|can't write into its folder" err || wrong "$ran: $(cat err)"
done

cp O2.rlx O2
# Where the text of a module is wanted, other files are named for what they are.
for verb in check fmt opt plan bench compile; do
    want 1 "relax: error: O2: want the text of a module, this is a compiled file" $verb O2
    want 1 "relax: error: nothing.py: can't open it" $verb nothing.py
done

# What is read is never what is written.
for command in "compile m.py -o m.py" "plan m.py --svg m.py" "bench m.py --surface m.py" "reduce m.py --check false -o m.py" \
    "run m.rlx -i x=f32[3,8] -i w=f32[8,5] --trace m.rlx"; do
    # shellcheck disable=SC2086
    want 2 "is what is read; want another name for the output" $command
done
want 0 "" check m.py
for verb in check compile run; do want 1 "\"\": can't open it" $verb ""; done
for option in "compile m.py -o x.rlx --dump-ir" "eval m.py main n=3 -o" "run m.rlx -i x=f32[3,8] -i w=f32[8,5] -o"; do
    # shellcheck disable=SC2086
    want 1 "m.py: want a folder, this is a file" $option m.py
done

"$RELAX" help --markdown | diff -u "$SRC/docs/commands.md" - ||
    wrong "docs/commands.md is out of date: relax help --markdown >docs/commands.md"

# Scripts take no option for a name of something.
for script in build wheel setup quickstart check; do
    code=0
    sh "$SRC/scripts/$script.sh" --nonsense >out 2>&1 || code=$?
    [ $code -eq 2 ] && grep -q "usage: scripts/$script.sh" out || wrong "scripts/$script.sh --nonsense: $code $(cat out)"
done

# The machine.
want 0 "threads" devices
want 0 '"features": "' devices --json
want 2 "got 1 argument" devices cpu
finish
