# --display-server: what it shows a viewer that speaks tev's protocol (test/tev.py).
load common

# Starts a viewer on the folder $1, with the other arguments for test/tev.py. $VIEWER becomes its process, $PORT where it listens.
view() {
  mkdir "$1"
  timeout 100 python3 "$ROOT/test/tev.py" "$@" 3>&- &
  VIEWER=$!
  await test -s "$1/port"
  PORT=$(cat "$1/port")
}

teardown() {
  local job
  for job in $(jobs -pr); do kill "$job"; done
  wait
}

# Whether the log $2 of a viewer has $1 updates.
updated() {
  [ "$(grep -c update "$2")" -ge "$1" ]
}

# Ends the viewer, which may have ended by itself.
dismiss() {
  if kill "$VIEWER" 2>/dev/null; then echo "the viewer was still there"; fi
  if ! wait "$VIEWER"; then echo "it ended with a status"; fi
}

# Checks that the picture $1, as the viewer of folder $2 has it, is the file $3.
shown() {
  wait "$VIEWER"
  tail -n 1 "$2/log" | grep -qx end
  python3 "$ROOT/test/tev_compare.py" "$2/$1" "$3"
}

render() { "$LBRENDER" -q --no-cache --resolution=150x70 --spp=3 "$@"; }

@test "in the end the viewer has what the files have, bit for bit, under every strategy and split into passes" {
  render -o plain.pfm "$SAMPLES/room.pbrt"
  for strategy in $(strategies); do
    view $strategy
    render -o a.pfm --strategy=$strategy --passes=2 -t 3 --display-server=localhost:$PORT "$SAMPLES/room.pbrt"
    cmp plain.pfm a.pfm
    shown a.pfm $strategy plain.pfm
    grep -qx "create a.pfm 150 70 RGB" $strategy/log
  done
  for form in png exr; do
    view $form
    render -o b.$form --exposure=2 --display-server=127.0.0.1:$PORT "$SAMPLES/room.pbrt"
    shown b.$form $form plain.pfm
  done
  view none
  render -o none --display-server=127.0.0.1:$PORT "$SAMPLES/room.pbrt"
  shown room.pbrt none plain.pfm
  view checked
  render -o c.pfm --checkpoint=a.part,0.1 --display-server=127.0.0.1:$PORT "$SAMPLES/room.pbrt"
  shown c.pfm checked plain.pfm
  cmp plain.pfm c.pfm
}

@test "pixels are shown while others are rendered, and with their final values" {
  scene >a.pbrt
  "$LBRENDER" -q -o plain.pfm a.pbrt
  view live
  "$LBRENDER" -q --no-cache --devices=null:speed=1500,code=cpu -o a.pfm --display-server=localhost:$PORT a.pbrt &
  RENDERER=$!
  await updated 9 live/log
  kill -0 $RENDERER # the program is still rendering
  grep -q "update a.pfm R 0 0 40 30" live/log
  wait $RENDERER
  shown a.pfm live plain.pfm
}

@test "each frame of an animation has a name of its own" {
  view frames
  render --frames=0-2 -o f-#.pfm --display-server=localhost:$PORT "$SAMPLES/room.pbrt"
  shown f-0.pfm frames f-0.pfm
  for i in 1 2; do python3 "$ROOT/test/tev_compare.py" frames/f-$i.pfm f-$i.pfm; done
  [ "$(grep -c create frames/log)" -eq 3 ]
  view nameless
  render --frames=5-6 -o none --display-server=localhost:$PORT "$SAMPLES/mandelbrot.pbrt"
  wait "$VIEWER"
  grep -q "create mandelbrot.pbrt 6 150 70 RGB" nameless/log
}

