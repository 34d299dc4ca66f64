# Where pictures and maps go, and what is in them.
load common

@test "the film's file name, in the current folder" {
  mkdir sub
  scene '"string filename" "sub/film.png"' >view.pbrt
  run "$LBRENDER" view.pbrt
  ended 0 "wrote film.png"
  [ -e film.png ]
  [ -z "$(ls sub)" ]
}

@test "an ending that cannot be written becomes .png, with a note" {
  scene '"string filename" "film.exr"' >view.pbrt
  run "$LBRENDER" view.pbrt
  ended 0 "note: the film's film.exr cannot be written"
  [ "$(png_size film.png)" = 40x30 ]
}

@test "-o wins; .pfm is linear floats" {
  scene '"string filename" "film.png"' >view.pbrt
  run "$LBRENDER" -o out.pfm view.pbrt
  ended 0 "wrote out.pfm"
  [ ! -e film.png ]
  [ "$(head -c 3 out.pfm)" = PF ]
  [ "$(stat -c %s out.pfm)" -ge $((40 * 30 * 12)) ]
}

@test "standard input needs a name" {
  run bash -c "$(declare -f scene); scene | \"$LBRENDER\" -"
  ended 2 "--output"
  run bash -c "$(declare -f scene); scene | \"$LBRENDER\" -o in.png -"
  ended 0 "wrote in.png"
  run bash -c "$(declare -f scene); scene '\"string filename\" \"named.png\"' | \"$LBRENDER\" -"
  ended 0 "wrote named.png"
}

@test "a picture that cannot be written is an error before the work" {
  scene >view.pbrt
  run "$LBRENDER" --spp=100000 --resolution=2000x2000 -o missing/out.png view.pbrt
  ended 1 missing/out.png
  mkdir folder.png
  run "$LBRENDER" --spp=100000 --resolution=2000x2000 -o folder.png view.pbrt
  ended 1 folder.png
  run "$LBRENDER" --spp=100000 --resolution=2000x2000 --report=missing/r.json view.pbrt
  ended 1 missing/r.json
  run "$LBRENDER" --resolution=40000x30000 -o out.png view.pbrt
  ended 1 "out.png: 40000 x 30000 pixels are too many"
  run "$LBRENDER" --resolution=40000x30000 -o out.pfm --partition-map=map.png view.pbrt
  ended 1 "map.png: 40000 x 30000 pixels are too many"
}

@test "a PNG carries no time, host or strategy" {
  scene >view.pbrt
  "$LBRENDER" -q -o a.png view.pbrt
  sleep 1
  (mkdir other && cd other && "$LBRENDER" -q --strategy=scatter -t 5 -o b.png ../view.pbrt)
  cmp a.png other/b.png
  python3 - <<'END'
import struct
data, at, kinds = open("a.png", "rb").read(), 8, []
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    kinds.append(kind)
    at += length + 12
assert set(kinds) <= {b"IHDR", b"IDAT", b"IEND", b"sRGB", b"gAMA"}, kinds
END
}

