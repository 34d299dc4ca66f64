#!/bin/bash
# All that wants a GPU, by one command and in under ten minutes: builds, checks bytes, runs compute-sanitizer, measures. Each step has a
# time limit. What each said is kept, also when it failed, in one folder, with a page of the figures and which goals they meet, figures.md.
# usage: gpu.sh [--self-test] [FOLDER]      FOLDER (build/gpu) takes all results, and is emptied of earlier ones
# environment: CUDA_ARCHS=90 builds for that alone (else: for the GPU that nvidia-smi names); BUILD=FOLDER has been built; TOTAL=540, the
# seconds for all of it; WAKE=60, those for the program to list the devices; LIBCUDA="FOLDER ...", where libcuda.so.1 is looked for if the
# loader finds none that will do; STEPS="first rays ..." makes those alone (the names are those of the table of shares below).
# --self-test: devices that this host plays (test/fake_cuda) stand in, so that the script itself is tested; its figures are kept apart and
# are no GPU's. As they are as slow as this host, pictures are small then, and it is enough to do what there is time for.
# Exit status 0: every step was done well. Where there is no GPU, or the program does not start, it is 1. After a signal it is 143, and the
# page tells of what was done until then.
self= lbrender=lbrender rays=gpu_rays stages=gpu_stages
[ "${1:-}" = --self-test ] && self=1 lbrender=lbrender_fake_gpu rays=fake_rays stages=fake_stages && shift
out=${1:+$(realpath -m "$1")}
cd "$(dirname "$0")/.." || exit 2
out=${out:-$PWD/build/gpu}
export TMPDIR=$out/tmp # nothing is left elsewhere, whatever ends a step
mkdir -p "$TMPDIR" || exit 2
trap 'rm -rf "$TMPDIR"' EXIT
TOTAL=${TOTAL:-540}
every=
if [ -n "$self" ]; then
  export SIZE=${SIZE:-64x36} SPP=${SPP:-1} PAIRS=${PAIRS:-2} ROUNDS=${ROUNDS:-1} SHRINK=${SHRINK:-8} SOME=1 FAKE_CUDA=${FAKE_CUDA:-memory=400000000 guard=0}
  SETS=${SETS:-1} every=64
fi

# What the steps may take of the time, for each other: of what is left a step gets its part beside those that are still to come, so that
# none finds no time and all end before TOTAL. What a step does not need goes to those behind it.
declare -A share=([first]=30 [rays]=70 [stages]=40 [stages-room]=30 [check]=110 [memcheck]=35 [racecheck]=35 [pairs]=60 [hybrid]=30
  [scenes]=50 [asking]=60 [halves]=45 [ncu]=30)
for name in "${!share[@]}"; do [[ " ${STEPS:-$name} " == *" $name "* ]] || unset "share[$name]"; done
GRACE=2 # seconds that a step has to end after its time, before it is killed

