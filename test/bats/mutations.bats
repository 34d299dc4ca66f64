# The program ends as it should on a few hundred mutated scenes and option lists (test/fuzz/program.py); `make fuzz-program` tries
# thousands under sanitizers.
load common

@test "mutated scenes and options give statuses 0 to 3, messages and whole files, and nothing else" {
  export LBRENDER LB_FUZZ_KEEP=$BATS_TEST_TMPDIR/kept LB_FUZZ_SECONDS=8 LB_FUZZ_RUNS=${LB_FUZZ_RUNS:-250}
  run python3 "$ROOT/test/fuzz/program.py"
  for file in "$LB_FUZZ_KEEP"/*.pbrt.txt; do
    [ ! -e "$file" ] || head -n 20 "$file"
  done
  ended 0 "0 at fault"
  [[ $output != 0\ runs* ]]
}

@test "the fuzzer sees a program that crashes, says nothing or leaves a temporary file" {
  fuzz() {
    # Its options are those of the real one.
    printf '#!/bin/sh\n[ "$1" != --completion=fish ] || exec %q "$1"\n%s\n' "$LBRENDER" "$1" >program
    chmod +x program
    LBRENDER=$PWD/program LB_FUZZ_KEEP=$PWD/kept LB_FUZZ_RUNS=2 run python3 "$ROOT/test/fuzz/program.py"
    ended 1 "$2"
    [[ $output == *"2 at fault"* ]]
  }
  fuzz 'kill -SEGV $$' "status -11"
  fuzz 'exit 4' "status 4"
  fuzz 'exit 1' "status 1 without a message"
  fuzz 'echo "a.c:1:1: runtime error: index 9 out of bounds" >&2' "a report of a sanitizer"
  fuzz ': >.lbrender-0' "left .lbrender-0"
  [ -s kept/1-0.pbrt ]
  grep -q "program .*1-0.pbrt" kept/1-0.pbrt.txt
}
