# What a user sees of GPUs and of their failures: the program with its GPU processors, over devices that this host plays
# (test/fake_cuda).
# bats file_tags=long
load common

setup_file() {
  # No settings but those of the test itself may count.
  unset CUDA_VISIBLE_DEVICES
}

# Runs the program on played devices, which $1 sets up, with the other arguments. It may leave nothing behind on a device, unless that
# hangs.
gpu() {
  local setup=$1 ended
  shift
  FAKE_CUDA="$setup" FAKE_CUDA_LOG=$PWD/log "$FAKE" "$@"
  ended=$?
  grep -qxE 'live 0|hangs 1' log && grep -qx 'misuse 0 ' log || { cat log; return 99; }
  return $ended
}

room=$SAMPLES/room.pbrt
plain="--resolution 40x30 --spp 4 --no-cache" # which warns
small="-q $plain"

@test "gpu: --list-devices tells GPUs, or why there is none" {
  run gpu "devices=2" --list-devices
  ended 0 "cuda:1   this host, playing a GPU, 0.1 GiB, sm_90"
  run gpu "driver=0" --list-devices
  ended 0 "no CUDA device: there is no NVIDIA driver"
  run gpu "driver=12020" --list-devices
  ended 0 "no CUDA device: the driver, for CUDA 12.2, is too old"
  CUDA_VISIBLE_DEVICES=7 run gpu "devices=0" --list-devices
  ended 0 'no CUDA device: CUDA_VISIBLE_DEVICES is "7"'
}

@test "gpu: where there is PTX alone, one line says that the driver compiles it, and where that is kept" {
  unset CUDA_CACHE_DISABLE CUDA_CACHE_PATH
  run gpu "devices=2 ptx=1" $plain --devices=cuda --frames=0-1 --progress=none -o 'out#.png' $room
  [ "$status" -eq 0 ]
  [ "$(grep -c 'driver compiles' <<<"$output")" -eq 1 ]
  grep -qF "cuda0: the driver compiles the kernels for sm_90, a minute's work at first, and keeps them in ~/.nv/ComputeCache" <<<"$output"
  CUDA_CACHE_PATH=/some/where run gpu ptx=1 $plain -o out.png $room
  grep -qF "keeps them in /some/where" <<<"$output"
  CUDA_CACHE_DISABLE=1 run gpu ptx=1 $plain -o out.png $room
  grep -qF "a minute's work every time, as CUDA_CACHE_DISABLE is set" <<<"$output"
  run gpu ptx=0 $plain -o out.png $room
  no_line -F "driver compiles" <<<"$output"
}

# Renders the scene $1 by the CPU's code and on played GPUs, with the options that follow, and compares the bytes.
as_on_cpus() {
  local scene=$1
  shift
  "$LBRENDER" $small --lenient "$@" -t 1 -o right.exr "$scene"
  gpu "devices=2" $small --lenient "$@" --devices=cuda -o out.exr "$scene"
  cmp right.exr out.exr || { echo "$scene differs"; false; }
}

