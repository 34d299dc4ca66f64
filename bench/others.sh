#!/bin/bash
# Whole pictures beside Cycles and Embree's path tracer, in turns: samples a second, rays a second where the program counts them, and
# the seconds that a mean square error of 1e-6 would take (error times time is constant for independent samples; Embree's program
# writes 8 bits only). Loading and building are apart. Each renderer ends paths by its own Russian roulette, which
# is why samples alone do not compare. Prints bench/results/csv/others.csv.
# usage: [SPP=N] others.sh MESH.ply[.gz] [ROUNDS] [LBRENDER]     needs blender, pathtracer (embree-tools), python3-numpy, jq
cd "$(dirname "$0")/.." || exit 2
[ $# -ge 1 ] || { echo "usage: others.sh MESH.ply[.gz] [ROUNDS] [LBRENDER]" >&2; exit 2; }
mesh=$(realpath "$1") rounds=${2:-5} lbrender=${3:-build/lbrender} spp=${SPP:-64} threads=$(nproc)
for tool in blender pathtracer jq; do
  command -v $tool >/dev/null || { echo "others.sh: $tool is missing" >&2; exit 2; }
done
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
python3 bench/others.py scene "$mesh" "$out" || exit 1
pixels=$((640 * 480))

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

render_ours() { # SEED
  "$lbrender" -q --no-cache -t "$threads" --spp $spp --seed "$1" --report "$out/report.json" -o "$out/ours$1.pfm" "$out/scene.pbrt" || exit 1
  jq -r '[.frames[0].t, ([.frames[0].processors[].rays] | add) / .frames[0].t / 1e6] | @tsv' "$out/report.json" >>"$out/ours"
}

render_cycles() { # SEED
  blender -b -t "$threads" --debug-cycles --python bench/cycles.py -- "$out/scene.pbrt" 640 480 $spp "$1" "$threads" "$out/cycles$1.pfm" >"$out/log" 2>&1
  sed -n 's/.*Render time (without synchronization): //p' "$out/log" | grep . >>"$out/cycles" || { tail "$out/log" >&2; exit 1; }
}

render_embree() {
  pathtracer --righthanded -i "$out/scene.obj" --vp 0.02 0.175 0.27 --vi -0.006 0.1235 0 --vu 0 1 0 --fov 35 --size 640 480 --spp 1 \
    --max-path-length 6 --directionallight -0.3 -0.8 -0.5 3 3 3 --threads "$threads" --benchmark 1 16 >"$out/log" 2>&1
  awk '/RENDER_AVG / { fps = $2 } /MRAYPS_AVG / { rays = $2 } END { if (!fps) exit 1; print 1 / fps "\t" rays }' "$out/log" >>"$out/embree" ||
    { tail "$out/log" >&2; exit 1; }
}

for ((round = 1; round <= rounds; round++)); do
  render_ours $round
  render_embree
  render_cycles $round
done
echo "# $(date -u +%F), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $threads threads, load $(cut -d' ' -f1 /proc/loadavg)," \
  "gcc $(gcc -dumpfullversion), commit $(git rev-parse --short HEAD), $(blender --version | head -n 1), $rounds rounds"
report() { # NAME SECONDS MRAYS NOISE MEAN
  awk -v n="$1" -v s="$2" -v r="$3" -v e="$4" -v m="${5:--}" -v work="$((pixels * spp))" \
    'BEGIN { printf "%s,%.3f,%.3f,%s,%s,%s\n", n, s, work / s / 1e6, r, e == "" ? "-" : sprintf("%.1f", s * e / 1e-6), m }'
}
echo "renderer,T s,M pixel*spp/s,Mrays/s,s for an MSE of 1e-6,mean of the picture"
noise() { python3 bench/others.py noise "$@" | cut -d' ' -f1; }
mean() { python3 bench/others.py noise "$1" "$1" | cut -d' ' -f2; }
last=$((rounds > 1 ? 2 : 1))
report lbrender "$(cut -f1 "$out/ours" | median)" "$(cut -f2 "$out/ours" | median | xargs printf '%.2f')" "$(noise "$out/ours1.pfm" "$out/ours$last.pfm")" \
  "$(mean "$out/ours1.pfm")"
report "Embree's path tracer" "$(cut -f1 "$out/embree" | median | awk -v n=$spp '{ print n * $1 }')" \
  "$(cut -f2 "$out/embree" | median | xargs printf '%.2f')" ""
report Cycles "$(median <"$out/cycles")" - "$(noise "$out/cycles1.pfm" "$out/cycles$last.pfm")" "$(mean "$out/cycles1.pfm")"
