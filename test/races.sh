#!/bin/bash
# Every strategy with 2 and 5 threads in two passes; hybrid and auto with a null device in a GPU's place; every strategy with work that is born
# while it runs, by --adaptive; and every strategy on three hosts, of which one comes in the middle of the first of two frames. Each run must end
# with status 0 and the bytes of the first, or of one host. With a program built under ThreadSanitizer (make tsan-matrix) a data race ends a run.
# usage: races.sh LBRENDER
cd "$(dirname "$0")/.." || exit 2
[ $# = 1 ] || { echo "usage: races.sh LBRENDER" >&2; exit 2; }
lbrender=$1 runs=0 failed=0 first= samples="--passes 2 --spp 4"
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

# run WORD...: one run with these options
run() {
  local sum status=0
  runs=$((runs + 1))
  timeout 300 "$lbrender" -q --no-cache $samples --resolution 96x64 "$@" -o "$out/picture.pfm" samples/mandelbrot.pbrt \
    >"$out/log" 2>&1 || status=$?
  sum=$(cksum <"$out/picture.pfm")
  rm -f "$out/picture.pfm"
  [ -n "$first" ] || first=$sum
  [ $status = 0 ] && [ "$sum" = "$first" ] && return
  failed=$((failed + 1))
  echo "status $status, checksum $sum, not $first: $*"
  tail -n 20 "$out/log"
}

# on_hosts WORD...: two frames on a primary and two workers with these options of the primary
on_hosts() {
  local address='' status said=0 i workers=()
  runs=$((runs + 1))
  rm -rf "$out"/*.log "$out"/cache?
  # Processors are null devices, so that the frame is still rendered when the late worker comes.
  timeout 300 "$lbrender" --serve=tcp://127.0.0.1:0 --patience=1 --silence=30 --devices=null:speed=3000,2*host --no-cache --passes 2 \
    --spp 4 --resolution 96x64 --frames=0-1 "$@" -o "$out/picture-#.pfm" samples/mandelbrot.pbrt 2>"$out/primary.log" &
  local primary=$!
  until address=$(grep -soE 'tcp://[^ ]+:[0-9]+' "$out/primary.log") || ! kill -0 $primary 2>/dev/null; do sleep 0.1; done
  for i in 1 2; do
    XDG_CACHE_HOME=$out/cache$i timeout 300 "$lbrender" -q --join="$address" --silence=30 --devices=2*null:speed=3000 2>"$out/worker$i.log" &
    workers+=($!)
    until [ "$(grep -c ' processors$' "$out/primary.log")" -ge $i ] || ! kill -0 $primary 2>/dev/null; do sleep 0.1; done
    sleep 1
  done
  for i in $primary "${workers[@]}"; do
    status=0
    wait "$i" || status=$?
    [ $status = 0 ] || said=$status
  done
  for i in 0 1; do
    cmp -s "$out/one-$i.pfm" "$out/picture-$i.pfm" || said=bytes
    rm -f "$out/picture-$i.pfm"
  done
  [ "$said" = 0 ] && return
  failed=$((failed + 1))
  echo "on hosts: $said: $*"
  tail -n 20 "$out"/*.log
}

for strategy in $("$lbrender" --list-strategies | cut -d' ' -f1); do
  for threads in 2 5; do run --strategy "$strategy" -t $threads; done
done
for strategy in hybrid auto; do run --strategy $strategy --devices=cpu:3,null:as=cuda,speed=4e4; done
first= samples="--adaptive --spp 16"
for strategy in $("$lbrender" --list-strategies | cut -d' ' -f1); do run --strategy "$strategy" -t 5; done
if ldd "$lbrender" | grep -q libzmq; then
  "$lbrender" -q --no-cache --passes 2 --spp 4 --resolution 96x64 --frames=0-1 -o "$out/one-#.pfm" samples/mandelbrot.pbrt
  for strategy in $("$lbrender" --list-strategies | cut -d' ' -f1); do on_hosts -v --strategy "$strategy"; done
else
  echo "built without libzmq: no hosts"
fi
echo "$runs runs, $failed failed"
[ $failed = 0 ]
