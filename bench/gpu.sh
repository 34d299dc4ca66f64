#!/bin/bash
# All that wants a GPU, by one command and in under ten minutes: builds, checks bytes, runs compute-sanitizer, measures. Each step has a
# time limit, and what it said is kept, also when it failed, in build/gpu/ (or OUT); the figures go to bench/results/<gpu>.md.
# usage: gpu.sh [--self-test]        environment: CUDA_ARCHS=90 builds for that one alone; LBRENDER=FILE: one that is built; OUT=FOLDER
# --self-test: the GPU's pipeline on the host stands in, so that the script itself is tested; its figures are kept apart and are no GPU's.
cd "$(dirname "$0")/.." || exit 2
gpu=cuda:0 all=cuda self=
[ "${1:-}" = --self-test ] && self=1 gpu=null:code=wave all=null:code=wave
out=${OUT:-build/gpu}
mkdir -p "$out" || exit 2
worst=0
TOTAL=590 # seconds for all steps

# step NAME SECONDS COMMAND...: runs it, keeps what it says, and goes on whatever comes.
step() {
  local name=$1 limit=$2 begin status left=$((TOTAL - SECONDS))
  shift 2
  [ $left -lt "$limit" ] && limit=$left
  [ "$limit" -gt 0 ] || { echo "$name: no time is left for it"; worst=1; return 1; }
  begin=$(date +%s)
  timeout -k 5 "$limit" "$@" >"$out/$name.txt" 2>&1
  status=$?
  case $status in
    0) said=done ;;
    124 | 137) said="ended after its $limit s" worst=1 ;;
    *) said="failed with status $status" worst=1 ;;
  esac
  printf '%-12s %4d s  %s: %s\n' "$name" $(($(date +%s) - begin)) "$said" "$(tail -n 1 "$out/$name.txt")"
  return $status
}

# What a build needs and this machine lacks.
missing() {
  local tool package
  for tool in gcc make pkg-config; do command -v $tool >/dev/null || echo "missing: $tool"; done
  command -v "${NVCC:-nvcc}" >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || echo "missing: nvcc (CUDA 12 or 13)"
  for package in OpenEXR libdeflate zlib jansson; do pkg-config --exists $package 2>/dev/null || echo "missing: the library $package"; done
  [ -e /usr/include/embree3/rtcore.h ] || echo "missing: embree3 (libembree-dev)"
  [ -e /usr/include/stb/stb_image.h ] || echo "missing: stb (libstb-dev)"
  echo "tools/setup.sh build installs them on Debian"
}

figures() {
  echo "# ${1}"
  [ -n "$self" ] && echo "SELF-TEST: no GPU took part."
  echo
  echo "bench/gpu.sh, $(date -u +%F), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, gcc $(gcc -dumpfullversion)," \
    "$( (${NVCC:-nvcc} --version || /usr/local/cuda/bin/nvcc --version) 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/nvcc \1/p')," \
    "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)."
  local name
  for name in check memcheck racecheck pictures occupancy; do
    [ -e "$out/$name.txt" ] || continue
    printf '\n## %s\n\n' $name
    case $name in pictures) cat "$out/$name.txt" ;; *) printf '```\n'; tail -n 12 "$out/$name.txt"; printf '```\n' ;; esac
  done
}

rm -f "$out"/*.txt
why=$([ -n "$self" ] && echo "no GPU takes part" || echo "not installed")
if [ -z "$LBRENDER" ]; then
  LBRENDER=build/lbrender
  if [ -z "$self" ]; then
    step build 240 make -j"$(nproc)" ${CUDA_ARCHS:+CUDA_ARCHS="$CUDA_ARCHS"} all || { missing; tail -n 20 "$out/build.txt"; exit 1; }
  fi
fi
[ -x "$LBRENDER" ] || { echo "gpu.sh: there is no $LBRENDER"; exit 1; }
if [ -z "$self" ] && ! "$LBRENDER" --list-devices | grep -q '^cuda:'; then
  echo "skipped: $("$LBRENDER" --list-devices | grep '^no CUDA device')"
  exit 0
fi
name=$([ -n "$self" ] && echo self-test || "$LBRENDER" --list-devices | sed -n 's/^cuda:0 *\([^,]*\),.*/\1/p')
step check 150 env SHRINK=${SHRINK:-1} test/check_gpu.sh "$LBRENDER" $all
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -n "$sanitizer" ] && [ -z "$self" ]; then
  for tool in memcheck racecheck; do
    step $tool 60 "$sanitizer" --tool $tool --error-exitcode 9 "$LBRENDER" -q --no-cache --devices cuda:0 --resolution 64x48 --spp 2 \
      -o "$out/$tool.png" samples/room.pbrt
  done
else
  echo "skipped: compute-sanitizer ($why)"
fi
ncu=$(command -v ncu || ls /usr/local/cuda/bin/ncu 2>/dev/null)
if [ -n "$ncu" ] && [ -z "$self" ]; then
  step occupancy 60 "$ncu" --launch-skip 60 --launch-count 10 --metrics \
    sm__warps_active.avg.pct_of_peak_sustained_active,dram__throughput.avg.pct_of_peak_sustained_elapsed,gpu__time_duration.sum \
    "$LBRENDER" -q --no-cache --devices cuda:0 --resolution 512x512 --spp 64 -o "$out/ncu.png" samples/room.pbrt
else
  echo "skipped: ncu ($why)"
fi
step pictures "${PICTURES_LIMIT:-300}" bench/gpu_pictures.sh "$LBRENDER" $gpu "${PAIRS:-10}"
results=$([ -n "$self" ] && echo "$out/self-test.md" || echo "bench/results/$(echo "$name" | tr 'A-Z ' 'a-z-').md")
figures "$name" >"$results"
echo "figures: $results"
exit $worst
