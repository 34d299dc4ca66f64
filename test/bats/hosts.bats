# Other hosts: workers on the loopback, which join, render, fail, and are refused.
# bats file_tags=long
load common

SCENE="$SAMPLES/room.pbrt --resolution=80x60 --spp=4"
PLACE='tcp://[^ ]+:[0-9]+'

setup_file() {
  ldd "$BATS_TEST_DIRNAME/../../build/lbrender" | grep -q libzmq || export NO_HOSTS="built without libzmq"
}

teardown() {
  # Nothing outlives its test: timeout hands the signal on, and wakes who was stopped.
  local job
  for job in $(jobs -pr); do kill -TERM "$job"; done
  wait
}

# Starts a primary with options $@ behind a time limit, AT_MOST seconds; $PRIMARY is its process, $ADDRESS where it serves.
serve() {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  : >primary.err # what a primary before said is not this one's
  timeout "${AT_MOST:-60}" "$LBRENDER" --serve=tcp://127.0.0.1:0 --patience=20 --no-cache --threads=1 "$@" >primary.out 2>primary.err 3>&- &
  PRIMARY=$!
  await grep -qE "$PLACE" primary.err || { cat primary.err; return 1; }
  ADDRESS=$(grep -oE "$PLACE" primary.err)
}

# Puts a network between workers and the primary, with the options $@ of test/slow_link.py; $LINK is its process. Workers
# join through it from now on.
slow_link() {
  : >link.out
  "$BATS_TEST_DIRNAME/../slow_link.py" "$ADDRESS" "$@" >link.out 3>&- &
  LINK=$!
  await test -s link.out
  ADDRESS=$(cat link.out)
}

# Starts a worker with options $@; $WORKER is its process.
join() {
  timeout "${AT_MOST:-60}" "$LBRENDER" --join="$ADDRESS" -q "$@" 3>&- &
  WORKER=$!
}

# Waits for process $1, which ends with status $2.
ends() {
  local status=0
  wait "$1" || status=$?
  [ "$status" -eq "$2" ] || { echo "status $status, expected $2"; cat primary.err; return 1; }
}

@test "two hosts render the bytes of one, under every strategy" {
  "$LBRENDER" -q -o one.png $SCENE
  for strategy in $(strategies); do
    echo "$strategy"
    serve --hosts=2 --strategy=$strategy --passes=2 --report=r.json -o two.png $SCENE
    join --threads=2
    first=$WORKER
    join --devices=cpu:1,wave --strategy=pool
    ends "$PRIMARY" 0
    ends "$first" 0
    ends "$WORKER" 0
    cmp one.png two.png
    [ "$(jq '[.frames[0].processors[] | select(.kind == "host")] | length' r.json)" -eq 2 ]
    rm two.png
  done
}

@test "the report tells of each host its processors and its network, in every form" {
  for form in json csv txt html; do
    serve --devices=cpu:1,host --frames=0-1 --passes=2 --strategy=pool --report=r.$form --trace=t.json --partition-map=m.png -o two-#.png $SCENE
    join --devices=cpu:1,null:speed=3000
    ends "$PRIMARY" 0
  done
  python3 "$ROOT/test/validate.py" <("$LBRENDER" --report-schema) r.json
  python3 - <<'END'
import csv, json, platform
frames = json.load(open("r.json"))["frames"]
rows = list(csv.DictReader(open("r.csv")))
for frame in frames:
    for told in [frame] + frame["passes"]:
        here, there = told["processors"]
        host = there["host"]
        assert "host" not in here and host["host_name"] == platform.node()
        assert [(p["name"], p["kind"]) for p in host["processors"]] == [("cpu0", "cpu"), ("null0", "null")]
        assert sum(p["samples"] for p in host["processors"]) == there["samples"], told
        assert host["bytes_sent"] > 0 and host["network_messages"] > 0 and host["network_seconds"] >= 0
        assert host["bytes_received"] > 0
    whole, parts = frame["processors"][1]["host"], [p["processors"][1]["host"] for p in frame["passes"]]
    for key in "bytes_sent", "bytes_received", "network_messages":
        assert whole[key] == sum(p[key] for p in parts), key
assert any(p["busy_seconds"] > 0 and p["ranges"] > 0 for f in frames for p in f["processors"][1]["host"]["processors"])
assert [r["name"] for r in rows] == ["cpu0", "host0", "host0.cpu0", "host0.null0"] * 2
for row in rows:
    assert None not in row and None not in row.values(), row
    assert (row["bytes_sent"] != "") == (row["name"] == "host0")
    assert (row["weight"] != "") == ("." not in row["name"])
END
  grep -q "^  null0  " r.txt
  grep -qE "^host0: .*  sent [0-9.]+ MB  received [0-9.]+ MB  messages [0-9]+  round trip [0-9.]+ s  waited [0-9.]+ s$" r.txt
  [ "$(awk '{ print length }' r.txt | sort -n | tail -1)" -le 100 ] || [ "$(hostname | wc -c)" -gt 8 ]
  grep -q "<h3>Hosts</h3>" r.html
  jq -e --arg name "host0 ($(hostname))" '[.traceEvents[] | select(.ph == "M") | .args.name] | index($name)' t.json
}