# allow NAME: sets `limit` to the seconds that a step may take, and takes it off those that are to come.
allow() {
  local left=$((TOTAL - SECONDS)) own=${share[$1]:-0} all=0 part
  for part in "${share[@]}"; do all=$((all + part)); done
  # Each step that is to come may take its grace, too.
  limit=$(((left - GRACE * ${#share[@]}) * own / (all > 0 ? all : 1)))
  unset "share[$1]"
}

# step NAME COMMAND...: runs it within its part of the time, keeps what it says, and goes on whatever comes.
step() {
  local name=$1 limit
  wanted "$name" || return 0
  shift
  allow "$name"
  run "$name" "$limit" "$@"
}

# run NAME SECONDS COMMAND...: the same with a limit that is given.
run() {
  local name=$1 limit=$2 begin=$SECONDS status said job
  shift 2
  [ "$limit" -gt 0 ] || { echo "$name: no time was left for it" | tee "$out/$name.txt"; echo 1 >"$out/$name.status"; return 1; }
  # Beside this shell, as it would hear no signal before the step's end.
  LIMIT=$limit timeout -k $GRACE "$limit" "$@" >"$out/$name.txt" 2>&1 &
  job=$!
  # Of two that run at once each is in a shell of its own, which hands on what ends it.
  [ $BASHPID = $$ ] || trap 'kill $job; wait $job; exit 143' TERM
  wait $job
  status=$?
  echo $status >"$out/$name.status"
  case $status in
    0) said=done ;;
    124 | 137) said="ended after its $limit s"; echo "(ended after its $limit s)" >>"$out/$name.txt" ;;
    *) said="failed with status $status" ;;
  esac
  printf '%-11s %3d of %3d s  %s: %s\n' "$name" $((SECONDS - begin)) "$limit" "$said" "$(grep -v '^goal ' "$out/$name.txt" | tail -n 1)" |
    tee -a "$out/steps.txt"
  return $status
}
# Asks the driver's tool, which may wait for ever where a driver is ill.
soon() { timeout -k $GRACE 10 "$@"; }
# skip NAME WHY: says why a step was not tried, and leaves its time to others.
skip() {
  unset "share[$1]"
  echo "skipped: $*" | tee "$out/$1.txt" | tee -a "$out/steps.txt"
}

# wanted NAME: is it among STEPS? Otherwise that is told.
wanted() {
  [ -n "${share[$1]:-}" ] || { skip "$1" "not among STEPS"; false; }
}

# Says what a build needs and this machine lacks, if anything, and how to install it.
missing() {
  local lacks
  lacks=$(lacking)
  [ -z "$lacks" ] || printf '%s\ntools/setup.sh build installs them on Debian\n' "$lacks"
}
lacking() {
  local tool package
  for tool in gcc make pkg-config; do command -v $tool >/dev/null || echo "missing: $tool"; done
  command -v "${NVCC:-nvcc}" >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || echo "missing: nvcc (CUDA 12 or 13)"
  for package in OpenEXR libdeflate zlib jansson libutf8proc; do pkg-config --exists $package 2>/dev/null || echo "missing: the library $package"; done
  [ -e /usr/include/embree3/rtcore.h ] || echo "missing: embree3 (libembree-dev)"
  [ -e /usr/include/stb/stb_image.h ] || echo "missing: stb (libstb-dev)"
}

# NAME WHAT most|least LIMIT UNIT: a line of the table, by the worst figure that any step told.
goal() {
  local name=$1 what=$2 how=$3 limit=$4 unit=$5 sort=-g figure
  [ "$how" = most ] && sort=-gr
  figure=$(sed -n "s/^goal $name //p" "$out"/*.txt | sort $sort | head -n 1)
  [ -n "$figure" ] || { echo "| $what | at $how $limit $unit | not measured | |"; return; }
  awk -v what="$what" -v how="$how" -v limit="$limit" -v unit="$unit" -v figure="$figure" 'BEGIN {
    met = how == "most" ? figure + 0 <= limit + 0 : figure + 0 >= limit + 0; by = (figure - limit) / limit * 100
    printf "| %s | at %s %s %s | %s | %s |\n", what, how, limit, unit, figure,
      met ? "met" : sprintf("missed by %.1f %%", by < 0 ? -by : by) }'
}
passes() {
  local status
  status=$(cat "$out/$1.status" 2>/dev/null)
  echo "| $2 | passes | ${status:-not run} | $([ "$status" = 0 ] && echo met || { [ -n "$status" ] && echo missed; }) |"
}

figures() {
  local name title machine nvcc
  machine=$(soon nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv,noheader 2>/dev/null | head -n 1)
  nvcc=$( (${NVCC:-nvcc} --version || /usr/local/cuda/bin/nvcc --version) 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/nvcc \1/p')
  echo "<!-- written by bench/gpu.sh -->"
  echo "# $1"
  [ -n "$self" ] && echo "SELF-TEST: no GPU took part."
  printf '\n`bench/gpu.sh%s`, %s, %s, %s CPUs%s, gcc %s, %s, commit %s.\n' "${self:+ --self-test}" "$(date -u +%F)" \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)" "$(nproc)" "${machine:+, $machine}" "$(gcc -dumpfullversion 2>/dev/null || echo none)" \
    "${nvcc:-no nvcc}" "$(cat COMMIT 2>/dev/null || git rev-parse --short HEAD 2>/dev/null || echo unknown)"
  printf '\n## Goals\n\nFigures are the worst of all that were measured; the limits are those set for one H200.\n\n| what | goal | figure | |\n|---|---|---|---|\n'
  goal primary-rays "primary rays on the dragon" least 3000 "Mrays/s"
  goal bounce-rays "diffuse bounces on the dragon" least 1500 "Mrays/s"
  goal times-cpu "whole pictures, times all CPU threads" least 25 ""
  goal wins "auto with the CPU threads faster than the GPU alone" least 9 "of 10 pairs"
  goal apart "CPU threads and GPU end together" most 2 "% of T apart"
  goal halves "part of the GPU as fast as the CPU threads, both of the sum of both alone" least 0.97 ""
  goal stall "longest time without a kernel between batches" most 1 ms
  passes first "bytes of one small picture"
  passes check "bytes of CPU, GPU and both"
  passes memcheck "compute-sanitizer memcheck"
  passes racecheck "compute-sanitizer racecheck"
  for name in steps driver first clocks-before rays clocks-after stages stages-room check memcheck racecheck pairs hybrid scenes asking halves ncu; do
    [ -e "$out/$name.txt" ] || continue
    printf '\n## %s\n\n' $name
    case $name in
      steps | driver | first | clocks-* | check | memcheck | racecheck | ncu) printf '```\n'; tail -n 40 "$out/$name.txt"; printf '```\n' ;;
      *) grep -v '^goal ' "$out/$name.txt" ;;
    esac
  done
  printf '\n## What was predicted\n\n'
  bench/gpu_model.sh "$out"
}

# Tells of what was done when somebody, or a machine that goes away, ends it.
interrupted() {
  trap '' INT TERM HUP
  kill $(jobs -p) 2>/dev/null
  wait
  figures "${gpu:-no GPU}" >"$out/figures.md"
  echo "interrupted: $out/figures.md ($SECONDS s)"
  exit 143
}
trap interrupted INT TERM HUP

rm -f "$out"/*.txt "$out"/*.status "$out"/figures.md
programs=(lbrender bench/gpu_rays bench/gpu_stages)
build=${BUILD:-build}
if [ -z "${BUILD:-}" ] && [ -z "$self" ]; then
  seen=$(soon nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -dc 0-9)
  CUDA_ARCHS=${CUDA_ARCHS:-$seen}
  # Where no GPU waits for it a build may take its time.
  run build $([ -n "$seen" ] && echo 240 || echo 3600) make BUILD=build -j"$(nproc)" ${CUDA_ARCHS:+CUDA_ARCHS="$CUDA_ARCHS"} "${programs[@]/#/build/}" ||
    { missing; tail -n 20 "$out/build.txt"; exit 1; }
fi
lbrender=$build/$lbrender
[ -x "$lbrender" ] || { echo "gpu.sh: there is no $lbrender"; exit 1; }
# The driver, and all libraries that the program does not find, not only the first.
{ soon nvidia-smi || echo "there is no nvidia-smi, or it fails"; } >"$out/driver.txt" 2>&1
ldd "$lbrender" 2>/dev/null | grep 'not found' | tee -a "$out/driver.txt"
# A machine with many GPUs, whose driver is not kept awake, may take long at first.
list_devices() {
  timeout -k $GRACE "${WAKE:=60}" "$lbrender" --list-devices >"$out/devices.txt" 2>&1
  listed=$?
}
list_devices
# The driver's library may lie off the loader's path, and beside a toolkit there may be a newer one, which GPUs of data centres take.
loaded=${LD_LIBRARY_PATH:-}
for folder in ${LIBCUDA:-/usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/wsl/lib /usr/local/cuda*/compat}; do
  grep -qE '^no CUDA device: (there is no NVIDIA driver|the driver, for)' "$out/devices.txt" || break
  [ -e "$folder/libcuda.so.1" ] || continue
  export LD_LIBRARY_PATH=$folder${loaded:+:$loaded}
  list_devices
  echo "with libcuda.so.1 of $folder: $(grep -E '^(cuda:0|no CUDA)' "$out/devices.txt")" | tee -a "$out/driver.txt"
done
case $listed in 124 | 137) echo "it lists no devices within $WAKE s: is the driver ill?" >>"$out/devices.txt" ;; esac
grep -E '^(cuda:|no CUDA)' "$out/devices.txt"
if [ $listed -ne 0 ] || ! grep -q '^cuda:' "$out/devices.txt"; then
  echo "gpu.sh: nothing is measured: $([ $listed -eq 0 ] && grep '^no CUDA device' "$out/devices.txt" ||
    echo "$lbrender does not start: $(tail -n 1 "$out/devices.txt")")"
  exit 1
