#!/bin/bash
# Runs test programs (cmocka) and bats files, shows what failed or was skipped, and closes with `N passed, N failed, N skipped`.
# usage: run.sh PROGRAM|FILE.bats ...
# Exit status 1 when anything failed, a program died or nothing was run.
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for test in "$@"; do
  start=$(date +%s)
  if [[ $test == *.bats ]]; then
    bats --tap "$test" >"$log" 2>&1
  else
    CMOCKA_MESSAGE_OUTPUT=TAP "$test" >"$log" 2>&1
  fi
  status=$?
  ok=$(grep -E '^ok ' "$log" | grep -vci '# skip')
  not=$(grep -E '^not ok ' "$log" | grep -vci '# skip')
  skip=$(grep -E '^(not )?ok ' "$log" | grep -ci '# skip')
  # A program that died, or said nothing, is a failure that no line counts.
  if { [ $status -ne 0 ] && [ "$not" -eq 0 ]; } || [ $((ok + not + skip)) -eq 0 ]; then
    echo "$test: ended with status $status"
    not=$((not + 1))
  fi
  printf '%-44s %4d passed %3d failed %3d skipped  %4d s\n' "${test##*/}" "$ok" "$not" "$skip" $(($(date +%s) - start))
  grep -iE '^(not )?ok .*# skip|^# skipped: ' "$log" | sed 's/^/    /'
  [ "$not" -gt 0 ] && grep -vE '^ok |^1\.\.' "$log" | head -n 60 | sed 's/^/    /'
  passed=$((passed + ok)) failed=$((failed + not)) skipped=$((skipped + skip))
done
if [ $skipped -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ] && [ $passed -gt 0 ]
