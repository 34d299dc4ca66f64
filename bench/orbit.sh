#!/bin/bash
# The PBT paper's experiment: 20 consecutive frames on 8 nodes, equal contiguous blocks against pbt and sampled. Writes each animation's
# scenes and cost maps into FOLDER/NAME (kept, and used again where they are complete) and prints
# bench/results/csv/orbit.csv, a line a strategy.
# usage: orbit.sh FOLDER [NAME ...]      LBRENDER=PROGRAM, THREADS=N, SIZE=WxH, SPP=N as wanted
cd "$(dirname "$0")/.." || exit 2
[ $# -ge 1 ] || { echo "usage: orbit.sh FOLDER [NAME ...]" >&2; exit 2; }
lbrender=$(realpath "${LBRENDER:-build/lbrender}") folder=$1
shift

# NAME and the arguments of orbit.py behind its folder: what it goes round, how far off, and how many degrees a frame.
animations() {
  cat <<END
small-1 --step=1 dragon -0.006 0.1235 0 0.8 0.15
small-4 --step=4 dragon -0.006 0.1235 0 0.8 0.15
small-18 --step=18 dragon -0.006 0.1235 0 0.8 0.15
fills-1 --step=1 dragon -0.006 0.1235 0 0.27 0.05
fills-4 --step=4 dragon -0.006 0.1235 0 0.27 0.05
fills-18 --step=18 dragon -0.006 0.1235 0 0.27 0.05
instances-4 --step=4 dragon-instances 0 0.02 0.05 1.3 0.73
teapot-4 --step=4 teapot 0 2.4 0 27 6
END
}

# maps NAME STEP SCENE NUMBER...
maps() {
  local into=$folder/$1
  [ -e "$into/done" ] && return
  mkdir -p "$into" && bench/orbit.py "$2" "$3" "$into" -- "${@:4}" || return 1
  (cd "$into" && "$lbrender" -q --no-cache --threads="${THREADS:-2}" --lenient --frames=0-19 --resolution="${SIZE:-640x360}" --spp="${SPP:-8}" --seed=1 \
    --cost-map=m.pfm -o p.png s-####.pbrt && rm -f p-*.png && touch "$into/done")
}

mkdir -p "$folder" && folder=$(realpath "$folder") || exit 1
variances() { echo "$1: contiguous,$1: strategy,$1: Tmin"; }
echo "animation,strategy,ideal,speed-up,saved,$(variances variance),$(variances "settled variance"),efficiency: mean,efficiency: least settled,efficiency: frame 0"
while read -r name arguments; do
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  # shellcheck disable=SC2086
  maps "$name" $arguments && build/bench/orbit -r "$name" "$folder/$name"/m-00[0-9][0-9].pfm || exit 1
done < <(animations)
