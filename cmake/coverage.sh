#!/bin/sh
# ./vp coverage [--at-least PERCENT]: builds the RTL with counters in build/coverage, runs its unit tests, and prints
# line and toggle coverage for each module. Exit code 1 if a number is below PERCENT.
# ./vp coverage [--at-least PERCENT] FILE…: the same for files of Verilator that are already there.
set -u
root=$1
shift
bound=0
if [ "${1:-}" = --at-least ]; then
  bound=${2:-}
  case $bound in '' | *[!0-9]*) echo "vp: coverage --at-least '$bound': expected a number from 0 to 100" >&2; exit 2 ;; esac
  [ "$bound" -le 100 ] || { echo "vp: coverage --at-least $bound: expected a number from 0 to 100" >&2; exit 2; }
  shift 2
fi

measure() {
  build=$root/build/coverage
  mkdir -p "$build"
  tests="unit_rtl_ca_barrier unit_rtl_ca_controller unit_rtl_crossbar unit_rtl_router"
  # shellcheck disable=SC2086
  (cd "$root" && cmake --preset release -B "$build" -DTVP_RTL_COVERAGE=ON &&
    ninja -C "$build" ${TVP_JOBS:+-j$TVP_JOBS} $tests) >"$build/coverage.log" 2>&1 ||
    { tail -n 20 "$build/coverage.log" >&2; return 1; }
  for test in $tests; do
    "$build/tests/unit/rtl/$test" --gtest_brief=1 >"$build/coverage.log" 2>&1 ||
      { tail -n 20 "$build/coverage.log" >&2; echo "vp: coverage: $test failed" >&2; return 1; }
  done
}

if [ $# -eq 0 ]; then
  measure || exit 2
  set -- "$root"/build/coverage/unit_rtl_*.dat
fi
for file; do
  head -n 1 "$file" 2>/dev/null | grep -q SystemC::Coverage ||
    { echo "vp: coverage: $file: expected a coverage file of Verilator" >&2; exit 2; }
done

# A point of a file is C 'KEYS' COUNT. A key is \001NAME\002VALUE; "page" is v_line/MODULE, v_branch/MODULE or
# v_toggle/MODULE. Points of all instances and files with the same file, line, column and text are one.
awk -v bound="$bound" '
  /^C / {
    keys = $0
    sub(/^C \047/, "", keys)
    count = keys
    sub(/.*\047 /, "", count)
    sub(/\047 [0-9]+$/, "", keys)
    n = split(keys, list, "\001")
    point = page = ""
    for (i = 1; i <= n; i++) {
      split(list[i], pair, "\002")
      if (pair[1] == "page") page = pair[2]
      if (pair[1] != "h" && list[i] != "") point = point "\001" list[i]
    }
    split(page, part, "/")
    kind = part[1] == "v_toggle" ? "toggle" : "line"
    module = part[2]
    sub(/__.*/, "", module)
    if (module == "" || module ~ /_pins$/) next
    if (!(point in best)) {
      best[point] = 0
      modules[module] = 1
      all[module " " kind]++
    }
    if (count + 0 > 0 && best[point] == 0) {
      best[point] = 1
      seen[module " " kind]++
    }
  }
  function percent(key) { return all[key] ? 100 * seen[key] / all[key] : 100 }
  END {
    printf "%-16s %8s %8s\n", "module", "line", "toggle"
    sort = "sort"
    for (module in modules) {
      printf "%-16s %6.1f %% %6.1f %%\n", module, percent(module " line"), percent(module " toggle") | sort
      if (percent(module " line") < bound || percent(module " toggle") < bound) low = low " " module
      some = 1
    }
    close(sort)
    if (low != "") print "below " bound " %:" low
    exit low != "" || !some
  }' "$@"
