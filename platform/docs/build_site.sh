#!/bin/sh
# Builds the documentation site: build_site.sh ROOT BUILD [--check]. The site is BUILD/docs/site.
set -eu
root=$1
build=$2
shift 2
case ${1:-} in
  '' | --check) ;;
  *) echo "vp: docs: unknown option '$1', expected --check" >&2; exit 2 ;;
esac
cd "$root"
out=$build/docs
pages=$out/pages
program=$build/platform/tensix-vp
rm -rf "$out"
mkdir -p "$pages/reference"

# Every page of the tree, and the files that pages link to, keep their paths: so links stay valid.
git ls-files '*.md' ':!tests/recipes/*/*' >"$out/list"
while read -r page; do
  mkdir -p "$pages/$(dirname "$page")"
  cp "$page" "$pages/$page"
  grep -o '](\([^)#:]*\)' "$page" | sed 's/^](//' | while read -r link; do
    file=$(realpath -m --relative-to="$root" "$(dirname "$page")/$link")
    [ -f "$root/$file" ] || continue
    mkdir -p "$pages/$(dirname "$file")"
    cp "$root/$file" "$pages/$file"
  done
done <"$out/list"
cp -r platform/docs/theme "$out/"

"$program" help --as markdown >"$pages/reference/command_line.md"
"$program" list --json | "$build/platform/docs/reference_pages" "$pages/reference"
{ echo '# Limits of the models'; echo; echo '```'; "$program" list --limits; echo '```'; } >"$pages/reference/limits.md"
cat >"$pages/reference/kernel_api.md" <<'PAGE'
# Kernel API

Kernels include these headers under tt-metal's names. Doxygen generated the
<a href="../kernel_api/index.html">reference of all functions</a> from the headers in `firmware/api`.
PAGE

cp platform/docs/mkdocs.yml "$out/mkdocs.yml"
{
  echo '  - Folders:'
  for top in foundation models firmware sw platform tests waves; do
    echo "      - $top:"
    grep "^$top/.*README.md$" "$out/list" | grep -v '^platform/docs/' | while read -r page; do
      echo "          - ${page%/README.md}: $page"
    done
  done
} >>"$out/mkdocs.yml"

mkdocs --quiet build --config-file "$out/mkdocs.yml"
{ cat platform/docs/Doxyfile; echo "OUTPUT_DIRECTORY = $out/site"; } | doxygen - >"$out/doxygen.log" 2>&1 ||
  { tail -n 20 "$out/doxygen.log" >&2; exit 2; }
"$build/platform/docs/check_links" "$out/site" || [ "${1:-}" != --check ] || exit 1
echo "vp: docs: open $out/site/index.html" >&2
