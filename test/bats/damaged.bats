# Every damaged file of the shared data is soon answered by lines that say what is wrong, or is rendered; under sanitizers too
# (`make sanitize`).
load common
DAMAGED=${DAMAGED:-$ROOT/../shared/data/damaged}

# Prints the scenes of list.tsv that pbrt-v4 renders in spite of their damage ($1: accepts), or does not render ($1: refuses).
scenes_that_pbrt() {
  awk -F '\t' -v what="$1" 'NR > 1 && (what == "accepts") == ($4 == "accepts") { print $2 }' "$DAMAGED/list.tsv"
}

# Checks that every line is an error, and that there are no more lines than errors are shown at most.
only_errors() {
  [ ${#lines[@]} -ge 1 ] && [ ${#lines[@]} -le 21 ] && [ "$(printf '%s\n' "${lines[@]}" | grep -c '^lbrender: ')" -eq ${#lines[@]} ] || return 1
}

@test "a damaged file gives status 1 and lines that name it" {
  needs_data
  list=$(scenes_that_pbrt refuses)
  [ -n "$list" ]
  for scene in $list; do
    run timeout 60 "$LBRENDER" -q --no-cache --resolution=8x8 --spp=1 -o out.png "$DAMAGED/$scene"
    if [ "$status" -ne 1 ] || ! only_errors || [[ $output != *"$(basename "$scene" .pbrt | cut -d- -f1-2)"* ]]; then
      printf '%s: status %s\n%s\n' "$scene" "$status" "$output"
      false
    fi
    [ ! -e out.png ]
  done
}

@test "what pbrt takes in spite of its damage is rendered, or refused with the reason" {
  needs_data
  list=$(scenes_that_pbrt accepts)
  [ -n "$list" ]
  for scene in $list; do
    rm -f out.png
    run timeout 60 "$LBRENDER" -q --no-cache --resolution=8x8 --spp=1 -o out.png "$DAMAGED/$scene"
    if ! { [ "$status" -eq 0 ] && [ -z "$output" ] && [ -s out.png ]; } && ! { [ "$status" -eq 1 ] && only_errors; }; then
      printf '%s: status %s\n%s\n' "$scene" "$status" "$output"
      false
    fi
  done
}
