# Channels: what an EXR holds beside red, green and blue; and transparent pictures.
load common

ALL=A,albedo,P,Z,N,Ns,uv,dz,motion,object,material,samples,variance,relativevariance,cryptoobject,cryptomaterial

channels() { # prints the names of the channels of an EXR that is not compressed
  python3 "$ROOT/test/exr.py" "$1" | cut -d' ' -f1 | tr '\n' ' '
}

@test "all channels are the same bytes under every strategy, pass split, instruction set and kind of processor" {
  for scene in samples/room test/scenes/instances; do
    options="-q --resolution=16x12 --spp=5 --compression=none --channels=$ALL --transparent $ROOT/$scene.pbrt"
    "$LBRENDER" -t 1 --isa=portable -o a.exr $options
    for strategy in $(strategies); do
      "$LBRENDER" -t 3 --strategy=$strategy --passes=2 -o b.exr $options
      cmp a.exr b.exr
    done
    for devices in null:code=wave "wave,cpu:2" "2*null:as=cuda,cpu"; do
      "$LBRENDER" --devices="$devices" --strategy=pool --passes=3 -o b.exr $options
      cmp a.exr b.exr
    done
    for isa in $(isas); do
      "$LBRENDER" -t 2 --isa=$isa -o b.exr $options
      cmp a.exr b.exr
    done
    fake=${LBRENDER}_fake_gpu
    if [ -x "$fake" ]; then
      "$fake" --devices=cuda:0 -o b.exr $options
      cmp a.exr b.exr
    fi
  done
}

