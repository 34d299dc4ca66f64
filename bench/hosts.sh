#!/bin/bash
# T of two hosts of one processor each over T of one host with two, in pairs of runs, by turns: what a network costs.
# usage: bench/hosts.sh [PAIRS [DELAY [RATE]]]    seconds each way and bits a second of test/slow_link.py; without: none
# Processors are CPU threads, and frames take about 5 s where 1.3e6 samples a second are rendered by one: for an idle machine with
# two CPUs. With LB_NULL=1 they are null devices, whose speed is a clock's, so that a busy machine matters little.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=$root/build/lbrender pairs=${1:-9} delay=${2:-} rate=${3:-0}
picture=("$root/samples/room.pbrt" --no-cache)
if [ "${LB_NULL:-0}" = 1 ]; then
  processor=null:speed=16000
  picture+=(--resolution=200x200 --spp=4)
else
  processor=cpu:1
  picture+=(--resolution=800x800 --spp=16)
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

two_hosts() {
  rm -f said link
  "$program" "${picture[@]}" --serve=tcp://127.0.0.1:0 --devices="$processor,host" --report=two.json -o two.png 2>said &
  local primary=$! link='' address=''
  until address=$(grep -oE 'tcp://[^ ]+:[0-9]+' said 2>/dev/null); do sleep 0.05; done
  if [ -n "$delay" ]; then
    "$root/test/slow_link.py" "$address" --delay="$delay" --rate="$rate" >link &
    link=$!
    until [ -s link ]; do sleep 0.05; done
    address=$(cat link)
  fi
  "$program" -q --join="$address" --no-cache --devices="$processor"
  wait "$primary"
  [ -z "$link" ] || kill "$link"
}

for _ in $(seq "$pairs"); do
  "$program" -q "${picture[@]}" --devices="$processor,$processor" --report=one.json -o one.png
  two_hosts
  cmp one.png two.png
  jq -r --slurpfile one one.json '.frames[0].t / $one[0].frames[0].t' two.json
done | sort -n | awk '{ ratio[NR] = $1; print } END { print "median", ratio[int((NR + 1) / 2)] }'
