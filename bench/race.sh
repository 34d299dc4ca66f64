#!/bin/bash
# Real threads: the default strategy against the best other one. A first race of all strategies at few samples picks the best other on each
# scene; the two then take turns at 640x360, 64 samples, in PAIRS fresh pairs. Prints bench/results/csv/race.csv: the
# default's imbalance and the ratio of their times, as medians.
# usage: race.sh [PAIRS] [LBRENDER]
cd "$(dirname "$0")/.." || exit 2
pairs=${1:-7} lbrender=${2:-build/lbrender}
data=../shared/data/scenes
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
scenes=("$data/cornell-box/cornell-box.pbrt" "$data/coffee/coffee.pbrt" "$data/staircase2/staircase2.pbrt"
  "$data/caustic-glass/caustic-glass.pbrt" test/scenes/headlight.pbrt "$data/dragon/dragon.pbrt" samples/mandelbrot.pbrt)
command -v jq >/dev/null || { echo "race.sh: jq is missing" >&2; exit 2; }

# seconds and imbalance of one run: SCENE STRATEGY SPP
measure() {
  "$lbrender" -q --lenient --no-cache --strategy "$2" --spp "$3" --resolution 640x360 --report "$out/report.json" -o "$out/picture.png" \
    "$1" || exit 1
  jq -r '.frames[0] | [.t, .imbalance] | @tsv' "$out/report.json"
}
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

echo "# $(date -u +%F), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg)," \
  "gcc $(gcc -dumpfullversion), commit $(git rev-parse --short HEAD), $pairs pairs"
echo "scene,best other,auto s,other s,auto/other,imbalance"
for scene in "${scenes[@]}"; do
  best=
  for strategy in $("$lbrender" --list-strategies | cut -d' ' -f1 | grep -vx auto); do
    echo "$(measure "$scene" "$strategy" 6 | cut -f1) $strategy"
  done >"$out/first"
  best=$(sort -g "$out/first" | head -n 1 | cut -d' ' -f2)
  : >"$out/auto"
  : >"$out/other"
  : >"$out/ratio"
  for ((pair = 0; pair < pairs; pair++)); do
    measure "$scene" auto 64 >>"$out/auto"
    measure "$scene" "$best" 64 >>"$out/other"
    echo "$(tail -n 1 "$out/auto" | cut -f1) $(tail -n 1 "$out/other" | cut -f1)" | awk '{ print $1 / $2 }' >>"$out/ratio"
  done
  printf '%s,%s,%.2f,%.2f,%.3f,%.2f %%\n' "$(basename "$scene" .pbrt)" "$best" "$(cut -f1 "$out/auto" | median)" \
    "$(cut -f1 "$out/other" | median)" "$(median <"$out/ratio")" "$(cut -f2 "$out/auto" | median | awk '{ print 100 * $1 }')"
done
