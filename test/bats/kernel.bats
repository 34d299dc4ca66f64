# core/kernel gives the same bits with other compilers and options than the build's, and nvcc makes of it what a GPU needs.
# bats file_tags=long

EXACT="-ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math"
CUDA_EXACT="--fmad=false --prec-div=true --prec-sqrt=true --ftz=false"

setup() {
  cd "$BATS_TEST_DIRNAME/../.."
}

# Compiles test/checksums.c with the given compiler and options, and runs it.
checksums() {
  command -v "$1" >/dev/null || skip "no $1 here"
  "$@" -std=c17 -I. $EXACT -o "$BATS_TEST_TMPDIR/checksums" test/checksums.c
  "$BATS_TEST_TMPDIR/checksums"
}

needs_cpu() {
  local flag
  for flag; do grep -qw "$flag" /proc/cpuinfo || skip "this CPU has no $flag"; done
}

needs_nvcc() {
  command -v nvcc >/dev/null || skip "no nvcc here"
}

# Makes the PTX in $ptx, which another test file may make as well: one at a time, and each file of it once. It is the oldest
# architecture's, which that file runs: nvcc makes the same of the kernels for 90, but for a few comparisons, in 22 s.
needs_ptx() {
  build=${LBRENDER:-build/lbrender}
  needs_nvcc
  [[ " $MAKEFLAGS " != *" CUDA=0 "* ]] || skip "built without CUDA"
  build=${build%/*}
  ptx=$build/ptx
  mkdir -p "$build"
  flock "$build/ptx.lock" make --no-print-directory BUILD="$build" ptx-files PTXAS_OF=75
}

@test "kernel: gcc -O0 gives the same checksums" {
  checksums gcc -O0
}

@test "kernel: gcc -O3 gives the same checksums" {
  checksums gcc -O3
}

@test "kernel: gcc -O3 with AVX2 gives the same checksums" {
  needs_cpu avx2 fma
  checksums gcc -O3 -mavx2 -mfma -mbmi -mbmi2
}

@test "kernel: gcc -O3 with AVX-512 gives the same checksums" {
  needs_cpu avx512f avx512vl avx512dq avx512bw
  checksums gcc -O3 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma
}

@test "kernel: clang -O0 gives the same checksums" {
  checksums clang -O0
}

@test "kernel: clang -O3 with AVX2 gives the same checksums" {
  needs_cpu avx2 fma
  checksums clang -O3 -mavx2 -mfma -mbmi -mbmi2
}

# nvcc asks for that, where there is one: no other part of the build has the stages for wavelengths as C++.
@test "kernel: the GPU's pipeline is C++ without a warning, for light of both kinds" {
  local compiler light compilers=0
  for compiler in g++ clang++-14; do
    command -v $compiler || continue
    compilers=$((compilers + 1))
    for light in LB_NOT_SPECTRAL LB_SPECTRAL; do
      printf '#define %s\n#include "core/kernel/integrators/wavefront.h"\n' $light |
        $compiler -std=c++17 -I. -Wall -Wextra -Werror -fsyntax-only -x c++ -
    done
  done
  [ $compilers -gt 0 ] || skip "no C++ compiler here"
}

# Checks that PTX has divisions and roots as IEEE does, and nothing approximate, flushed or contracted. Only where the source says so in
# assembler may a multiplication and an addition be one: in tests of the compressed tree's boxes, which decide no hit.
rounds_as_cpus_do() {
  grep -q 'div.rn.f32' "$1"
  grep -q 'sqrt.rn.f32' "$1"
  local inline='/\/\/ begin inline asm/,/\/\/ end inline asm/'
  sed "${inline}d" "$1" >"$BATS_TEST_TMPDIR/compiled.ptx"
  run grep -nE '(fma|mad)[.a-z]*\.f(32|64)|\.approx|\.ftz|\.full\.f32' "$BATS_TEST_TMPDIR/compiled.ptx"
  echo "$output" | head
  [ "$status" -eq 1 ]
  sed -n "${inline}p" "$1" | grep -E '\.f(32|64)' >"$BATS_TEST_TMPDIR/inline.ptx"
  run grep -v '^[[:space:]]*fma\.rn\.f32 ' "$BATS_TEST_TMPDIR/inline.ptx"
  echo "$output" | head
  [ "$status" -eq 1 ]
}

@test "kernel: nvcc compiles every header, and its PTX rounds as CPUs do" {
  needs_nvcc
  printf '#include "%s"\n' core/kernel/*.h core/kernel/*/*.h >"$BATS_TEST_TMPDIR/all_headers.h"
  # PTX is enough: machine code for each GPU would take a minute.
  nvcc -std=c++17 -I. -I"$BATS_TEST_TMPDIR" $CUDA_EXACT -Werror all-warnings -gencode arch=compute_90,code=compute_90 \
    --keep --keep-dir "$BATS_TEST_TMPDIR" -c -o "$BATS_TEST_TMPDIR/kernel.o" test/kernel.cu
  rounds_as_cpus_do "$BATS_TEST_TMPDIR/kernel.ptx"
}

@test "kernel: the PTX of the GPU's processor rounds as CPUs do" {
  needs_ptx
  for file in cuda/*.cu; do cat "$ptx/$(basename "$file" .cu)_75.ptx"; done >"$BATS_TEST_TMPDIR/kernels.ptx"
  rounds_as_cpus_do "$BATS_TEST_TMPDIR/kernels.ptx"
}

# For sm_90 and of the kernels that most scenes take: assembling those for media, hair and wavelengths takes a minute and a half, and for
# each other architecture it is all to be done again. `make ptxas` does that, and a GPU tells what it costs.
@test "kernel: kernels that most scenes take spill no registers, but for those four of which more run at once so, and one a few" {
  needs_ptx
  table=$BATS_TEST_TMPDIR/table
  files=$(basename -s .cu cuda/*.cu | grep -v '^stage_\(seldom\|spectral\)$')
  make --no-print-directory BUILD="$build" ptxas CUDA_ARCHS=90 PTXAS_OF=75 PTXAS_FILES="$(echo $files)" >"$table"
  cat "$table"
  # CSV: kernel, architecture, registers, stores spilled, loads spilled, stack, shared.
  [ "$(grep -c "^wave_" "$table")" -eq "$(for file in $files; do cat "cuda/$file.cu"; done | grep -c '^__global__ void\|^LB_KERNEL')" ]
  run grep -v ',0,0,[0-9]*,[0-9]*$' <(grep "^wave_" "$table" | grep -v '^wave_\(\(trace\|shadow\)_\(asking\|rest\)\|shade_led\),')
  [ -z "$output" ]
  # Of what these spill little is their own, the rest is of functions that few rays call: a GPU was the fastest so with those that ask, from
  # which the second walks of two (rest) differ by what they leave out.
  awk -F, '/^wave_(trace|shadow)_(asking|rest),/ { n++; if ($4 > 400 || $5 > 800) bad++ } END { exit !(n == 4 && !bad) }' "$table"
  # Two blocks in place of three, with which it would spill none, are dearer than three or four registers of those that few paths need.
  awk -F, '/^wave_shade_led,/ { n++; if ($4 > 16 || $5 > 16) bad++ } END { exit !(n == 1 && !bad) }' "$table"
}

@test "kernel: nvcc gives the same checksums, on the host and on a GPU" {
  needs_nvcc
  nvcc -std=c++17 -I. $CUDA_EXACT -gencode arch=compute_75,code=compute_75 -Xcompiler "${EXACT// /,}" -o "$BATS_TEST_TMPDIR/checksums" test/kernel_checksum.cu
  run "$BATS_TEST_TMPDIR/checksums"
  echo "$output"
  [ "$status" -ne 77 ] || skip "the host's are right; no GPU here"
  [ "$status" -eq 0 ]
}
