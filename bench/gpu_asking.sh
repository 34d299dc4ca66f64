#!/bin/bash
# Which variant of the kernels that trace where hits ask something (alpha, spheres, disks, curves, motion) is the fastest? Each is a program
# of its own (`make gpu-programs`): its kernels keep so many blocks of 128 threads on a multiprocessor, of which more hide more of the
# memory's latency, but leave each thread fewer registers; or it traces by one walk where others take two. Its picture must be the CPU's,
# byte for byte.
# usage: gpu_asking.sh GPU NAME=PROGRAM...      the first is the one in use, that the others are compared with
# SIZE (1920x1080) is the pictures', ROUNDS (3) are rendered of each, in turns; without SPP, as many samples as take 1 s. LIMIT: so many
# seconds after the start it ends. Each scene has its part of them: no round is begun that would end later, none goes on beyond, and what was
# left out is told. SCENES in place of those that ask most.
# Prints a line a scene and "best: NAME". Exit status 1: a variant failed or its bytes differ; it is never the best then.
cd "$(dirname "$0")/.." || exit 2
. bench/gpu_limit.sh
[ $# -ge 2 ] || { sed -n '5p' "$0" >&2; exit 2; }
gpu=$1 size=${SIZE:-1920x1080} rounds=${ROUNDS:-3} all=$limit
shift
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
declare -A program wrong
variants=()
for argument; do
  variant=${argument%%=*}
  variants+=("$variant")
  program[$variant]=${argument#*=}
  [ -x "${program[$variant]}" ] || { echo "gpu_asking.sh: there is no ${program[$variant]}" >&2; exit 2; }
done
for data in ${DATA-../shared/data shared/data} ''; do [ -d "$data/scenes" ] && break; done
scenes=()
wanted=("$data"/scenes/{sponza/sponza,dragon/dragon,staircase2/staircase2}.pbrt)
[ -z "${SCENES:-}" ] || read -ra wanted <<<"$SCENES"
for scene in "${wanted[@]}"; do
  [ -r "$scene" ] && scenes+=("$scene") || echo "skipped: $scene is not here"
done
[ ${#scenes[@]} -gt 0 ] || scenes=(samples/room.pbrt)

# render VARIANT SCENE DEVICES SPP SIZE PICTURE: sets `took`, the report's T, or `late` where it was ended.
render() {
  local status
  within "${program[$1]}" -q --rgb --lenient --no-cache --devices "$3" --spp "$4" --resolution "$5" --report "$out/report.csv" -o "$6" "$2" >&2
  status=$?
  [ $status -ne 124 ] || late=1
  [ $status -eq 0 ] || return
  took=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "t") at = i } NR == 2 { print $at }' "$out/report.csv")
}
fails() { [ -n "$late" ] || { wrong[$1]=1 && echo "variant $1: $2"; }; }
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "-" }'; }

# A small picture of each variant beside the CPU's. False: no time was left, or the CPU does not render it.
check_scene() {
  local scene=$1 variant
  render "${variants[0]}" "$scene" cpu 2 80x60 "$out/cpu.pfm" || { [ -n "$late" ] || { echo "$scene: the CPU does not render it"; bad=1; }; return 1; }
  for variant in "${variants[@]}"; do
    rm -f "$out/gpu.pfm"
    render "$variant" "$scene" "$gpu" 2 80x60 "$out/gpu.pfm" || { fails "$variant" "it fails on $scene"; continue; }
    cmp -s "$out/cpu.pfm" "$out/gpu.pfm" || fails "$variant" "$scene differs from the CPU's"
  done
  [ -z "$late" ]
}

# A round of all variants that are right: adds the seconds of each to NUMBER.VARIANT. False: no time was left for all of it, and none counts.
race_round() {
  local number=$1 scene=$2 spp=$3 variant
  local -A times=()
  for variant in "${variants[@]}"; do
    [ -z "${wrong[$variant]}" ] || continue
    render "$variant" "$scene" "$gpu" "$spp" "$size" "$out/picture.png" && times[$variant]=$took || fails "$variant" "it fails on $scene"
    [ -z "$late" ] || return
  done
  for variant in "${!times[@]}"; do echo "${times[$variant]}" >>"$out/$number.$variant"; done
}

# As many rounds as there is time for; `left` are the others.
race_scene() {
  local number=$1 scene=$2 spp=${SPP:-8} round variant begin last=0
  render "${variants[0]}" "$scene" "$gpu" "$spp" "$size" "$out/picture.png" || { fails "${variants[0]}" "it fails on $scene"; return; }
  [ -n "$SPP" ] || spp=$(awk -v t="$took" -v spp="$spp" 'BEGIN { s = int(spp / (t > 0.001 ? t : 0.001)); print (s < 1 ? 1 : s > 65536 ? 65536 : s) }')
  for ((round = 0; round < rounds; round++)); do
    [ $((SECONDS + last)) -le "$limit" ] || late=1
    begin=$SECONDS
    [ -z "$late" ] && race_round "$number" "$scene" "$spp" || break
    last=$((SECONDS - begin))
  done
  left=$((rounds - round))
  {
    printf '| %s | %d |' "$(basename "$scene" .pbrt)" "$spp"
    for variant in "${variants[@]}"; do printf ' %s |' "$(touch "$out/$number.$variant" && median "$out/$number.$variant")"; done
    echo
  } >>"$out/rows"
}

left_out=() bad=
: >"$out/rows"
for ((number = 0; number < ${#scenes[@]}; number++)); do
  scene=${scenes[number]} late= left=$rounds limit=$((all * (number + 1) / ${#scenes[@]}))
  check_scene "$scene" && race_scene $number "$scene"
  [ -z "$late" ] || left_out+=("$(basename "$scene" .pbrt): $left of $rounds rounds")
done
printf '\n| scene | spp |'
printf ' %s, s |' "${variants[@]}"
printf '\n|---|---|'
printf -- '---|%.0s' "${variants[@]}"
echo
cat "$out/rows"
# The best has the least product of its medians over those of the first, on the scenes that all have run.
for variant in "${variants[@]}"; do
  [ -z "${wrong[$variant]}" ] || continue
  for ((number = 0; number < ${#scenes[@]}; number++)); do
    [ -s "$out/$number.$variant" ] && echo "$(median "$out/$number.${variants[0]}") $(median "$out/$number.$variant")"
  done | awk -v variant="$variant" '$1 > 0 && $2 > 0 { sum += log($1 / $2); n++ } END { if (n) printf "%s\t%.3f\n", variant, exp(sum / n) }'
done >"$out/ratios"
echo
sort -s -t $'\t' -k2,2gr "$out/ratios" | awk -F '\t' -v first="${variants[0]}" 'NR == 1 { printf "best: %s, %s times as fast as %s\n", $1, $2, first }'
[ ${#left_out[@]} -eq 0 ] || printf 'no time was left for %s\n' "${left_out[@]}"
[ ${#wrong[@]} -eq 0 ] && [ -z "$bad" ] && [ -s "$out/ratios" ]
