#!/bin/bash
# CPU threads and GPUs that nobody knows the speeds of, simulated at 1920x1080: efficiency of auto and hybrid, least and most of the cost maps
# given, and how far apart the kinds end (of all processors where there is no GPU), the most of the maps. Prints CSV.
# usage: cpu_gpu.sh MAP.pfm ...
cd "$(dirname "$0")/.." || exit 2
[ $# -ge 1 ] || { echo "usage: cpu_gpu.sh MAP.pfm ..." >&2; exit 2; }
command -v jq >/dev/null || { echo "cpu_gpu.sh: jq is missing" >&2; exit 2; }
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

# figures STRATEGY MAP: efficiency and the time apart, of T
figures() {
  build/lbrender -q --simulate "$out/mix.json" --costs "$2" --strategy "$1" --resolution 1920x1080 --report "$out/report.json" \
    samples/room.pbrt >/dev/null || exit 1
  jq -r '.frames[0] | . as $f | [.processors[] | {kind, finish: .finish_seconds}] as $p
    | (if ($p | any(.kind == "cuda")) then [$p | group_by(.kind)[] | map(.finish) | max] else [$p[].finish] end) as $ends
    | [$f.efficiency, (($ends | max) - ($ends | min)) / $f.t] | @tsv' "$out/report.json"
}

# row THREADS GPUS SECONDS OVERHEAD APART PROCESSORS MAP ...: a line of the CSV
row() {
  local threads=$1 gpus=$2 seconds=$3 overhead=$4 apart=$5 processors=$6
  shift 6
  echo "{\"total_seconds\": $seconds, \"range_overhead\": $overhead, \"latency\": 50e-6, \"processors\": [$processors]}" >"$out/mix.json"
  printf '"%s",%s,%s s,%s ms,%s' "$threads" "$gpus" "$seconds" "$(awk "BEGIN { print $overhead * 1000 }")" "$apart"
  for strategy in auto hybrid; do
    for map in "$@"; do figures "$strategy" "$map"; done |
      awk 'NR == 1 { least = most = $1 } { if ($1 < least) least = $1; if ($1 > most) most = $1; if ($2 > apart) apart = $2 }
        END { printf ",%.3f,%.3f,%.2f %%", least, most, 100 * apart }'
  done
  echo
}
cpu() { echo "{\"count\": $1, \"speed\": $2, \"kind\": \"cpu\"}"; }
gpu() { echo "{\"count\": $1, \"speed\": $2, \"kind\": \"cuda\"}"; }

echo 'CPU threads,GPUs,work,overhead a range,apart are,"auto, least","auto, most","auto, apart","hybrid, least","hybrid, most","hybrid, apart"'
row "15 x 1" "1 x 400" 2075 0.0005 "CPUs and GPUs" "$(cpu 15 1), $(gpu 1 400)" "$@"
row "15 x 1" "1 x 400" 2075 0.005 "CPUs and GPUs" "$(cpu 15 1), $(gpu 1 400)" "$@"
row "15 x 1" "1 x 15" 150 0.0005 "CPUs and GPUs" "$(cpu 15 1), $(gpu 1 15)" "$@"
row "7 x 1" "1 x 4" 30 0.0005 "CPUs and GPUs" "$(cpu 7 1), $(gpu 1 4)" "$@"
row "3 x 1" "2 x 25" 265 0.0005 "CPUs and GPUs" "$(cpu 3 1), $(gpu 2 25)" "$@"
row "8 x 1, 8 x 0.4" "1 x 100" 600 0.0005 "CPUs and GPUs" "$(cpu 8 1), $(cpu 8 0.4), $(gpu 1 100)" "$@"
row "3 x 20, 3 x 1" none 100 0.00002 all "$(cpu 3 20), $(cpu 3 1)" "$@"
