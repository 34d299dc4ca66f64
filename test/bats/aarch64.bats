# Compares the bytes of a build for 64-bit ARM, which runs under qemu's user mode, with this machine's. `tools/setup.sh aarch64`
# installs what that needs; the build unpacks arm64 libraries into build/aarch64-root, or they stand where AARCH64_ROOT says.
# bats file_tags=long
load common

# Prints what is missing for these tests, in words.
missing() {
  command -v qemu-aarch64-static >/dev/null || command -v qemu-aarch64 >/dev/null || { echo "no qemu-user here: tools/setup.sh aarch64"; return; }
  command -v aarch64-linux-gnu-gcc >/dev/null || { echo "no aarch64-linux-gnu-gcc here: tools/setup.sh aarch64"; return; }
  [ -z "$AARCH64_ROOT" ] || tools/aarch64_root.sh "$AARCH64_ROOT" >"$BATS_FILE_TMPDIR/root.log" 2>&1 ||
    echo "no arm64 libraries here: $(tail -n 1 "$BATS_FILE_TMPDIR/root.log")"
}

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.."
  export AARCH64_ROOT=${AARCH64_ROOT-$PWD/build/aarch64-root}
  MISSING=$(missing)
  export MISSING
  [ -z "$MISSING" ] || return 0
  EMULATOR="$(command -v qemu-aarch64-static || command -v qemu-aarch64) -L $AARCH64_ROOT"
  export EMULATOR
  MAKEFLAGS= make -s -j"$(nproc)" CFLAGS=-O3 UNRENDERED="-O0 -DLB_UNFORCED" aarch64 >"$BATS_FILE_TMPDIR/make.log" 2>&1 ||
    { tail -n 20 "$BATS_FILE_TMPDIR/make.log"; return 1; }
}

# Renders the scene $1 with options $2.. by both builds, and compares the bytes. Status 2: this machine cannot render it.
same_on_arm() {
  local scene=$1
  shift
  "$LBRENDER" -q --no-cache "$@" -o here.pfm "$scene" || return 2
  rm -f arm.pfm
  { $EMULATOR "$ROOT/build/aarch64/lbrender" -q --no-cache "$@" -o arm.pfm "$scene" && cmp here.pfm arm.pfm; } ||
    { echo "$scene"; return 1; }
}

@test "aarch64: the cross compiler warns of nothing" {
  [ -z "$MISSING" ] || skip "$MISSING"
  if grep warning: "$BATS_FILE_TMPDIR/make.log"; then false; fi
}

@test "aarch64: every sample has the same bytes" {
  [ -z "$MISSING" ] || skip "$MISSING"
  for sample in "$SAMPLES"/*.pbrt; do
    same_on_arm "$sample" --resolution=40x30 --spp=3
  done
}

@test "aarch64: wavelengths have the same bytes" {
  [ -z "$MISSING" ] || skip "$MISSING"
  spectra >spectra.pbrt
  same_on_arm spectra.pbrt --spectral
}

@test "aarch64: reference scenes have the same bytes" {
  [ -z "$MISSING" ] || skip "$MISSING"
  scenes=${SCENES:-$ROOT/../shared/data/scenes}
  needs_data
  # The scenes whose trees take the emulator longest to build are left out, and so are coffee and teapot, whose kinds of
  # shapes, materials, lights and media are those of staircase2 and caustic-glass.
  for name in cornell-box staircase2 killeroo caustic-glass; do
    same_on_arm "$scenes/$name/$name.pbrt" --lenient --resolution=24x18 --spp=2
  done
  count=0
  # In red, green and blue all: wavelengths have a test of their own, and take the emulator seven seconds to begin with.
  for scene in "$scenes"/features/*.pbrt; do
    status=0
    same_on_arm "$scene" --rgb --resolution=24x18 --spp=2 || status=$?
    [ $status -ne 1 ]
    count=$((count + (status == 0)))
  done
  [ "$count" -ge 10 ]
}