@test "gpu: with wavelengths, with channels and buckets, the bytes are the CPU's" {
  for scene in $room "$ROOT"/test/scenes/*.pbrt; do as_on_cpus "$scene" --spectral --channels=samples,variance; done
  sed 's/^Film "rgb"/Film "spectral"/; s/^Film "gbuffer"/Film "spectral"/' "$room" >room.pbrt
  grep -q '^Film "spectral"' room.pbrt
  as_on_cpus room.pbrt --channels=buckets,samples
}

@test "gpu: --devices takes these words for GPUs" {
  "$LBRENDER" $small -t 1 -o right.png $room
  while read -r devices names; do
    gpu "devices=2" $small --devices=$devices --report=r.json -o out.png $room
    cmp right.png out.png
    [ "$(jq -r '[.frames[0].processors[].name] | join(" ")' r.json)" = "$names" ]
  done <<END
cuda cuda0 cuda1
cuda:1 cuda1
cuda:1,cuda:0 cuda1 cuda0
cpu:1,cuda:0 cpu0 cuda0
cuda:0:slow=2,cpu:2 cuda0 cpu0 cpu1
cuda:0:part=0.001,cuda:1:part=0.3 cuda0 cuda1
END
  gpu "devices=1" $small --report=r.json -o out.png $room
  cmp right.png out.png
  jq -e '[.frames[0].processors[].kind] | contains(["cuda"])' r.json
  gpu "devices=1" $small -t 2 --report=r.json -o out.png $room
  jq -e '[.frames[0].processors[].kind] == ["cpu", "cpu"]' r.json
}

@test "gpu: --devices refuses words that it does not know" {
  for devices in cuda: cuda:x cuda:-1 cuda:0:slow=0 cuda:0:part=0 cuda:0:part=2 cuda:0:fast=1 cuda:0,cuda 2*cuda; do
    run gpu "devices=2" $small --devices=$devices -o out.png $room
    ended 2 "--devices"
  done
  run gpu "devices=2" $small --devices=cuda:2 -o out.png $room
  ended 1 "no CUDA device 2: 2 visible, counted from 0"
  run gpu "driver=0" $small --devices=cpu,cuda -o out.png $room
  ended 1 "no CUDA device: there is no NVIDIA driver"
  run gpu "driver=0" $small -o out.png $room
  ended 0
}

@test "gpu: every strategy renders the same bytes, with CPU threads and over passes" {
  "$LBRENDER" $small -t 1 -o right.png $room
  for strategy in $(strategies); do
    echo $strategy
    gpu "devices=2" $small --strategy=$strategy --devices=cpu:2,cuda --passes=2 -o out.png $room
    cmp right.png out.png
  done
}

@test "gpu: every sample has the same bytes" {
  for scene in "$SAMPLES"/*.pbrt; do
    "$LBRENDER" $small -t 1 -o right.png "$scene"
    gpu "devices=1" $small --devices=cuda -o out.png "$scene"
    cmp right.png out.png
  done
}

@test "gpu: a GPU that fails drops out, with the same bytes, status 3 and a line that says why" {
  "$LBRENDER" $small -t 1 -o right.png $room
  while IFS='|' read -r fail says; do
    echo "$fail"
    # The null device is slow, so that each GPU certainly gets something to fail at.
    for strategy in auto bitrev hybrid steal; do
      run gpu "devices=2 fail=$fail" $plain --strategy=$strategy --devices=cuda,null:speed=20000 -o out.png $room
      ended 3 "$says"
      cmp right.png out.png
    done
  done <<END
cudaMalloc:4:2:1|cuda1: uploading the scene: out of memory
cudaSetDevice:1:46:0|cuda0: opening the device: CUDA-capable device(s) is/are busy or unavailable
cudaLaunchKernel:2:209:1|cuda1: opening the device: no kernel image is available for execution on the device
kernel:11:700:0|cuda0 was lost (cuda0: rendering: an illegal memory access was encountered); the others did its work
cudaLaunchKernel:30:719:1|cuda1 was lost (cuda1: rendering: unspecified launch failure)
cudaEventQuery:1:214:0|cuda0 was lost (cuda0: rendering: uncorrectable ECC error encountered)
END
}

@test "gpu: a GPU that hangs is lost after its time, with the same bytes, status 3 and a line that says why" {
  "$LBRENDER" $small -t 1 -o right.png $room
  for strategy in auto bitrev hybrid steal; do
    run gpu "devices=2 fail=kernel:11:-1:0" $plain --strategy=$strategy --devices=cuda:0:limit=0.2,cuda:1,null:speed=20000 -o out.png $room
    ended 3 "cuda0 was lost (cuda0: rendering: no answer for 0.2 s); the others did its work"
    cmp right.png out.png
  done
  rm out.png
  run gpu "fail=kernel:11:-1" $small --devices=cuda:limit=0.2 -o out.png $room
  ended 1 "no answer for 0.2 s"
  [ ! -e out.png ]
}

@test "gpu: where the only processor is a GPU that fails, status is 1 and there is no picture" {
  run gpu "fail=kernel:11:700" $small --devices=cuda -o out.png $room
  ended 1 "an illegal memory access"
  [ ! -e out.png ]
  run gpu "fail=cudaMalloc:2:2" $small --devices=cuda -o out.png $room
  ended 1 "cuda0: uploading the scene: out of memory"
  [ ! -e out.png ]
}

@test "gpu: a message tells of a scene that does not fit before anything is uploaded" {
  "$LBRENDER" $small -t 1 -o right.png $room
  run gpu "memory=1000000" $plain -o out.png $room
  ended 3 "cuda0: the scene needs 0."
  [[ "$output" == *"0.00 GiB are free there"* ]]
  cmp right.png out.png
  run grep cudaMemcpy log
  [ "$status" -ne 0 ]
  run gpu "memory=1000000" $small --devices=cuda -o out.png $room
  ended 1 "cuda0: the scene needs 0."
}

@test "gpu: for a cost map GPUs are left out with a warning, or refused where one was asked for" {
  "$LBRENDER" $small -t 1 --cost-map right.pfm -o right.png $room
  run gpu "devices=1" $plain --cost-map c.pfm -o out.png $room
  ended 0 "GPUs are left out: CPU threads alone measure what a pixel costs"
  cmp right.pfm c.pfm
  cmp right.png out.png
  run gpu "devices=1" $small --devices=cpu:1,cuda --cost-map c.pfm -o out.png $room
  ended 2 "a GPU measures no costs: a cost map needs CPU threads alone"
}

@test "gpu: each GPU takes one CPU thread, which feeds it" {
  cpus=$("$LBRENDER" --list-devices | sed -n 's/^cpu *\([0-9]*\) threads.*/\1/p')
  gpu "devices=1" $small --report=r.json -o out.png $room
  [ "$(jq '.frames[0].processors | length' r.json)" -eq $((cpus > 1 ? cpus : 1)) ]
  gpu "devices=4 memory=64000000" $small --report=r.json -o out.png $room
  [ "$(jq '.frames[0].processors | length' r.json)" -eq $((cpus > 4 ? cpus : 4)) ]
}