@test "the ranges of a processor that is lost have their channels too" {
  options="-q --resolution=32x24 --spp=4 --channels=$ALL $SAMPLES/room.pbrt"
  "$LBRENDER" -t 2 -o a.exr $options
  run "$LBRENDER" --devices="null:fail=0.5,null:fail=0.5,cpu" --strategy=strips -o b.exr $options
  [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
  cmp a.exr b.exr
}

@test "--channels writes the channels that are asked for, under pbrt's names" {
  scene() { printf 'Film "%s" "integer xresolution" 8 "integer yresolution" 6 %s LookAt 5 0 0  0 0 0  0 0 1 Camera "perspective" "float fov" 40\nWorldBegin\nShape "sphere"\n' "$1" "${2-}"; }
  scene rgb >view.pbrt
  make() { "$LBRENDER" -q --spp=2 --compression=none "$@"; }
  make -o a.exr view.pbrt
  [ "$(channels a.exr)" = "B G R " ]
  make --channels=Z,A,samples -o a.exr view.pbrt
  [ "$(channels a.exr)" = "A B G R Z samples " ]
  pbrt="Albedo.B Albedo.G Albedo.R B G N.X N.Y N.Z Ns.X Ns.Y Ns.Z P.X P.Y P.Z R RelativeVariance.B RelativeVariance.G"
  pbrt="$pbrt RelativeVariance.R Variance.B Variance.G Variance.R dzdx dzdy u v "
  make --bits=32 --channels=gbuffer -o a.exr view.pbrt
  [ "$(channels a.exr)" = "$pbrt" ]
  scene gbuffer '"bool savefp16" false' >view.pbrt
  make -o b.exr view.pbrt
  cmp a.exr b.exr
  make -o c.exr --channels=rgb view.pbrt
  [ "$(channels c.exr)" = "B G R " ]
  make -o c.pfm view.pbrt
  scene gbuffer '"bool savefp16" false "string filename" "d.exr"' >named.pbrt
  make named.pbrt
  [ "$(channels d.exr)" = "$pbrt" ]
  # Their space is the film's, or the one that is asked for.
  scene gbuffer '"string coordinatesystem" "world"' >world.pbrt
  make -o e.exr world.pbrt
  (mkdir other && cd other && sed 's/world/camera/' ../world.pbrt >world.pbrt && make -o ../f.exr --channel-space=world world.pbrt)
  cmp e.exr f.exr
  make -o g.exr --channel-space=camera world.pbrt
  differ e.exr g.exr
}

@test "the light of a picture is the same with channels and without" {
  "$LBRENDER" -q --resolution=24x16 --spp=3 -o a.pfm "$ROOT/test/scenes/materials.pbrt"
  crc() { "$LBRENDER" --resolution=24x16 --spp=3 "$@" "$ROOT/test/scenes/materials.pbrt" 2>&1 | grep -o 'crc32c.*'; }
  [ "$(crc -o a.exr)" = "$(crc -o b.exr --channels=albedo,P,Z,N,Ns,uv,dz,object,material)" ]
  [ "$(crc -o a.exr)" = "$(crc -o a.pfm)" ]
  # Where samples count for their own pixels alone, all channels go along with it.
  [ "$(crc -o a.exr --around=no)" = "$(crc -o b.exr --channels=$ALL)" ]
}

@test "asking for channels that cannot be written is an error before the work" {
  scene >view.pbrt
  for format in png pfm; do
    run "$LBRENDER" --channels=Z -o a.$format "$SAMPLES/room.pbrt"
    ended 2 "files have no room for them, EXR has"
  done
  run "$LBRENDER" --transparent -o a.pfm "$SAMPLES/room.pbrt"
  ended 2 "--transparent: PFM files have no alpha"
  run "$LBRENDER" --channels=z -o a.exr "$SAMPLES/room.pbrt"
  ended 2 'there is no "z"'
  run "$LBRENDER" --channels=N -o a.exr view.pbrt
  ended 1 'shows no surfaces'
  "$LBRENDER" -q --channels=samples,variance --compression=none -o a.exr view.pbrt
  python3 "$ROOT/test/exr.py" a.exr | grep -q "samples 4800$"
  python3 "$ROOT/test/exr.py" a.exr | grep "^Variance.R" | grep -qv " 0$"
}

@test "--transparent leaves the background out; a PNG's colours are whole, an EXR's are multiplied by alpha" {
  # A wall covers half of a sky of radiance 0.5, and shines a quarter as brightly as the sky.
  cat >half.pbrt <<'END'
Film "rgb" "integer xresolution" 4 "integer yresolution" 2 PixelFilter "box"
Camera "orthographic" "float screenwindow" [ -2 2 -1 1 ]
Sampler "independent" "integer pixelsamples" 64
Integrator "path" "integer maxdepth" 0
WorldBegin
LightSource "infinite" "rgb L" [ .5 .5 .5 ]
AreaLightSource "diffuse" "rgb L" [ .125 .125 .125 ] "bool twosided" true
Shape "bilinearmesh" "point3 P" [ -9 -9 1 -.5 -9 1 -9 9 1 -.5 9 1 ]
END
  "$LBRENDER" -q --transparent --bits=32 --compression=none -o a.exr half.pbrt
  [ "$(channels a.exr)" = "A B G R " ]
  "$LBRENDER" -q --transparent --bits=16 -o a.png half.pbrt
  "$LBRENDER" -q --transparent -o b.png half.pbrt
  python3 - "$ROOT/test" <<'END'
import struct, sys, zlib
sys.path.insert(0, sys.argv[1])
import exr
_, _, v = exr.read("a.exr")
a, r = v["A"], v["R"]
assert a[0] == 1 and a[4] == 1 and a[2] == a[3] == 0, a
assert 0.35 < a[1] < 0.65, a
assert all(abs(x - 0.125 * y) < 1e-6 for x, y in zip(r, a)), (r, a)
def pixels(name, size):
    data, at, packed = open(name, "rb").read(), 8, b""
    assert data[25] == 6 and data[24] == 8 * size
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    raw, bpp = zlib.decompress(packed), 4 * size
    row, kind = bytearray(raw[1:1 + 4 * bpp]), raw[0]
    for i in range(bpp, 4 * bpp): # the first row has no row above it
        row[i] = (row[i] + [0, row[i - bpp], 0, row[i - bpp] // 2, row[i - bpp]][kind]) & 255
    values = struct.unpack(">%d%s" % (16, "H" if size == 2 else "B"), bytes(row))
    return [values[4 * i:4 * i + 4] for i in range(4)]
p = pixels("a.png", 2)
assert p[0][3] == 65535 and p[2] == (0, 0, 0, 0), p
assert abs(p[1][0] - p[0][0]) <= 1 and abs(p[1][3] - a[1] * 65535) <= 1, p
q = pixels("b.png", 1)
assert q[0] == (99, 99, 99, 255) and q[1][:3] == (99, 99, 99) and q[2][3] == 0, q
END
}

@test "a gbuffer film has pbrt's channels, as near to pbrt's pictures as two of those are to each other" {
  references=$ROOT/../shared/data/references
  needs_data
  for name in later-film-gbuffer later-film-gbuffer-world; do
    "$LBRENDER" -q --spp=32 --compression=none -o $name.exr "$references/../scenes/features/$name.pbrt"
    python3 "$ROOT/test/exr.py" $name.exr "$references" $name
  done
}

@test "OpenEXR's and OpenImageIO's own tools read all channels" {
  command -v exrheader >/dev/null && command -v oiiotool >/dev/null || skip "exrheader or oiiotool is not there"
  "$LBRENDER" -q --resolution=24x16 --spp=2 --channels=$ALL,gbuffer --pixelbounds=4,20,3,13 -o a.exr "$SAMPLES/room.pbrt"
  exrheader a.exr >header
  [ "$(grep -c 'sampling 1 1' header)" = 56 ]
  [ "$(grep -c -E '(samples|object|material), 32-bit floating-point' header)" = 3 ]
  grep -q 'dataWindow (type box2i): (4 3) - (19 12)' header
  run oiiotool --stats a.exr
  ended 0 "NanCount: 0 0 0"
  run oiiotool a.exr --ch samples --printstats
  ended 0 "Stats Min: 2.000000 (float)"
  run oiiotool a.exr --ch object,material --printstats
  ended 0 "Stats Min: 2.000000 3.000000 (float)"
}

@test "DWAA and DWAB lose a little of colours and nothing of numbers, as OpenEXR's and OpenImageIO's tools read them" {
  command -v exrheader >/dev/null && command -v oiiotool >/dev/null || skip "exrheader or oiiotool is not there"
  options="-q --resolution=64x48 --spp=2 --bits=32 --channels=object,material,Z,P $SAMPLES/room.pbrt"
  "$LBRENDER" --compression=none -o none.exr $options
  for compression in dwaa dwab; do
    "$LBRENDER" --compression=$compression -o $compression.exr $options
    exrheader $compression.exr >header
    grep -q "$compression" header
    run oiiotool none.exr --ch object,material,Z,P.X,P.Z $compression.exr --ch object,material,Z,P.X,P.Z --diff
    ended 0 PASS
    run oiiotool none.exr --ch R,G,B $compression.exr --ch R,G,B --fail 0.5 --warn 0.5 --diff
    ended 0 PASS
    [ "$(stat -c %s $compression.exr)" -lt "$(stat -c %s none.exr)" ]
  done
}