fi
gpu=$([ -n "$self" ] && echo self-test || sed -n 's/^cuda:0 *\([^,]*\),.*/\1/p' "$out/devices.txt")
for data in ${DATA-../shared/data shared/data} ''; do [ -d "$data/scenes" ] && break; done
size=${SIZE:-1920x1080} mesh=${MESH-$data/scenes/dragon/geometry/dragon.ply.gz} dragon=$data/scenes/dragon/dragon.pbrt

# A GPU in exclusive mode takes one program at a time.
at_once=1
soon nvidia-smi --query-gpu=compute_mode --format=csv,noheader 2>/dev/null | grep -qi exclusive && at_once= JOBS=1 &&
  echo "the GPU is in exclusive mode: one program at a time"

# What a self-test renders whole comes in the order of its cost, as it may have time for the first alone. It races few scenes, as each has its
# part of the time, and takes no dragon apart.
staged=$dragon only=() few=()
if [ -n "$self" ]; then
  staged=$data/scenes/staircase2/staircase2.pbrt
  few=(env SCENES="samples/room.pbrt $staged")
  only=(env SCENES="samples/room.pbrt $staged $data/scenes/coffee/coffee.pbrt $dragon")
fi

# The order of first contact: what tells most in the least time comes first. First one small picture: is it right?
step first env SCENES=samples/room.pbrt test/check_gpu.sh "$lbrender" cuda