@test "gpu: a render that is stopped keeps what was done, ends soon and leaves nothing behind" {
  : >said
  FAKE_CUDA="devices=1" FAKE_CUDA_LOG=$PWD/log "$FAKE" --progress=lines --devices=cuda --resolution 400x400 --spp 64 --strategy contiguous \
    --no-cache -o out.png $room 2>said &
  job=$!
  await grep -q progress said
  kill -TERM $job
  wait $job || status=$?
  [ "${status:-0}" -eq 143 ]
  grep -q "wrote out.partial.png with" said
  grep -qx 'live 0' log
  grep -qx 'misuse 0 ' log
}

@test "gpu: a busy GPU that takes 2 s for a turn is not lost by a stop" {
  FAKE_CUDA="devices=1 turn=2" FAKE_CUDA_LOG=$PWD/log "$FAKE" --progress=lines --devices=cpu:1,cuda --resolution 400x400 --spp 64 --strategy contiguous \
    --no-cache -o out.png $room 2>said &
  job=$!
  await grep -q progress said
  kill -TERM $job
  wait $job || status=$?
  [ "${status:-0}" -eq 143 ]
  grep -q "wrote out.partial.png with" said
  run grep -E "was lost|no answer" said
  [ "$status" -ne 0 ]
  grep -qx 'live 0' log
  grep -qx 'misuse 0 ' log
}

@test "gpu: a batch whose samples all have a path at once takes as many kernels as its paths need" {
  gpu "devices=1" $small --devices=cuda -o out.png $room
  # Each batch sets three arrays to zero, and the opening one; it has the kernel that begins it, and turns of four.
  batches=$(awk '$1 == "cudaMemsetAsync" { print ($2 - 1) / 3 }' log)
  kernels=$(awk '$1 == "kernel" { print $2 }' log)
  [ "$batches" -ge 1 ]
  [ "$kernels" -le $((8 + batches * (1 + 6 * 11))) ]
}

@test "gpu: an animation opens and closes the GPU for every frame" {
  gpu "devices=1" $small --devices=cpu:1,cuda --frames 0-2 -o f.png $room
  "$LBRENDER" $small -t 1 --frames 0-2 -o g.png $room
  for n in 0 1 2; do cmp f-000$n.png g-000$n.png; done
}

