#!/bin/bash
# What a GPU does on whole pictures: alone, beside the CPU threads, and handicapped until both halves are about equal.
# usage: gpu_pictures.sh [LBRENDER] [GPU] [PAIRS]
# GPU is what --devices calls it (cuda:0). With null:code=wave the GPU's pipeline on the host stands in: that tests this script, and its
# figures are none of a GPU. SPP and SIZE (1920x1080) set the renders' length: without SPP samples are doubled until the GPU alone takes
# SECONDS_LEAST (5).
cd "$(dirname "$0")/.." || exit 2
lbrender=${1:-build/lbrender} gpu=${2:-cuda:0} pairs=${3:-10} size=${SIZE:-1920x1080} least=${SECONDS_LEAST:-5}
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
for data in ${DATA-../shared/data shared/data} ''; do [ -d "$data/scenes" ] && break; done

# A run: SCENE DEVICES SPP OPTION...; its report as CSV.
render() {
  local scene=$1 devices=$2 spp=$3
  shift 3
  "$lbrender" -q --lenient --no-cache --spp "$spp" --resolution "$size" --devices "$devices" --report "$out/report.csv" "$@" \
    -o "$out/picture.png" "$scene" >&2
}
# Of the last run: the sum of a column over the processors whose kind fits, or with `first` the first row's value.
column() {
  awk -F, -v name="$1" -v how="$2" -v kind="${3:-}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    kind == "" || $at["kind"] == kind { sum += $at[name]; if (!seen++) first = $at[name] }
    END { print (how == "first" ? first : sum) + 0 }' "$out/report.csv"
}
calc() { awk "BEGIN { printf \"$1\", ($2) }"; }
samples_of() { calc %.0f "${size%x*} * ${size#*x} * $1"; }

[[ $gpu == cuda* ]] && kind=cuda || { kind=null; echo "SELF-TEST: $gpu on the host stands in for a GPU; these are no GPU's figures"; }
printf '| scene | spp | GPU s | GPU Mrays/s | GPU Msamples/s | CPU s (scaled) | GPU/CPU | both s | efficiency | Tmin/T |\n'
printf '|---|---|---|---|---|---|---|---|---|---|\n'
first=
for scene in "$data/scenes/dragon/dragon.pbrt" "$data/scenes/coffee/coffee.pbrt" "$data/scenes/staircase2/staircase2.pbrt" samples/room.pbrt; do
  [ -r "$scene" ] || { echo "skipped: $scene is not here"; continue; }
  spp=${SPP:-16}
  render "$scene" "$gpu" "$spp" || { echo "failed: $scene"; continue; }
  while [ -z "$SPP" ] && [ "$(calc %d "$(column t first) < $least && $spp < 65536")" = 1 ]; do
    spp=$((2 * spp))
    render "$scene" "$gpu" $spp || break
  done
  t_gpu=$(column t first) rays=$(column rays sum)
  # The CPU threads alone at fewer samples: their time goes with the samples.
  cpu_spp=$((spp / ${CPU_PART:-16}))
  [ $cpu_spp -ge 1 ] || cpu_spp=1
  render "$scene" cpu $cpu_spp || continue
  t_cpu=$(calc %.4f "$(column t first) * $spp / $cpu_spp")
  render "$scene" "cpu,$gpu" "$spp" || continue
  t_both=$(column t first)
  # Both together against the sum of the speeds of both alone. With a GPU one CPU thread less renders.
  printf '| %s | %d | %.3f | %.1f | %.2f | %.2f | %.1f | %.3f | %.3f | %.3f |\n' "$(basename "$scene" .pbrt)" "$spp" "$t_gpu" \
    "$(calc %f "$rays / $t_gpu / 1e6")" "$(calc %f "$(samples_of "$spp") / $t_gpu / 1e6")" "$t_cpu" "$(calc %f "$t_cpu / $t_gpu")" \
    "$t_both" "$(calc %f "1 / (1 / $t_gpu + 1 / $t_cpu) / $t_both")" "$(column efficiency first)"
  [ -n "$first" ] || { first=$scene first_spp=$spp first_gpu=$t_gpu first_cpu=$t_cpu; }
done
[ -n "$first" ] || { echo "nothing was rendered"; exit 1; }

echo
echo "$pairs pairs on $(basename "$first"): auto with the CPU threads and the GPU, and the GPU alone; both's finishing times"
wins=0 done=0
for ((pair = 1; pair <= pairs; pair++)); do
  render "$first" "cpu,$gpu" "$first_spp" --strategy auto || continue
  both=$(column t first) cpu=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["kind"] == "cpu" && $at["finish_seconds"] > most { most = $at["finish_seconds"] } END { print most + 0 }' "$out/report.csv")
  ended=$(column finish_seconds first $kind)
  render "$first" "$gpu" "$first_spp" || continue
  alone=$(column t first) done=$((done + 1))
  wins=$((wins + $(calc %d "$both < $alone")))
  echo "pair $pair: both $both s (CPU ended $cpu, GPU $ended: apart $(calc %.2f "($cpu > $ended ? $cpu - $ended : $ended - $cpu) / $both * 100") % of T), GPU alone $alone s"
done
echo "both faster in $wins of $done"

if [ $kind = cuda ]; then
  echo
  threads=$("$lbrender" --list-devices | sed -n 's/^cpu *\([0-9]*\) threads.*/\1/p')
  k=$((threads > 1 ? threads - 1 : 1)) # as --devices cpu,cuda:0 has them: those that really run beside it
  slow=$(calc %.2f "$first_cpu / $first_gpu > 1 ? $first_cpu / $first_gpu : 1")
  spp=$((first_spp / ${CPU_PART:-16}))
  [ $spp -ge 1 ] || spp=1
  echo "handicapped: $gpu:slow=$slow and cpu:$k at $spp spp, 3 runs each"
  for _ in 1 2 3; do
    render "$first" "$gpu:slow=$slow" $spp && a=$(column t first)
    render "$first" "cpu:$k" $spp && b=$(column t first)
    render "$first" "cpu:$k,$gpu:slow=$slow" $spp && c=$(column t first)
    echo "GPU alone $a s, CPU alone $b s, both $c s: $(calc %.3f "1 / (1 / $a + 1 / $b) / $c") of the sum"
  done
fi
