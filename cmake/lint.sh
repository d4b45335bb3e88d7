#!/bin/sh
# ./vp lint [format] [layers] [shell] [rtl] [tidy]: holds the whole tree to its habits; without a name, to all
# of them. The default tests hold it to format and layers.
set -u
root=$1
build=$2
shift 2
cd "$root" || exit 2
jobs=${TVP_JOBS:-$(nproc)}
failed=

# What git knows of, so that build folders and scratch files stay out.
sources() { git ls-files -z -- "$@"; }

lint_format() {
  sources '*.cpp' '*.h' '*.hpp' '*.c' | xargs -0 clang-format --dry-run --Werror
}

lint_layers() {
  ninja -C "$build" layers >/dev/null && "$build/tests/layers/layers" --gtest_brief=1
}

lint_shell() {
  sources '*.sh' vp .ci/run | xargs -0 shellcheck
}

lint_rtl() {
  for top in hold_router vc_router; do
    verilator --lint-only -Wall models/rtl/mesh_pkg.sv "models/rtl/$top.sv" "models/rtl/${top}_pins.sv" \
      --top-module "${top}_pins" || return 1
  done
  verilator --lint-only -Wall models/rtl/ca_barrier.sv || return 1
  for top in hold_router vc_router ca_barrier; do
    models/rtl/synthesize.sh "$top"
    case $? in 0 | 77) ;; *) return 1 ;; esac
  done
}

# The preset joins the files of a target as the release build does: SystemC and the standard library are then read and
# searched once for all of them, which is most of the work. Of what is in its build folder only those joins count,
# and not what generators wrote. Firmware is the cross compiler's: only what host code includes of it is seen, and
# not the program of tests/firmware that compiles it for the host.
lint_tidy() {
  cmake --preset tidy >"$build/tidy.log" 2>&1 || { tail -n 20 "$build/tidy.log"; return 1; }
  cp tests/.clang-tidy build/tidy/tests/ # for joined files, which lie there
  run-clang-tidy -quiet -p build/tidy -j "$jobs" \
    "^$root/(build/tidy/(?!.*tvp_verilated).*/Unity/|(foundation|models|sw|platform|tests)/(?!firmware/program)).*" >"$build/tidy.log" 2>&1
  code=$?
  sed 's/\x1b\[[0-9;]*m//g' "$build/tidy.log" | grep -E '(error|warning): ' | sort -u
  return $code
}

[ $# -gt 0 ] || set -- format layers shell rtl tidy
for part in "$@"; do
  case $part in
    format | layers | shell | rtl | tidy) ;;
    *) echo "vp: lint $part: expected format, layers, shell, rtl or tidy" >&2; exit 2 ;;
  esac
  if "lint_$part"; then
    echo "lint $part: clean"
  else
    echo "lint $part: failed"
    failed="$failed $part"
  fi
done
[ -z "$failed" ]
