# Where pictures and maps go, and what is in them.
load common

@test "the picture has the film's file name, in the current folder" {
  mkdir sub
  scene '"string filename" "sub/film.png"' >view.pbrt
  run "$LBRENDER" view.pbrt
  ended 0 "wrote film.png"
  [ -e film.png ]
  [ -z "$(ls sub)" ]
}

@test "an ending that cannot be written becomes .png, with a note" {
  scene '"string filename" "film.gif"' >view.pbrt
  run "$LBRENDER" view.pbrt
  ended 0 "note: the film's film.gif cannot be written"
  [ "$(png_size film.png)" = 40x30 ]
}

@test "-o goes before the film, and a .pfm has linear floats" {
  scene '"string filename" "film.png"' >view.pbrt
  run "$LBRENDER" -o out.pfm view.pbrt
  ended 0 "wrote out.pfm"
  [ ! -e film.png ]
  [ "$(head -c 3 out.pfm)" = PF ]
  [ "$(stat -c %s out.pfm)" -ge $((40 * 30 * 12)) ]
}

@test "a scene from standard input needs a name for its picture" {
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

@test "a PNG tells nothing of time, host or strategy" {
  scene >view.pbrt
  "$LBRENDER" -q -o a.png view.pbrt
  second=$(date +%s)
  await eval '[ "$(date +%s)" -gt "$second" ]'
  (mkdir other && cd other && "$LBRENDER" -q --strategy=scatter -t 5 -o b.png ../view.pbrt)
  cmp a.png other/b.png
  python3 - "$("$LBRENDER" --version)" <<'END'
import struct, sys
data, at, kinds, texts = open("a.png", "rb").read(), 8, [], []
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    kinds.append(kind)
    at += length + 12
    if kind == b"tEXt":
        texts.append(data[at - length - 4:at - 4].replace(b"\0", b"=").decode())
assert kinds == [b"IHDR", b"sRGB"] + 4 * [b"tEXt"] + [b"IDAT", b"IEND"], kinds
assert texts == ["Software=" + sys.argv[1], "Scene=view.pbrt", "Samples=4", "Seed=0"], texts
END
}

@test "a PNG names its scene, of whatever letters, and an animation's frame" {
  scene >"schön.pbrt"
  "$LBRENDER" -q -o a.png "schön.pbrt"
  grep -aq "iTXtScene.*schön.pbrt" a.png
  scene >$'b\xe9.pbrt'
  "$LBRENDER" -q --frames=7 -o b.png $'b\xe9.pbrt'
  grep -aqF 'b\xE9.pbrt' b-0007.png
  grep -aq "tEXtFrame.7" b-0007.png
}

@test "a PNG of 16 bits rounds to the 8 bits of the other" {
  "$LBRENDER" -q --resolution=32x24 --spp=2 -o a.png "$SAMPLES/room.pbrt"
  "$LBRENDER" -q --resolution=32x24 --spp=2 --bits=16 -o b.png "$SAMPLES/room.pbrt"
  python3 - "$ROOT/test" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import png
a, b = (b"".join(png.rows(open(name, "rb").read())[1]) for name in ("a.png", "b.png"))
assert len(a) == 32 * 24 * 3 and len(b) == 2 * len(a)
words = [b[2 * i] * 256 + b[2 * i + 1] for i in range(len(a))]
assert max(abs(w / 257 - v) for w, v in zip(words, a)) <= 0.501
assert len(set(words)) > len(set(a))
END
}

@test "--exposure and --tone-map change what a screen shows, and no EXR or PFM" {
  light() { # prints the bytes of a picture of a sky of brightness $1, rendered with the other options
    local bright=$1
    shift
    printf 'Film "rgb" "integer xresolution" 4 "integer yresolution" 4\nWorldBegin\nLightSource "infinite" "rgb L" [%s %s %s]\n' \
      "$bright" "$bright" "$bright" >sky.pbrt
    "$LBRENDER" -q --spp=1 -o sky.png "$@" sky.pbrt
    python3 -c '
import struct, zlib
data, at = open("sky.png", "rb").read(), 8
while data[at + 4:at + 8] != b"IDAT":
    at += struct.unpack(">I", data[at:at + 4])[0] + 12
rows = zlib.decompress(data[at + 8:])
print(rows[1])'
  }
  [ "$(light 0.25)" = 137 ]
  [ "$(light 0.25 --exposure=1)" = 188 ]
  [ "$(light 1 --exposure=-1)" = 188 ]
  [ "$(light 1 --tone-map=reinhard)" = 188 ]
  [ "$(light 1 --tone-map=aces)" = 232 ] # 2.54 / 3.16
  [ "$(light 11.2 --tone-map=hable --exposure=-1)" = 255 ]
  [ "$(light 1e30 --tone-map=aces --exposure=90)" = 255 ]
  # Middle grey is 0.5 to the power of 2.2 in AgX, 10 of its 16.5 stops from black; the others are its curve's in double precision.
  [ "$(light 0.18 --tone-map=agx)" = 128 ]
  [ "$(light 0.02 --tone-map=agx)" = 36 ]
  [ "$(light 1 --tone-map=agx)" = 202 ]
  [ "$(light 1e30 --tone-map=agx --exposure=90)" = 255 ]
  [ "$(light 0.18 --tone-map=filmic)" = 131 ]
  [ "$(light 0.02 --tone-map=filmic)" = 21 ]
  [ "$(light 1 --tone-map=filmic)" = 216 ]
  [ "$(light 1e30 --tone-map=filmic --exposure=90)" = 255 ]
  "$LBRENDER" -q -o a.pfm sky.pbrt
  run "$LBRENDER" --exposure=3 --tone-map=aces --compression=piz -o b.pfm sky.pbrt
  ended 0 "--exposure has no effect: it is for PNG, JPEG or TIFF files"
  ended 0 "--tone-map has no effect: it is for PNG, JPEG or TIFF files"
  ended 0 "--compression has no effect: it is for EXR files"
  cmp a.pfm b.pfm
}

@test "a JPEG and a TIFF show what the PNG shows, by their endings, and name the scene" {
  room() { "$LBRENDER" -q --resolution=64x48 --spp=4 --exposure=1 --tone-map=agx "$@" "$SAMPLES/room.pbrt"; }
  room -o a.png
  room -o a.tif
  room -o b.TIFF --bits=16
  room -o b.png --bits=16
  room -o a.jpg
  room -o b.JPEG --quality=20
  room -o - --format=jpg --strategy=scatter -t 3 | cmp - a.jpg
  room -o - --format=tif --strategy=scatter -t 3 | cmp - a.tif
  [ "$(stat -c %s b.JPEG)" -lt $(($(stat -c %s a.jpg) / 2)) ]
  [ "$(head -c 2 a.jpg | od -An -tx1)" = " ff d8" ]
  grep -aq "Scene: room.pbrt" a.jpg
  run tiffinfo a.tif
  ended 0 "Bits/Sample: 8"
  ended 0 "Compression Scheme: AdobeDeflate"
  ended 0 "Scene: room.pbrt"
  run "$LBRENDER" --quality=50 -o c.png "$SAMPLES/room.pbrt" --resolution=8x8 --spp=1
  ended 0 "--quality has no effect: it is for JPEG files"
  run "$LBRENDER" --resolution=65501x1 -o c.jpg "$SAMPLES/room.pbrt"
  ended 1 "c.jpg: 65501 x 1 pixels are too many for a JPEG file"
  [ ! -e c.jpg ]
  command -v oiiotool >/dev/null || skip "oiiotool is not there"
  oiiotool --fail 0 --hardfail 0 a.png a.tif --diff
  oiiotool --fail 0 --hardfail 0 b.png b.TIFF --diff
  oiiotool --fail 0.1 --hardfail 0.1 a.png a.jpg --diff
}

@test "a transparent TIFF has the alpha of the PNG" {
  command -v oiiotool >/dev/null || skip "oiiotool is not there"
  printf 'Film "rgb" "integer xresolution" 20 "integer yresolution" 20\nLookAt 0 0 -3 0 0 0 0 1 0\nCamera "perspective" "float fov" 60\nWorldBegin\nLightSource "infinite"\nShape "sphere"\n' >ball.pbrt
  for name in a.png a.tif; do "$LBRENDER" -q --spp=4 --transparent -o $name ball.pbrt; done
  # oiiotool multiplies the colours by alpha, in 8 bits or in floats as the format's reader does.
  oiiotool --fail 0.004 --hardfail 0.004 a.png a.tif --diff
  oiiotool --info -v a.tif | grep -q "4 channel"
  tiffinfo a.tif | grep -q "Extra Samples: 1<unassoc-alpha>"
}

@test "DWAA and DWAB lose a little of the colours and make the file small" {
  command -v oiiotool >/dev/null || skip "oiiotool is not there"
  room() { "$LBRENDER" -q --resolution=160x120 --spp=4 "$@" "$SAMPLES/room.pbrt"; }
  room -o zip.exr
  for compression in dwaa dwab; do
    room --compression=$compression -o $compression.exr
    exrheader $compression.exr | grep -qi "compression.*dwa"
    oiiotool --info -v $compression.exr | grep -q "compression: \"$compression"
    oiiotool --fail 0.05 --failpercent 5 --hardfail 0.5 zip.exr $compression.exr --diff
    [ "$(stat -c %s $compression.exr)" -lt "$(stat -c %s zip.exr)" ]
  done
}

@test "an EXR has the values of the PFM in every compression, and a crop is its data window" {
  command -v oiiotool >/dev/null || skip "oiiotool is not there"
  "$LBRENDER" -q --resolution=40x30 --spp=2 -o a.pfm "$SAMPLES/room.pbrt"
  for compression in none rle zips zip piz; do
    "$LBRENDER" -q --resolution=40x30 --spp=2 --bits=32 --compression=$compression -o $compression.exr "$SAMPLES/room.pbrt"
    oiiotool --fail 0 --hardfail 0 a.pfm $compression.exr --diff
  done
  "$LBRENDER" -q --around=no --resolution=40x30 --spp=2 -o own.pfm "$SAMPLES/room.pbrt"
  "$LBRENDER" -q --around=no --resolution=40x30 --spp=2 --bits=32 --pixelbounds=10,30,5,25 -o crop.exr "$SAMPLES/room.pbrt"
  oiiotool own.pfm --cut 20x20+10+5 -d float -o cut.exr
  oiiotool --fail 0 --hardfail 0 cut.exr crop.exr --cut 20x20+10+5 --diff
  run oiiotool --info -v crop.exr
  ended 0 "pixel data origin: x=10, y=5"
  ended 0 "full/display size: 40 x 30"
  ended 0 'Scene: "room.pbrt"'
  "$LBRENDER" -q --resolution=40x30 --spp=2 -o half.exr "$SAMPLES/room.pbrt"
  run oiiotool --info half.exr
  ended 0 "3 channel, half"
  oiiotool --fail 0.01 --hardfail 0.02 a.pfm half.exr --diff
}

@test "an EXR is the same bytes whoever renders it, and the film chooses half or float" {
  scene '"string filename" "film.exr"' >view.pbrt
  "$LBRENDER" -q view.pbrt
  "$LBRENDER" -q -t 3 --strategy=scatter --passes=2 -o b.exr view.pbrt
  cmp film.exr b.exr
  scene '"bool savefp16" false' >view.pbrt
  "$LBRENDER" -q -o float.exr view.pbrt
  "$LBRENDER" -q -o bits.exr --bits=32 view.pbrt
  cmp float.exr bits.exr
  differ film.exr float.exr
  "$LBRENDER" -q -o half.exr --bits=16 view.pbrt
  cmp film.exr half.exr
}

@test "-o - is standard output, -o none writes nothing, and --format goes before the ending" {
  scene >view.pbrt
  for format in png jpg tif pfm exr; do
    "$LBRENDER" -q -o a.$format view.pbrt
    "$LBRENDER" -o - --format=$format view.pbrt 2>told >b.$format
    cmp a.$format b.$format
    grep -q "wrote -  crc32c" told
    "$LBRENDER" -q -o c --format=$format view.pbrt
    cmp a.$format c
  done
  "$LBRENDER" -q -o - view.pbrt | cmp - a.png
  "$LBRENDER" -q -o d.png --frames=0-2 view.pbrt
  "$LBRENDER" -q -o - --frames=0-2 view.pbrt | cmp - <(cat d-0000.png d-0001.png d-0002.png)
  ls >before
  run "$LBRENDER" -o none view.pbrt
  ended 0 "Tmin"
  [[ "$output" != *wrote* ]]
  ls | diff - before
  run bash -c "\"$LBRENDER\" -q -o - view.pbrt >/dev/full"
  ended 1 "standard output: cannot write: No space left on device"
  run bash -c "\"$LBRENDER\" -q -o - view.pbrt >&-"
  [ "$status" -ne 0 ]
}

@test "options that say how a picture is written are checked before the work" {
  scene >view.pbrt
  for options in "-o a.gif" "-o a" "-o - --report=-" "-o - --trace=-" "-o none --skip-existing --frames=0" "-o - --skip-existing --frames=0" \
    "-o a.png --bits=32" "-o a.exr --bits=8" "-o a.pfm --bits=16" "--format=gif" "--quality=0" "--quality=101" "--exposure=101" "--exposure=nan" "--tone-map=film" \
    "--compression=zstd"; do
    run "$LBRENDER" --spp=100000 --resolution=2000x2000 $options view.pbrt
    ended 2 "lbrender: "
  done
  run "$LBRENDER" --resolution=20000x20000 --bits=16 -o a.png view.pbrt
  ended 1 "a.png: 20000 x 20000 pixels are too many"
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

@test "the legends of maps tell weights and shares, and the costs of colours" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache -t 3 --strategy=bitrev --weights=1,2,5 --partition-map=a.png --cost-map=cost.png view.pbrt
  "$LBRENDER" -q --no-cache -t 3 --strategy=bitrev --weights=1,2,5 --partition-map=again.png --cost-map=cost.pfm view.pbrt
  "$LBRENDER" -q --no-cache -t 3 --strategy=scatter --partition-map=b.png --cost-map=seconds.png --cost-unit=seconds view.pbrt
  cmp a.png again.png
  PYTHONPATH=$ROOT/test python3 - <<'END'
from png import rows
def legend(name):
    width, found = rows(open(name, "rb").read())
    return width, found[30:]
width, of_a = legend("a.png")
assert width > 200 and len(of_a) == 3 * 11 + 12
pixels = rows(open("a.png", "rb").read())[1]
colors = {bytes(pixels[y][3 * x:3 * x + 3]) for x in range(40) for y in range(30)}
# There is a square of each colour that the map has, and of no other, followed by words, which differ with the weights.
squares = [of_a[6 + 11 * i + 3][3 * 9:3 * 10] for i in range(3)]
assert set(squares) == colors and len(colors) == 3, (squares, colors)
assert legend("b.png")[1] != of_a
# The scale goes from black to white.
width, scale = legend("cost.png")
middle = scale[6 + 3]
assert max(middle[18:21]) < 40 and min(middle[3 * (width - 7):3 * (width - 6)]) > 215
assert legend("seconds.png")[1] != scale
END
}

@test "--partition-map shows four large tiles, with one colour for each processor" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=naive -t 4 --partition-map=map.png view.pbrt
  # The map is as large as the picture and stands in the upper left, with the legend below it.
  map_of map.png 40 30 >map.ppm
  python3 - <<'END'
colors = open("map.ppm", "rb").read()[-3600:]
quarters = [{colors[3 * (40 * y + x):][:3] for x in range(a, a + 20) for y in range(b, b + 15)} for b in (0, 15) for a in (0, 20)]
assert [len(q) for q in quarters] == [1, 1, 1, 1] and len(set.union(*quarters)) == 4
END
  for strategy in $(strategies); do
    "$LBRENDER" -q --strategy=$strategy -t 3 --partition-map=$strategy.png view.pbrt
    map_of $strategy.png 40 30 >$strategy.ppm
  done
  differ scanline.ppm bitrev.ppm
}

