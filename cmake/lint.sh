#!/bin/sh
# ./vp lint [format] [layers] [shell] [rtl] [prose] [tidy]: checks the whole tree; without a name, by all of them.
# ./vp lint prose [--count] [PATH…]: checks the prose below the paths only, or counts the findings.
# The tests run format, layers and prose.
set -u
root=$1
build=$2
shift 2
cd "$root" || exit 2
jobs=${TVP_JOBS:-$(nproc)}
failed=

# Lists the files that git tracks, without build folders and scratch files.
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

# Without a path: the whole tree (tests/prose/clean.txt), and spelling everywhere.
lint_prose() {
  ninja -C "$build" prose_lint >/dev/null && "$build/tests/prose/prose_lint" "$@"
  code=$?
  for argument; do case $argument in --count) return $code ;; esac; done
  git ls-files -z -- "$@" | grep -zvE '\.(png|gtkw|supp)$' |
    xargs -0 codespell --ignore-words tests/prose/codespell.txt || code=1
  return $code
}

# The preset joins the files of a target like the release build. clang-tidy then parses SystemC and the standard library
# once for all of them, which is most of the work. It checks only the joined files of the build folder, not other
# generated files. The cross compiler compiles firmware, so clang-tidy sees only the headers that host code includes,
# and not the program of tests/firmware that compiles it for the host.
lint_tidy() {
  cmake --preset tidy >"$build/tidy.log" 2>&1 || { tail -n 20 "$build/tidy.log"; return 1; }
  cp tests/.clang-tidy build/tidy/tests/ # for joined files, which lie there
  run-clang-tidy -quiet -p build/tidy -j "$jobs" \
    "^$root/(build/tidy/(?!.*tvp_verilated).*/Unity/|(foundation|models|sw|platform|tests)/(?!firmware/program)).*" >"$build/tidy.log" 2>&1
  code=$?
  sed 's/\x1b\[[0-9;]*m//g' "$build/tidy.log" | grep -E '(error|warning): ' | sort -u
  return $code
}

run() {  # PART [ARGUMENT…]
  part=$1
  shift
  if "lint_$part" "$@"; then
    echo "lint $part: clean"
  else
    echo "lint $part: failed"
    failed="$failed $part"
  fi
}

is_part() { case $1 in format | layers | shell | rtl | prose | tidy) ;; *) return 1 ;; esac; }

[ $# -gt 0 ] || set -- format layers shell rtl prose tidy
if [ "$1" = prose ] && [ $# -gt 1 ] && ! is_part "$2"; then
  run "$@"
  set --
fi
for part in "$@"; do
  is_part "$part" ||
    { echo "vp: lint $part: expected format, layers, shell, rtl, prose or tidy" >&2; exit 2; }
  run "$part"
done
[ -z "$failed" ]