@test "a running primary tells what it has, and who asks changes nothing" {
  "$LBRENDER" -q -o one.png $SCENE
  "$LBRENDER" --make-key=key 2>/dev/null || skip "built without libzmq"
  for key in "" --key=key; do
    serve $key --hosts=2 --devices=cpu:1,null:speed=4000,2*host -v -o two.png $SCENE
    run "$LBRENDER" --list-devices="$ADDRESS" $key
    ended 0 "primary  $(hostname), 2 processors"
    [ "${lines[1]}" = "  cpu0     cpu" ]
    [ "${lines[2]}" = "  null0    null" ]
    [ "${lines[3]}" = "host0    nobody is there" ]
    [ "${#lines[@]}" -eq 5 ]
    join $key --devices=cpu:1,wave
    said "^lbrender: host0 is" 1
    run "$LBRENDER" --list-devices="$ADDRESS" $key
    ended 0 "host0    $(hostname), 2 processors"
    [ "${lines[4]}" = "  cpu0     cpu" ]
    [ "${lines[5]}" = "  wave0    wave" ]
    if [ -n "$key" ]; then
      run "$LBRENDER" --list-devices="$ADDRESS" --patience=0.5
      ended 1 "no primary answers there"
    fi
    join $key --threads=1
    for _ in $(seq 10); do "$LBRENDER" --list-devices="$ADDRESS" --patience=0.5 $key >listed || break; done
    ends "$PRIMARY" 0
    [ "$(grep -c "was refused" primary.err)" -eq 0 ]
    cmp one.png two.png
    rm two.png
  done
  run "$LBRENDER" --list-devices=tcp://127.0.0.1:1 --patience=0.2
  ended 1 "no primary answers there"
  run "$LBRENDER" --list-devices=somewhere
  ended 2 "tcp://HOST or tcp://HOST:PORT is wanted"
}

# Starts a worker that tells all that it does in said.$1.
join_aloud() {
  timeout 60 "$LBRENDER" --join="$ADDRESS" -v --no-cache --threads=1 --silence=1 2>said.$1 3>&- &
  WORKER=$!
}

