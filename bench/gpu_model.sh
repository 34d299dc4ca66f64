#!/bin/bash
# What one frame is to take on a GPU, reckoned from counts: instructions of the kernels that trace (bench/results/csv/gpu-slots.csv), rays,
# bytes and launches (bench/results/csv/gpu-model.csv). Where a folder of gpu.sh's results is given, the rates that it measured are laid beside.
# usage: gpu_model.sh [FOLDER]
# SMS=132 multiprocessors, CLOCK=1.755 GHz, BANDWIDTH=4800 GB/s (an H200's; an H100's: 3350), LAUNCH=2.5 us for each kernel that a stream holds.
# A scheduler issues one instruction a clock at most, so that times are bounds from below. "with few warps" takes the issue rate to be the
# warps that a scheduler holds over WARPS=10, where these are fewer: an assumption, which only a GPU can replace. Shading is counted where
# bench/results/csv/gpu-shading.csv is there. The frame has 1920x1080 pixels of 64 samples: 1024 times the rays of the counts.
cd "$(dirname "$0")/.." || exit 2
results=${1:-}
counts=bench/results/csv/gpu-model.csv slots=bench/results/csv/gpu-slots.csv shading=bench/results/csv/gpu-shading.csv
[ -r $counts ] && [ -r $slots ] || { echo "gpu_model.sh: there is no $counts or no $slots" >&2; exit 2; }
[ -r $shading ] || shading=
# The rate in Mrays/s that a folder of results tells of a kind of the dragon's rays, by the kernels that its scene needs.
measured() { [ -z "$results" ] || awk -F'|' -v kind=" $1, asking " '$2 == kind { print $5 + 0; exit }' "$results/rays.txt" 2>/dev/null; }
sed '/^#/d' $slots $shading $counts | awk -F, -v sms="${SMS:-132}" -v clock="${CLOCK:-1.755}" -v bandwidth="${BANDWIDTH:-4800}" \
  -v launch="${LAUNCH:-2.5}" -v enough="${WARPS:-10}" -v primary="$(measured primary)" -v bounce="$(measured bounce)" -v shadow="$(measured shadow)" '
  BEGIN {
    issues = sms * 4 * clock * 1e9
    # Warps a scheduler, by the blocks of 4 warps that a multiprocessor holds.
    warps["wave_trace"] = warps["wave_shadow"] = 8; warps["wave_trace_asking"] = warps["wave_shadow_asking"] = 5; warps["wave_shade"] = 3
    real["primary"] = primary; real["bounce"] = bounce; real["shadow"] = shadow
    print "| scene | kernel | of | rays or hits | slots each | bytes each | bound, ms | Grays/s | with few warps, ms | Grays/s | measured, Grays/s |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
  }
  # Rows of slots: by scene, kind and kernel; the kernel that the scene uses comes with the counts.
  $3 ~ /^wave_/ { cost[$1, $2, $3] = $3 == "wave_shade" ? $5 : $7; next }
  $1 == "scene" { next }
  function up(x) { return x > int(x) ? int(x) + 1 : x }
  { frame($1, $2, $3, $4, $5, $6) }
  function row(scene, kernel, kind, count, bytes,    slots, t, few, rate) {
    slots = cost[scene, kind, kernel]
    if (slots == "") { print "| " scene " | " kernel " | " kind " | " sprintf("%.1f M", count / 1e6) " | not counted | | | | | | |"; return }
    t = few = slots * count / issues
    rate = warps[kernel] / enough
    if (rate < 1) few = t / rate
    if (bytes * count / (bandwidth * 1e9) > t) t = bytes * count / (bandwidth * 1e9)
    if (t > few) few = t
    printf "| %s | %s | %s | %.1f M | %d | %d | %.1f | %.2f | %.1f | %.2f | %s |\n", scene, kernel, kind, count / 1e6, slots, bytes, t * 1e3,
      count / t / 1e9, few * 1e3, count / few / 1e9, scene == "dragon" && kernel ~ /_asking/ && real[kind] != "" ? sprintf("%.2f", real[kind] / 1e3) : ""
    sum += t; sum_few += few
  }
  # 12 batches, of ever fewer positions (batch_positions in cuda/processor.cc), whose samples take turns of 2^22 paths; a turn has 6 kernels,
  # and at the end of each batch 8 turns may find nothing.
  function frame(scene, samples, paths, shadows, asks, tail,    f, turns, kernels, t) {
    f = 1024; sum = sum_few = 0
    row(scene, "wave_trace" asks, "primary", f * samples, 44 + 24 + 4)
    row(scene, "wave_trace" asks, "bounce", f * (paths - samples), 44 + 24 + 4)
    row(scene, "wave_shadow" asks, "shadow", f * shadows, 68 + 32 + 4)
    row(scene, "wave_shade", "primary", f * samples, 2 * 136 + 24 + 68 + 8)
    row(scene, "wave_shade", "bounce", f * (paths - samples), 2 * 136 + 24 + 68 + 8)
    turns = up(f * paths / 4194304) + 12 * (tail + 8)
    kernels = 12 + 6 * turns
    t = kernels * launch * 1e-6
    printf "| %s | %d kernels queued | | | | | %.1f | | %.1f | | |\n", scene, kernels, t * 1e3, t * 1e3
    printf "| %s | all that is counted | | | | | %.1f | %.2f | %.1f | %.2f | |\n", scene, (sum + t) * 1e3, f * (paths + shadows) / (sum + t) / 1e9,
      (sum_few + t) * 1e3, f * (paths + shadows) / (sum_few + t) / 1e9
  }'
