#!/bin/bash
# Every strategy with 2 and 5 threads in two passes, and hybrid and auto with a null device in a GPU's place: each run must end with status 0
# and the bytes of the first. With a program built under ThreadSanitizer (make tsan-matrix) a data race ends a run.
# usage: races.sh LBRENDER
cd "$(dirname "$0")/.." || exit 2
[ $# = 1 ] || { echo "usage: races.sh LBRENDER" >&2; exit 2; }
lbrender=$1 runs=0 failed=0 first=
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

# run WORD...: one run with these options
run() {
  local sum status=0
  runs=$((runs + 1))
  timeout 300 "$lbrender" -q --no-cache --passes 2 --spp 4 --resolution 96x64 "$@" -o "$out/picture.pfm" samples/mandelbrot.pbrt \
    >"$out/log" 2>&1 || status=$?
  sum=$(cksum <"$out/picture.pfm")
  rm -f "$out/picture.pfm"
  [ -n "$first" ] || first=$sum
  [ $status = 0 ] && [ "$sum" = "$first" ] && return
  failed=$((failed + 1))
  echo "status $status, checksum $sum, not $first: $*"
  tail -n 20 "$out/log"
}

for strategy in $("$lbrender" --list-strategies | cut -d' ' -f1); do
  for threads in 2 5; do run --strategy "$strategy" -t $threads; done
done
for strategy in hybrid auto; do run --strategy $strategy --devices=cpu:3,null:as=cuda,speed=4e4; done
echo "$runs runs, $failed failed"
[ $failed = 0 ]
