# Other compilers and levels of optimisation than the build's give the same bytes.
# bats file_tags=long
load common

# Compares a picture of the build $1 with right.png, on every instruction set; the rest says what to render.
same_picture() {
  local name=$1 isa
  shift
  for isa in $(isas); do
    "$ROOT/build/compilers/$name/lbrender" -q --no-cache --isa="$isa" -o out.png "$@"
    cmp right.png out.png || { echo "$name $isa $*"; false; }
  done
}

# Builds the program of the sources in $1 with the compiler $3, its options $4 and further arguments of make into build/compilers/$2, and
# compares its pictures with the build's own.
same_from() {
  local sources=$1 name=$2 sample
  MAKEFLAGS= make -s -C "$sources" -j"$(nproc)" CUDA=0 BUILD="$ROOT/build/compilers/$name" CC="$3" CFLAGS="$4" \
    "${@:5}" all >make.log 2>&1 || { tail -n 20 make.log; false; }
  if grep -q warning: make.log; then grep warning: make.log; false; fi
  for sample in "$SAMPLES"/*.pbrt; do
    "$LBRENDER" -q --no-cache --resolution=40x30 --spp=3 -o right.png "$sample"
    same_picture "$name" --resolution=40x30 --spp=3 "$sample"
  done
  spectra >spectra.pbrt
  "$LBRENDER" -q --no-cache --spectral -o right.png spectra.pbrt
  same_picture "$name" --spectral spectra.pbrt
  "$LBRENDER" -q --no-cache --guiding=always --resolution=40x30 --spp=3 -o right.png "$SAMPLES/room.pbrt"
  same_picture "$name" --guiding=always --resolution=40x30 --spp=3 "$SAMPLES/room.pbrt"
}

# What `make dist` packs, where nothing is changed and there is git, so that a clean build of it tells whether it is all that a build needs.
packed_sources() {
  git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "not a git clone" >"$BATS_FILE_TMPDIR/unpacked"; return 1; }
  git -C "$ROOT" diff --quiet HEAD || { echo "there are changes that are not committed" >"$BATS_FILE_TMPDIR/unpacked"; return 1; }
  MAKEFLAGS= make -s -C "$ROOT" BUILD="$PWD/packed" dist >&2
  tar xzf packed/lbrender-*.tar.gz
  echo "$PWD"/lbrender-*/
}

# At -O0 compilers may leave calls where the kernel forces none to be (core/kernel/base.h): forced, its loops take them twice as long.
@test "compilers: gcc -O0 with lanes in plain C renders the same bytes" {
  command -v gcc || skip "no gcc here"
  rm -rf "$ROOT/build/compilers/gcc-O0-plain"
  sources=$(packed_sources) || sources=$ROOT
  same_from "$sources" gcc-O0-plain gcc "-O0 -DLB_PLAIN_LANES -DLB_UNFORCED"
  touch "$BATS_FILE_TMPDIR/rendered"
}

@test "compilers: that was built of the packed sources, in an empty folder" {
  [ ! -e "$BATS_FILE_TMPDIR/unpacked" ] || skip "$(cat "$BATS_FILE_TMPDIR/unpacked")"
  [ -e "$BATS_FILE_TMPDIR/rendered" ]
}

# For AVX2 and all that instruction sets share. The rest is taken from gcc's build above, where there is that (test/rules.mk, LENDER): code that
# takes compilers long and is in none of these pictures, as that of light groups, ambient occlusion and the GPU's pipeline; code that no pixel
# comes of; and that of guided paths, but not that which learns from them.
@test "compilers: clang -O3 renders the same bytes" {
  command -v clang-14 || skip "no clang-14 here"
  local lender=build/compilers/gcc-O0-plain
  [ -e "$ROOT/$lender/lbrender" ] || lender=
  same_from "$ROOT" clang-O3 clang-14 -O3 LENDER="$lender"
}
