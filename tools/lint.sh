#!/bin/bash
# Rules that a script can hold: layers, banned functions, format.
# usage: lint.sh
cd "$(dirname "$0")/.." || exit 2
bad=0
tools/check-layers.sh || bad=1

# No unbounded writes, no conversions that hide errors, no libm in the kernel, printing and exiting in cli/ alone.
complain() {
  local what=$1 found=$2
  [ -z "$found" ] && return
  printf '%s\n%s\n' "$what:" "$found"
  bad=1
}
sources=$(find core strategies cuda cli -name '*.[ch]' -o -name '*.inc' -o -name '*.cu')
complain "banned function" "$(grep -nwE '(sprintf|vsprintf|strcpy|strcat|atoi|atof|atol|rand|srand|gets|strtok)[[:space:]]*\(' $sources)"
complain "printing or exiting outside cli/" \
  "$(grep -nwE '(printf|fprintf|puts|fputs|perror|exit|abort)[[:space:]]*\(' $(printf '%s\n' $sources | grep -v '^cli/'))"
complain "libm in the kernel" "$(grep -n 'include <math.h>' $(printf '%s\n' $sources | grep -E '^core/(kernel|cpu)/'))"

format=$(command -v clang-format-14 || command -v clang-format)
if [ -n "$format" ]; then
  for file in $(find core strategies cuda cli test -name '*.[ch]'); do
    "$format" --dry-run -Werror "$file" >/dev/null 2>&1 || { echo "$file: not as clang-format has it"; bad=1; }
  done
else
  echo "clang-format is missing: the format was not checked"
fi
exit $bad
