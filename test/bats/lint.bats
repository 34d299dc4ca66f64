# What `make lint` refuses: in bats files, checks that cannot fail and waits for no condition; in the program's, includes against the
# layers and in circles.
load common

# Prints what is refused of the text on standard input.
refused() {
  cat >it.bats
  awk -f "$ROOT/tools/lint-bats.awk" it.bats
}

@test "a ! that cannot end a test is refused, in one line and in several" {
  for line in '! grep x y' '  ! grep -q x y' 'true; ! cmp a b' 'if a; then ! cmp a b; fi' '[ a ] && ! cmp a b' '! a | grep b' "! grep '|| x' y" '! grep x y || false'; do
    echo "$line"
    [[ "$(refused <<<"$line")" = it.bats:1:*'cannot end a test'* ]]
  done
  [[ "$(printf 'true\n! grep x \\\n  y\n' | refused)" = it.bats:2:* ]]
  for line in 'if ! a; then b; fi' 'while ! a; do b; done' '! a || continue' '[ ! -e a ]' '# ! a' "printf '! a'"; do
    echo "$line"
    [ -z "$(refused <<<"$line")" ]
  done
  [ -z "$(printf 'cat <<END\n! grep x y\nEND\n' | refused)" ]
}

@test "a check before && is refused" {
  for line in '[ -e a ] && [ -e b ]' '  grep -q a b && cmp c d' '[[ a ]] && ended 1'; do
    echo "$line"
    [[ "$(refused <<<"$line")" = it.bats:1:*'before &&'* ]]
  done
  for line in '[[ a && b ]]' '[ a ] && break' '[ a ] && [ b ] || return 1' 'if [ a ] && [ b ]; then c; fi' '[ a ] && x=1'; do
    echo "$line"
    [ -z "$(refused <<<"$line")" ]
  done
}

@test "a sleep outside a loop that a condition ends is refused" {
  [[ "$(printf 'true\nsleep 1\n' | refused)" = it.bats:2:*'no condition'* ]]
  [[ "$(printf 'for i in 1 2; do\n  sleep 0.5\n  a\ndone\n' | refused)" = it.bats:2:*'no condition'* ]]
  [[ "$(printf 'until a; do\n  b\ndone\nsleep 1\n' | refused)" = it.bats:4:*'no condition'* ]]
  [ -z "$(printf 'until a; do\n  sleep 1\ndone\n' | refused)" ]
  [ -z "$(printf 'for i in 1 2; do\n  a && break\n  sleep 1\ndone\n' | refused)" ]
}

# layers FILE=INCLUDE...: what is said of files that have one include each
layers() {
  local file status=0
  rm -rf tree
  for file; do
    mkdir -p "tree/$(dirname "${file%=*}")"
    printf '#include "%s"\n' "${file#*=}" >>"tree/${file%=*}"
  done
  "$ROOT/tools/check-layers.sh" "$PWD/tree" || status=$?
  echo "status $status"
}

@test "an include against the layers is refused" {
  [[ "$(layers core/kernel/a.h=core/kernel/b.h)" = *'status 0' ]]
  [[ "$(layers core/kernel/a.h=core/base/b.h)" = *'core/kernel/a.h:1: core/kernel may not include core/base/b.h'*'status 1' ]]
}

@test "headers and folders that include each other in a circle are refused" {
  [[ "$(layers core/run/a.h=core/run/b.h core/run/b.h=core/run/c.h core/run/c.h=core/run/a.h)" = *"headers that include each other: "*core/run/*'status 1' ]]
  [[ "$(layers core/run/a.h=core/run/pass/b.h core/run/pass/c.h=core/run/d.h)" = *"folders that include or use each other: "*'status 1' ]]
  [[ "$(layers core/run/a.h=core/run/b.h core/run/a.h=core/run/c.h core/run/b.h=core/run/c.h)" = *'status 0' ]]
}

@test "a folder with more files than one can see into is refused" {
  local files
  mapfile -t files < <(for i in {1..40}; do echo "core/base/a$i.h=core/base/b.h"; done)
  [[ "$(layers "${files[@]}")" = *'status 0' ]]
  [[ "$(layers "${files[@]}" core/base/a41.h=core/base/b.h)" = *'core/base: 41 files'*'status 1' ]]
}
