#!/bin/bash
# What one primary makes of many workers: a frame of about 8 s on each number of them, all played by one program (bench/hosts_many.c), so that
# what takes time is the primary's own work. usage: bench/hosts_many.sh [WORKERS ...] >bench/results/csv/hosts-many.csv    after `make bench`
# A line each: workers, T in seconds, the efficiency, that of the simulated frame, CPU seconds of the primary (for joining and leaving, too),
# over T as so many CPUs, messages a second both ways, MB a second to all workers and from them, and its memory at most.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=${LBRENDER:-$root/build/lbrender} samples=4 width=2048 total=2000000
frame=("$root/samples/room.pbrt" --resolution=${width}x$width --spp=$samples --no-cache)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -c "import struct, sys; sys.stdout.buffer.write(b'Pf\n$width $width\n-1\n' + struct.pack('<f', 1) * $width * $width)" >flat.pfm
echo "# $("$program" --version), ${width}x$width with $samples samples a pixel, $total samples a second together, load $(cut -d' ' -f1 /proc/loadavg) on $(nproc) CPUs"
echo "workers,T,efficiency,simulated efficiency,CPU seconds,CPUs,messages a second,MB/s sent,MB/s received,MB at most"
[ $# -gt 0 ] || set -- 64 500 1000 2000
for count in "$@"; do
  rm -f said
  ulimit -Sn $((3 * count + 100))
  /usr/bin/time -o time -f "%U %S %M" "$program" "${frame[@]}" --serve=tcp://127.0.0.1:0 --devices="$count*host" --strategy=auto --passes=1 \
    --report=real.json -o none 2>said &
  until address=$(grep -oE 'tcp://[^ ]+:[0-9]+' said 2>/dev/null); do sleep 0.05; done
  "$root/build/bench/hosts_many" "$address" "$count" $((total / count))
  wait $! || { cat said >&2; exit 1; }
  echo "{\"hosts\": [{\"count\": $count, \"cores\": 1}], \"samples\": $samples, \"total_seconds\": $((width * width * samples / (total / count)))}" >hosts.json
  "$program" -q --simulate=hosts.json --costs=flat.pfm --strategy=auto --report=simulated.json
  jq -r -s --arg workers "$count" --arg time "$(tail -n 1 time)" '($time | split(" ") | map(tonumber)) as [$user, $system, $kib]
    | map(.frames[0]) | .[0] as $real | def rate(what): ([$real.processors[].host | what] | add) / $real.t;
     [$workers, (.[0].t * 100 | round / 100), (.[] | .t_min / .t * 1000 | round / 1000), ($user + $system | round), (($user + $system) / $real.t * 100 | round / 100),
      (rate(.network_messages) | round), (rate(.bytes_sent) / 1e6 * 100 | round / 100), (rate(.bytes_received) / 1e6 * 100 | round / 100), ($kib * 1.024e-3 | round)]
    | @csv' real.json simulated.json | tr -d '"'
done
