# The same bytes from 64-bit ARM, under qemu's user mode. AARCH64_ROOT is where Debian's arm64 libraries were unpacked, if they
# are not in the system.
load common

# What is missing for these tests, in words.
missing() {
  command -v qemu-aarch64-static >/dev/null || command -v qemu-aarch64 >/dev/null || { echo "no qemu-user here"; return; }
  command -v aarch64-linux-gnu-gcc >/dev/null || { echo "no aarch64-linux-gnu-gcc here"; return; }
  [ -n "${AARCH64_ROOT-}" ] || "$1/tools/setup.sh" aarch64 2>/dev/null || echo "no arm64 libraries here: make aarch64 says which"
}

setup_file() {
  local root
  root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  MISSING=$(missing "$root")
  export MISSING
  [ -z "$MISSING" ] || return 0
  EMULATOR="$(command -v qemu-aarch64-static || command -v qemu-aarch64) -L ${AARCH64_ROOT:-/}"
  export EMULATOR
  MAKEFLAGS= make -s -C "$root" -j"$(nproc)" aarch64 ${AARCH64_ROOT:+AARCH64_ROOT="$AARCH64_ROOT"} >"$BATS_FILE_TMPDIR/make.log" 2>&1 ||
    { tail -n 20 "$BATS_FILE_TMPDIR/make.log"; return 1; }
}

# The scene $1 with options $2..: this machine's bytes, and ARM's.
same_on_arm() {
  local scene=$1
  shift
  "$LBRENDER" -q --no-cache "$@" -o here.pfm "$scene"
  $EMULATOR "$ROOT/build/aarch64/lbrender" -q --no-cache "$@" -o arm.pfm "$scene"
  cmp here.pfm arm.pfm || { echo "$scene"; false; }
}

@test "the compiler warned of nothing" {
  [ -z "$MISSING" ] || skip "$MISSING"
  if grep warning: "$BATS_FILE_TMPDIR/make.log"; then false; fi
}

@test "samples" {
  [ -z "$MISSING" ] || skip "$MISSING"
  for sample in "$SAMPLES"/*.pbrt; do
    same_on_arm "$sample" --resolution=40x30 --spp=3
  done
}

@test "ten reference scenes" {
  [ -z "$MISSING" ] || skip "$MISSING"
  scenes=${SCENES:-$ROOT/../shared/data/scenes}
  [ -d "$scenes" ] || skip "no scenes at $scenes"
  count=0
  for scene in "$scenes"/*/; do
    name=$(basename "$scene")
    [ -f "$scene/$name.pbrt" ] || continue
    same_on_arm "$scene/$name.pbrt" --lenient --resolution=24x18 --spp=2
    count=$((count + 1))
  done
  [ "$count" -ge 10 ]
}
