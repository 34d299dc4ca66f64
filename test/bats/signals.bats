# SIGINT and SIGTERM.
load common

# Starts a render of some seconds on null devices and sends it signal $1 once it is at work; $2: the strategy.
interrupt() {
  scene >view.pbrt
  : >err # the last one's lines are not this one's
  "$LBRENDER" --strategy="$2" --devices=2*null:speed=4000 --spp=40 --progress=lines view.pbrt 2>err &
  local child=$! tries=0
  until grep -q progress err || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
  kill -"$1" $child
  wait $child
}

@test "SIGTERM leaves a .partial.png and status 143, also in the longest range" {
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

@test "SIGINT: status 130" {
  status=0
  # Background jobs of a shell without job control ignore SIGINT unless something resets it.
  scene >view.pbrt
  python3 - "$LBRENDER" <<'END' || status=$?
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
child = subprocess.Popen([sys.argv[1], "-q", "--devices=null:speed=4000", "--spp=40", "view.pbrt"])
time.sleep(1)
child.send_signal(signal.SIGINT)
sys.exit(child.wait())
END
  [ $status -eq 130 ]
  [ -e view.partial.png ]
  [ ! -e view.png ]
}

@test "what a stopped run holds is right: its pixels are those of the whole picture or black" {
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

@test "a signal while the scene is read ends the program at once" {
  mkfifo never
  status=0
  "$LBRENDER" -q -o x.png never &
  sleep 0.3
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
    "$LBRENDER" -q $options --spp=40 view.pbrt >out 2>err &
    sleep 1
    kill -TERM $!
    wait $! || status=$?
    cat err
    [ $status -eq 143 ]
    [ ! -s out ]
  done
}
