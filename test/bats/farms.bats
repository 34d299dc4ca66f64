# samples/slurm-shares.sh and samples/openjd-shares.yaml, which render one still in shares on a farm.
load common

OPTIONS="--resolution=60x40 --spp=8 --no-cache -q -t 1"
CLUSTER=$ROOT/../shared/tools/cluster

teardown() {
  # No process may outlive its test.
  [ ! -e "$BATS_TEST_TMPDIR/cluster" ] || "$CLUSTER/slurm_down.sh" "$BATS_TEST_TMPDIR/cluster"
}

# Stands in for sbatch: runs the script at once, the array's tasks one after the other; the third is killed once and run again.
fake_sbatch() {
  mkdir bin
  cat >bin/sbatch <<'TEXT'
#!/bin/bash
array=
while [[ $1 == --* ]]; do
  [[ $1 == --array=1-* ]] && array=${1#--array=1-}
  shift
done
[ -z "$array" ] || echo 7
for ((i = 1; i <= ${array:-0}; i++)); do
  [ $i -ne 3 ] || SLURM_ARRAY_TASK_ID=$i SLURM_JOB_ID=8 timeout -s KILL 0.2 "$@" >&2
  SLURM_ARRAY_TASK_ID=$i SLURM_JOB_ID=8 "$@" >&2 || exit
done
[ -n "$array" ] || { echo 9; SLURM_JOB_ID=9 "$@" >&2; }
TEXT
  chmod +x bin/sbatch
}

@test "the Slurm script's tasks and its joining make the picture of one run" {
  "$LBRENDER" $OPTIONS -o one.png "$SAMPLES/room.pbrt"
  fake_sbatch
  LBRENDER=$LBRENDER PATH=$PWD/bin:$PATH "$SAMPLES/slurm-shares.sh" 4 "$SAMPLES/room.pbrt" two.png $OPTIONS
  cmp one.png two.png
}

# Waits until no job is left, for $1 seconds at most.
jobs_end() {
  for _ in $(seq $((5 * $1))); do
    [ -n "$(squeue -h)" ] || return 0
    # A requeued job would wait two minutes otherwise.
    squeue -h -t PD -r -o "%A %r" | awk '/BeginTime/ { print $1 }' | xargs -r -n1 -I{} scontrol update jobid={} starttime=now
    sleep 0.2
  done
  squeue
  return 1
}

@test "a Slurm array renders one still in eight shares, although one is killed and requeued" {
  command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null || skip "no slurmctld, slurmd and munged"
  [ -x "$CLUSTER/slurm_up.sh" ] || skip "no $CLUSTER"
  [ "$(id -u)" = 0 ] || skip "not root"
  local shown=(--resolution=60x40 --spp=64 --no-cache -q --devices=null:speed=5000)
  "$LBRENDER" -q --no-cache --resolution=60x40 --spp=64 -o one.png "$SAMPLES/room.pbrt"
  timeout 30 "$CLUSTER/slurm_up.sh" "$PWD/cluster" 3>&- || skip "slurmctld does not start here"
  export SLURM_CONF=$PWD/cluster/slurm.conf LBRENDER LB_CHECKPOINT=0.2
  "$SAMPLES/slurm-shares.sh" 8 "$SAMPLES/room.pbrt" "$PWD/two.png" "${shown[@]}"
  for _ in $(seq 100); do # until the third share has a part to go on from
    [ ! -e two.png.parts/3.part ] || break
    sleep 0.1
  done
  [ -e two.png.parts/3.part ]
  before=$("$LBRENDER" --describe --report-format=json two.png.parts/3.part | jq .samples)
  job=$(squeue -h -r -t R -o "%A %K" | awk '$2 == 3 { print $1 }')
  [ -n "$job" ]
  scontrol requeue "$job" # which kills it
  jobs_end 90
  scontrol show job "$job" | grep -q "Restarts=1"
  cmp one.png two.png
  [ "$before" -gt 0 ]
}

@test "a Slurm job renders one picture on three nodes, although one is killed and one set down" {
  command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null || skip "no slurmctld, slurmd and munged"
  [ -x "$CLUSTER/slurm_up.sh" ] || skip "no $CLUSTER"
  [ "$(id -u)" = 0 ] || skip "not root"
  ldd "$LBRENDER" | grep -q libzmq || skip "built without libzmq"
  "$LBRENDER" -q --no-cache --resolution=60x40 --spp=16 -o one.png "$SAMPLES/room.pbrt"
  timeout 30 "$CLUSTER/slurm_up.sh" "$PWD/cluster" 3>&- || skip "slurmctld does not start here"
  # Each node is this machine. The workers are so slow that a range which one takes along is missed.
  printf '#!/bin/sh\ncase "$1" in --join=*) exec "%s" "$@" --devices=null:speed=1500 ;; esac\nexec "%s" "$@"\n' "$LBRENDER" "$LBRENDER" >slow
  chmod +x slow
  export SLURM_CONF=$PWD/cluster/slurm.conf LBRENDER=$PWD/slow LBRENDER_HOST=127.0.0.1
  job=$(sbatch --parsable --output=job.out "$SAMPLES/slurm-hosts.sh" "$SAMPLES/room.pbrt" "$PWD/two.png" --resolution=60x40 --spp=16 -v --progress=lines --no-cache)
  for _ in $(seq 200); do
    [ "$(grep -c "host[012] is" job.out)" -eq 3 ] && break
    sleep 0.1
  done
  [ "$(grep -c "host[012] is" job.out)" -eq 3 ]
  await grep -q ^progress job.out
  pkill -KILL -n -f -- "$ROOT/build/lbrender --join=tcp://127.0.0.1"
  scontrol update nodename=n3 state=down reason=test
  jobs_end 60
  scontrol show job "$job" | grep -q "ExitCode=3:0"
  cmp one.png two.png
}

@test "the OpenJD template is sound, and its steps make the picture of one run" {
  python3 - "$SAMPLES/openjd-shares.yaml" <<'TEXT' || skip "no python3-yaml"
try:
    import yaml
except ImportError:
    raise SystemExit(1)
TEXT
  "$LBRENDER" $OPTIONS -o one.png "$SAMPLES/room.pbrt"
  mkdir parts
  if command -v openjd >/dev/null; then
    openjd check "$SAMPLES/openjd-shares.yaml"
    openjd run --step Join --run-dependencies "$SAMPLES/openjd-shares.yaml" -p Scene="$SAMPLES/room.pbrt" -p Picture="$PWD/two.png" \
      -p Parts="$PWD/parts" -p Shares=3 -p Options="$OPTIONS" -p Program="$LBRENDER"
    cmp one.png two.png
  fi
  # This is what a farm does, in a few lines: it fills in names, runs the shares, and then runs what depends on them.
  python3 - "$SAMPLES/openjd-shares.yaml" "$SAMPLES/room.pbrt" "$LBRENDER" "$OPTIONS" <<'TEXT'
import os, re, subprocess, sys, yaml
template = yaml.safe_load(open(sys.argv[1]))
values = {"Param." + p["name"]: str(p.get("default", "")) for p in template["parameterDefinitions"]}
values.update({"Param.Scene": sys.argv[2], "Param.Picture": "three.png", "Param.Parts": "fresh", "Param.Shares": "3",
               "Param.Program": sys.argv[3], "Param.Options": sys.argv[4]})
os.mkdir("fresh")
put = lambda text, names: re.sub(r"\{\{ *([\w.]+) *\}\}", lambda m: names[m.group(1)], text)
share, join = template["steps"]
assert join["dependencies"] == [{"dependsOn": share["name"]}]
first, last = put(share["parameterSpace"]["taskParameterDefinitions"][0]["range"], values).split("-")
for step, numbers in ((share, range(int(first), int(last) + 1)), (join, [0])):
    for number in numbers:
        names = dict(values, **{"Task.Param.Number": str(number), "Task.File.Run": "run.sh"})
        open("run.sh", "w").write(put(step["script"]["embeddedFiles"][0]["data"], names))
        action = step["script"]["actions"]["onRun"]
        subprocess.run([action["command"], *(put(a, names) for a in action["args"])], check=True)
TEXT
  cmp one.png three.png
}
