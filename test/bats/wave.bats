# The GPU's pipeline, run on the host: the CPU's bytes on every reference scene.
load common

# Renders a scene small by the CPU's code and by the GPU's on the host, and compares the bytes.
same_both_ways() {
  local scene=$1
  shift
  "$LBRENDER" -q --lenient --spp 4 "$@" -t 1 -o "cpu.pfm" "$scene"
  "$LBRENDER" -q --lenient --spp 4 "$@" --devices null:code=wave -o "wave.pfm" "$scene"
  cmp "cpu.pfm" "wave.pfm" || { echo "$scene differs"; false; }
}

@test "wave: samples" {
  for scene in "$SAMPLES"/*.pbrt; do same_both_ways "$scene" --resolution 50x41; done
}

@test "wave: every reference scene" {
  index=$ROOT/../shared/data/references/index.tsv
  [ -r "$index" ] || skip "no ../shared/data here"
  count=0
  while IFS=$'\t' read -r name scene width height _ needs _; do
    [ "$needs" = main ] || continue
    same_both_ways "$ROOT/../shared/data/$scene" --resolution "$((width / 3))x$((height / 3))"
    count=$((count + 1))
  done <"$index"
  echo "$count scenes"
  [ $count -ge 50 ]
}

@test "wave: with the CPU, under steal, over passes and a Hilbert curve" {
  for scene in $SAMPLES/room.pbrt $SAMPLES/instances.pbrt; do
    "$LBRENDER" -q --spp 4 --resolution 60x40 -t 1 -o a.png "$scene"
    "$LBRENDER" -q --spp 4 --resolution 60x40 --devices cpu:1,2*null:code=wave --strategy steal --curve hilbert --passes 2 \
      -o b.png "$scene"
    cmp a.png b.png
  done
}
