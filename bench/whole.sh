#!/bin/bash
# Whole-picture rates: pixels x samples a second and rays a second, load time apart, with one thread and with all, in turn; and the share
# of CPU samples in traversal where perf can count. Prints bench/results/csv/whole.csv.
# usage: whole.sh [ROUNDS] [LBRENDER]
cd "$(dirname "$0")/.." || exit 2
rounds=${1:-5} lbrender=${2:-build/lbrender}
data=../shared/data/scenes
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
scenes=("cornell-box 1024x1024 4" "coffee 400x500 16" "dragon 640x480 16")
command -v jq >/dev/null || { echo "whole.sh: jq is missing" >&2; exit 2; }

# traversal NAME SIZE SPP: its share of one thread's rendering; nothing where perf cannot count.
traversal() {
  command -v perf >/dev/null && perf record -q -F 997 -o "$out/perf" "$lbrender" -q --no-cache -t 1 --spp "$3" --resolution "$2" \
    -o "$out/picture.png" "$data/$1/$1.pbrt" 2>/dev/null >&2 || return
  # Of what renders alone: loading's symbols are no part of it.
  perf report -i "$out/perf" --no-children --sort sym 2>/dev/null |
    awk '/%/ && !/^#/ { p = $1 + 0; if (/lb_trace_|visit_/) trace += p; else if (/lb_/ && !/lb_tree|lay_|lb_ply/) rest += p }
      END { if (trace + rest > 0) printf "%.0f %%", 100 * trace / (trace + rest) }'
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

echo "# $(date -u +%F), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg)," \
  "$(gcc -dumpfullversion -dumpversion | sed 's/^/gcc /'), commit $(git rev-parse --short HEAD), $rounds rounds"
echo "scene,size,spp,threads,load s,M pixel*spp/s,Mrays/s,speed-up,in traversal"
for scene in "${scenes[@]}"; do
  read -r name size spp <<<"$scene"
  for ((round = 0; round < rounds; round++)); do
    for threads in 1 "$(nproc)"; do
      "$lbrender" -q --no-cache -t "$threads" --spp "$spp" --resolution "$size" --report "$out/report.json" -o "$out/picture.png" \
        "$data/$name/$name.pbrt" || exit 1
      jq -r '[.load_seconds, .image.width * .image.height * .image.spp / .frames[0].t / 1e6,
              ([.frames[0].processors[].rays] | add) / .frames[0].t / 1e6] | @tsv' "$out/report.json" >>"$out/$name.$threads"
    done
  done
  one=$(cut -f2 "$out/$name.1" | median)
  for threads in 1 "$(nproc)"; do
    rate=$(cut -f2 "$out/$name.$threads" | median)
    printf '%s,%s,%s,%s,%.3f,%.3f,%.2f,%.2f,%s\n' "$name" "$size" "$spp" "$threads" "$(cut -f1 "$out/$name.$threads" | median)" \
      "$rate" "$(cut -f3 "$out/$name.$threads" | median)" "$(awk -v a="$rate" -v b="$one" 'BEGIN { print a / b }')" \
      "$([ "$threads" = 1 ] && traversal "$name" "$size" "$spp")"
  done
done