@test "gpu: check_gpu.sh compares, and says when it skips" {
  cd "$ROOT"
  export SHRINK=4 # It is the script that is tried here: tests above compare the bytes.
  DATA= run test/check_gpu.sh "$FAKE"
  ended 0 "passed, 0 failed"
  [[ "$output" == *"cuda:0   this host, playing a GPU"* ]]
  FAKE_CUDA="driver=0" DATA= run test/check_gpu.sh "$FAKE"
  ended 0 "skipped: no CUDA device: there is no NVIDIA driver"
  [[ "$output" == *"0 passed, 0 failed, 1 skipped" ]]
  # The heads of the table of references are no scene.
  mkdir -p "$BATS_TEST_TMPDIR/data/references"
  printf 'name\tscene\twidth\theight\tspp\tneeds\n' >"$BATS_TEST_TMPDIR/data/references/index.tsv"
  DATA=$BATS_TEST_TMPDIR/data run test/check_gpu.sh "$FAKE"
  ended 0 "passed, 0 failed, 0 skipped"
  # It tells of a GPU that fails, although the picture is right.
  FAKE_CUDA="fail=kernel:11:700" DATA= run test/check_gpu.sh "$FAKE"
  ended 1 "status 3 with --devices cpu,cuda"
}

@test "gpu: gpu.sh checks, measures, keeps what each step said, and marks a self-test as one" {
  out=$BATS_TEST_TMPDIR/out
  export OUT=/nowhere BUILD DATA= MESH= SIZE=40x30 SPP=2 PAIRS=2
  BUILD=$(dirname "$FAKE")
  run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 0 "figures: $out/figures.md"
  grep -q "SELF-TEST: no GPU took part" "$out/figures.md"
  grep -q "^| room | 2 | " "$out/figures.md"
  grep -q "^| primary rays on the dragon | at least 3000 Mrays/s | not measured | |" "$out/figures.md"
  grep -qE "^\| whole pictures, times all CPU threads \| at least 25 *\| [0-9.]+ \| missed by [0-9.]+ % \|" "$out/figures.md"
  grep -qE "^\| bytes of CPU, GPU and both \| passes \| 0 \| met \|" "$out/figures.md"
  grep -q "both faster in [0-2] of 2 pairs" "$out/figures.md"
  # What was reckoned from counts stands beside.
  for scene in dragon staircase2 sponza; do grep -qE "^\| $scene \| all that is counted \|.*\| [0-9.]+ \| [0-9.]+ \|" "$out/figures.md"; done
  grep -qE "^goal (wins|apart|halves|stall|times-cpu) [0-9.]+$" "$out"/{pairs,halves,stages-room,scenes}.txt
  # It tells of a step that fails or finds no time, and goes on with the others.
  PAIRS=1 FAKE_CUDA="fail=cudaEventCreateWithFlags:3:2" run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "figures: $out/figures.md"
  grep -q "bytes of CPU, GPU and both | passes | 1 | missed |" "$out/figures.md"
  FAKE_CUDA="devices=0" run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "nothing is measured: no CUDA device"
  # A program that does not start is told of by what the system says.
  mkdir broken
  printf '#!/bin/sh\necho "error while loading shared libraries: libx.so" >&2\nexit 127\n' >broken/lbrender_fake_gpu
  chmod +x broken/lbrender_fake_gpu
  BUILD=$PWD/broken run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "does not start: error while loading shared libraries: libx.so"
  grep -q libx.so "$out/devices.txt"
}

