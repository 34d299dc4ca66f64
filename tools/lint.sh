#!/bin/bash
# Rules that a script can hold: layers, banned functions, the format of code, the width of comments, tables that are made of CSV, and
# whether what CONTRIBUTING.md names is there.
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
code='-name *.[ch] -o -name *.inc -o -name *.cc -o -name *.cu'
set -f # the patterns are find's
program=$(find core strategies cuda hosts cli $code)
all=$(find core strategies cuda hosts cli bench test $code)
set +f
complain "banned function" \
  "$(grep -nwE '(sprintf|vsprintf|strcpy|strcat|atoi|atof|atol|rand|srand|gets|strtok)[[:space:]]*\(' $program $(printf '%s\n' $all | grep '^bench/'))"
complain "printing or exiting outside cli/" \
  "$(grep -nwE '(printf|fprintf|puts|fputs|perror|exit|abort)[[:space:]]*\(' $(printf '%s\n' $program | grep -v '^cli/'))"
complain "libm in the kernel" "$(grep -n 'include <math.h>' $(printf '%s\n' $program | grep -E '^core/(kernel|cpu)/'))"

# What clang-format leaves as it is, or makes worse: comments, and a declaration that it splits because of its comment.
complain "a comment beyond column 120" "$(awk 'length > 120 && /\/\*|\/\/|^ *\*/ { print FILENAME ":" FNR }' $all)"
complain "CONTRIBUTING.md beyond column 100" "$(awk 'length > 100 { print FILENAME ":" FNR }' CONTRIBUTING.md)"
complain "a type and its name on two lines: put the comment above" \
  "$(awk 'type && /^ +[^ ].*; \/\*/ { print FILENAME ":" FNR }
          { type = /^ +((const|struct|enum|unsigned) )*[a-z_0-9]+( \*|( \(\*[a-z_]+\)\())?$/ && !/(else|do)$/ }' $all)"

# One name, one thing; of the lanes of instruction sets a program has one kind.
complain "a struct that two files define" \
  "$(grep -hoE '^(static |const |typedef )*struct [a-z_0-9]+ \{' $(printf '%s\n' $program | grep -v '^core/cpu/lanes_') | grep -oE 'struct [a-z_0-9]+' | sort | uniq -d)"

# Checks that cannot fail, and tests that a busy machine makes fail.
complain "a test that cannot end, or waits for a time" "$(awk -f tools/lint-bats.awk test/bats/*.bats test/bats/*.bash)"

if command -v python3 >/dev/null; then
  bench/tables.py --check || bad=1
  tools/check-walks.py || bad=1
else
  echo "python3 is missing: the tables under bench/results and CONTRIBUTING.md's map were not checked"
fi

format=$(command -v clang-format-14 || command -v clang-format)
if [ -n "$format" ]; then
  printf '%s\n' $all | xargs -n 16 -P "$(nproc)" "$format" --dry-run -Werror >/dev/null 2>&1 ||
    for file in $all; do
      "$format" --dry-run -Werror "$file" >/dev/null 2>&1 || { echo "$file: not as clang-format has it"; bad=1; }
    done
else
  echo "clang-format is missing: the format was not checked"
fi
exit $bad