@test "workers get a large scene from each other" {
  python3 - >large.pbrt <<'END'
import random
random.seed(1)
print('Film "rgb" "integer xresolution" 40 "integer yresolution" 30\nSampler "independent" "integer pixelsamples" 4')
print('LookAt 0 0 -5 0 0 0 0 1 0\nCamera "perspective"\nWorldBegin\nLightSource "infinite"')
print('Shape "trianglemesh" "point3 P" [' + " ".join("%.4f" % random.uniform(-2, 2) for _ in range(90000)) + ']')
print('"integer indices" [' + " ".join(map(str, range(30000))) + ']')
END
  "$LBRENDER" -q -o one.png large.pbrt
  serve --devices=3*host --report=r.json -o two.png large.pbrt
  for i in 0 1 2; do join_aloud $i; done
  ends "$PRIMARY" 0
  cmp one.png two.png
  [ "$(cat said.* | grep -c "the scene comes from tcp://127.0.0.1:")" -eq 2 ]
  # Unless the machine was so busy that one was silent for long, the primary sent one copy.
  grep -q "the primary gives the scene" said.* || jq -e '[.frames[0].processors[].host.bytes_sent] | sort | .[1] * 5 < .[2]' r.json
  wait
  rm two.png
  # One that hangs leaves the others without a peer, or with one that is silent.
  serve --devices=3*host --silence=1 -o two.png large.pbrt
  join_aloud 0
  await grep -q "joined tcp:" said.0
  pkill -STOP -P "$WORKER"
  hung=$WORKER
  for i in 1 2; do join_aloud $i; done
  ends "$PRIMARY" 3
  pkill -KILL -P "$hung"
  cmp one.png two.png
}

@test "in a Slurm job hosts find its key and have Slurm's names" {
  export SLURM_JOB_ID=77 SLURM_SUBMIT_DIR=$PWD SLURM_STEP_ID=0 SLURM_CPUS_ON_NODE=2 SLURM_STEP_TASKS_PER_NODE="2(x2)"
  "$LBRENDER" --make-key=lbrender-77.key 2>/dev/null || skip "built without libzmq"
  SLURMD_NODENAME=n1 serve --hosts=1 --report=r.json -o two.png $SCENE
  run "$LBRENDER" --join="$ADDRESS" --patience=0.5 --insecure
  ended 1 "no primary answers there"
  run env -u SLURM_JOB_ID "$LBRENDER" --join="$ADDRESS" --patience=0.5
  ended 1 "no primary answers there"
  SLURMD_NODENAME=n2 join
  ends "$PRIMARY" 0
  jq -e '.frames[0].processors[] | select(.name == "host0") | .host | .host_name == "n2" and (.processors | length) == 1' r.json
}

@test "hosts alone render, and measure costs" {
  "$LBRENDER" -q -o one.png --cost-map=one.pfm $SCENE
  serve --devices=2*host --cost-map=two.pfm -o two.png $SCENE
  join --threads=1
  join --threads=1
  ends "$PRIMARY" 0
  cmp one.png two.png
  cmp one.pfm two.pfm
}

@test "light groups come from other hosts as from one" {
  cat >groups.pbrt <<'END'
Film "rgb" "integer xresolution" 60 "integer yresolution" 40
LookAt 0 1 6  0 0 0  0 1 0 Camera "perspective" "float fov" 40
Sampler "independent" "integer pixelsamples" 4
WorldBegin
LightSource "infinite" "rgb L" [ .1 .2 .4 ] "string lightgroup" "sky"
LightSource "point" "point3 from" [ 3 3 3 ] "rgb I" [ 4 9 4 ] "string lightgroup" "key"
LightSource "distant" "point3 from" [ 1 2 1 ]
Shape "disk" "float radius" 2 Shape "sphere"
END
  options="--bits=32 --compression=none --channels=lightgroups groups.pbrt"
  "$LBRENDER" -q -o one.exr $options
  serve --devices=2*host --strategy=pool --passes=2 -o two.exr $options
  join --threads=2
  join --devices=cpu:1
  ends "$PRIMARY" 0
  cmp one.exr two.exr
}

@test "channels come from other hosts as from one" {
  options="$SCENE --compression=none --transparent --channels=A,albedo,P,Z,N,Ns,uv,dz,motion,object,material,samples,variance,cryptoobject,cryptomaterial"
  "$LBRENDER" -q -o one.exr $options
  for strategy in pool sampled steal; do
    serve --devices=2*host --strategy=$strategy --passes=2 --cost-map=two.pfm -o two.exr $options
    join --threads=2
    join --devices=cpu:1,wave --strategy=pool
    ends "$PRIMARY" 0
    cmp one.exr two.exr
    rm two.exr
  done
  # What a part lacks, too.
  "$LBRENDER" -q --no-cache --share=2/3 --part=begun.part $options
  serve --devices=2*host --resume=begun.part --part=whole.part -o two.exr $options
  join --threads=2
  join --devices=cpu:1,wave
  ends "$PRIMARY" 0
  cmp one.exr two.exr
  "$LBRENDER" -q --merge whole.part -o joined.exr --compression=none
  cmp one.exr joined.exr
}

@test "what other hosts rendered is denoised as what this one did" {
  played=${LBRENDER%/*}/test/fake_oidn.so
  "$LBRENDER" -q --denoise="$played" -o one.pfm $SCENE
  serve --devices=2*host --denoise="$played" -o two.pfm $SCENE
  join --threads=2
  join --threads=1
  ends "$PRIMARY" 0
  cmp one.pfm two.pfm
}

@test "a slow network carries the same bytes" {
  "$LBRENDER" -q -o one.png $SCENE
  for strategy in auto pool hybrid; do
    serve --devices=null:speed=20000,host --strategy=$strategy --report=r.json -o two.png $SCENE
    slow_link --delay=0.05 --rate=2e6
    join --threads=1
    ends "$PRIMARY" 0
    cmp one.png two.png
    # What the worker itself took is less than what it was waited for.
    jq -e '.frames[0].processors[] | select(.kind == "host") | .ranges > 0 and .busy_seconds < .finish_seconds' r.json
    kill "$LINK"
  done
}

@test "a worker keeps the scene, and uses no damaged one" {
  export XDG_CACHE_HOME=$PWD/cache
  "$LBRENDER" -q -o one.png $SCENE
  for turn in new kept short other; do
    case $turn in
      short) truncate -s -1 cache/lbrender/scenes/*.scene ;;
      other) printf x | dd of="$(echo cache/lbrender/scenes/*.scene)" bs=1 seek=5000 conv=notrunc status=none ;;
    esac
    before=$(stat -c %i cache/lbrender/scenes/*.scene 2>/dev/null || true)
    serve --devices=host -o two.png $SCENE
    join --threads=1
    ends "$PRIMARY" 0
    ends "$WORKER" 0
    cmp one.png two.png
    [ "$(ls -A cache/lbrender/scenes | wc -l)" -eq 1 ]
    # What is kept and whole is not written again.
    [ $turn != kept ] || [ "$before" = "$(stat -c %i cache/lbrender/scenes/*.scene)" ]
    [ $turn = new ] || [ $turn = kept ] || [ "$before" != "$(stat -c %i cache/lbrender/scenes/*.scene)" ]
  done
  # What somebody left who was killed while he kept a scene makes room, where too much is kept.
  rm cache/lbrender/scenes/*
  truncate -s 4G cache/lbrender/scenes/.begun-123456
  touch cache/lbrender/scenes/empty.scene
  serve --devices=host -o two.png $SCENE
  join --threads=1
  ends "$PRIMARY" 0
  ends "$WORKER" 0
  [ ! -e cache/lbrender/scenes/.begun-123456 ]
  [ "$(find cache -name "*.scene" -size +1k | wc -l)" -eq 1 ]
  rm -r cache
  serve --devices=host -o two.png $SCENE
  join --threads=1 --no-cache
  ends "$PRIMARY" 0
  [ ! -e cache ]
}

@test "a worker whose disk is slow, full, or not its own renders all the same" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  "$LBRENDER" -q -o one.png $SCENE
  # Whoever delivers nothing for a second is lost, and this disk takes longer than that for each piece of the scene.
  serve --devices=host --due=1 -o two.png $SCENE
  LB_SLOW_DISK=3 ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" LD_PRELOAD="${LBRENDER%/*}/test/slow_disk.so" join --threads=1
  ends "$PRIMARY" 0
  cmp one.png two.png
  # Told to leave, it waits for no more than the piece that it writes.
  await pkill -TERM -P "$WORKER"
  ends "$WORKER" 143
  [ "$(find cache -name ".begun*" | wc -l)" -eq 0 ]
  for folder in /proc /dev/full /dev/null/nowhere; do
    serve --devices=host -o two.png $SCENE
    XDG_CACHE_HOME=$folder join --threads=1
    ends "$PRIMARY" 0
    ends "$WORKER" 0
    cmp one.png two.png
  done
}

@test "an animation: the workers get scene after scene" {
  "$LBRENDER" -q --frames=0-2 -o one-#.png $SCENE
  serve --frames=0-2 -o two-#.png $SCENE
  join --threads=1
  ends "$PRIMARY" 0
  ends "$WORKER" 0
  for i in 0 1 2; do cmp one-$i.png two-$i.png; done
}

# Whether the primary has said $1 in $2 lines. Under -v it says so of workers, under --progress=lines of what is rendered.
has_said() {
  [ "$(grep -c "$1" primary.err)" -ge "$2" ]
}

# Waits until it has.
said() {
  await has_said "$@" || { cat primary.err; return 1; }
}

@test "a worker that dies, hangs or leaves is done without" {
  "$LBRENDER" -q -o one.png $SAMPLES/room.pbrt --resolution=120x90 --spp=32
  for signal in KILL STOP TERM; do
    echo "$signal"
    # Two are so slow that the third, which never ends what it has, is missed.
    serve -v --progress=lines --devices=null:speed=200000,2*host --strategy=contiguous -o two.png --silence=1 $SAMPLES/room.pbrt --resolution=120x90 --spp=32
    join --devices=null:speed=200000
    join --devices=null:speed=2000
    said "^lbrender: host[01] is" 2
    said "^progress" 1
    # timeout hands signals on to the worker, but KILL and STOP, which it cannot.
    pkill -$signal -P "$WORKER"
    ends "$PRIMARY" 3
    grep -q "host[01] was lost" primary.err
    [ $signal != STOP ] || pkill -CONT -P "$WORKER"
    case $signal in
      KILL) ends "$WORKER" 137 ;;
      STOP) ends "$WORKER" 1 ;;
      TERM) ends "$WORKER" 143 ;;
    esac
    cmp one.png two.png
    rm two.png
  done
}

@test "whatever happens to a host: the bytes of one, status 3, and an end in time" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  LB_FAULTS_SEED=1 LB_FAULTS=9 LB_FAULTS_AT_ONCE=9 "$BATS_TEST_DIRNAME/../host_faults.py"
}

@test "what tries faults tells a wrong picture from a right one" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  printf '%s\n' '#!/bin/sh' 'case "$*" in *--serve=*) set -- "$@" --seed=2 ;; esac' "exec '$LBRENDER' \"\$@\"" >wrong
  chmod +x wrong
  LBRENDER=$PWD/wrong LB_FAULTS=1 LB_FAULTS_SEED=3 run "$BATS_TEST_DIRNAME/../host_faults.py" kill
  ended 1 "other bytes"
  [[ "${lines[-1]}" = "1 runs, 1 wrong;"* ]]
}

@test "a host that joins late takes part in the same frame" {
  "$LBRENDER" -q -o one.png $SCENE
  # Alone this host would need longer than anybody does who joins.
  serve --devices=null:speed=2000,host --patience=0.3 --strategy=pool --report=r.json -o two.png $SCENE
  said "nobody is there" 1
  join --devices=null:speed=8000
  ends "$PRIMARY" 0
  ends "$WORKER" 0
  cmp one.png two.png
  jq -e '.frames[0].processors[] | select(.name == "host0") | .samples > 1000 and .samples < 19200 - 1000' r.json
}

# Starts a worker on a GPU that this host plays, set up as $1 says (test/fake_cuda), with the other options.
join_played() {
  local setup=$1
  shift
  LBRENDER=$FAKE FAKE_CUDA=$setup join "$@"
}

@test "a worker's GPUs that no option names are left out of light groups with a note, and are not lost" {
  [ -x "$FAKE" ] || skip "built without CUDA"
  [ "$(nproc)" -gt 1 ] || skip "there is one CPU"
  for how in --channels=lightgroups "--spectral --channels=lightgroups"; do
    "$LBRENDER" -q $how -o one.exr $SCENE
    serve $how --devices=null:speed=2000,host --strategy=pool --report=r.json -o two.exr $SCENE
    FAKE_CUDA=devices=1 timeout 60 "$FAKE" --join="$ADDRESS" 2>said.worker 3>&- &
    WORKER=$!
    ends "$PRIMARY" 0
    ends "$WORKER" 0
    cat said.worker
    grep -q "GPUs are left out: they do not" said.worker
    cmp one.exr two.exr
    jq -e '.frames[0].processors[] | select(.kind == "host") | .samples > 0' r.json
  done
  # A thread feeds each GPU: where there are as many GPUs as CPUs, these threads render in their place.
  cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
  for how in --channels=lightgroups "--spectral --channels=lightgroups"; do
    "$LBRENDER" -q $how -o one.exr $SCENE
    serve $how --devices=null:speed=2000,host --strategy=pool --report=r.json -o two.exr $SCENE
    FAKE_CUDA=devices=1 timeout 60 taskset -c "$cpu" "$FAKE" --join="$ADDRESS" 2>said.worker 3>&- &
    WORKER=$!
    ends "$PRIMARY" 0
    ends "$WORKER" 0
    grep -q "GPUs are left out: they do not" said.worker
    cmp one.exr two.exr
    jq -e '.frames[0].processors[] | select(.kind == "host") | .samples > 0' r.json
  done
}

@test "a worker whose GPU takes 2 s for a turn is not lost when a host joins, nor by a stop" {
  # A batch of this scene takes such a GPU two turns. On a busy machine it may have 16 ranges in hand, as many as there may be, before it is
  # known that each takes it 4 s.
  AT_MOST=150
  cat >short.pbrt <<'END'
Film "rgb" "integer xresolution" 80 "integer yresolution" 60
Sampler "zsobol" "integer pixelsamples" 4
Integrator "ambientocclusion"
LookAt 0 0 3  0 0 0  0 1 0
Camera "perspective" "float fov" 60
WorldBegin
Shape "sphere"
END
  "$LBRENDER" -q -o one.png short.pbrt
  serve -v --progress=lines --devices=null:speed=2000,2*host --patience=1 --strategy=pool --task-size=2 -o two.png short.pbrt
  join_played turn=2 --devices=cuda
  first=$WORKER
  said "^lbrender: host0 is" 1
  said "^progress" 1
  join --devices=null:speed=2000
  ends "$PRIMARY" 0
  ends "$first" 0
  ends "$WORKER" 0
  cmp one.png two.png
  grep -q "host1 is" primary.err
  serve -v --progress=lines --devices=null:speed=200,host --patience=1 --strategy=pool --task-size=2 -o three.png short.pbrt
  join_played turn=2 --devices=cuda
  said "^lbrender: host0 is" 1
  said "^progress" 1
  pkill -INT -P "$PRIMARY"
  ends "$PRIMARY" 130
  ends "$WORKER" 0
  [ "$(grep -c "was lost" primary.err)" -eq 0 ]
}

@test "a worker whose GPU hangs for ever is lost" {
  "$LBRENDER" -q -o one.png $SCENE
  serve --devices=null:speed=20000,host --strategy=pool -o two.png $SCENE
  join_played fail=kernel:11:-1 --devices=cuda:limit=0.3
  ends "$PRIMARY" 3
  ends "$WORKER" 1
  cmp one.png two.png
  grep -q "host0 was lost" primary.err
}

@test "where the only worker leaves before the picture is begun, another is waited for" {
  "$LBRENDER" -q -o one.png $SCENE
  serve --devices=host --hosts=1 -v -o two.png $SCENE
  "${LBRENDER%/*}/test/idle_worker" "$ADDRESS" 3>&- &
  idle=$!
  until grep -q "host0 is idle" primary.err; do sleep 0.05; done
  kill -9 $idle
  until grep -q "nobody is there: idle: the connection broke" primary.err; do sleep 0.05; done
  join --threads=1
  ends "$PRIMARY" 0
  grep "^lbrender: no host is left; waiting for one$" primary.err
  cmp one.png two.png
  # And not without an end.
  serve --devices=host --patience=1 -v -o three.png $SCENE
  "${LBRENDER%/*}/test/idle_worker" "$ADDRESS" 3>&- &
  idle=$!
  until grep -q "host0 is idle" primary.err; do sleep 0.05; done
  kill -9 $idle
  ends "$PRIMARY" 1
  [ "$(tail -n 1 primary.err)" = "lbrender: host0: nobody is there: idle: the connection broke" ]
}

@test "a worker that never has the scene is done without" {
  "$LBRENDER" -q -o one.png $SCENE
  # It is lost after a while, so that nobody waits for ever.
  serve --devices=2*host --due=2 -o two.png $SCENE
  "${LBRENDER%/*}/test/idle_worker" "$ADDRESS" >told 3>&- &
  idle=$!
  join --threads=1
  ends "$PRIMARY" 3
  ends "$idle" 0
  [ "$(cat told)" = "it got no further with the scene in time" ]
  [ "$(grep -c "^lbrender: warning: host[01]: nobody is there: idle: it got no further with the scene in time$" primary.err)" -eq 1 ]
  cmp one.png two.png
  # Those that can render wait for it no longer than for one that is not there.
  rm two.png
  serve --patience=1 --hosts=1 -o two.png $SCENE
  "${LBRENDER%/*}/test/idle_worker" "$ADDRESS" >told 3>&- &
  idle=$!
  ends "$PRIMARY" 3
  ends "$idle" 0
  [ "$(cat told)" = "sent home" ]
  [ "$(grep -c "^lbrender: warning: host0: idle does not have the scene yet$" primary.err)" -eq 1 ]
  cmp one.png two.png
}

@test "a worker refuses a scene that is damaged under its right mark, from the network and from its cache" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  for kept in "" cache/lbrender/scenes; do
    rm -rf told cache
    "${LBRENDER%/*}/test/damaged_primary" "$SAMPLES/room.pbrt" $kept >told 3>&- &
    primary=$!
    await test -s told
    [ -z "$kept" ] || test -s "$kept"/*.scene
    run timeout 60 "$LBRENDER" --join="$(head -1 told)" --threads=1
    ended 1 "lbrender: the scene is damaged: number 0 of its shapes has a wrong material"
    ends "$primary" 0
    grep -q "the scene is damaged: number 0 of its shapes has a wrong material" told
  done
}

@test "a primary that died is followed by another, which the workers wait for" {
  "$LBRENDER" -q -o one.png $SCENE
  serve --devices=host --checkpoint=c.part,0.2 -o two.png $SCENE
  join --devices=null:speed=6000 --persist --silence=0.5
  await test -e c.part
  pkill -KILL -P "$PRIMARY"
  ends "$PRIMARY" 137
  timeout 60 "$LBRENDER" --serve="$ADDRESS" --devices=host --no-cache --resume=c.part --checkpoint=c.part -o two.png $SCENE 2>primary.err 3>&- &
  ends "$!" 0
  ends "$WORKER" 0
  cmp one.png two.png
}

@test "a worker that waits for a primary comes back when its connection died without a word" {
  # The primary holds the dead connection for alive when the worker comes back.
  serve -v --devices=null:speed=1000,host --silence=50 --due=50 --strategy=pool -o two.png $SCENE
  slow_link
  timeout 60 "$LBRENDER" --join="$ADDRESS" --no-cache --persist --silence=0.5 --devices=null:speed=1000 2>said.worker 3>&- &
  WORKER=$!
  said "^lbrender: host0 is" 1
  kill -USR1 "$LINK"
  await grep -q "waiting for another" said.worker
  kill -USR1 "$LINK"
  said "^lbrender: host0 is" 2
  grep -q "^lbrender: host0 left: .*: it began anew" primary.err
  pkill -INT -P "$PRIMARY"
  ends "$PRIMARY" 130
}

@test "a place that nobody takes is told, and the picture is whole" {
  "$LBRENDER" -q -o one.png $SCENE
  serve --hosts=2 --patience=0.5 -o two.png $SCENE
  join --threads=1
  ends "$PRIMARY" 3
  grep -q "host1: nobody is there" primary.err
  cmp one.png two.png
}

@test "a worker ends when its primary does" {
  serve -v --hosts=2 -o two.png $SCENE
  join --threads=1 --silence=1
  said "^lbrender: host0 is" 1
  pkill -KILL -P "$PRIMARY"
  ends "$WORKER" 1
  [ ! -e two.png ]
}

@test "a signal ends the primary soon, though a worker is slow" {
  serve -v --progress=lines --devices=host -o two.png $SAMPLES/room.pbrt --spp=1000
  join --devices=null:speed=1000
  said "^lbrender: host0 is" 1
  said "^progress" 1
  begin=$(date +%s%N)
  pkill -INT -P "$PRIMARY"
  ends "$PRIMARY" 130
  [ $(($(date +%s%N) - begin)) -lt 5000000000 ]
  ends "$WORKER" 0
}

@test "what is no worker does no harm" {
  "$LBRENDER" -q -o one.png $SCENE
  serve -o two.png $SCENE
  python3 - "$ADDRESS" <<'END'
import os, socket, sys
host, port = sys.argv[1][6:].rsplit(":", 1)
greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\x00" + bytes(31)
ready = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
for words in (b"GET / HTTP/1.0\r\n\r\n", os.urandom(5000), greeting + os.urandom(500), greeting + ready + b"\x00\x05hello",
              greeting + ready + b"\x02" + (1 << 40).to_bytes(8, "big"), greeting + ready + b"\x00\xff" + bytes([1]) + bytes(254)):
    peer = socket.create_connection((host, int(port)))
    peer.sendall(words)
    peer.settimeout(0.2)
    try:
        peer.recv(1000)
    except OSError:
        pass
    peer.close()
END
  join --threads=1
  ends "$PRIMARY" 0
  cmp one.png two.png
}

@test "floods fill neither a primary's memory nor its log, and keep no worker out" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  # The time is that of a busy machine; of a quiet one it is a tenth.
  LB_FLOOD_SECONDS=2 LB_FLOOD_JOIN=20 LB_FLOOD_END=20 "$BATS_TEST_DIRNAME/../host_floods.py" want version ask wrong-key
}

@test "a primary may have as many files open as its workers need, or says that it may not" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  printf '%s\n' '#!/bin/sh' 'ulimit -$LIMIT' "exec '$LBRENDER' \"\$@\"" >limited
  chmod +x limited
  LIMIT="Sn 32" LBRENDER=$PWD/limited serve --devices=host -o two.png $SCENE
  # As many connections as a system's usual limit, from which 32 is a small step, would leave no room for.
  python3 - "$ADDRESS" <<'END' >held 3>&- &
import socket, sys, time
host, port = sys.argv[1][6:].rsplit(":", 1)
peers = [socket.create_connection((host, int(port))) for _ in range(40)]
print(len(peers), flush=True)
time.sleep(60)
END
  holder=$!
  await test -s held
  join --threads=1
  ends "$PRIMARY" 0
  kill "$holder"
  LIMIT="n 64" run ./limited --serve=tcp://127.0.0.1:0 --hosts=100 --patience=0.1 --no-cache -o two.png $SCENE
  ended 3 "100 hosts may not all get in: this program may have 64 files open, and needs 164 (ulimit -n)"
}

@test "hosts that join, leave and die at random moments change no file" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  LB_RENEWALS=10 LB_RENEWALS_SEED=19 run "$BATS_TEST_DIRNAME/../host_renewals.py"
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "as many workers join as come, at the start or later" {
  "$LBRENDER" -q -o one.png --cost-map=one.pfm $SAMPLES/room.pbrt --resolution=80x60 --spp=200
  serve -v --devices=null:speed=20000,host --cost-map=two.pfm --report=r.json -o two.png $SAMPLES/room.pbrt --resolution=80x60 --spp=200
  for number in 0 1 2; do
    join --devices=null:speed=100000
    said "^lbrender: host$number is" 1
  done
  ends "$PRIMARY" 0
  cmp one.png two.png
  cmp one.pfm two.pfm
  [ "$(jq '[.frames[0].processors[] | select(.kind == "host" and .samples > 0)] | length' r.json)" -eq 3 ]
}

@test "a host that never came counts in no ideal time" {
  serve --hosts=3 --patience=0.3 --devices=null:speed=50000 --report=r.json -o two.png $SAMPLES/room.pbrt --resolution=80x60 --spp=16
  ends "$PRIMARY" 3
  jq -e '.frames[0] | .imbalance < 0.5 and ([.processors[] | select(.kind == "host") | .weight] == [0, 0, 0])' r.json
}

@test "no third worker for two places" {
  serve -v --hosts-most=1 --devices=null:speed=1000,host -o two.png $SAMPLES/room.pbrt --resolution=80x60 --spp=300
  join --devices=null:speed=1000
  said "^lbrender: host0 is" 1
  run timeout 20 "$LBRENDER" --join="$ADDRESS"
  ended 1 "all 1 places for hosts are taken"
  pkill -INT -P "$PRIMARY"
  ends "$PRIMARY" 130
}

@test "addresses" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  for host in localhost "[::1]"; do
    timeout 60 "$LBRENDER" --serve="tcp://$host:0" --devices=host --patience=20 --no-cache -o two.png $SCENE 2>primary.err 3>&- &
    PRIMARY=$!
    await grep -qE "tcp://[^ ]+:[0-9]+|Cannot assign" primary.err
    if grep -q "Cannot assign" primary.err; then continue; fi # there is no IPv6
    "$LBRENDER" -q --join="tcp://$host:$(grep -oE "[0-9]+$" primary.err)" --no-cache --threads=1
    ends "$PRIMARY" 0
  done
  run "$LBRENDER" --serve=tcp://nowhere.invalid --insecure $SCENE
  ended 1 "--serve: tcp://nowhere.invalid:7878: this machine has no such address"
  run "$LBRENDER" --serve="tcp://*" $SCENE
  ended 2 "give --key, or --insecure"
  run "$LBRENDER" --serve=127.0.0.1 $SCENE
  ended 2 "tcp://HOST or tcp://HOST:PORT is wanted"
  run "$LBRENDER" --serve=tcp://127.0.0.1:70000 $SCENE
  ended 2 "a port is a number"
  run "$LBRENDER" --join=tcp://127.0.0.1:1 --patience=0.2
  ended 1 "no primary answers there"
  # Signs of life come no more often than that.
  run "$LBRENDER" --join=tcp://127.0.0.1:1 --silence=0.1
  ended 2 "--silence needs a time from 0.25"
  run "$LBRENDER" --join=tcp://127.0.0.1 scene.pbrt
  ended 2 "the scene comes from the program that serves"
  run "$LBRENDER" --hosts=2 scene.pbrt
  ended 2 "--hosts without --serve"
  run "$LBRENDER" --hosts-most=2 scene.pbrt
  ended 2 "--hosts-most without --serve"
  run "$LBRENDER" --serve=tcp://127.0.0.1:0 --hosts=3 --hosts-most=2 scene.pbrt
  ended 2 "--hosts-most=2: --hosts waits for 3"
  run "$LBRENDER" --devices=host -o x.png $SCENE
  ended 2 "hosts take part under --serve alone"
}

@test "hosts render what a part lacks, and nothing else" {
  "$LBRENDER" -q -o one.pfm $SCENE
  "$LBRENDER" -q --share=2/3 --part=begun.part $SCENE
  for strategy in bitrev sampled; do
    serve --devices=2*host --strategy=$strategy --resume=begun.part -o two.pfm $SCENE
    join --threads=1
    join --devices=wave
    ends "$PRIMARY" 0
    cmp one.pfm two.pfm
  done
}

@test "a key: its holders join, others do not" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  "$LBRENDER" --make-key=key
  "$LBRENDER" --make-key=other
  [ "$(stat -c %a key)" = 600 ]
  differ key other
  "$LBRENDER" -q -o one.png $SCENE
  # Alone, the worker sends stripes that are as long as they may be.
  serve --key=key --devices=host -o two.png $SCENE
  # The right public keys with other secret ones: what somebody could have who only listened.
  { sed -n 1,2p key; sed -n 3p other; sed -n 4p key; sed -n 5p other; } >stolen
  chmod 600 stolen
  for wrong in "" --key=other --key=stolen; do
    run timeout 20 "$LBRENDER" --join="$ADDRESS" --patience=0.5 $wrong
    ended 1 "no primary answers there"
  done
  join --key=key --threads=1
  ends "$PRIMARY" 0
  ends "$WORKER" 0
  cmp one.png two.png
}

@test "files that are no keys" {
  [ -z "$NO_HOSTS" ] || skip "$NO_HOSTS"
  "$LBRENDER" --make-key=key
  run "$LBRENDER" --make-key=key
  ended 1 "key: File exists"
  run "$LBRENDER" --make-key=nowhere/key
  ended 1 "nowhere/key: No such file or directory"
  run "$LBRENDER" --join=tcp://127.0.0.1:1 --key=nothing
  ended 1 "nothing: No such file or directory"
  chmod 640 key
  run "$LBRENDER" --join=tcp://127.0.0.1:1 --key=key
  ended 1 "chmod 600 it"
  chmod 600 key
  for damage in 's/lbrender/lbrendor/' '$d' '3s/./ /' '4s/^..//' '2s/$/ /'; do
    sed "$damage" key >damaged
    chmod 600 damaged
    run "$LBRENDER" --serve=tcp://127.0.0.1:0 --key=damaged $SCENE
    ended 1 "it is no key"
  done
  run "$LBRENDER" --key=key $SCENE
  ended 2 "--key without --serve or --join"
}

@test "a worker says what it does, and of an unknown host that it is one" {
  scene >view.pbrt
  await_address() { grep -q tcp:// said; }
  "$LBRENDER" --serve=tcp://127.0.0.1:0 --hosts=1 --insecure --report=r.txt -o none view.pbrt 2>said &
  await await_address
  address=$(grep -oE 'tcp://127.0.0.1:[0-9]+' said | head -n 1)
  run "$LBRENDER" --join="$address" --threads=1
  ended 0
  wait
  [[ "${lines[0]}" == *"joined $address with 1 processor" ]]
  [[ "$output" == *"working on scene 1, of "* && "$output" == *"done: the primary has no more work"* ]]
  run "$LBRENDER" -q --join="tcp://no-such-host.invalid:1" --patience=0.2
  ended 1 "unknown host"
  run "$LBRENDER" --list-devices="tcp://no-such-host.invalid:1" --patience=0.2
  ended 1 "unknown host"
}
