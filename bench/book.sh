#!/bin/bash
# The book's efficiency curves (its section 10.4) and the lecture notes' pool, simulated and drawn.
# usage: book.sh FOLDER MAP.pfm MANDELBROT.pfm     writes FOLDER/book-{same,mixed}.{txt,svg} and FOLDER/pool.{txt,svg}
cd "$(dirname "$0")/.." || exit 2
[ $# -eq 3 ] || { echo "usage: book.sh FOLDER MAP.pfm MANDELBROT.pfm" >&2; exit 2; }
folder=$1
mkdir -p "$folder" || exit 1

# curves NAME MAP SPEEDS STRATEGY...
curves() {
  local base=$folder/$1 map=$2 speeds=$3 columns
  shift 3
  build/bench/balance -m "$speeds" "$map" "$@" >"$base.txt" || exit 1
  columns=$(sed -n 's/^# processors //p' "$base.txt")
  gnuplot <<PLOT || exit 1
set terminal svg size 640,400
set output "$base.svg"
set xlabel "processors"
set ylabel "efficiency"
set yrange [0:1.02]
set xrange [1:64]
set key bottom left
names = "$columns"
plot for [i=1:words(names)] "$base.txt" using 1:(column(i + 1)) with lines lw 1.5 title word(names, i)
PLOT
}
curves book-same "$2" same naive scanline strips bitrev
curves book-mixed "$2" even naive scanline strips bitrev
curves pool "$3" same pool contiguous
