# Runs on the CPU what nvcc made of the GPU's kernels, and compares the bits with those of the CPU renderer: test/ptx/translate.py turns
# the PTX into C, and test/ptx/machine.c plays the GPU.
# bats file_tags=long
load common

setup_file() {
  export PTX_BUILD=$(dirname "$LBRENDER")
  export PTX_SKIP=
  command -v nvcc >/dev/null || { PTX_SKIP="no nvcc here"; return; }
  command -v python3 >/dev/null || { PTX_SKIP="no python3 here"; return; }
  [[ " $MAKEFLAGS " != *" CUDA=0 "* ]] || { PTX_SKIP="built without CUDA"; return; }
  # The test file that looks at registers makes the same PTX.
  flock "$PTX_BUILD/ptx.lock" make -C "$BATS_TEST_DIRNAME/../.." --no-print-directory BUILD="$PTX_BUILD" ptx >"$BATS_FILE_TMPDIR/log" 2>&1 ||
    { cat "$BATS_FILE_TMPDIR/log"; return 1; }
}

needs_ptx() {
  [ -z "$PTX_SKIP" ] || skip "$PTX_SKIP"
}

translate() {
  python3 "$BATS_TEST_DIRNAME/../ptx/translate.py" "$1"
}

@test "ptx: every sample has the same bits, for the oldest and the newest architecture" {
  needs_ptx
  for program in "$PTX_BUILD"/ptx/compare_*[0-9]; do
    (cd "$BATS_TEST_DIRNAME/../.." && "$program" "$SAMPLES"/*.pbrt && "$program" -c "$SAMPLES"/*.pbrt)
  done
}

@test "ptx: options that change the picture, and subsurface materials in mixes, have the same bits" {
  needs_ptx
  "$(ls "$PTX_BUILD"/ptx/compare_*[0-9] | tail -n 1)" "$BATS_TEST_DIRNAME"/../scenes/*.pbrt
}

@test "ptx: guided samples have the same bits" {
  needs_ptx
  "$(ls "$PTX_BUILD"/ptx/compare_*[0-9] | tail -n 1)" -g "$SAMPLES/room.pbrt" "$BATS_TEST_DIRNAME"/../scenes/{materials,instances,lights}.pbrt
}

@test "ptx: with wavelengths every sample has the same bits" {
  needs_ptx
  newest=$(ls "$PTX_BUILD"/ptx/compare_*[0-9] | tail -n 1)
  "$newest" -w "$SAMPLES"/room.pbrt "$BATS_TEST_DIRNAME"/../scenes/*.pbrt
  needs_data
  "$newest" -w -s 16 -p 2 "$ROOT"/../shared/data/scenes/spectral/*.pbrt
}

@test "ptx: every reference scene has the same bits" {
  needs_ptx
  index=$ROOT/../shared/data/references/index.tsv
  needs_data
  cut -f2 "$index" | grep '\.pbrt$' | sort -u | sed "s,^,$ROOT/../shared/data/," | while read -r scene; do
    # Scenes that cannot be loaded even leniently yet have tests of their own.
    if "$LBRENDER" -q --lenient --spp 1 --resolution 4x4 -t 1 -o yet.pfm "$scene" 2>/dev/null; then echo "$scene"; fi
  done >scenes
  [ "$(wc -l <scenes)" -ge 82 ]
  xargs "$(ls "$PTX_BUILD"/ptx/compare_*[0-9] | tail -n 1)" -s 32 -p 2 <scenes
}

@test "ptx: instructions that the translator does not know are an error" {
  command -v python3 >/dev/null || skip "no python3 here"
  for line in 'ex2.approx.f32 %f1, %f2;' 'add.rn.ftz.f32 %f1, %f2, %f3;' 'add.f32 %f1, %f2, %f3;' 'mad.rn.f32 %f1, %f2, %f3, %f1;' \
    'div.full.f32 %f1, %f2, %f3;' 'cvt.rni.s32.f32 %r1, %f1;' 'cvt.rzi.sat.s32.f32 %r1, %f1;' 'vote.sync.uni.pred %p1, %p1, %r1;' \
    'tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f1}, [t, %r1];' 'add.rn.f32 %f1, %f2, %g3;' '.pragma "other";'; do
    printf '.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(\n.param .u64 k_param_0\n)\n{\n.reg .f32 %%f<4>;\n.reg .b32 %%r<4>;\n.reg .pred %%p<2>;\n%s\nret;\n}\n' "$line" >k.ptx
    run translate k.ptx
    echo "$line: $output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"no translation"* ]]
  done
}

@test "ptx: warps in lockstep issue and meet as counted by hand" {
  command -v python3 >/dev/null || skip "no python3 here"
  python3 "$ROOT/test/ptx/translate.py" --lockstep "$ROOT/test/ptx/lockstep.ptx" >kernels.c
  ${CC:-cc} -std=gnu17 -O1 -w -I"$ROOT" -o lockstep "$ROOT/test/ptx/lockstep.c" "$ROOT/bench/gpu/lockstep.c" kernels.c
  run ./lockstep
  echo "$output"
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = "parts 9 200 0" ]
  [ "${lines[1]}" = "loops 98 1648 0" ]
  [ "${lines[2]}" = "meets 6 128 256" ]
}