@test "a partition map of 256 processors has twelve hues and sixteen ramps" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --resolution=64x64 --spp=1 --strategy=naive --devices='256*null' --partition-map=map.png -o none view.pbrt
  map_of map.png 64 64 >map.ppm
  python3 - <<'END'
import colorsys
pixels = open("map.ppm", "rb").read()[-3 * 64 * 64:]
of = [pixels[3 * (64 * (4 * (i // 16) + 1) + 4 * (i % 16) + 1):][:3] for i in range(256)]
assert len(set(of[:12])) == 12
light = lambda c: 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
hue = lambda c: colorsys.rgb_to_hsv(*c)[0]
for first in range(12, 252, 16):
    ramp = of[first:first + 16]
    assert all(light(a) < light(b) for a, b in zip(ramp, ramp[1:])), ramp
    # A hue of the eye is not one of the screen's, but wanders little.
    turned = [(hue(c) - hue(ramp[8]) + 0.5) % 1 - 0.5 for c in ramp]
    assert max(turned) - min(turned) < 0.12, (first, turned)
END
}

@test "a partition map mixes the colours of those who share a pixel's samples, by their shares" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=steal -t 2 --spp=64 --partition-map=map.png --report=r.json -o a.png view.pbrt
  map_of map.png 40 30 >map.ppm
  PYTHONPATH=$ROOT/test python3 - <<'END'
import json
from png import rows
pixels = open("map.ppm", "rb").read()[-3600:]
mean = [sum(pixels[c::3]) / 1200 for c in range(3)]
shares = [p["share"] for p in json.load(open("r.json"))["frames"][0]["processors"]]
legend = rows(open("map.png", "rb").read())[1][30:]
colors = [legend[6 + 11 * i + 3][3 * 9:3 * 10] for i in range(2)]
wanted = [sum(share * color[c] for share, color in zip(shares, colors)) for c in range(3)]
assert max(abs(a - b) for a, b in zip(mean, wanted)) < 1, (mean, wanted, shares)
assert len({pixels[3 * i:3 * i + 3] for i in range(1200)} - set(colors)) > 0
END
}

@test "--cost-map has the same steps on every run and instruction set, and seconds on demand" {
  "$LBRENDER" -q --resolution=32x24 --spp=2 --cost-map=a.pfm -o a.png "$SAMPLES/room.pbrt"
  for isa in $(isas); do
    "$LBRENDER" -q --resolution=32x24 --spp=2 -t 3 --isa=$isa --strategy=scatter --cost-map=b.pfm -o b.png "$SAMPLES/room.pbrt"
    cmp a.pfm b.pfm
  done
  "$LBRENDER" -q --resolution=32x24 --spp=2 --passes=2 --cost-map=c.pfm -o c.png "$SAMPLES/room.pbrt"
  cmp a.pfm c.pfm
  "$LBRENDER" -q --resolution=32x24 --spp=2 --cost-map=d.png -o d2.png "$SAMPLES/room.pbrt"
  [ "$(map_of d.png 32 24 | wc -c)" -eq 2317 ]
  "$LBRENDER" -q --resolution=32x24 --spp=2 --cost-map=e.pfm --cost-unit=seconds -o e.png "$SAMPLES/room.pbrt"
  differ a.pfm e.pfm
}

@test "--trace is Chrome's format and covers every position once" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=pool -t 3 --passes=2 --trace=t.json view.pbrt
  jq -e '[.traceEvents[] | select(.ph == "X" and .args.pass == 0) | .args.end - .args.begin] | add == 1200' t.json
  jq -e '[.traceEvents[] | select(.ph == "M") | .args.name] == ["cpu0", "cpu1", "cpu2"]' t.json
  jq -e '[.traceEvents[] | select(.ph == "X") | .name == "range \(.args.begin)-\(.args.end)"] | all' t.json
  jq -e '[.traceEvents[] | select(.ph == "X") | .args.processor == "cpu\(.tid)"] | all' t.json
  jq -e '[.traceEvents[] | select(.ph == "X") | .ts >= 0 and .dur >= 0] | all' t.json
}

@test "no output may have the name of another, or of a file that is read" {
  scene >view.pbrt
  cp view.pbrt was.pbrt
  for options in "-o a.png --partition-map=a.png" "-o a.pfm --cost-map=./a.pfm" "--cost-map=a.pfm -o a.estimate.pfm" \
    "--cost-map=a.pfm -o a.coverage.pfm" \
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

@test "without --frames a # is a character like others" {
  scene >"one#.pbrt"
  "$LBRENDER" -q -o "pic##.png" --partition-map="map#.png" "one#.pbrt"
  [ -e "pic##.png" ]
  [ -e "map#.png" ]
}

@test "long names, folders in the way and links to nowhere, of every frame, are refused before the render" {
  scene >view.pbrt
  mkdir dir.pfm frame-0002.png
  long=$(printf 'x%.0s' $(seq 252))
  ln -s missing/target.png dangling.png
  ln -s dangling.png twice.png
  ln -s round.png round.png
  touch file
  while read -r named options; do
    echo "$options"
    run timeout 60 "$LBRENDER" --devices=null:speed=1 $options view.pbrt
    ended 1 "$named"
  done <<END
$long.png: -o $long.png
$long.json: --report=$long.json
$long.json: --trace=$long.json
$long.pfm: --cost-map=$long.pfm
$long.png: --partition-map=$long.png
dir.pfm: --cost-map=dir.pfm
dir.pfm: --compare --report=dir.pfm
missing/x.json: --compare --report=missing/x.json
missing/x.json: --simulate=2 --report=missing/x.json
dangling.png: -o dangling.png
twice.png: -o twice.png
round.png: -o round.png
file/x.png: -o file/x.png
frame-0002.png: --frames=0-3 -o frame.png
missing/x-00.png: --frames=0-3 --partition-map=missing/x-##.png
${long%xxxxxx}-10000.png: --frames=9998-10000 -o ${long%xxxxxx}.png
END
}

# Runs "$@" as a user who is not root.
as_nobody() {
  if [ "$(id -u)" -eq 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"
  else
    "$@"
  fi
}

@test "files that a user may not write are refused before the render" {
  as_nobody test -x "$LBRENDER" || skip "no setpriv, or the program is not there for others"
  local folder status=0
  folder=$(mktemp -d /tmp/lbrender-test-XXXXXX)
  chmod 755 "$folder"
  cd "$folder"
  mkdir open shut
  [ "$(id -u)" -ne 0 ] || chown 65534 . open shut
  scene >view.pbrt
  as_nobody bash -c 'touch open/mine.png open/mine-0000.png shut/there.png; chmod 444 open/mine*; chmod 555 shut; ln -s ../shut/new.png open/link.png'
  for options in "-o open/mine.png" "-o shut/new.png" "-o shut/there.png" "-o open/link.png" "--report=shut/r.json" "--trace=shut/t.json" \
    "--cost-map=shut/c.pfm" "--partition-map=shut/p.png" "--frames=0-1 -o shut/x.png" "--compare --report=shut/r.json"; do
    run as_nobody timeout 60 "$LBRENDER" --no-cache --devices=null:speed=1 $options view.pbrt
    ended 1 "cannot be written: Permission denied" || failed=1
  done
  # A frame that is there and therefore left out need not be writable.
  run as_nobody "$LBRENDER" -q --no-cache --frames=0-0 --skip-existing -o open/mine.png view.pbrt
  ended 0 || failed=1
  chmod 755 shut
  cd /
  rm -r "$folder"
  [ -z "${failed-}" ]
}

@test "no output may be another, or a file that is read, by links or /dev/stdout either" {
  scene >view.pbrt
  touch there.png
  ln -s there.png symbolic.pfm
  ln there.png hard.pfm
  ln -s new.png to-new.png
  ln -s view.pbrt scene.json
  ln view.pbrt hard.json
  mkdir sub
  ln -s .. sub/up
  before=$(md5sum view.pbrt)
  for options in "-o there.png --cost-map=symbolic.pfm" "-o there.png --cost-map=hard.pfm" "-o to-new.png --partition-map=new.png" \
    "--report=scene.json" "--trace=hard.json" "--compare --report=scene.json" "--simulate=2 --trace=hard.json" \
    "-o sub/up/a.png --partition-map=a.png" "--frames=0-12 -o f#.png --partition-map=f##.png" "--frames=0-3 -o f.png --report=f-0002.png"; do
    run "$LBRENDER" $options view.pbrt
    ended 2 "lbrender: "
  done
  for options in "--report=- --trace=/dev/stdout" "--report=/dev/stdout --trace=-" "--report=- --trace=out.txt" "--trace=- --report=/dev/fd/1"; do
    status=0
    "$LBRENDER" -q $options view.pbrt >out.txt 2>err || status=$?
    [ $status -eq 2 ]
    grep -q "are the same file" err
  done
  status=0
  "$LBRENDER" -q -o a.png --report=view.pbrt - <view.pbrt || status=$?
  [ $status -eq 2 ]
  [ "$(md5sum view.pbrt)" = "$before" ]
  # A pipe takes one output after the other, and /dev/null all of them.
  "$LBRENDER" -q --report=- --report-format=csv --trace=/dev/stdout view.pbrt | grep -q traceEvents
  "$LBRENDER" -q --report=/dev/null --trace=/dev/null view.pbrt
  # A file that is appended to keeps what it has.
  echo kept >log.txt
  "$LBRENDER" -q --report=/dev/stdout view.pbrt >>log.txt
  grep -q kept log.txt
  grep -q imbalance log.txt
}

@test "no output may take the place of a file that the scene names" {
  scene >part.pbrt
  echo 'Include "part.pbrt"' >view.pbrt
  ln part.pbrt hard.json
  for options in --report=part.pbrt --trace=hard.json "--frames=0-2 --report=part.pbrt" "--compare --report=part.pbrt" \
    "--simulate=2 --report=part.pbrt" "--simulate=2 --compare --report=hard.json"; do
    run "$LBRENDER" $options view.pbrt
    ended 2 "would overwrite a file that the scene names"
  done
  "$LBRENDER" -q -o wall.png part.pbrt
  cp wall.png was.png
  cat >room.pbrt <<'END'
Film "rgb" "string filename" "wall.png"
WorldBegin
Texture "wall" "spectrum" "imagemap" "string filename" "wall.png"
Material "diffuse" "texture reflectance" "wall"
Shape "sphere"
END
  run "$LBRENDER" --resolution=10x10 --spp=1 room.pbrt
  ended 2 "the picture would overwrite a file that the scene names: wall.png"
  cmp wall.png was.png
}

@test "standard output that is closed or full is an error only where something goes there" {
  scene >view.pbrt
  "$LBRENDER" view.pbrt >&-
  [ -e view.png ]
  "$LBRENDER" -q view.pbrt >/dev/full
  "$LBRENDER" -q view.pbrt <&- >&- 2>&-
  for options in "--report=- view.pbrt" "--trace=- view.pbrt" "--compare view.pbrt" --list-strategies --list-devices --report-schema --help --version; do
    for to in '>&-' '>/dev/full'; do
      echo "$options $to"
      run bash -c "\"\$0\" -q $options $to" "$LBRENDER"
      ended 1 "standard output"
    done
  done
  # No file that the program opens may take its descriptor.
  run bash -c '"$0" -q --report=- -o b.png view.pbrt >&-' "$LBRENDER"
  ended 1
  "$LBRENDER" -q -o c.png view.pbrt
  cmp b.png c.png
}

@test "where a report, trace or map fails after the picture, the picture stays and the message says so" {
  scene >view.pbrt
  for options in --report=/dev/full --trace=/dev/full; do
    rm -f view.png
    run "$LBRENDER" -q $options view.pbrt
    ended 1 "/dev/full: cannot write: No space left on device; the picture is written"
    [ "$(png_size view.png)" = 40x30 ]
  done
  rm view.png
  run bash -c 'ulimit -f 4; exec "$0" -q --cost-map=big.pfm --resolution=30x30 view.pbrt' "$LBRENDER"
  ended 1 "big.pfm: cannot write: File too large; the picture view.png is written"
  [ "$(png_size view.png)" = 30x30 ]
  # Each output is written, even if another one fails.
  run "$LBRENDER" -q --report=/dev/full --trace=t.json view.pbrt
  ended 1 "/dev/full"
  jq -e .traceEvents t.json >/dev/null
}

@test "the next run removes temporary files of runs that were killed" {
  scene >view.pbrt
  mkdir out
  host=$(python3 - <<'END'
import socket
crc = 0xffffffff
for byte in socket.gethostname().encode():
    crc ^= byte
    for _ in range(8):
        crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
print("%08x" % (crc ^ 0xffffffff))
END
  )
  echo x >"out/.lbrender-$host-0123456789abcdef"
  echo x >".lbrender-$host-0000000000000000"
  "$LBRENDER" -q -o out/a.png --report=r.json view.pbrt
  [ "$(ls -A out)" = a.png ]
  [ ! -e ".lbrender-$host-0000000000000000" ]
  for moment in 0.05 0.1 0.2 0.3 0.4; do
    "$LBRENDER" -q --resolution=800x600 --spp=1 -o out/a.pfm view.pbrt &
    sleep $moment
    status=0
    kill -KILL $! 2>/dev/null || echo "it had ended after $moment s"
    wait $! || status=$?
    [ $status -eq 137 ] || [ $status -eq 0 ]
  done
  "$LBRENDER" -q -o out/a.png view.pbrt
  [ -z "$(find . -name '.lbrender*')" ]
}

@test "a pipe is written to where somebody reads it, and is an error at once where nobody does" {
  scene >view.pbrt
  "$LBRENDER" -q -o view.png --part=view.part view.pbrt
  mkfifo pipe
  for option in "-o pipe --format=png" "-o none --part=pipe" "-o none --checkpoint=pipe" "-o none --report=pipe" "-o none --trace=pipe"; do
    echo "$option"
    run timeout -k 1 20 "$LBRENDER" -q --devices=null:speed=1 $option view.pbrt
    ended 1 "pipe: cannot write: nobody reads from this pipe"
  done
  cat pipe >read.part &
  await timeout -k 1 20 "$LBRENDER" -q -o none --part=pipe view.pbrt # it may be there before who reads
  wait $!
  cmp read.part view.part
  cat pipe >read.png &
  await timeout -k 1 20 "$LBRENDER" -q --format=png -o pipe view.pbrt
  wait $!
  cmp read.png view.png
}
