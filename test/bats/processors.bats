# Processors: their number and kinds, binding, null devices, and losses.
load common

count() {
  jq '.frames[0].processors | length' "$1"
}

@test "-t and --devices=cpu:N make that many processors" {
  scene >view.pbrt
  for n in 1 2 5; do
    "$LBRENDER" -q -t $n --report=a.json view.pbrt
    "$LBRENDER" -q --devices=cpu:$n --report=b.json view.pbrt
    "$LBRENDER" -q --devices=cpu -t $n --report=c.json view.pbrt
    [ "$(count a.json) $(count b.json) $(count c.json)" = "$n $n $n" ]
  done
}

@test "the affinity mask and SLURM_CPUS_PER_TASK limit the default" {
  scene >view.pbrt
  first=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
  taskset -c "$first" "$LBRENDER" -q --devices=cpu --report=a.json view.pbrt
  [ "$(count a.json)" -eq 1 ]
  SLURM_CPUS_PER_TASK=1 "$LBRENDER" -q --devices=cpu --report=b.json view.pbrt
  [ "$(count b.json)" -eq 1 ]
  SLURM_CPUS_PER_TASK=1 run "$LBRENDER" --list-devices
  ended 0 "Slurm 1"
}

@test "--bind does not change the picture" {
  scene >view.pbrt
  for bind in none core numa; do
    "$LBRENDER" -q -t 3 --bind=$bind -o $bind.png view.pbrt
    cmp none.png $bind.png
  done
}

@test "asking for a GPU that is not there is an error" {
  scene >view.pbrt
  if "$LBRENDER" --list-devices | grep -q '^cuda:0'; then skip "there is a GPU"; fi
  run "$LBRENDER" --devices=cpu,cuda view.pbrt
  ended 1 "no CUDA device: "
  run "$LBRENDER" --devices=cuda:3 view.pbrt
  ended 1 "no CUDA device"
}

@test "null devices have the speed that was asked for" {
  scene >view.pbrt
  run "$LBRENDER" -q --strategy=pool --devices=2*null:speed=8000 --report=r.json view.pbrt
  ended 0
  # 4800 samples at twice 8000 a second take 0.3 s
  jq -e '.frames[0].t | . > 0.25 and . < 3' r.json
  jq -e '[.frames[0].processors[].kind] == ["null", "null"]' r.json
}

@test "a null device with a tenth of the speed gets about a tenth of the work from pool" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=pool --task-size=10 --devices=null:speed=20000,null:speed=2000 --report=r.json view.pbrt
  jq -e '.frames[0].processors[1].share | . > 0.04 and . < 0.16' r.json
}

@test "a processor that is lost changes no byte; the status is 3, and a line says who" {
  scene >view.pbrt
  "$LBRENDER" -q -o right.png view.pbrt
  for strategy in $(strategies); do
    echo $strategy
    # Both are so slow that the null device certainly gets something to fail at.
    run "$LBRENDER" --strategy=$strategy --devices=null:fail=1,null:speed=100000 --report=r.json -o out.png view.pbrt
    ended 3 "null0 was lost"
    cmp right.png out.png
    jq -e '.frames[0] | .lost == 1 and .processors[0].failed == 1 and .processors[0].samples == 0' r.json
    jq -e '.frames[0].processors[1].samples == 4800' r.json
  done
}

@test "a processor that is lost in the pass for the estimate, after the picture, counts as lost" {
  scene >view.pbrt
  for frame in $(seq 1 20); do
    run "$LBRENDER" --frames=$frame-$frame --strategy=naive --resolution=400x300 --devices=cpu:1,null:fail=0.01 \
      --cost-map=c.pfm --report=r.json -o out.png view.pbrt
    [ "$status" -eq $((3 * $(jq '.frames[0].lost' r.json))) ]
    [ "$(jq '.frames[0].processors[1] | .failed == 1 and .lost' r.json)" = $([ $status -eq 3 ] && echo true || echo false) ]
  done
}

@test "failures at random, over passes, change no byte" {
  scene >view.pbrt
  "$LBRENDER" -q -o right.png view.pbrt
  for strategy in $(strategies); do
    for fail in 0.02 0.5; do
      echo $strategy $fail
      run "$LBRENDER" -q --strategy=$strategy --devices="cpu:1,4*null:fail=$fail" --passes=3 -o out.png view.pbrt
      [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
      cmp right.png out.png
    done
  done
}

@test "where all processors are lost, status is 1, with a partial picture or none" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=pool --devices=2*null:fail=1 view.pbrt
  ended 1 "every processor was lost"
  [ ! -e view.png ]
  run "$LBRENDER" --strategy=pool --task-size=1 --passes=4 --seed=5 --devices=2*null:fail=0.01 view.pbrt
  ended 1 "wrote view.partial.png with"
  [ "$(png_size view.partial.png)" = 40x30 ]
  [ ! -e view.png ]
}

@test "null:as=cuda stands for a GPU, for which hybrid splits the picture" {
  room="--resolution 120x90 --spp 4 $SAMPLES/room.pbrt"
  "$LBRENDER" -q -t 1 -o right.png $room
  run "$LBRENDER" --strategy=hybrid --devices=cpu:1,null:speed=40000 -o out.png $room
  ended 0 "hybrid: no split"
  cmp right.png out.png
  run "$LBRENDER" --strategy=hybrid --devices=cpu:1,null:as=cuda,speed=40000 --report=r.json -o out.png $room
  ended 0 "hybrid: "
  [[ "$output" =~ s1\ [1-9][0-9]*\ s2\ [1-9] ]]
  cmp right.png out.png
  jq -e '[.frames[0].processors[].kind] == ["cpu", "null"]' r.json
  jq -e '[.frames[0].processors[].share] | min > 0' r.json
}

@test "--devices=wave is the GPU's pipeline as a kind of its own, with the same bytes" {
  room="--resolution 60x40 --spp 4 $SAMPLES/room.pbrt"
  "$LBRENDER" -q -t 1 -o right.png $room
  "$LBRENDER" -q --strategy=steal --devices=wave,cpu:1,2*wave --report=r.json -o out.png $room
  cmp right.png out.png
  jq -e '[.frames[0].processors[].name] == ["wave0", "cpu0", "wave1", "wave2"]' r.json
  jq -e '[.frames[0].processors[].kind] == ["wave", "cpu", "wave", "wave"]' r.json
}

@test "a setting of --devices that is given twice, or is of another kind, is refused" {
  scene >view.pbrt
  run "$LBRENDER" --devices=null:speed=1,speed=2 view.pbrt
  ended 2 '--devices: "speed=2": this is set twice'
  run "$LBRENDER" --devices=wave:speed=1 view.pbrt
  ended 2 '--devices: "speed=1": expected wave'
}

@test "the manual tells of every kind of processor" {
  scene >view.pbrt
  run "$LBRENDER" --devices=nothing view.pbrt
  ended 2 "expected cpu"
  kinds=$(sed 's/.*expected //; s/; /\n/g' <<<"$output" | sed 's/[,:].*//')
  [ "$(wc -l <<<"$kinds")" -ge 4 ]
  for kind in $kinds; do
    grep -qE "^\.B $kind(\$|:)" "$ROOT/man/lbrender.1" || { echo "$kind is missing"; false; }
  done
}
