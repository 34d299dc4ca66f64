#!/bin/bash
# Efficiency against the number of processors, identical and of speeds drawn evenly from 1 .. 20, drawn for each cost map given (made by
# lbrender --cost-map MAP.pfm).
# usage: balance.sh FOLDER MAP.pfm ...      writes FOLDER/NAME-same.{txt,svg} and FOLDER/NAME-even.{txt,svg}
cd "$(dirname "$0")/.." || exit 2
[ $# -ge 2 ] || { echo "usage: balance.sh FOLDER MAP.pfm ..." >&2; exit 2; }
folder=$1
shift
mkdir -p "$folder" || exit 1
for map in "$@"; do
  for speeds in same even; do
    base=$folder/$(basename "$map" .pfm)-$speeds
    build/bench/balance -m "$speeds" "$map" >"$base.txt" || exit 1
    columns=$(sed -n 's/^# processors //p' "$base.txt")
    gnuplot <<PLOT || exit 1
set terminal svg size 900,500
set output "$base.svg"
set title "$(basename "$base")"
set xlabel "processors"
set ylabel "efficiency"
set yrange [0:1.02]
set autoscale xfix
set grid ytics
set key outside right
names = "$columns"
plot for [i=1:words(names)] "$base.txt" using 1:(column(i + 1)) with lines linewidth 1.5 title word(names, i)
PLOT
    echo "$(basename "$base"): least $(sed -n 's/^# least //p' "$base.txt") of $columns"
  done
done
