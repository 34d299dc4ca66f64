#!/bin/bash
# What a GPU does on whole pictures.
# usage: gpu_pictures.sh scenes|pairs|hybrid|halves [LBRENDER] [GPU]
#   scenes  each scene by the GPU alone, by all CPU threads, by the k of them that a GPU leaves, and by these and the GPU together
#   pairs   PAIRS (10) times, over the scenes in turn, on renders of 5 s and more: auto with CPU threads and GPU, and the GPU alone
#   hybrid  CPU threads and GPU under auto and under hybrid, on each scene
#   halves  a part of the GPU that is as fast as the k CPU threads: both together against the sum of both alone
# GPU is what --devices calls it (cuda:0). SIZE (1920x1080) is the pictures'; without SPP each render's samples are chosen so that it takes
# the time that its measurement wants. LIMIT: no measurement is begun that would end later than so many seconds after the start, by how long
# the one before took, and none goes on beyond them. SCENES in place of those that are measured as a rule.
# Lines "goal NAME FIGURE" are for gpu.sh. All seconds are the report's T: loading and writing are apart, trials are in it.
# Exit status 1: a measurement failed, or there was no time for any.
cd "$(dirname "$0")/.." || exit 2
. bench/gpu_limit.sh
mode=${1:-scenes} lbrender=${2:-build/lbrender} gpu=${3:-cuda:0} size=${SIZE:-1920x1080}
done=0 failed=0 # measurements
late=           # a render was ended, as no time was left
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
for data in ${DATA-../shared/data shared/data} ''; do [ -d "$data/scenes" ] && break; done

# A run: SCENE DEVICES SPP OPTION...; its report as CSV.
render() {
  local scene=$1 devices=$2 spp=$3 status
  shift 3
  within "$lbrender" -q --lenient --no-cache --spp "$spp" --resolution "$size" --devices "$devices" --report "$out/report.csv" "$@" \
    -o "$out/picture.png" "$scene" >&2
  status=$?
  [ $status -ne 124 ] || late=1
  return $status
}
# Of the last run: the sum, most or first of a column over the processors of a kind, or of all.
column() {
  awk -F, -v name="$1" -v how="$2" -v kind="${3:-}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    kind == "" || $at["kind"] == kind { v = $at[name] + 0; sum += v; if (!seen++) first = v; if (v > most) most = v }
    END { print (how == "first" ? first : how == "most" ? most : sum) + 0 }' "$out/report.csv"
}
calc() { awk "BEGIN { printf \"$1\", ($2) }"; }
is() { [ "$(calc %d "$1")" = 1 ]; }

# Sets `samples` so that SCENE on DEVICES takes about SECONDS; `second` is what one sample a pixel takes. Begins with FIRST samples.
choose() {
  local scene=$1 devices=$2 seconds=$3 first=$4
  samples=${SPP:-$first}
  render "$scene" "$devices" "$samples" || return 1
  while [ -z "$SPP" ] && is "$(column t first) < $seconds / 10 && $samples < 65536"; do
    samples=$((8 * samples))
    render "$scene" "$devices" "$samples" || return 1
  done
  second=$(calc %.9f "$(column t first) / $samples")
  [ -n "$SPP" ] || samples=$(calc %d "$seconds / $second < 1 ? 1 : $seconds / $second + 1")
}

# goes_on SECONDS WHAT...: is there time for one more of what took so long the last time? If not, says what is left out.
goes_on() {
  local took=$1
  shift
  [ -z "$late" ] && [ $((SECONDS + took)) -le "$limit" ] || { echo "no time is left for $*"; return 1; }
}
# lost SCENE: tells of a measurement that came to nothing.
lost() {
  [ -n "$late" ] && echo "- no time was left to end $(basename "$1" .pbrt)" && return
  failed=$((failed + 1))
  echo "- failed: $1"
}