# What must be fast. Clocks are looked at before and after, and never touched.
clocks=clocks.sm,clocks.mem,clocks.max.sm,power.draw,temperature.gpu,pcie.link.gen.current,pcie.link.width.current
clocks() { soon nvidia-smi --query-gpu=$clocks --format=csv 2>&1 || echo "nvidia-smi tells no clocks"; }
clocks >"$out/clocks-before.txt"
if [ -r "$mesh" ]; then
  step rays "$build/bench/$rays" ${SETS:+-s $SETS} ${ROUNDS:+-r $ROUNDS} ${every:+-e $every} "$mesh"
else
  skip rays "the dragon's mesh is not here"
fi
clocks >"$out/clocks-after.txt"
if [ -r "$staged" ]; then
  step stages "$build/bench/$stages" -r "$size" ${SPP:+-p $SPP} "$staged"
else
  skip stages "$staged is not here"
fi
step stages-room "$build/bench/$stages" -r "$size" ${SPP:+-p $SPP} samples/room.pbrt

# What must be right.
step check env SHRINK=${SHRINK:-1} JOBS=${JOBS:-$(($(nproc) < 16 ? 4 : 8))} test/check_gpu.sh "$lbrender" cuda
# Both tools at once where that may be: nothing is timed here. An event that is asked for before it has come is an error to memcheck;
# calls of the runtime that fail end the program with a status of its own. Under racecheck kernels take many times as long, so the picture is
# small, rendered as one range, which has the fewest launches, and no kernel counts as hanging.
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
for tool in memcheck racecheck; do
  wanted $tool || continue
  if [ -n "$sanitizer" ] && [ -z "$self" ]; then
    allow $tool
    run $tool $limit "$sanitizer" --tool $tool $([ $tool = memcheck ] && echo --report-api-errors no) --error-exitcode 9 \
      "$lbrender" -q --no-cache --strategy contiguous --devices cuda:0:limit=1000 --resolution $([ $tool = memcheck ] && echo 64x48 || echo 16x12) --spp 2 \
      -o "$out/$tool.png" samples/room.pbrt &
    [ -n "$at_once" ] || wait
  else
    skip $tool "compute-sanitizer ($([ -n "$self" ] && echo "no GPU takes part" || echo "not installed"))"
  fi
done
wait

# CPU threads and GPU together, and whole pictures.
step pairs "${only[@]}" bench/gpu_pictures.sh pairs "$lbrender" cuda:0
step hybrid "${only[@]}" bench/gpu_pictures.sh hybrid "$lbrender" cuda:0
step scenes "${only[@]}" bench/gpu_pictures.sh scenes "$lbrender" cuda:0
# Variants of the kernels that ask, where they are built; played devices run the same program thrice.
variants=("two walks, 5 blocks"="$lbrender")
for name in "one walk" "3 blocks" "6 blocks"; do
  variant=$build/asking/lbrender_${name%% *}
  [ -n "$self" ] && variant=$lbrender
  [ -x "$variant" ] && variants+=("$name=$variant")
done
if [ ${#variants[@]} -gt 1 ]; then
  step asking "${few[@]}" bench/gpu_asking.sh cuda:0 "${variants[@]}"
else
  skip asking "its variants are not built (make gpu-programs)"
fi
step halves "${only[@]}" bench/gpu_pictures.sh halves "$lbrender" cuda:0
ncu=$(command -v ncu || ls /usr/local/cuda/bin/ncu 2>/dev/null)
if [ -n "$ncu" ] && [ -z "$self" ]; then # needs rights that a user seldom has: its failing is no failure
  # Behind the first ranges, which are small; of more samples than a turn has paths.
  step ncu "$ncu" --clock-control none -k 'regex:(wave|spectral)_(trace|shade|shadow)' --launch-skip 24 --launch-count 6 --metrics \
    smsp__thread_inst_executed_per_inst_executed.ratio,smsp__issue_active.avg.pct_of_peak_sustained_active,l1tex__t_sector_hit_rate.pct,lts__t_sector_hit_rate.pct,sm__warps_active.avg.pct_of_peak_sustained_active,dram__throughput.avg.pct_of_peak_sustained_elapsed,dram__bytes.sum.per_second,gpu__time_duration.sum \
    "$lbrender" -q --lenient --no-cache --devices cuda:0 --resolution 1024x1024 --spp 64 -o "$out/ncu.png" \
    "$([ -r "$dragon" ] && echo "$dragon" || echo samples/room.pbrt)"
  rm -f "$out/ncu.status"
else
  skip ncu "$([ -n "$self" ] && echo "no GPU takes part" || echo "not installed")"
fi
results=$out/figures.md
figures "$gpu" >"$results"
[ -n "$self" ] || [ ! -e .git ] || cp "$results" "bench/results/$(echo "$gpu" | tr 'A-Z ' 'a-z-').md"
echo "figures: $results ($SECONDS s)"
! cat "$out"/*.status | grep -qvx 0