@test "gpu: gpu.sh keeps the log of a step that failed, and takes a GPU in exclusive mode for one program at a time" {
  out=$BATS_TEST_TMPDIR/out
  mkdir -p broken/bench bin data/scenes/staircase2
  cp "$FAKE" broken/
  printf '#!/bin/sh\necho "the reason"\nexit 5\n' >broken/bench/fake_stages
  cp broken/bench/fake_stages broken/bench/fake_rays
  printf '#!/bin/sh\necho Exclusive_Process\n' >bin/nvidia-smi
  chmod +x broken/bench/* bin/nvidia-smi
  cp $room data/scenes/staircase2/staircase2.pbrt
  PATH=$PWD/bin:$PATH DATA=$PWD/data BUILD=$PWD/broken SIZE=40x30 SPP=2 PAIRS=1 run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "failed with status 5: the reason"
  [[ "$output" == *"one program at a time"* ]]
  grep -qx "the reason" "$out/stages.txt"
  # The page tells how each step ended.
  grep -qE "^stages +[0-9]+ of +[0-9]+ s  failed with status 5: the reason" "$out/figures.md"
}

@test "gpu: gpu.sh keeps its total, and steps that never end leave time to the others" {
  out=$BATS_TEST_TMPDIR/out
  mkdir -p broken/bench bin data/scenes/staircase2
  cp "$FAKE" broken/
  printf '#!/bin/sh\nexec tail -f /dev/null\n' >broken/bench/fake_stages
  cp broken/bench/fake_stages broken/bench/fake_rays
  # A driver that is ill: its tool does not answer.
  printf '#!/bin/sh\nexec tail -f /dev/null\n' >bin/nvidia-smi
  printf '#!/bin/sh\n[ "$3" != 10 ] || set -- "$1" "$2" 0.1 "$4" "$5"\nexec %s "$@"\n' "$(command -v timeout)" >bin/timeout
  chmod +x broken/bench/* bin/*
  cp $room data/scenes/staircase2/staircase2.pbrt
  : >mesh.ply
  PATH=$PWD/bin:$PATH DATA=$PWD/data MESH=$PWD/mesh.ply BUILD=$PWD/broken SIZE=40x30 SPP=2 PAIRS=1 TOTAL=80 run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "figures: $out/figures.md"
  for step in rays stages stages-room; do grep -qE "^\(ended after its [0-9]+ s\)" "$out/$step.txt"; done
  no_line -r "no time was left for it" "$out"
  # Whatever a step takes of its time, it ends before the total.
  sed -n 's/^[a-z-]* *\([0-9]*\) of *\([0-9]*\) s  .*/\1 \2/p' <<<"$output" >limits
  [ "$(wc -l <limits)" -eq 10 ]
  awk '{ if (sum + $2 > 80) exit 1; sum += $1 }' limits
  # A comparison that has no time for all of its scenes says so, and is no success.
  LIMIT=0 DATA= run "$ROOT/test/check_gpu.sh" "$FAKE"
  ended 1 "no time was left for "
}

@test "gpu: gpu.sh says that a driver does not answer, keeps no earlier page, and when interrupted tells of what was done" {
  out=$BATS_TEST_TMPDIR/out
  mkdir -p ill played/bench out
  echo "an earlier one" >out/figures.md
  printf '#!/bin/sh\nexec tail -f /dev/null\n' >ill/lbrender_fake_gpu
  # It lists its devices, and then renders for ever.
  printf '#!/bin/sh\n[ "$1" != --list-devices ] || exec "%s" "$@"\n: >"%s/begun"\nexec tail -f /dev/null\n' "$FAKE" "$PWD" >played/lbrender_fake_gpu
  chmod +x ill/lbrender_fake_gpu played/lbrender_fake_gpu
  WAKE=0.1 BUILD=$PWD/ill run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "does not start: it lists no devices within 0.1 s"
  [ ! -e out/figures.md ]
  mkdir elsewhere
  TMPDIR=$PWD/elsewhere DATA= BUILD=$PWD/played "$ROOT/bench/gpu.sh" --self-test "$out" >told 2>&1 &
  job=$!
  await [ -e begun ]
  kill -TERM $job
  wait $job || status=$?
  [ "$status" -eq 143 ]
  grep -q "^interrupted: $out/figures.md" told
  grep -q "^| bytes of one small picture | passes | not run |" out/figures.md
  # What its step left unfinished is gone.
  [ -z "$(ls elsewhere)" ]
  [ ! -e out/tmp ]
}

@test "gpu: gpu.sh looks for the driver's library where the loader does not" {
  out=$BATS_TEST_TMPDIR/out
  mkdir -p played none old driver
  touch old/libcuda.so.1 driver/libcuda.so.1
  # With the library of one of the folders alone it sees a driver that is new enough, and then it fails to render.
  cat >played/lbrender_fake_gpu <<END
#!/bin/sh
case ":\$LD_LIBRARY_PATH:" in
*:$PWD/driver:*) ;;
*:$PWD/old:*) export FAKE_CUDA=driver=12020 ;;
*) export FAKE_CUDA=driver=0 ;;
esac
[ "\$1" = --list-devices ] || exit 1
exec "$FAKE" "\$@"
END
  chmod +x played/lbrender_fake_gpu
  LIBCUDA="$PWD/none $PWD/old" BUILD=$PWD/played run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "nothing is measured: no CUDA device: the driver, for CUDA 12.2, is too old"
  grep -q "^with libcuda.so.1 of $PWD/old: no CUDA device: the driver" out/driver.txt
  LIBCUDA="$PWD/none $PWD/old $PWD/driver" DATA= BUILD=$PWD/played run "$ROOT/bench/gpu.sh" --self-test "$out"
  ended 1 "figures: $out/figures.md"
  grep -q "^with libcuda.so.1 of $PWD/driver: cuda:0 " out/driver.txt
}