@test "a transparent picture is shown with alpha, and a denoised one is shown clean at last" {
  view clear
  render --transparent --bits=32 --compression=none -o a.exr --display-server=localhost:$PORT "$ROOT/test/scenes/headlight.pbrt"
  wait "$VIEWER"
  grep -qx "create a.exr 150 70 RGBA" clear/log
  python3 - "$ROOT/test" <<'END'
import struct
import sys
sys.path.insert(0, sys.argv[1])
import exr
values = exr.read("a.exr")[2]
for channel in "RGBA":
    with open("clear/a.exr.%s.f32" % channel, "rb") as file:
        assert file.read() == struct.pack("%df" % (150 * 70), *values[channel]), channel
END
  view clean
  render --denoise="${LBRENDER%/*}/test/fake_oidn.so" -o a.pfm --display-server=localhost:$PORT "$SAMPLES/room.pbrt"
  shown a.pfm clean a.pfm
}

@test "a viewer is reached by IPv6, and names of files may have any letters" {
  python3 -c 'import socket; socket.socket(socket.AF_INET6).bind(("::1", 0))' || skip "no IPv6 here"
  view six ::1
  render -o "bänder und so.pfm" --display-server=[::1]:$PORT "$SAMPLES/room.pbrt"
  shown "bänder und so.pfm" six "bänder und so.pfm"
}

@test "without a viewer one warning says so, and the picture is rendered" {
  scene >a.pbrt
  "$LBRENDER" -q -o plain.pfm a.pbrt
  view gone close 0
  dismiss
  run "$LBRENDER" --no-cache --progress=none -o a.pfm --display-server=127.0.0.1:$PORT a.pbrt
  ended 0 "warning: --display-server: there is no viewer at 127.0.0.1:$PORT: Connection refused; nothing is shown"
  [ "$(grep -c display-server <<<"$output")" -eq 1 ]
  cmp plain.pfm a.pfm
  run "$LBRENDER" --no-cache --progress=none -o a.pfm --display-server=name.invalid:14158 a.pbrt
  ended 0 "there is no viewer at name.invalid:14158: "
  for address in host "" :1 host: host:x host:0 host:65536 ::1 ::1:14158 []:5 [::1]; do
    run "$LBRENDER" -o b.pfm --display-server="$address" a.pbrt
    ended 2 "--display-server needs HOST:PORT, as localhost:14158, not \"$address\""
  done
  [ ! -e b.pfm ]
  run "$LBRENDER" --compare=pool --display-server=127.0.0.1:$PORT a.pbrt
  ended 0 "--display-server has no effect: no picture is rendered"
}

# A picture of 9 MB, which no system takes from a viewer that does not read it.
large() {
  run timeout 60 "$LBRENDER" --no-cache --progress=none --spp=1 --resolution=1024x768 -o a.pfm --display-server=127.0.0.1:$PORT "$@" \
    "$SAMPLES/mandelbrot.pbrt"
}

@test "a viewer that closes, stops reading or crawls is let go with one warning, and the picture is rendered" {
  "$LBRENDER" -q --spp=1 --resolution=1024x768 -o plain.pfm "$SAMPLES/mandelbrot.pbrt"
  for way in "close 100000:closed the connection\|reset\|Broken pipe" "stop 100000:takes too little" "crawl 100000:takes too little"; do
    rm -rf slow
    view slow ${way%%:*}
    large
    ended 0 "warning: --display-server: the viewer at 127.0.0.1:$PORT is let go: "
    [ "$(grep -c display-server <<<"$output")" -eq 1 ]
    grep -q "is let go: .*\(${way#*:}\)" <<<"$output"
    cmp plain.pfm a.pfm
    dismiss
  done
}

@test "a signal ends the render as soon as ever, also where the viewer no longer reads" {
  for way in "" "stop 100000"; do
    rm -rf slow
    view slow $way
    "$LBRENDER" -q --no-cache --resolution=1024x768 --spp=4096 -o a.png --display-server=127.0.0.1:$PORT "$SAMPLES/room.pbrt" &
    RENDERER=$!
    await updated 1 slow/log
    kill -TERM $RENDERER
    status=0
    wait $RENDERER || status=$?
    [ $status -eq 143 ]
    [ -e a.partial.png ]
    rm a.partial.png
    [ -n "$way" ] || { wait "$VIEWER"; tail -n 1 slow/log | grep -qx end; }
    dismiss
  done
}