@test "the checksum is the CRC-32C of the picture's bytes" {
  scene >view.pbrt
  run "$LBRENDER" -o a.png view.pbrt
  ended 0
  python3 - "$output" <<'END'
import re, struct, sys, zlib
data, at, packed = open("a.png", "rb").read(), 8, b""
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IDAT":
        packed += data[at + 8:at + 8 + length]
    at += length + 12
raw, w, h, rows = zlib.decompress(packed), 40, 30, []
last = bytes(w * 3)
for y in range(h):
    kind, row = raw[y * (w * 3 + 1)], bytearray(raw[y * (w * 3 + 1) + 1:(y + 1) * (w * 3 + 1)])
    for i in range(w * 3):
        a, b, c = row[i - 3] if i > 2 else 0, last[i], last[i - 3] if i > 2 else 0
        p = a + b - c
        best = a if abs(p - a) <= min(abs(p - b), abs(p - c)) else b if abs(p - b) <= abs(p - c) else c
        row[i] = (row[i] + [0, a, b, (a + b) // 2, best][kind]) & 255
    rows.append(bytes(row))
    last = row
crc = 0xffffffff
for byte in b"".join(rows):
    crc ^= byte
    for _ in range(8):
        crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
assert re.search("crc32c %08x" % (crc ^ 0xffffffff), sys.argv[1]), "%08x" % (crc ^ 0xffffffff)
END
}

@test "--partition-map: four large tiles, and a colour a processor" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=naive -t 4 --partition-map=map.png view.pbrt
  [ "$(png_size map.png)" = 40x30 ]
  for strategy in $(strategies); do
    "$LBRENDER" -q --strategy=$strategy -t 3 --partition-map=$strategy.png view.pbrt
    [ "$(png_size $strategy.png)" = 40x30 ]
  done
  differ scanline.png bitrev.png
}

@test "--cost-map: the same steps on every run and instruction set; seconds on demand" {
  "$LBRENDER" -q --resolution=32x24 --spp=2 --cost-map=a.pfm -o a.png "$SAMPLES/room.pbrt"
  for isa in $(isas); do
    "$LBRENDER" -q --resolution=32x24 --spp=2 -t 3 --isa=$isa --strategy=scatter --cost-map=b.pfm -o b.png "$SAMPLES/room.pbrt"
    cmp a.pfm b.pfm
  done
  "$LBRENDER" -q --resolution=32x24 --spp=2 --passes=2 --cost-map=c.pfm -o c.png "$SAMPLES/room.pbrt"
  cmp a.pfm c.pfm
  "$LBRENDER" -q --resolution=32x24 --spp=2 --cost-map=d.png -o d2.png "$SAMPLES/room.pbrt"
  [ "$(png_size d.png)" = 32x24 ]
  "$LBRENDER" -q --resolution=32x24 --spp=2 --cost-map=e.pfm --cost-unit=seconds -o e.png "$SAMPLES/room.pbrt"
  differ a.pfm e.pfm
}

@test "--trace is Chrome's format and covers every position once" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=pool -t 3 --passes=2 --trace=t.json view.pbrt
  jq -e '[.traceEvents[] | select(.ph == "X" and .args.pass == 0) | .args.end - .args.begin] | add == 1200' t.json
  jq -e '[.traceEvents[] | select(.ph == "M") | .args.name] == ["cpu0", "cpu1", "cpu2"]' t.json
  jq -e '[.traceEvents[] | select(.ph == "X") | .ts >= 0 and .dur >= 0] | all' t.json
}

@test "no output has the name of another, or of what is read" {
  scene >view.pbrt
  cp view.pbrt was.pbrt
  for options in "-o a.png --partition-map=a.png" "-o a.pfm --cost-map=./a.pfm" "--cost-map=a.pfm -o a.estimate.pfm" \
    "--report=a --trace=a" "--report=view.pbrt" "--trace=$PWD/view.pbrt" "-o a.png --partition-map=$PWD/../${PWD##*/}/a.png"; do
    echo "$options"
    run "$LBRENDER" $options view.pbrt
    ended 2 "lbrender: "
    [ "$(ls -I cache | tr '\n' ' ')" = "view.pbrt was.pbrt " ]
  done
  cmp view.pbrt was.pbrt
  scene >scene.png
  cp scene.png was.png
  run "$LBRENDER" scene.png
  ended 2 "the picture would overwrite the scene: scene.png"
  cmp scene.png was.png
  run "$LBRENDER" --report= view.pbrt
  ended 2 "needs a name"
  "$LBRENDER" -q -o pic.png --cost-map=map.pfm view.pbrt
  run "$LBRENDER" --simulate=2 --costs=map.pfm --cost-map=map.pfm view.pbrt
  ended 2 "--cost-map would overwrite --costs"
}

@test "without --frames a # is a letter like others" {
  scene >"one#.pbrt"
  "$LBRENDER" -q -o "pic##.png" --partition-map="map#.png" "one#.pbrt"
  [ -e "pic##.png" ] && [ -e "map#.png" ]
}
