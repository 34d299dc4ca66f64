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

# Builds the program with the compiler $2 and its options $3 into build/compilers/$1 and compares its pictures with the build's own:
# without guiding, light groups and the GPU's pipeline, whose code takes compilers long (test/rules.mk, UNRENDERED).
same_from() {
  local name=$1 sample
  MAKEFLAGS= make -s -C "$ROOT" -j"$(nproc)" CUDA=0 BUILD="build/compilers/$name" CC="$2" CFLAGS="$3" UNRENDERED="-O0 -DLB_UNFORCED" all >make.log 2>&1 || { tail -n 20 make.log; false; }
  if grep -q warning: make.log; then grep warning: make.log; false; fi
  for sample in "$SAMPLES"/*.pbrt; do
    "$LBRENDER" -q --no-cache --resolution=40x30 --spp=3 -o right.png "$sample"
    same_picture "$name" --resolution=40x30 --spp=3 "$sample"
  done
  spectra >spectra.pbrt
  "$LBRENDER" -q --no-cache --spectral -o right.png spectra.pbrt
  same_picture "$name" --spectral spectra.pbrt
}

# At -O0 compilers may leave calls where the kernel forces none to be (core/kernel/base.h): forced, its loops take them twice as long.
@test "compilers: gcc -O0 with lanes in plain C renders the same bytes" {
  command -v gcc || skip "no gcc here"
  same_from gcc-O0-plain gcc "-O0 -DLB_PLAIN_LANES -DLB_UNFORCED"
}

@test "compilers: clang -O0 renders the same bytes" {
  command -v clang-14 || skip "no clang-14 here"
  same_from clang-O0 clang-14 "-O0 -DLB_UNFORCED"
}

@test "compilers: clang -O3 renders the same bytes" {
  command -v clang-14 || skip "no clang-14 here"
  same_from clang-O3 clang-14 -O3
}
