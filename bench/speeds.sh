#!/bin/bash
# The constants of core/speed.c and strategies/crew.c, each varied alone: compiles that file anew with the other value, links the
# simulations with it, and prints bench/results/csv/speeds.csv, a line for each value and strategy. The programs of `make bench` must be there.
# usage: speeds.sh MAP.pfm ANIMATION-FOLDER     the maps of a frame, and m-0000.pfm ... of an animation (bench/orbit.sh makes some)
cd "$(dirname "$0")/.." || exit 2
[ $# -eq 2 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
map=$(realpath "$1") frames=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
libraries="-lstdc++ -lm $(pkg-config --libs OpenEXR) -lembree${EMBREE:-3} -lpng -ljpeg -ldeflate -lz -ljansson -lutf8proc -pthread"

# relink FILE EXPRESSION: the programs with FILE as sed's EXPRESSION makes it.
relink() {
  local program
  sed "$2" "$1" >"$work/varied.c"
  gcc -std=c17 -O2 -I. -D_GNU_SOURCE -ffp-contract=off -c -o "$work/varied.o" "$work/varied.c" || exit 1
  for program in balance mixes orbit; do
    # shellcheck disable=SC2086
    gcc -o "$work/$program" "build/bench/$program.o" "$work/varied.o" build/liblbrender.a $libraries || exit 1
  done
}

# least STRATEGY: over 4, 8, .. 64 processors of three kinds of speeds, two mixes each.
least() {
  "$work/balance" -p '4-64*' -n 2 -m even,halves,slow "$map" "$1" |
    awk '/^# least/ && (!least || $3 < least) { least = $3 } END { printf "%.4f", least }'
}

mixed() {
  "$work/mixes" -n 63 "$map" | awk -F, 'END { printf "%.4f", $3 }'
}

# Of sampled in the animation, from frame 3 on.
settled() {
  "$work/orbit" -p 3x1,2x3,1x9 -r x "$frames"/m-00[0-9][0-9].pfm | awk -F, '$2 == "sampled" { printf "%.4f", $(NF - 1) }'
}

# vary FILE CONSTANT EXPRESSION FIGURE [STRATEGY...]: prints a line for each strategy and value; EXPRESSION has VALUE where the value stands.
# VALUES holds the values.
vary() {
  local file=$1 constant=$2 expression=$3 value
  shift 3
  for value in $VALUES; do
    relink "$file" "${expression//VALUE/$value}"
    "$@" | sed "s/^/$constant,$value,/"
  done
}

echo "constant,value,strategy,least efficiency"
speed=core/speed.c crew=strategies/crew.c
each() { local strategy; for strategy; do echo "$strategy,$(least "$strategy")"; done; }
hybrid() { echo "hybrid,$(mixed)"; }
sampled() { echo "sampled,$(settled)"; }
VALUES="0.8 0.9 0.95" vary $speed "KEPT: frames" 's/{1, [0-9.]*, /{1, VALUE, /' sampled
VALUES="2 3 4.5" vary $speed DOUBTFUL 's/DOUBTFUL = [0-9.]*/DOUBTFUL = VALUE/' sampled
VALUES="0.25 0.5 0.75" vary $speed "KEPT: chunks" 's/\({1, [0-9.]*\), [0-9.]*}/\1, VALUE}/' hybrid
VALUES="1 2 4" vary $speed DEVIATION 's/DEVIATION = [0-9.]*/DEVIATION = VALUE/' each auto hierarchical
VALUES="2 4 8" vary $speed BELIEF 's/BELIEF = [0-9.]*/BELIEF = VALUE/' each auto hierarchical
VALUES="0.25 0.5 1" vary $speed SPREAD 's/SPREAD = [0-9.]*/SPREAD = VALUE/' each auto hierarchical
VALUES="32 64 128" vary $crew "FIRST" 's/FIRST = [0-9]*/FIRST = VALUE/' each steal push
VALUES="2 4 8" vary $crew "GROWTH" 's/GROWTH = [0-9]*/GROWTH = VALUE/' each steal push
VALUES="600 1200 2400" vary $crew "LEAST" 's/LEAST = [0-9]*/LEAST = VALUE/' each steal push
