#!/usr/bin/env bash
# Looks at a report in a real browser: the list of classes is searched, narrowed and sorted by its own script, and pages are
# photographed at three widths. Any report with at least two classes will do, for instance that of `./gradlew demo`.
#
#   integration-tests/report-in-browser.sh <folder of index.html> <folder for pictures>
#
# Needs Chromium (package `chromium`) on the path, or its name in BROWSER. Ends with 1 where something is not as it should.
set -euo pipefail
report=$(realpath "${1:?the folder of the report}")
pictures=$(mkdir -p "${2:?a folder for pictures}" && realpath "$2")
browser=${BROWSER:-chromium}
[ -f "$report/index.html" ] || { echo "$report has no index.html: give the folder of a report"; exit 1; }
command -v "$browser" > /dev/null || { echo "There is no $browser: install Chromium, or set BROWSER"; exit 1; }
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

run() { "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$profile" --virtual-time-budget=5000 "$@" 2> /dev/null; }
# The names of the rows that are shown after the page's script has run, in order.
shown() {
  run --dump-dom "file://$report/index.html#$1" | grep -o '<tr data-name="[^>]*>' | grep -v ' hidden' \
    | sed 's/.*data-name="\([^"]*\)".*/\1/' || true
}
# A number of each row, in the order shown.
numbers() {
  run --dump-dom "file://$report/index.html#$1" | grep -o '<tr data-name="[^>]*>' | grep -v ' hidden' \
    | sed "s/.*data-$2=\"\([0-9]*\)\".*/\1/" || true
}
failed=0
expect() { # what, is, should be
  if [ "$2" = "$3" ]; then
    echo "ok      $1"
  else
    printf 'FAILED  %s: is\n%s\nshould be\n%s\n' "$1" "$2" "$3"
    failed=1
  fi
}

all=$(shown 'order=name')
[ "$(wc -l <<< "$all")" -ge 2 ] || { echo "The report has fewer than two classes: $all"; exit 1; }
expect 'by name' "$all" "$(LC_ALL=C sort <<< "$all")"
last=$(tail -n 1 <<< "$all")
part=${last##*.}
part=${part:1}
expect "searched for $part" "$(shown "order=name&text=${part^^}")" "$(grep -iF "$part" <<< "$all")"
expect 'searched for what no class has' "$(shown 'text=no+such+class')" ''
for by in left gained tests; do
  expect "first most $by" "$(numbers "order=$by" "$by")" "$(numbers "order=$by" "$by" | sort -rn)"
done
expect 'with branches left' "$(numbers 'keep=left&order=left' left)" "$(numbers 'order=left' left | grep -vx 0 || true)"
expect 'without a test' "$(numbers 'keep=untested' tests | sort -u)" "$(numbers '' tests | grep -x 0 | sort -u || true)"
expect 'a wrong choice shows all' "$(shown 'keep=nonsense&order=name')" "$all"

page=$(find "$report/classes" -name '*.html' | LC_ALL=C sort | head -n 1)
for width in 400 800 1300; do
  for file in "$report/index.html" "$page"; do
    run --window-size="$width,1600" --screenshot="$pictures/$(basename "$file" .html)-$width.png" "file://$file" > /dev/null
  done
done
echo "Pictures are in $pictures."
exit "$failed"