# A `timeout` that ends at once what renders a scene called slow, as where no time is left.
ends_slow() {
  cp $room slow.pbrt
  mkdir bin
  printf '#!/bin/sh\ncase "$*" in *slow.pbrt*) exit 124 ;; esac\nexec %s "$@"\n' "$(command -v timeout)" >bin/timeout
  chmod +x bin/timeout
  export SIZE=40x30 SPP=2 ROUNDS=2 PAIRS=2 SCENES="$room $PWD/slow.pbrt"
}

@test "gpu: a measurement that finds no time is told of, and those before it count" {
  ends_slow
  for mode in scenes pairs hybrid; do
    PATH=$PWD/bin:$PATH run "$ROOT/bench/gpu_pictures.sh" $mode "$FAKE" cuda:0
    ended 0 "no time was left to end slow"
  done
  # What was not begun is named, too, and it is no success where there was time for nothing.
  SCENES="$PWD/slow.pbrt $room" PATH=$PWD/bin:$PATH run "$ROOT/bench/gpu_pictures.sh" scenes "$FAKE" cuda:0
  ended 1 "no time is left for room"
  PATH=$PWD/bin:$PATH run "$ROOT/bench/gpu_asking.sh" cuda:0 3="$FAKE" 5="$FAKE"
  ended 0 "no time was left for slow: 2 of 2 rounds"
  grep -q "^best: " <<<"$output"
  # That is another thing than a measurement that fails.
  printf 'no scene' >slow.pbrt
  run "$ROOT/bench/gpu_pictures.sh" scenes "$FAKE" cuda:0
  ended 1 "failed: $PWD/slow.pbrt"
  grep -q "^goal times-cpu " <<<"$output"
}

@test "gpu: a comparison says which scenes it had no time for, and where some are enough these do not fail" {
  ends_slow
  cd "$ROOT"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH run test/check_gpu.sh "$FAKE"
  ended 1 "1 passed, 1 failed, 0 skipped"
  grep -qx "no time was left for 1 scenes" <<<"$output"
  SOME=1 PATH=$BATS_TEST_TMPDIR/bin:$PATH run test/check_gpu.sh "$FAKE"
  ended 0 "1 passed, 0 failed, 1 skipped"
}

@test "gpu: the model of a frame has a place for what was measured" {
  printf '| primary, asking | 480000 | 1.0 | 3210.0 | 1 .. 2 | 1 | 1 | 1 | 0 |\n' >rays.txt
  run "$ROOT/bench/gpu_model.sh" "$PWD"
  ended 0 "| dragon | wave_trace_asking | primary | 132.7 M | 215 | 72 |"
  [ "$(grep -c ' | 3.21 |$' <<<"$output")" -eq 1 ]
  grep -qE "^\| dragon \| wave_trace_asking \| primary .* 3.21 \|$" <<<"$output"
  # A multiprocessor alone takes 132 times as long.
  SMS=1 run "$ROOT/bench/gpu_model.sh"
  ended 0
  grep -qE "^\| dragon \| wave_trace_asking \| primary \| 132.7 M \| 215 \| 72 \| 4064" <<<"$output"
}

