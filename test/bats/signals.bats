# Signals: what they end, what they leave, and how soon.
load common

# Starts the program with the options "${@:2}" and with signals as they are by default, whatever these tests were started with (nohup
# ignores SIGHUP, a shell's background SIGINT). 1 s after the program began to catch signals it sends the signals $1 ("INT,TERM"), with
# a moment in between. It prints the program's status as a shell would have it, and how long the program took to end after the last
# signal.
signalled() {
  python3 - "$1" "$LBRENDER" "${@:2}" <<'END'
import signal, subprocess, sys, time
for name in "SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM":
    signal.signal(getattr(signal, name), signal.SIG_DFL)
child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
def catches(number):
    with open("/proc/%d/status" % child.pid) as file:
        caught = [line.split()[1] for line in file if line.startswith("SigCgt:")]
    return int(caught[0], 16) >> number - 1 & 1
while not catches(signal.SIGTERM) and child.poll() is None:
    time.sleep(0.01)
time.sleep(1)
for name in sys.argv[1].split(","):
    time.sleep(0.05)
    begin = time.monotonic()
    child.send_signal(getattr(signal, "SIG" + name))
try:
    status = child.wait(60)
except subprocess.TimeoutExpired:
    child.kill()
    status = child.wait()
print(status if status >= 0 else 128 - status, "%.2f" % (time.monotonic() - begin))
END
}

# Checks that the status is $1 and the time below half a second, on a busy machine in one of ten tries.
prompt() {
  local expected=$1 try status seconds
  for try in $(seq 10); do
    read -r status seconds < <(signalled "${@:2}")
    echo "${*:2}: status $status after $seconds s"
    [ "$status" -eq "$expected" ] || return 1
    awk "BEGIN { exit !($seconds < 0.5) }" && return 0
  done
  return 1
}

# Starts a render of some seconds on null devices with the strategy $2, and sends it the signal $1 once it is at work.
interrupt() {
  scene >view.pbrt
  : >err # lines of the render before must not count
  env --default-signal=HUP,INT "$LBRENDER" --strategy="$2" --devices=2*null:speed=4000 --spp=40 --progress=lines view.pbrt 2>err &
  local child=$!
  await grep -q progress err
  kill -"$1" $child
  wait $child
}

@test "SIGTERM leaves a .partial.png and status 143, even in the longest range" {
  echo old >view.png
  for strategy in naive pool bitrev; do
    status=0
    rm -f view.partial.png
    interrupt TERM $strategy || status=$?
    cat err
    [ $status -eq 143 ]
    [ "$(png_size view.partial.png)" = 40x30 ]
    [ "$(cat view.png)" = old ]
    grep -qE 'stopped by SIGTERM; wrote view.partial.png with [0-9]+ of 48000 samples' err
    samples=$(sed -n 's/.*with \([0-9]*\) of.*/\1/p' err)
    [ "$samples" -gt 0 ]
    [ "$samples" -lt 48000 ]
  done
}

@test "SIGINT ends a render with status 130" {
  status=0
  # Background jobs of a shell without job control ignore SIGINT unless something resets it.
  scene >view.pbrt
  python3 - "$LBRENDER" <<'END' || status=$?
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
child = subprocess.Popen([sys.argv[1], "--progress=lines", "--devices=null:speed=4000", "--spp=40", "view.pbrt"],
                         stderr=subprocess.PIPE, text=True)
while not child.stderr.readline().startswith("progress"):
    assert child.poll() is None
child.send_signal(signal.SIGINT)
child.communicate()
sys.exit(child.returncode)
END
  [ $status -eq 130 ]
  [ -e view.partial.png ]
  [ ! -e view.png ]
}

