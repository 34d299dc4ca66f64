# The GPU's pipeline, run on the host, gives the CPU's bytes on every reference scene.
load common

# Renders a scene, small, by the CPU's code and by the GPU's on the host, and compares the bytes, in red, green and blue where $LIGHT does not
# ask for wavelengths.
same_both_ways() {
  local scene=$1
  shift
  "$LBRENDER" -q ${LIGHT:---rgb} --lenient --spp 4 "$@" -t 1 -o "cpu.pfm" "$scene"
  "$LBRENDER" -q ${LIGHT:---rgb} --lenient --spp 4 "$@" --devices null:code=wave -o "wave.pfm" "$scene"
  cmp "cpu.pfm" "wave.pfm" || { echo "$scene differs"; false; }
}

@test "wave: every sample has the same bytes" {
  for scene in "$SAMPLES"/*.pbrt; do same_both_ways "$scene" --resolution 50x41; done
}

@test "wave: with wavelengths every sample has the same bytes, too" {
  for scene in "$SAMPLES"/room.pbrt "$ROOT"/test/scenes/*.pbrt; do LIGHT=--spectral same_both_ways "$scene" --resolution 30x25; done
  needs_data
  for scene in "$ROOT"/../shared/data/scenes/spectral/*.pbrt; do LIGHT=--spectral same_both_ways "$scene" --resolution 24x20; done
}

@test "wave: surfaces that a part of the rays pass have the same bytes, by every instruction set and tree too" {
  scene=$BATS_TEST_DIRNAME/../scenes/alpha.pbrt
  same_both_ways "$scene"
  for options in --bvh-quality=high $(printf -- '--isa=%s ' portable $(isas)); do
    "$LBRENDER" -q -t 2 $options -o other.pfm "$scene"
    cmp cpu.pfm other.pfm || { echo "$options differs"; false; }
  done
}

@test "wave: every reference scene has the same bytes" {
  index=$ROOT/../shared/data/references/index.tsv
  needs_data
  count=0
  while IFS=$'\t' read -r name scene width height _ needs _; do
    # Scenes that cannot be rendered yet do not count.
    [ "$needs" = main ] ||
      "$LBRENDER" -q --rgb --spp 1 --resolution 4x4 -t 1 -o yet.pfm "$ROOT/../shared/data/$scene" 2>/dev/null || continue
    same_both_ways "$ROOT/../shared/data/$scene" --resolution "$((width / 3))x$((height / 3))"
    count=$((count + 1))
  done <"$index"
  echo "$count scenes"
  [ $count -ge 64 ]
}

@test "wave: together with the CPU, under steal, over passes and a Hilbert curve it gives the same bytes" {
  for scene in $SAMPLES/room.pbrt $ROOT/test/scenes/instances.pbrt; do
    "$LBRENDER" -q --spp 4 --resolution 60x40 -t 1 -o a.png "$scene"
    "$LBRENDER" -q --spp 4 --resolution 60x40 --devices cpu:1,2*null:code=wave --strategy steal --curve hilbert --passes 2 \
      -o b.png "$scene"
    cmp a.png b.png
  done
}

@test "wave: where a processor counts no steps, work and speeds are in rays" {
  "$LBRENDER" -q --resolution 60x40 --devices cpu:1,null:code=wave --strategy bitrev --passes 3 --no-cache --report=r.json \
    -o a.png $SAMPLES/room.pbrt
  python3 "$ROOT/test/validate.py" <("$LBRENDER" --report-schema) r.json
  jq -e '.frames[0] | .cost_unit == "rays" and all(.processors[]; .steps == .rays and .steps > 0) and .t_min <= .t' r.json
  # The cost of the Mandelbrot set is its iterations, which all processors count.
  scene >view.pbrt
  "$LBRENDER" -q --devices cpu:2 --no-cache --report=a.json -o a.png view.pbrt
  "$LBRENDER" -q --devices cpu:1,null:code=wave --no-cache --report=b.json -o b.png view.pbrt
  jq -e '.frames[0] | has("cost_unit") | not' b.json
  [ "$(jq '[.frames[0].processors[].steps] | add' a.json)" = "$(jq '[.frames[0].processors[].steps] | add' b.json)" ]
}

@test "wave: estimates come from processors that count steps, and without one there is none" {
  for devices in cpu:2 cpu:1,null:code=wave; do
    "$LBRENDER" -q --resolution 60x40 --devices $devices --strategy estimate --weights 1,1 --partition-map $devices.png -o a.png \
      $SAMPLES/room.pbrt
  done
  cmp <(map_of cpu:2.png 60 40) <(map_of cpu:1,null:code=wave.png 60 40)
  "$LBRENDER" -q --resolution 60x40 --devices null:code=wave --strategy estimate -o b.png $SAMPLES/room.pbrt
  cmp a.png b.png
}

@test "wave: processors that count no steps give no cost map" {
  scene >view.pbrt
  run "$LBRENDER" -q --devices cpu:1,null:code=wave --cost-map c.pfm view.pbrt
  ended 2 "code=wave measures no costs"
  run "$LBRENDER" -q --devices null:code=wave --simulate 4 view.pbrt
  ended 2 "code=wave measures no costs"
}

@test "wave: glTF's material has the same bytes" {
  same_both_ways "$BATS_TEST_DIRNAME/../scenes/metallicroughness.pbrt" --resolution 96x42
}

@test "wave: a clearcoat's own normals are for CPUs, on all of whose instruction sets they have the same bytes" {
  scene=$BATS_TEST_DIRNAME/../scenes/cpu/coat.pbrt
  run "$LBRENDER" -q --devices null:code=wave -o a.png "$scene"
  ended 1 "they do not render a clearcoat with normals of its own yet; --devices=cpu goes without them"
  "$LBRENDER" -q --resolution 48x27 --spp 4 -t 1 --isa=portable -o portable.pfm "$scene"
  for isa in $(isas); do
    "$LBRENDER" -q --resolution 48x27 --spp 4 -t 3 --isa=$isa -o isa.pfm "$scene"
    cmp portable.pfm isa.pfm
  done
}
