#!/bin/sh
# synthesize.sh MODULE: reads a module of this folder with yosys and prints its word-level cells, its
# registers and its latches. Fails when yosys does not read it, finds something undriven, driven twice or in a
# loop, or when there is a latch. 77: there is no yosys.
set -u
top=$1
folder=$(dirname "$0")
if ! command -v yosys >/dev/null; then
  echo "synthesize: no yosys (Debian: apt-get install yosys)"
  exit 77
fi
case $top in
  *router) package=$folder/mesh_pkg.sv ;;
  *) package= ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Memories stay memories: what buffers and tables become is the technology's business.
yosys -q -p "read_verilog -sv $package $folder/$top.sv; hierarchy -check -top $top; proc; flatten; opt -fast;
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
