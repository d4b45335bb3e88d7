#!/bin/sh
# Usage: synthesize.sh MODULE. Reads a module of sv/ with yosys and prints its word-level
# cells, registers and latches. Fails if yosys cannot read it, if there is a latch, or if a signal
# is undriven, driven twice or in a loop. Exit code 77: yosys is missing.
set -u
top=$1
folder=$(dirname "$0")
if ! command -v yosys >/dev/null; then
  echo "synthesize: no yosys (Debian: apt-get install yosys)"
  exit 77
fi
case $top in
  *router) package=$folder/sv/mesh_pkg.sv ;;
  *) package= ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Memories stay memories: the technology decides how buffers and tables are built.
yosys -q -p "read_verilog -sv $package $folder/sv/$top.sv; hierarchy -check -top $top; proc; flatten; opt -fast;
  memory -nomap; opt_clean; check -assert; tee -q -o $work/stat stat" >"$work/log" 2>&1 || {
  grep -v '^Warning: Replacing memory' "$work/log"
  echo "synthesize: yosys does not take $top"
  exit 1
}
awk -v top="$top" '
  /Number of cells:/ { cells = $4 }
  $1 ~ /^\$(s?dff|adff|aldff|dffsr|ff)/ { registers += $2 }
  $1 ~ /^\$mem/ { memories += $2 }
  $1 ~ /latch|^\$sr$/ { latches += $2 }
  END {
    printf "%s: %d cells, %d of them registers, %d memories; %d latches\n", top, cells, registers, memories, latches
    exit latches > 0 || registers == 0
  }' "$work/stat"
