#!/bin/bash
# What growing passes and checkpoints cost, in instructions (callgrind) on ten scenes: pairs of one thread's runs of the same picture, by its
# whole process but for loading, which a run of one sample of 1 x 1 pixels has too.
# usage: parts.sh [LBRENDER]
cd "$(dirname "$0")/.." || exit 2
lbrender=${1:-build/lbrender}
data=../shared/data/scenes
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
size=32x24 pixels=768 spp=48
scenes=(test/scenes/headlight test/scenes/instances test/scenes/materials samples/room samples/mandelbrot "$data/cornell-box/cornell-box"
  "$data/teapot/teapot" "$data/killeroo/killeroo" "$data/coffee/coffee" "$data/dining-room/dining-room")
command -v valgrind >/dev/null || { echo "parts.sh: valgrind is missing" >&2; exit 2; }

# Instructions of a run with options $2.. of the scene $1.
instructions() {
  local scene=$1
  shift
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$lbrender" -q --no-cache -t 1 --isa=avx2 --strategy=bitrev -o none "$@" "$scene.pbrt" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# What the part of a picture of $2 takes.
writing() {
  echo $(($(instructions "$1" --resolution="$2" --spp=1 --part="$out/x.part") - $(instructions "$1" --resolution="$2" --spp=1)))
}

echo "# $(date -u +%F), $(gcc -dumpfullversion -dumpversion | sed 's/^/gcc /'), commit $(git rev-parse --short HEAD), $size x $spp spp, one thread, avx2"
echo 'scene,instructions,a sample,two passes for one,"a part, a pixel",--checkpoint 60'
for scene in "${scenes[@]}"; do
  [ -e "$scene.pbrt" ] || { echo "parts.sh: $scene.pbrt is not there" >&2; continue; }
  load=$(instructions "$scene" --resolution=1x1 --spp=1 --passes=1)
  one=$(instructions "$scene" --resolution=$size --spp=$spp --passes=1)
  # A still of so few samples grows in two passes, and none of fewer does.
  two=$(instructions "$scene" --resolution=$size --spp=$spp --passes=2)
  # What a pixel costs in a part's file: more pixels, and what writing these takes more.
  small=$(writing "$scene" 64x48)
  large=$(writing "$scene" 192x144)
  awk -v name="$(basename "$scene")" -v load="$load" -v one="$one" -v two="$two" -v write="$((large - small))" -v pixels=$pixels -v spp=$spp 'BEGIN {
    write /= 192 * 144 - 64 * 48
    # A checkpoint of 1920 x 1080 pixels every 60 s, of two threads that execute 3e9 instructions a second each.
    printf("%s,%.3g,%.0f,%.2f %%,%.0f,%.3f %%\n", name, one - load, (one - load) / (pixels * spp), 100 * (two - one) / (one - load),
           write, 100 * write * 1920 * 1080 / (2 * 60 * 3e9)) }'
done