@test "gpu: variants of kernels are raced, and one whose bytes differ is never the best" {
  export SIZE=40x30 SPP=2 ROUNDS=2 SCENES=$room
  run "$ROOT/bench/gpu_asking.sh" cuda:0 3="$FAKE" 5="$FAKE"
  ended 0 "best: "
  grep -qE "^\| [a-z]+ \| 2 \| [0-9.]+ \| [0-9.]+ \|$" <<<"$output"
  # It chooses the samples itself.
  SPP= ROUNDS=1 run "$ROOT/bench/gpu_asking.sh" cuda:0 3="$FAKE" 5="$FAKE"
  ended 0 "best: "
  grep -qE "^\| [a-z]+ \| [1-9][0-9]* \| [0-9.]+ \| [0-9.]+ \|$" <<<"$output"
  # A program that sees other samples on the GPU, and one that fails there.
  printf '#!/bin/sh\ncase "$*" in *cuda:0*) set -- --seed 7 "$@" ;; esac\nexec "%s" "$@"\n' "$FAKE" >other
  printf '#!/bin/sh\ncase "$*" in *cuda:0*) exit 1 ;; esac\nexec "%s" "$@"\n' "$FAKE" >failing
  chmod +x other failing
  run "$ROOT/bench/gpu_asking.sh" cuda:0 "3 blocks"="$FAKE" "one walk"="$PWD/other" 6="$PWD/failing"
  ended 1 "best: 3 blocks, 1.000 times as fast as 3 blocks"
  [[ "$output" == *"variant one walk: $room differs from the CPU's"* ]]
  [[ "$output" == *"variant 6: it fails on $room"* ]]
}

@test "gpu: what measures rays is made anew when a header changes, and what counts instructions says that it needs nvcc" {
  cd "$ROOT"
  MAKEFLAGS= run make -s CUDA=0 BUILD="$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/bench/gpu_slots"
  [ "$status" -ne 0 ]
  [[ "$output" == *"takes nvcc to make"* ]]
  command -v nvcc >/dev/null || skip "no nvcc here"
  made() { MAKEFLAGS= make BUILD="$BATS_TEST_TMPDIR" CUDA_ARCHS=90 "$@" "$BATS_TEST_TMPDIR/bench/gpu/rays_device.cu.o"; }
  made
  run made
  [[ "$output" != *"nvcc bench/gpu/rays_device.cu"* ]]
  run made -W core/kernel/base.h
  [[ "$output" == *"nvcc bench/gpu/rays_device.cu"* ]]
}

@test "gpu: make gpu builds what has changed" {
  mkdir bin
  printf '#!/bin/sh\n[ "$1" = gpu ] || set -- -n -W core/base/error.c CUDA=0 "$@"\nexec /usr/bin/make "$@"\n' >bin/make
  chmod +x bin/make
  cd "$ROOT"
  # The step fails, as nothing is there after a build that only says what it would do, or as there is no GPU.
  PATH=$BATS_TEST_TMPDIR/bin:$PATH MAKEFLAGS= run make gpu MAKE=make
  [ "$status" -ne 0 ]
  grep -q "cc core/base/error.c" build/gpu/build.txt
}


@test "gpu: every ray of the benchmark hits what it hits on the CPU" {
  cat >mesh.ply <<END
ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
end_header
-0.1 0.1 0
0.1 0.1 0.02
0 0.2 0.05
0.05 0.15 0.1
3 0 1 2
3 1 2 3
END
  rays() { # like gpu() above, but for the benchmark
    FAKE_CUDA="memory=1000000000" FAKE_CUDA_LOG=$PWD/log "$(dirname "$FAKE")/bench/fake_rays" "$@" &&
      grep -qx 'live 0' log && grep -qx 'misuse 0 ' log
  }
  run rays -s 1 -r 1 -e 100 mesh.ply
  ended 0 "| primary | 4800 |"
  run rays -s 1 -r 1 mesh.ply
  ended 0 "| primary | 480000 |"
  for kind in {primary,bounce,shadow}", "{asking,"two walks"}; do grep -qE "^\| $kind .*\| 0 \|$" <<<"$output"; done
  for kind in primary bounce bounce[+] shadow shadow[+]; do
    grep -qE "^\| $kind .*\| 0 \|$" <<<"$output"
    grep -qE "^goal $kind-rays [0-9.]+$" <<<"$output"
  done
}

# Copies tools with the libraries that they need into the folder $1, which becomes another root, but for those that are there.
bring_tools() {
  local root=$1 tool library
  shift
  for tool; do
    cp -L "$(command -v "$tool")" "$root/bin/$tool"
    ldd "$root/bin/$tool" | grep -o '/[^ ]*' | while read -r library; do
      [ -e "$root/lib/${library##*/}" ] || [ -e "$root/lib64/${library##*/}" ] || cp -L "$library" "$root/lib/"
    done
  done
}