@test "the pixels of a stopped picture are those of the whole one, or black" {
  scene >view.pbrt
  "$LBRENDER" -q --spp=40 -o whole.png view.pbrt
  status=0
  interrupt TERM scanline || status=$?
  [ $status -eq 143 ]
  python3 - <<'END'
import struct, zlib
def pixels(name):
    data, at, packed = open(name, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    raw, out, last = zlib.decompress(packed), [], bytes(120)
    for y in range(30):
        kind, row = raw[y * 121], bytearray(raw[y * 121 + 1:(y + 1) * 121])
        for i in range(120):
            a, b, c = row[i - 3] if i > 2 else 0, last[i], last[i - 3] if i > 2 else 0
            p = a + b - c
            best = a if abs(p - a) <= min(abs(p - b), abs(p - c)) else b if abs(p - b) <= abs(p - c) else c
            row[i] = (row[i] + [0, a, b, (a + b) // 2, best][kind]) & 255
        out += [bytes(row[i:i + 3]) for i in range(0, 120, 3)]
        last = row
    return out
whole, part = pixels("whole.png"), pixels("view.partial.png")
held = sum(p != b"\0\0\0" for p in part)
assert all(p == w or p == b"\0\0\0" for p, w in zip(part, whole))
assert 0 < held < 1200, held
END
}

# Whether the process $1 has the file $2 open.
holds_open() {
  readlink "/proc/$1/fd/"* | grep -qxF "$2"
}

@test "a signal while the scene is read ends the program at once" {
  mkfifo never
  status=0
  exec 4<>never
  "$LBRENDER" -q -o x.png never 4>&- &
  await holds_open $! "$PWD/never"
  kill -TERM $!
  wait $! || status=$?
  [ $status -eq 143 ]
  [ ! -e x.png ]
  [ ! -e x.partial.png ]
}

@test "a signal ends a simulation, also while its cost map is rendered" {
  scene >view.pbrt
  for options in "--devices=null:speed=2000 --simulate=4" "--devices=null:speed=2000 --compare"; do
    status=0
    : >err
    "$LBRENDER" --progress=lines $options --spp=40 view.pbrt >out 2>err &
    await grep -q ^progress err
    kill -TERM $!
    wait $! || status=$?
    cat err
    [ $status -eq 143 ]
    [ ! -s out ]
  done
}

@test "a race tells of each strategy when it is done, and a stopped race tells of those that were" {
  scene >view.pbrt
  : >err
  "$LBRENDER" --devices=2*null:speed=40000 --compare=pool,naive,strips --repeat=100 --report=r.json view.pbrt >out 2>err &
  child=$!
  await grep -q "naive took" err
  await grep -q "pool took" err
  grep -qE '^lbrender: note: pool took [0-9.e-]+ s a frame, efficiency [01]\.[0-9]{3}$' err
  # The report is there already, with what has been done so far.
  jq -e '.strategies | length >= 1' r.json
  cp r.json before.json
  kill -TERM $child
  status=0
  wait $child || status=$?
  [ $status -eq 143 ]
  cat err
  grep -qE 'stopped by SIGTERM; the table has [0-9]+ of 300 runs' err
  jq -e '[.strategies[].strategy] | contains(["naive", "pool"])' r.json
  grep -q '^pool ' out
  # A race that is stopped in its first run has nothing to tell.
  : >err
  "$LBRENDER" --devices=null:speed=100 --compare=pool,naive --progress=lines --report=none.json view.pbrt >out 2>err &
  await grep -q progress err
  kill -TERM $!
  wait $! || status=$?
  [ ! -s out ]
  [ ! -e none.json ]
  grep -q 'stopped by SIGTERM$' err
}

@test "a signal ends any render within half a second, however long a pixel or a sample takes" {
  scene >view.pbrt
  sed 's/maxiterations" 60/maxiterations" 2147483647/' view.pbrt >deep.pbrt
  prompt 143 TERM -q --spp=200000 --resolution=500x500 view.pbrt
  [ "$(png_size view.partial.png)" = 500x500 ]
  prompt 130 INT -q --spp=16777216 -t 3 "$SAMPLES/room.pbrt"
  prompt 129 HUP -q --spp=4 deep.pbrt
  prompt 143 TERM -q --devices=null:speed=1 --spp=16777216 view.pbrt
  prompt 143 TERM -q --devices=2*null:speed=1 view.pbrt
  prompt 143 TERM -q --devices=null:code=wave --spp=16777216 "$SAMPLES/room.pbrt"
  prompt 143 TERM -q --devices=null:code=wave --spp=16777216 view.pbrt
  prompt 143 TERM -q --strategy=estimate --cost-map=map.pfm --devices=cpu:2,null:speed=1 --spp=100000 "$SAMPLES/room.pbrt"
}

@test "a signal ends a simulation and a race within half a second" {
  scene >view.pbrt
  prompt 143 TERM -q --compare --devices=null:speed=1 view.pbrt
  prompt 143 TERM -q --simulate=4 --devices=null:speed=1 view.pbrt
  prompt 143 TERM -q --simulate=16384 --compare --frames=0-99 --resolution=800x600 --spp=1 view.pbrt
  prompt 129 HUP -q --compare -t 2 --resolution=1000x1000 --spp=64 view.pbrt
}

@test "a second signal of any kind ends the program at once; SIGQUIT does so alone" {
  scene >view.pbrt
  # As nobody reads standard error, the stopped program cannot end by itself.
  mkfifo full
  exec 7<>full
  head -c 65536 /dev/zero >&7
  for signals in INT,TERM TERM,INT HUP,TERM TERM,TERM; do
    prompt $((128 + $(kill -l "${signals#*,}"))) "$signals" --devices=null:speed=1 view.pbrt 2>&7
  done
  exec 7>&-
  ulimit -c 0
  prompt 131 QUIT -q --devices=null:speed=1 view.pbrt
}

@test "a program that ends at once removes its temporary files, however many files are open" {
  scene >view.pbrt
  ulimit -c 0
  # A file with such a name that the program was given counts as one of its own.
  python3 - "$LBRENDER" >status <<'END'
import os, resource, signal, subprocess, sys, time
limit = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, max(limit[1], 4096)))
name = ".lbrender-00000000-0000000000000001"
os.dup2(os.open(name, os.O_CREAT | os.O_WRONLY), 4000)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
child = subprocess.Popen([sys.argv[1], "-q", "--devices=null:speed=1", "-o", "none", "view.pbrt"], pass_fds=(4000,))
while not os.path.exists("/proc/%d/task" % child.pid) or len(os.listdir("/proc/%d/task" % child.pid)) < 2:
    time.sleep(0.01)
child.send_signal(signal.SIGQUIT)
child.wait(60)
print(-child.returncode, os.path.exists(name))
END
  [ "$(cat status)" = "3 False" ]
}

@test "SIGHUP does what SIGTERM does, and signals that were ignored stay ignored" {
  status=0
  interrupt HUP pool || status=$?
  [ $status -eq 129 ]
  grep -q 'stopped by SIGHUP; wrote view.partial.png' err
  # A limit of CPU time, and what farms send as a warning, keep the picture too.
  for name in XCPU USR2; do
    status=0
    interrupt $name pool || status=$?
    [ $status -eq $((128 + $(kill -l $name))) ]
    grep -q "stopped by SIG$name; wrote view.partial.png" err
  done
  for name in INT HUP TERM; do
    rm -f view.png
    : >err
    (
      trap '' $name
      exec "$LBRENDER" --progress=lines --devices=null:speed=20000 --spp=40 view.pbrt 2>err
    ) &
    await grep -q ^progress err
    kill -$name $!
    wait $!
    [ -e view.png ]
  done
}

@test "standard error that nobody reads any more does not cost the picture" {
  scene >view.pbrt
  bash -c '"$0" -v --progress=lines --devices=null:speed=4000 view.pbrt 2> >(exec <&-; true); echo $? >status' "$LBRENDER"
  [ "$(cat status)" -eq 0 ]
  [ -e view.png ]
}

@test "a file larger than the limit is an error, not a signal, and nothing is left of it" {
  scene >view.pbrt
  run bash -c 'ulimit -f 1; exec "$0" -q --resolution=300x300 -o big.pfm view.pbrt' "$LBRENDER"
  ended 1 "big.pfm: cannot write: File too large"
  [ "$(ls -A -I cache)" = view.pbrt ]
}

@test "random signals at random moments give status 0 or 128 + n, and leave only what was asked for" {
  LB_SIGNAL_RUNS=${LB_SIGNAL_RUNS:-15} python3 "$ROOT/test/signals.py" "$LBRENDER" "$SAMPLES" "$ROOT/../shared/data"
}

@test "the report of a stopped picture tells what was rendered, and says that it is incomplete" {
  cd "$BATS_TEST_TMPDIR"
  for form in json csv txt html; do
    : >err
    "$LBRENDER" --progress=lines --no-cache --spp=100000 --resolution=64x64 -o view.png --report=r.$form "$ROOT/samples/room.pbrt" 2>err &
    await grep -q progress err
    kill -TERM $!
    status=0
    wait $! || status=$?
    [ $status -eq 143 ]
    [ -e r.$form ]
  done
  jq -e '.frames | length == 1 and .[0].incomplete and .[0].file == "view.partial.png"' r.json
  jq -e '[.frames[0].processors[].samples] | add as $n | $n > 0 and $n < 64 * 64 * 100000' r.json
  python3 -c 'import csv; rows = list(csv.DictReader(open("r.csv"))); assert rows and all(r["incomplete"] == "1" for r in rows)'
  grep -q '^incomplete: these figures are of what was rendered$' r.txt
  grep -q '<p>incomplete: these figures are of what was rendered</p>' r.html
  "$LBRENDER" -q --no-cache --spp=1 --resolution=8x8 -o view.png --report=r.json "$ROOT/samples/room.pbrt"
  jq -e '.frames[0] | has("incomplete") | not' r.json
}
