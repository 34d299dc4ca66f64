# The same bytes from 64-bit ARM, under qemu's user mode. AARCH64_ROOT is where Debian's arm64 libraries were unpacked, if they
# are not in the system.
load common

setup_file() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || skip "no qemu-user here"
  command -v aarch64-linux-gnu-gcc >/dev/null || skip "no aarch64-linux-gnu-gcc here"
  [ -n "${AARCH64_ROOT-}" ] || "$ROOT/tools/setup.sh" aarch64 2>/dev/null || skip "no arm64 libraries here: make aarch64 says which"
  export EMULATOR="$emulator -L ${AARCH64_ROOT:-/}"
  MAKEFLAGS= make -s -C "$ROOT" -j"$(nproc)" aarch64 ${AARCH64_ROOT:+AARCH64_ROOT="$AARCH64_ROOT"} >"$BATS_FILE_TMPDIR/make.log" 2>&1 ||
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
  if grep warning: "$BATS_FILE_TMPDIR/make.log"; then false; fi
}

@test "samples" {
  for sample in "$SAMPLES"/*.pbrt; do
    same_on_arm "$sample" --resolution=40x30 --spp=3
  done
}

@test "ten reference scenes" {
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
