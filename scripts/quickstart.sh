#!/bin/sh
# quickstart.sh - from a fresh Debian 12 to a model that runs: installs what is needed, builds, compiles the samples and
# runs them.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh
sh scripts/build.sh
RELAX=$PWD/build/relax
RELAX_RUN=$PWD/build/relax-run
export RELAX RELAX_RUN
[ -f examples/quickstart.sh ] || { echo "quickstart: built $RELAX; there is no examples/quickstart.sh to run" >&2 && exit 1; }
exec sh examples/quickstart.sh