@test "gpu: the packed kit starts where nothing is installed, says what is missing, and keeps all results in one folder" {
  [ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
  command -v patchelf >/dev/null || skip "no patchelf"
  command -v nvcc >/dev/null || skip "no nvcc here"
  build=${LBRENDER%/*}
  MAKEFLAGS= make -s -C "$ROOT" BUILD="$build" gpu-programs
  (cd "$ROOT" && XZ_OPT=-0 packages/bindist.sh "$build" 0 "$BATS_TEST_TMPDIR" &&
    XZ_OPT=-0 packages/gpu_kit.sh "$build" 0 "$BATS_TEST_TMPDIR" none)
  mkdir -p bare/lib bare/lib64
  tar -C bare -xJf lbrender-gpu-kit-0-*.tar.xz
  kit=$(cd bare && echo lbrender-gpu-kit-0-*)
  # Each program finds its libraries in the kit.
  cp -L /lib64/ld-linux-*.so.* bare/lib64/ 2>/dev/null || cp -L /lib/ld-linux-*.so.* bare/lib/
  libraries=$(dirname "$(ldconfig -p | sed -n 's/.*libstdc++\.so\.6 .*=> //p' | head -n 1)")
  for name in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libresolv.so.2 libstdc++.so.6 libgcc_s.so.1; do
    cp -L "$libraries/$name" bare/lib/
  done
  run env -i LD_ORIGIN_PATH="/$kit/bin" "$(command -v chroot)" bare "/$kit/bin/lbrender" --list-devices
  ended 0 "no CUDA device: "
  for program in gpu_rays gpu_stages; do
    run env -i LD_ORIGIN_PATH="/$kit/build/bench" "$(command -v chroot)" bare "/$kit/build/bench/$program" "/$kit/samples/room.pbrt"
    ended 1 "no CUDA device: "
  done
  for variant in 3 6 one; do
    run env -i LD_ORIGIN_PATH="/$kit/build/asking" "$(command -v chroot)" bare "/$kit/build/asking/lbrender_$variant" --list-devices
    ended 0 "no CUDA device: "
  done
  # The script says so, too.
  if ! "$LBRENDER" --list-devices | grep -q '^cuda:'; then
    grep -qE "for CUDA [0-9.]+ or later" "bare/$kit/README"
    run "bare/$kit/gpu.sh" "$BATS_TEST_TMPDIR/told"
    ended 1 "nothing is measured: no CUDA device"
    grep -q "^no CUDA device" told/devices.txt
  fi
  # Over played devices it runs there to its end, and writes nowhere else: with a shell and its tools, which bring libraries of their own.
  mkdir -p bare/{bin,tmp,dev,played/bench}
  bring_tools bare bash sh env timeout mkdir realpath dirname basename cat tee sed sort head tail awk grep cp rm tr date nproc mktemp cmp find wc cut ls
  mknod bare/dev/null c 1 3 2>/dev/null && : >bare/dev/null || skip "no /dev/null can be made here"
  cp "$FAKE" bare/played/
  cp "$(dirname "$FAKE")"/bench/fake_{rays,stages} bare/played/bench/
  # Where there is no /proc the loader does not know what $ORIGIN is.
  for program in bare/played/lbrender_fake_gpu bare/played/bench/fake_*; do patchelf --force-rpath --set-rpath "/$kit/lib" "$program"; done
  (cd bare && find . | sort) >before
  run env -i PATH=/bin BUILD=/played DATA= MESH= SIZE=40x30 SPP=2 PAIRS=1 "$(command -v chroot)" bare "/$kit/bench/gpu.sh" --self-test /results
  ended 0 "figures: /results/figures.md"
  for step in first stages-room check pairs hybrid scenes asking halves; do [ "$(cat bare/results/$step.status)" -eq 0 ]; done
  for name in driver clocks-before rays memcheck ncu; do [ -s bare/results/$name.txt ]; done
  (cd bare && find . -path ./results -prune -o -print | sort) >after
  cmp before after
}
