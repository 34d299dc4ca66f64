#!/bin/bash
# Runs test programs (cmocka) and bats files, two more at once than there are processors, as some wait (JOBS=N: N at once), shows what
# failed or was skipped, and closes with `N passed, N failed, N skipped`. Bats files that call themselves long (file_tags=long) begin first,
# so that none of them is left to run alone in the end.
# usage: run.sh PROGRAM|FILE.bats ...
# Exit status 1 when anything failed, a program died or nothing was run.
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# Runs the test $1 with files named $2-...: what is to be said of it is said in one piece, and its counts are kept.
run_one() {
  local test=$1 log=$2-log start status ok not skip processor
  start=$(date +%s)
  if [[ $test == *.bats ]]; then
    bats --tap "$test" >"$log" 2>&1
  else
    CMOCKA_MESSAGE_OUTPUT=TAP "$test" >"$log" 2>&1
  fi
  status=$?
  times >"$2-times" # of what this subshell has run, in its second line
  processor=$(awk -F'[ms ]+' 'NR == 2 { printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }' "$2-times")
  ok=$(grep -E '^ok ' "$log" | grep -vci '# skip')
  not=$(grep -E '^not ok ' "$log" | grep -vci '# skip')
  skip=$(grep -E '^(not )?ok ' "$log" | grep -ci '# skip')
  {
    # A program that died, or said nothing, is a failure that no line counts.
    if { [ $status -ne 0 ] && [ "$not" -eq 0 ]; } || [ $((ok + not + skip)) -eq 0 ]; then
      echo "$test: ended with status $status"
      not=$((not + 1))
    fi
    printf '%-44s %4d passed %3d failed %3d skipped  %4d s %4d CPU s\n' "${test##*/}" "$ok" "$not" "$skip" $(($(date +%s) - start)) "$processor"
    grep -iE '^(not )?ok .*# skip|^# skipped: ' "$log" | sed 's/^/    /'
    [ "$not" -gt 0 ] && grep -vE '^ok |^1\.\.' "$log" | head -n 60 | sed 's/^/    /'
  } >"$2-said"
  echo "$ok $not $skip" >"$2-counts"
  flock "$results" cat "$2-said"
}

is_long() {
  [[ $1 == *.bats ]] && grep -qx '# bats file_tags=long' "$1"
}

first=() then=()
for test in "$@"; do
  if is_long "$test"; then first+=("$test"); else then+=("$test"); fi
done
number=0
for test in "${first[@]}" "${then[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(($(nproc) + 2))}" ]; do wait -n; done
  number=$((number + 1))
  run_one "$test" "$results/$number" &
done
wait
read -r passed failed skipped < <(cat "$results"/*-counts | awk '{ ok += $1; not += $2; skip += $3 } END { print ok + 0, not + 0, skip + 0 }')
if [ "$skipped" -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
# A test whose counts are missing was never run to its end.
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && [ "$(cat "$results"/*-counts | wc -l)" -eq $# ]
