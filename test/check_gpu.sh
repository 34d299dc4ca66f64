#!/bin/bash
# The pictures of the GPU, of the CPU threads and of both together are the same bytes: on all samples, and on all reference scenes where
# these are at hand. Closes with `N passed, N failed, N skipped`.
# usage: check_gpu.sh [LBRENDER] [GPU]
# DATA is where the reference scenes are looked for, SHRINK divides the pictures' width and height (where
# the scene has no pixel bounds), JOBS (1) are compared at a time.
# SCENES: these alone are compared, at 200x150 as the samples are. SPP (4) samples are taken.
# LIMIT: no scene is begun when nine tenths of so many seconds have passed, and none goes on beyond them; those left out are told of and count
# as failed, or as skipped where SOME=1 says that it is enough to compare those that there is time for.
# LIGHT: spectral renders with wavelengths in place of red, green and blue.
# GPU is what --devices calls it (cuda). With null:code=wave the GPU's pipeline on the host stands in: that tests this script, no GPU.
cd "$(dirname "$0")/.." || exit 2
. bench/gpu_limit.sh
lbrender=${1:-build/lbrender} gpu=${2:-cuda}
[ -x "$lbrender" ] || { echo "check_gpu.sh: there is no $lbrender" >&2; exit 2; }
if [[ $gpu == cuda* ]]; then
  reason=$("$lbrender" --list-devices | sed -n 's/^no CUDA device: //p')
  if [ -n "$reason" ]; then
    echo "skipped: no CUDA device: $reason"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
  fi
  "$lbrender" --list-devices | grep '^cuda'
else
  echo "self-test with $gpu: no GPU takes part"
fi
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
started=0 skipped=0 late=0 jobs=${JOBS:-1} light=${LIGHT:-rgb}

# A scene three ways: NUMBER SCENE OPTION...; leaves its number with a verdict. In red, green and blue where LIGHT does not say otherwise.
compare() {
  local number=$1 scene=$2 devices status ok=passed
  shift 2
  for devices in cpu "$gpu" "cpu,$gpu"; do
    within "$lbrender" -q "--$light" --lenient --no-cache --spp "${SPP:-4}" "$@" --devices "$devices" -o "$out/$number.$devices.pfm" "$scene" >"$out/$number.said" 2>&1
    status=$?
    [ $status -ne 124 ] || { [ $ok = failed ] || ok=late; break; }
    [ $status -eq 0 ] || { echo "$scene: status $status with --devices $devices: $(tail -n 1 "$out/$number.said")"; ok=failed; }
    [ $ok = passed ] && ! cmp -s "$out/$number.cpu.pfm" "$out/$number.$devices.pfm" && { echo "$scene: $devices differs from cpu"; ok=failed; }
  done
  rm -f "$out/$number".*.pfm
  : >"$out/$number.$ok"
}
# Is it too late to begin another scene? If so, that one is counted.
is_late() {
  [ $SECONDS -ge $((limit * 9 / 10)) ] && late=$((late + 1))
}
# JOBS at a time.
same() {
  [ "$(jobs -rp | wc -l)" -lt "$jobs" ] || wait -n
  is_late && return
  started=$((started + 1))
  compare $started "$@" &
}

scenes=(samples/*.pbrt test/scenes/{headlight,instances,materials,media,metallicroughness}.pbrt)
[ -z "${SCENES:-}" ] || read -ra scenes <<<"$SCENES"
for scene in "${scenes[@]}"; do same "$scene" --resolution "$((200 / ${SHRINK:-1}))x$((150 / ${SHRINK:-1}))"; done
for data in ${DATA-../shared/data shared/data} ''; do [ -r "$data/references/index.tsv" ] && break; done
if [ -n "${SCENES:-}" ]; then
  :
elif [ -n "$data" ]; then
  while IFS=$'\t' read -r name scene width height _ needs _; do
    [ "$name" = name ] && continue # the heads of the columns
    [ -r "$data/$scene" ] || { echo "skipped: $scene is not here"; skipped=$((skipped + 1)); continue; }
    is_late && continue
    # What is not rendered yet does not count.
    [ "$needs" = main ] ||
      "$lbrender" -q "--$light" --no-cache --devices cpu --spp 1 --resolution 4x4 -o "$out/yet.pfm" "$data/$scene" >/dev/null 2>&1 || continue
    # Bounds in pixels may leave nothing of a smaller picture.
    shrink=${SHRINK:-1}
    grep -q '"integer pixelbounds"' "$data/$scene" && shrink=1
    same "$data/$scene" --resolution "$((width / shrink))x$((height / shrink))"
  done <"$data/references/index.tsv"
else
  echo "skipped: no reference scenes here"
  skipped=$((skipped + 1))
fi
wait
# By the shell alone, as there may be little time left to tell.
shopt -s nullglob
same=("$out"/*.passed) cut=("$out"/*.late)
passed=${#same[@]} failed=$((started - ${#same[@]} - ${#cut[@]})) late=$((late + ${#cut[@]}))
[ $late -eq 0 ] || echo "no time was left for $late scenes"
[ -n "${SOME:-}" ] && skipped=$((skipped + late)) || failed=$((failed + late))
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