threads=$("$lbrender" --list-devices | sed -n 's/^cpu *\([0-9]*\) threads.*/\1/p')
k=$((threads > 1 ? threads - 1 : 1)) # as --devices cpu,cuda:0 has them: one thread feeds the GPU
scenes=()
wanted=("$data/scenes/dragon/dragon.pbrt" "$data/scenes/coffee/coffee.pbrt" "$data/scenes/staircase2/staircase2.pbrt" samples/room.pbrt)
[ -z "${SCENES:-}" ] || read -ra wanted <<<"$SCENES"
names=()
for scene in "${wanted[@]}"; do
  [ -r "$scene" ] && scenes+=("$scene") && names+=("$(basename "$scene" .pbrt)") || echo "skipped: $scene is not here"
done

measure_scene() {
  local scene=$1 spp t_gpu rays one_cpu t_cpu t_k t_both
  choose "$scene" "$gpu" 3 16 && spp=$samples && render "$scene" "$gpu" "$spp" || return 1
  t_gpu=$(column t first) rays=$(column rays sum)
  choose "$scene" cpu 4 1 && render "$scene" cpu "$samples" || return 1
  t_cpu=$(calc %.4f "$(column t first) * $spp / $samples")
  render "$scene" "cpu:$k" "$samples" || return 1
  t_k=$(calc %.4f "$(column t first) * $spp / $samples")
  render "$scene" "cpu,$gpu" "$spp" || return 1
  t_both=$(column t first)
  printf '| %s | %d | %.3f | %.1f | %.2f | %.2f | %.1f | %.2f | %.3f | %.3f | %.3f | %d |\n' "$(basename "$scene" .pbrt)" "$spp" "$t_gpu" \
    "$(calc %f "$rays / $t_gpu / 1e6")" "$(calc %f "${size%x*} * ${size#*x} * $spp / $t_gpu / 1e6")" "$t_cpu" \
    "$(calc %f "$t_cpu / $t_gpu")" "$t_k" "$t_both" "$(calc %f "1 / (1 / $t_gpu + 1 / $t_k) / $t_both")" "$(column efficiency first)" "$(column ranges sum cuda)"
  calc '%.2f\n' "$t_cpu / $t_gpu" >>"$out/ratios"
}

measure_scenes() {
  local scene took=0 begin i
  echo "CPU times are of fewer samples, and multiplied; k = $k of $threads CPU threads work beside a GPU"
  printf '\n| scene | spp | GPU s | GPU Mrays/s | GPU Msamples/s | CPU s | CPU s / GPU s | k CPU s | both s | of the sum | Tmin/T | GPU ranges |\n'
  printf '|---|---|---|---|---|---|---|---|---|---|---|---|\n'
  for ((i = 0; i < ${#scenes[@]}; i++)); do
    goes_on $took "${names[@]:i}" || break
    begin=$SECONDS scene=${scenes[i]}
    measure_scene "$scene" && done=$((done + 1)) || lost "$scene"
    took=$((SECONDS - begin))
  done
  [ $done -eq 0 ] || echo "goal times-cpu $(sort -g "$out/ratios" | head -n 1)"
}

# Both ways, who begins taking turns: PAIR SCENE SPP.
measure_pair() {
  local pair=$1 scene=$2 spp=$3 both alone cpu ended way ways="both alone"
  [ $((pair % 2)) = 0 ] && ways="alone both"
  for way in $ways; do
    if [ $way = alone ]; then
      render "$scene" "$gpu" "$spp" || return 1
      alone=$(column t first)
    else
      render "$scene" "cpu,$gpu" "$spp" --strategy auto || return 1
      both=$(column t first) cpu=$(column finish_seconds most cpu) ended=$(column finish_seconds most cuda)
    fi
  done
  is "$both < $alone" && wins=$((wins + 1))
  apart=$(calc %.2f "($cpu > $ended ? $cpu - $ended : $ended - $cpu) / $both * 100")
  is "$apart > $most_apart" && most_apart=$apart
  echo "- pair $pair, $(basename "$scene" .pbrt), $spp spp: both $both s (CPU to $cpu, GPU to $ended: $apart % of T apart), GPU alone $alone s"
}

measure_pairs() {
  local pairs=${PAIRS:-10} pair scene spp=() took=0 begin i
  wins=0 most_apart=0
  for ((pair = 0; pair < pairs; pair++)); do
    goes_on $took "$((pairs - pair)) pairs" || break
    begin=$SECONDS i=$((pair % ${#scenes[@]})) scene=${scenes[$((pair % ${#scenes[@]}))]}
    [ -n "${spp[i]}" ] || { choose "$scene" "$gpu" 6 16 && spp[i]=$samples; } || { lost "$scene"; continue; }
    measure_pair $((pair + 1)) "$scene" "${spp[i]}" && done=$((done + 1)) || lost "$scene"
    took=$((SECONDS - begin))
  done
  echo
  echo "both faster in $wins of $done pairs ($pairs wanted); at most $most_apart % of T apart"
  [ $done -eq 0 ] || { echo "goal wins $(calc %.1f "10 * $wins / $done")" && echo "goal apart $most_apart"; }
}

measure_hybrid() {
  local scene auto took=0 begin i
  for ((i = 0; i < ${#scenes[@]}; i++)); do
    goes_on $took "${names[@]:i}" || break
    begin=$SECONDS scene=${scenes[i]}
    choose "$scene" "$gpu" 3 16 && render "$scene" "cpu,$gpu" "$samples" --strategy auto && auto=$(column t first) &&
      render "$scene" "cpu,$gpu" "$samples" --strategy hybrid || { lost "$scene"; continue; }
    echo "- $(basename "$scene" .pbrt), $samples spp: auto $auto s, hybrid $(column t first) s"
    done=$((done + 1)) took=$((SECONDS - begin))
  done
}

# Few of a GPU's multiprocessors have its caches and memory for themselves, so that a part of them is faster than that part of its speed: what is
# found so is corrected twice.
measure_halves() {
  local scene=${scenes[0]} spp part one_gpu one_cpu a b c took=0 begin i
  choose "$scene" "$gpu" 3 16 && one_gpu=$second && choose "$scene" "cpu:$k" 5 1 || { lost "$scene"; return; }
  spp=$samples one_cpu=$second part=$(calc %.4f "$one_gpu / $one_cpu > 1 ? 1 : $one_gpu / $one_cpu")
  for i in 1 2; do
    render "$scene" "$gpu:part=$part" "$(calc %d "$spp / 2 + 1")" || { lost "$scene"; return; }
    part=$(calc %.4f "$part * $(column t first) / ($one_cpu * int($spp / 2 + 1))")
    is "$part > 1" && part=1
    is "$part < 0.0001" && part=0.0001
  done
  echo "$gpu:part=$part and cpu:$k, $(basename "$scene" .pbrt), $spp spp"
  for i in 3 2 1; do
    goes_on $took "$i rounds" || break
    begin=$SECONDS
    render "$scene" "$gpu:part=$part" "$spp" && a=$(column t first) && render "$scene" "cpu:$k" "$spp" && b=$(column t first) &&
      render "$scene" "cpu:$k,$gpu:part=$part" "$spp" || { lost "$scene"; continue; }
    c=$(column t first)
    calc '%.4f\n' "1 / (1 / $a + 1 / $b) / $c" >>"$out/halves"
    echo "- GPU alone $a s, CPU alone $b s, both $c s: $(tail -n 1 "$out/halves") of the sum"
    done=$((done + 1)) took=$((SECONDS - begin))
  done
  [ $done -eq 0 ] || echo "goal halves $(sort -g "$out/halves" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')"
}

case $mode in
  scenes | pairs | hybrid | halves) measure_$mode ;;
  *) sed -n '3p' "$0" >&2; exit 2 ;;
esac
[ $done -gt 0 ] && [ $failed -eq 0 ]
