#!/bin/sh
# ./vp lint [format] [layers] [shell] [rtl] [python] [prose] [tidy]: checks the whole tree; without a name, by all of them.
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
    verilator --lint-only -Wall models/rtl/sv/mesh_pkg.sv "models/rtl/sv/$top.sv" "models/rtl/sv/${top}_pins.sv" \
      --top-module "${top}_pins" || return 1
  done
  for top in ca_barrier ca_controller crossbar; do
    verilator --lint-only -Wall "models/rtl/sv/$top.sv" || return 1
  done
  for top in hold_router vc_router ca_barrier ca_controller crossbar; do
    models/rtl/synthesize.sh "$top"
    case $? in 0 | 77) ;; *) return 1 ;; esac
  done
}

lint_python() {
  mypy --strict --cache-dir "$build/mypy" sw/python/tensix_vp
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
#
# Ninja runs clang-tidy, for files that changed since they passed: their sources, the headers that they include, their
# command in compile_commands.json, or a .clang-tidy.
lint_tidy() {
  cmake --preset tidy >"$build/tidy.log" 2>&1 || { tail -n 20 "$build/tidy.log"; return 1; }
  cmp -s tests/.clang-tidy build/tidy/tests/.clang-tidy || cp tests/.clang-tidy build/tidy/tests/ # for joined files
  tidy_rules >build/tidy/tidy.ninja
  ninja -C build/tidy -f tidy.ninja -k 0 -j "$jobs" >"$build/tidy.log" 2>&1
  code=$?
  grep -E '(error|warning): ' "$build/tidy.log" | sort -u
  return $code
}

# Writes a stamp for each file of compile_commands.json.
tidy_rules() {
  cat <<RULES
builddir = tidy
rule tidy
  command = clang-tidy -quiet -p . --config='{InheritParentConfig: true, ExtraArgs: [-MMD, -MF, $PWD/build/tidy/\$out.d, -MT, \$out]}' \$in && touch \$out # \$compile
  description = tidy \$out
  depfile = \$out.d
  deps = gcc
RULES
  awk -v root="$root/" '
    $1 == "\"command\":" { compile = $0; gsub(/\$/, "$$", compile) }
    $1 == "\"file\":" {
      file = substr($2, 2, length($2) - (/,$/ ? 3 : 2))
      checked = index(file, root) == 1
      name = substr(file, length(root) + 1)
      if (name ~ /^build\//) checked = checked && name ~ /^build\/tidy\/.*\/Unity\// && name !~ /tvp_verilated/
      else checked = checked && name ~ /^(foundation|models|sw|platform|tests)\// && name !~ /^tests\/firmware\/program/
      if (checked) compiles[name] = compiles[name] compile
    }
    END {
      for (name in compiles)
        printf "build tidy/%s: tidy %s%s | ../../.clang-tidy ../../tests/.clang-tidy\n  compile = %s\n", name, root, name, compiles[name]
    }' build/tidy/compile_commands.json
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

is_part() { case $1 in format | layers | shell | rtl | python | prose | tidy) ;; *) return 1 ;; esac; }

[ $# -gt 0 ] || set -- format layers shell rtl python prose tidy
if [ "$1" = prose ] && [ $# -gt 1 ] && ! is_part "$2"; then
  run "$@"
  set --
fi
for part in "$@"; do
  is_part "$part" ||
    { echo "vp: lint $part: expected format, layers, shell, rtl, python, prose or tidy" >&2; exit 2; }
  run "$part"
done
[ -z "$failed" ]
