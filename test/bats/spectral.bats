# Pictures that are computed with wavelengths.
# bats file_tags=long
load common

# Coloured things under lamps, seen through a fog: most of what --spectral renders.
lamps() {
  cat <<'END'
LookAt 0 1 6  0 0 0  0 1 0
Camera "perspective" "float fov" 35
Film "rgb" "integer xresolution" 31 "integer yresolution" 23
Sampler "independent" "integer pixelsamples" 6
Integrator "volpath" "integer maxdepth" 6
WorldBegin
LightSource "distant" "spectrum L" "stdillum-F2" "point3 from" [ 3 4 5 ]
LightSource "infinite" "rgb L" [ 0.2 0.3 0.6 ]
Texture "tiles" "spectrum" "checkerboard" "rgb tex1" [ 0.8 0.2 0.1 ] "spectrum tex2" [ 400 0.2 700 0.9 ]
MakeNamedMedium "fog" "string type" "homogeneous" "rgb sigma_a" [ 0.2 0.8 1.5 ] "rgb sigma_s" [ 1 0.8 0.6 ]
AttributeBegin
  AreaLightSource "diffuse" "blackbody L" 2700 "float scale" 4
  Translate -2 2 0
  Shape "sphere" "float radius" 0.4
AttributeEnd
AttributeBegin
  Material "conductor" "spectrum eta" "metal-Au-eta" "spectrum k" "metal-Au-k" "float roughness" 0.1
  Shape "sphere" "float radius" 0.7
AttributeEnd
AttributeBegin
  Material "dielectric" "spectrum eta" "glass-F11"
  Translate 1.5 0 0.5
  Shape "sphere" "float radius" 0.6
AttributeEnd
AttributeBegin
  MediumInterface "fog" ""
  Material "interface"
  Translate -1.5 0 0.5
  Shape "sphere" "float radius" 0.6
AttributeEnd
Material "diffuse" "texture reflectance" "tiles"
Shape "trianglemesh" "point3 P" [ -8 -0.7 -8  8 -0.7 -8  8 -0.7 8  -8 -0.7 8 ] "integer indices" [ 0 1 2 0 2 3 ]
END
}

# The mean of each channel of the PFM file $1 over that of $2.
ratios() {
  python3 - "$1" "$2" <<'END'
import array, math, sys
def means(path):
    with open(path, "rb") as file:
        file.readline(), file.readline(), file.readline()
        values = array.array("f", file.read())
    return [math.fsum(values[c::3]) for c in range(3)]
print(*(a / b if b else math.inf for a, b in zip(means(sys.argv[1]), means(sys.argv[2]))))
END
}

# Renders the scene $1 with $2 samples on every instruction set, and compares the bytes.
same_on_isas() {
  local isa
  rm -f right.pfm
  for isa in $(isas); do
    "$LBRENDER" -q --spectral -t 2 --isa=$isa --spp="$2" -o out.pfm "$1"
    [ -e right.pfm ] || mv out.pfm right.pfm
    [ $isa = portable ] || cmp right.pfm out.pfm
  done
}

@test "spectral: the same bytes on every instruction set, number of threads, strategy and split into passes" {
  lamps >lamps.pbrt
  "$LBRENDER" -q --spectral -t 1 --isa=portable -o right.pfm lamps.pbrt
  for isa in $(isas); do
    echo "$isa"
    "$LBRENDER" -q --spectral -t 2 --isa=$isa --passes=2 -o out.pfm lamps.pbrt
    cmp right.pfm out.pfm
  done
  for strategy in $(strategies); do
    echo "$strategy"
    "$LBRENDER" -q --spectral -t 3 --strategy=$strategy -o out.pfm lamps.pbrt
    cmp right.pfm out.pfm
  done
  spectra >spectra.pbrt
  "$LBRENDER" -q --spectral -t 1 --isa=portable -o right.pfm spectra.pbrt
  for isa in $(isas); do
    echo "$isa"
    "$LBRENDER" -q --spectral -t 3 --isa=$isa --passes=2 -o out.pfm spectra.pbrt
    cmp right.pfm out.pfm
  done
}

@test "spectral: parts join to the same bytes, and one in red, green and blue does not join them" {
  lamps >lamps.pbrt
  "$LBRENDER" -q --spectral -o right.pfm lamps.pbrt
  "$LBRENDER" -q --spectral --share=1/2 --part=one.part -o none lamps.pbrt
  "$LBRENDER" -q --spectral --share=2/2 --part=two.part -o none lamps.pbrt
  "$LBRENDER" -q --share=2/2 --part=rgb.part -o none lamps.pbrt
  "$LBRENDER" -q --merge one.part two.part -o out.pfm
  cmp right.pfm out.pfm
  run "$LBRENDER" --merge one.part rgb.part -o out.pfm
  echo "$output"
  [ "$status" = 1 ]
  [[ $output == *"rgb.part is not of the picture of one.part: its light has red, green and blue, not wavelengths (--spectral)"* ]]
}

# A single wavelength is outside of the colors that red, green and blue make: samples may be negative, so that sums do not
# tell which of them were bounded.
@test "spectral: a part that is continued to more samples has the bytes of the whole" {
  cat >green.pbrt <<'END'
Film "rgb" "integer xresolution" 40 "integer yresolution" 30
Camera "perspective"
WorldBegin
LightSource "point" "rgb I" [ 1 1e9 1 ] "point3 from" [ 0 3 0 ]
Material "diffuse" "rgb reflectance" [ 0.1 0.9 0.1 ]
Translate 0 0 5
Shape "sphere"
END
  "$LBRENDER" -q --spectral --spp=16 -o right.pfm green.pbrt
  "$LBRENDER" -q --spectral --spp=4 --part=few.part -o none green.pbrt
  "$LBRENDER" -q --spectral --spp=16 --resume=few.part -o out.pfm green.pbrt
  cmp right.pfm out.pfm
  grep -aq '"plain":false' few.part
  "$LBRENDER" --describe few.part >said
  grep -q wavelengths said
}

@test "spectral: white, grey and constant spectra look as they do in red, green and blue" {
  sed 's/"spectrum L" "stdillum-F2"//; s/"rgb L" \[ 0.2 0.3 0.6 \]/"rgb L" [ 0.5 0.5 0.5 ]/
    s/"rgb tex1" \[ 0.8 0.2 0.1 \]/"rgb tex1" [ 0.8 0.8 0.8 ]/; s/400 0.2 700 0.9/300 0.3 900 0.3/
    s/"blackbody L" 2700/"spectrum L" "stdillum-D65"/; s/"spectrum eta" "glass-F11"/"float eta" 1.6/
    s/"rgb sigma_a".*/"rgb sigma_a" [ 0.5 0.5 0.5 ] "rgb sigma_s" [ 1 1 1 ]/; /metal-Au/d' < <(lamps) >grey.pbrt
  "$LBRENDER" -q --spp=256 -o rgb.pfm grey.pbrt
  "$LBRENDER" -q --spp=256 --spectral -o spectral.pfm grey.pbrt
  read -r red green blue <<<"$(ratios spectral.pfm rgb.pfm)"
  echo "$red $green $blue"
  awk "BEGIN { for (i = 1; i < 4; i++) exit !($red > 0.99 && $red < 1.01 && $green > 0.99 && $green < 1.01 && $blue > 0.99 && $blue < 1.01) }"
}

@test "spectral: means of every channel are within 0.5 % of pbrt's" {
  data=$ROOT/../shared/data
  needs_data
  for scene in patches-a patches-f2 patches-orange patches-camera patches-buckets copper-blue fog-red hair-brown; do
    "$LBRENDER" -q --spectral --spp=64 -o $scene.pfm "$data/scenes/spectral/$scene.pbrt"
    read -r red green blue <<<"$(ratios $scene.pfm "$data/references/spectral/$scene.pfm")"
    echo "$scene $red $green $blue"
    awk "BEGIN { exit !($red > 0.995 && $red < 1.005 && $green > 0.995 && $green < 1.005 && $blue > 0.995 && $blue < 1.005) }"
  done
}

# Compares out.pfm with the reference $1, with halves of the limits that were made for red, green and blue.
within_half() {
  read -r mean median p95 <<<"$(awk -F'\t' -v name="$1" '$1 == name { print $7 / 2, $8 / 2, $9 / 2 }' "$data/references/index.tsv")"
  python3 "$data/../tools/compare.py" out.pfm "$data/references/$1.pfm" --mean "$mean" --median "$median" --p95 "$p95"
}

@test "spectral: references are within half of their limits, which three channels are not" {
  data=$ROOT/../shared/data
  needs_data
  for name in film-iso material-interface-medium; do
    read -r scene size <<<"$(awk -F'\t' -v name=$name '$1 == name { print $2, $3 "x" $4 }' "$data/references/index.tsv")"
    "$LBRENDER" -q --spectral --spp=256 --resolution="$size" -o out.pfm "$data/$scene"
    within_half $name
    "$LBRENDER" -q --rgb --spp=64 --resolution="$size" -o out.pfm "$data/$scene"
    run within_half $name
    echo "$output"
    [ "$status" -eq 1 ]
  done
}

@test "spectral: the pipeline of GPUs, on the host, has the same bytes, with buckets, channels and media" {
  lamps >lamps.pbrt
  lamps | sed 's/Film "rgb"/Film "spectral"/' >buckets.pbrt
  for scene in lamps buckets; do
    more=$([ $scene = lamps ] || echo ,buckets)
    for devices in cpu:1 null:code=wave cpu:1,2*null:code=wave; do
      "$LBRENDER" -q --spectral --resolution=40x30 --spp=4 --channels=albedo,N,variance$more --devices=$devices -o $devices.exr $scene.pbrt
      cmp cpu:1.exr $devices.exr
    done
  done
}

# Renders $1.pbrt on every instruction set and compares the means of its channels with $2, $3 and $4, which pbrt-v4
# has made with 4096 samples or more, to 1 %. $5: how many samples leave no more than a quarter of that to chance (2048).
as_in_pbrt() {
  same_on_isas "$1.pbrt" 16
  "$LBRENDER" -q --spectral --spp="${5:-2048}" -o out.pfm "$1.pbrt"
  python3 - "$@" <<'END'
import array, math, sys
with open("out.pfm", "rb") as file:
    file.readline(), file.readline(), file.readline()
    values = array.array("f", file.read())
ratios = [3 * math.fsum(values[c::3]) / len(values) / float(sys.argv[2 + c]) for c in range(3)]
print(sys.argv[1], *ratios)
sys.exit(not all(0.99 < ratio < 1.01 for ratio in ratios))
END
}

# A view of a ball of radius 1, with the file's arguments before it.
ball() {
  cat <<END
LookAt 0 0 4  0 0 0  0 1 0
Camera "perspective" "float fov" 35
Film "rgb" "integer xresolution" 24 "integer yresolution" 24
PixelFilter "box"
Sampler "independent"
Integrator "volpath" "integer maxdepth" $1
WorldBegin
$2
Shape "sphere"
END
}

# A ball of a medium before a green wall.
grid() {
  ball 12 "$1
Material \"diffuse\" \"rgb reflectance\" [ 0.2 0.6 0.3 ]
Shape \"trianglemesh\" \"point3 P\" [ -3 -3 -1  3 -3 -1  3 3 -1  -3 3 -1 ] \"integer indices\" [ 0 1 2 0 2 3 ]
MediumInterface \"grid\" \"\"
Material \"interface\"
Scale 0.9 0.9 0.9"
}

@test "spectral: media that glow by temperature, and those of grids of colors, are as in pbrt" {
  grid 'MakeNamedMedium "grid" "string type" "uniformgrid" "integer nx" 3 "integer ny" 3 "integer nz" 2
  "point3 p0" [ -1 -1 -1 ] "point3 p1" [ 1 1 1 ] "float density" [ 1 2 1 2 3 2 1 2 1 1 3 1 2 4 2 1 2 1 ]
  "float temperature" [ 0 1500 3000 2000 2500 4000 900 6500 1200 2200 800 3600 1800 2700 3300 1000 5000 1400 ]
  "float temperaturescale" 1.1 "float temperatureoffset" 50 "rgb sigma_a" [ 0.3 0.5 0.9 ] "rgb sigma_s" [ 0.6 0.4 0.2 ]
  "float Lescale" [ 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 ]' >heat.pbrt
  grid 'ColorSpace "rec2020" LightSource "distant" "spectrum L" "stdillum-F2" "point3 from" [ 1 2 4 ]
  MakeNamedMedium "grid" "string type" "rgbgrid" "integer nx" 2 "integer ny" 2 "integer nz" 2 "float scale" 1.2
  "point3 p0" [ -1 -1 -1 ] "point3 p1" [ 1 1 1 ]
  "rgb sigma_a" [ 0.62 0.445 1.61 0.477 0.375 0.87 1.4 0.204 0.644 0.668 1.67 0.877
    1.71 0.339 0.673 1.3 1.77 0.902 0.45 0.242 1.06 0.382 1.61 1.68 ]
  "rgb sigma_s" [ 0.551 0.836 2.42 1.93 2.42 1.04 0.389 0.876 2.38 0.814 1.04 1.25
    1.26 1.23 2.76 0.468 0.014 2.83 2.64 2.96 1.3 2.85 2.78 0.666 ]
  "rgb Le" [ 0.0149 0.0167 0.0133 0.0104 0.00578 0.00682 0.00455 0.00136 0.0118 0.00574 0.0162 0.000902
    0.0181 0.0139 0.0185 0.0179 0.018 0.0115 0.000263 0.0149 0.00344 0.006 0.0133 0.0105 ] "float Lescale" 0.5' >rgbgrid.pbrt
  as_in_pbrt heat 0.21573 0.16059 0.08498
  as_in_pbrt rgbgrid 0.15192 0.27853 0.14904 512
}

@test "spectral: textures of what is no reflectance, and measured materials, are as in pbrt" {
  python3 - <<'END'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes(30 + (37 * x * x + 91 * y + 53 * x * y) % 220 for x in range(24)) for y in range(8))
open("image.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)) +
                              chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
END
  lights='LightSource "infinite" "rgb L" [ 0.3 0.5 0.9 ]
LightSource "distant" "spectrum L" "stdillum-F2" "point3 from" [ 1 2 4 ]'
  ball 4 "$lights"'
Texture "warm" "spectrum" "constant" "rgb value" [ 0.9 0.4 0.2 ]
Texture "tiles" "spectrum" "checkerboard" "texture tex1" "warm" "rgb tex2" [ 0.2 0.9 0.8 ] "float uscale" 6 "float vscale" 6
Texture "image" "spectrum" "imagemap" "string filename" "image.png"
Texture "both" "spectrum" "mix" "texture tex1" "tiles" "texture tex2" "image" "float amount" 0.4
Texture "k" "spectrum" "scale" "texture tex" "image" "float scale" 3
Material "conductor" "texture eta" "both" "texture k" "k" "float roughness" 0.2' >metal.pbrt
  as_in_pbrt metal 0.23046 0.33821 0.6305
  measured=$ROOT/../shared/data/scenes/features/media/teal-gold.bsdf
  needs_data
  ball 4 "$lights Material \"measured\" \"string filename\" \"$measured\"" >measured.pbrt
  as_in_pbrt measured 0.20789 0.36474 0.52095
}

# A scene of white light on what the arguments say, in front of a wall of it that is "tiles".
wall() {
  cat <<END
LookAt 0 0 5  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 24 "integer yresolution" 24
PixelFilter "box"
Sampler "independent" "integer pixelsamples" 256
Integrator "volpath" "integer maxdepth" 2
WorldBegin
$1
Material "diffuse" "texture reflectance" "tiles"
Shape "trianglemesh" "point3 P" [ -3 -3 0 3 -3 0 3 3 0 -3 3 0 ] "point2 uv" [ 0 0 1 0 1 1 0 1 ] "integer indices" [ 0 1 2 0 2 3 ]
END
}

@test "spectral: patterns, images of light and colors of other spaces show in white and on grey what they are of" {
  lamps >lamps.pbrt
  "$LBRENDER" -q --resolution=16x16 -o image.png lamps.pbrt
  sun='LightSource "distant" "point3 from" [ 0 0 5 ]'
  grey='Texture "tiles" "spectrum" "constant" "rgb value" [ 0.5 0.5 0.5 ]'
  wall "$sun Texture \"tiles\" \"spectrum\" \"marble\" \"float scale\" 3" >marble.pbrt
  wall "$sun Texture \"tiles\" \"spectrum\" \"bilerp\" \"rgb v00\" [ 0.8 0.1 0.1 ] \"rgb v10\" [ 0.1 0.7 0.2 ]
    \"rgb v01\" [ 0.2 0.2 0.9 ] \"rgb v11\" [ 0.9 0.8 0.1 ]" >bilerp.pbrt
  wall "$grey AttributeBegin Translate 0 0 5 Scale 1 1 -1 LightSource \"projection\" \"string filename\" \"image.png\" \"float scale\" 60
    \"float fov\" 60 AttributeEnd" >projection.pbrt
  wall "$grey AttributeBegin AreaLightSource \"diffuse\" \"string filename\" \"image.png\" \"float scale\" 4 Translate 0 0 7
    Shape \"bilinearmesh\" \"point3 P\" [ -2 -2 0  -2 2 0  2 -2 0  2 2 0 ] AttributeEnd" >area.pbrt
  wall "$grey LightSource \"infinite\" \"string filename\" \"image.png\"
    \"point3 portal\" [ -2 -2 3  -2 2 3  2 2 3  2 -2 3 ]" >portal.pbrt
  wall "$grey LightSource \"infinite\" \"blackbody L\" 3000 \"point3 portal\" [ -2 -2 3  -2 2 3  2 2 3  2 -2 3 ]" >window.pbrt
  wall "$grey ColorSpace \"aces2065-1\" LightSource \"distant\" \"rgb L\" [ 1 0.7 0.5 ] \"point3 from\" [ 0 0 5 ]" >aces.pbrt
  for space in rec2020 dci-p3; do
    wall "$sun ColorSpace \"$space\" Texture \"tiles\" \"spectrum\" \"constant\" \"rgb value\" [ 0.5 0.35 0.3 ]" >$space.pbrt
  done
  for scene in marble bilerp projection area portal window aces rec2020 dci-p3; do
    same_on_isas $scene.pbrt 16
    "$LBRENDER" -q --rgb -o rgb.pfm $scene.pbrt
    "$LBRENDER" -q --spectral -o out.pfm $scene.pbrt
    read -r red green blue <<<"$(ratios out.pfm rgb.pfm)"
    echo "$scene $red $green $blue"
    awk "BEGIN { exit !($red > 0.98 && $red < 1.02 && $green > 0.98 && $green < 1.02 && $blue > 0.98 && $blue < 1.02) }"
  done
}

@test "spectral: a medium that glows and a goniometric light shine in their own spectra" {
  python3 - <<'END'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes(100 + 3 * (x + y) for x in range(16)) for y in range(16))
open("gonio.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)) +
                              chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
END
  # A ball of sodium light and a lamp of it before a surface that reflects just that: blue is nowhere.
  cat >sodium.pbrt <<'END'
LookAt 0 0 5  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 24 "integer yresolution" 24
Sampler "independent" "integer pixelsamples" 64
Integrator "volpath" "integer maxdepth" 4
WorldBegin
LightSource "goniometric" "spectrum I" [ 584 0 585 1 595 1 596 0 ] "float scale" 9 "string filename" "gonio.png"
MakeNamedMedium "glow" "string type" "homogeneous" "rgb sigma_a" [ 1 1 1 ] "rgb sigma_s" [ 0 0 0 ]
  "spectrum Le" [ 584 0 585 1 595 1 596 0 ]
AttributeBegin
  MediumInterface "glow" ""
  Material "interface"
  Translate 0 1 0
  Shape "sphere" "float radius" 0.7
AttributeEnd
Material "diffuse" "spectrum reflectance" [ 500 0 580 0 582 1 598 1 600 0 700 0 ]
Shape "trianglemesh" "point3 P" [ -5 -5 -1  5 -5 -1  5 5 -1  -5 5 -1 ] "integer indices" [ 0 1 2 0 2 3 ]
END
  "$LBRENDER" -q --spectral -o sodium.pfm sodium.pbrt
  "$LBRENDER" -q -o rgb.pfm sodium.pbrt
  # The surface has a small part of all light, but all of this: far brighter than products of three colours are.
  read -r red green blue <<<"$(ratios sodium.pfm rgb.pfm)"
  echo "$red $green $blue"
  awk "BEGIN { exit !($red > 1.5 && $green > 1.5) }"
}

@test "spectral: a host that joins renders the same bytes" {
  ldd "$LBRENDER" | grep -q libzmq || skip "built without libzmq"
  lamps >lamps.pbrt
  "$LBRENDER" -q --spectral -o right.pfm lamps.pbrt
  timeout 60 "$LBRENDER" --serve=tcp://127.0.0.1:0 --hosts=1 --patience=20 --no-cache --threads=1 --report=r.json \
    --spectral -o out.pfm lamps.pbrt >primary.out 2>primary.err 3>&- &
  primary=$!
  await grep -qE 'tcp://[^ ]+:[0-9]+' primary.err
  timeout 60 "$LBRENDER" --join="$(grep -oE 'tcp://[^ ]+:[0-9]+' primary.err)" -q --threads=1 3>&-
  wait "$primary"
  cmp right.pfm out.pfm
  [ "$(jq '[.frames[0].processors[] | select(.kind == "host")] | length' r.json)" -eq 1 ]
}

@test "spectral: images of colours show them under white light, and have the same bytes everywhere" {
  lamps >lamps.pbrt
  "$LBRENDER" -q --resolution=16x16 -o image.png lamps.pbrt
  cat >image.pbrt <<'END'
LookAt 0 0 5  0 0 0  0 1 0
Camera "perspective" "float fov" 24
Film "rgb" "integer xresolution" 32 "integer yresolution" 32
Sampler "independent" "integer pixelsamples" 64
Integrator "volpath" "integer maxdepth" 1
WorldBegin
LightSource "distant" "point3 from" [ 1 1 5 ]
LightSource "infinite" "string filename" "image.png"
Texture "image" "spectrum" "imagemap" "string filename" "image.png"
Material "diffuse" "texture reflectance" "image"
Shape "trianglemesh" "point3 P" [ -0.7 -0.7 0  0.7 -0.7 0  0.7 0.7 0  -0.7 0.7 0 ] "point2 uv" [ 0 0  1 0  1 1  0 1 ]
  "integer indices" [ 0 1 2 0 2 3 ]
END
  same_on_isas image.pbrt 16
  "$LBRENDER" -q -o rgb.pfm image.pbrt
  "$LBRENDER" -q --spectral -o out.pfm image.pbrt
  read -r red green blue <<<"$(ratios out.pfm rgb.pfm)"
  echo "$red $green $blue"
  awk "BEGIN { exit !($red > 0.98 && $red < 1.02 && $green > 0.98 && $green < 1.02 && $blue > 0.98 && $blue < 1.02) }"
}

@test "spectral: a camera's sensor asks for wavelengths by itself, and --rgb does without" {
  lamps | sed 's/^Film "rgb"/& "string sensor" "canon_eos_5d" "float whitebalance" 3200/' >camera.pbrt
  "$LBRENDER" -q -o itself.pfm camera.pbrt
  "$LBRENDER" -q --spectral -o asked.pfm camera.pbrt
  "$LBRENDER" -q --rgb -o rgb.pfm camera.pbrt
  cmp itself.pfm asked.pfm
  run cmp itself.pfm rgb.pfm
  [ "$status" -eq 1 ]
  for isa in $(isas); do
    "$LBRENDER" -q -t 2 --isa=$isa --passes=3 -o out.pfm camera.pbrt
    cmp itself.pfm out.pfm
  done
  run "$LBRENDER" --rgb --spectral -o out.pfm camera.pbrt
  ended 2 "--spectral and --rgb"
}

# Light of a lamp of four lines on grey and on green, seen by a film of wavelengths.
buckets() {
  lamps | sed 's/^Film "rgb"/Film "spectral" "integer nbuckets" 12 "float lambdamin" 400 "float lambdamax" 700/'
}

@test "spectral: a film of wavelengths writes its buckets, the same on every instruction set and from parts" {
  buckets >buckets.pbrt
  "$LBRENDER" -q -t 1 --isa=portable --compression=none -o right.exr buckets.pbrt
  for isa in $(isas); do
    "$LBRENDER" -q -t 2 --isa=$isa --passes=2 --compression=none -o out.exr buckets.pbrt
    cmp right.exr out.exr
  done
  python3 "$ROOT/test/exr.py" right.exr >channels
  [ "$(grep -c '^S0\.' channels)" -eq 12 ]
  grep -q '^S0\.412,500nm ' channels
  grep -q '^S0\.687,500nm ' channels
  grep -aq spectralLayoutVersion right.exr
  "$LBRENDER" -q --share=1/2 --part=one.part -o none buckets.pbrt
  "$LBRENDER" -q --share=2/2 --part=two.part -o none buckets.pbrt
  "$LBRENDER" -q --merge one.part two.part --compression=none -o out.exr
  cmp right.exr out.exr
  "$LBRENDER" -q --samples=0:3 --part=few.part -o none buckets.pbrt
  "$LBRENDER" -q --resume=few.part --compression=none -o out.exr buckets.pbrt
  cmp right.exr out.exr
  sed 's/"integer nbuckets" 12/"integer nbuckets" 6/' buckets.pbrt >others.pbrt
  "$LBRENDER" -q --share=2/2 --part=others.part -o none others.pbrt
  run "$LBRENDER" --merge one.part others.part -o out.exr
  ended 1 "it has 6 buckets of wavelengths from 400 to 700 nm, not 12"
}

@test "spectral: only a film of wavelengths has buckets" {
  buckets >buckets.pbrt
  lamps >lamps.pbrt
  run "$LBRENDER" -q --rgb --channels=buckets -o out.exr buckets.pbrt
  ended 1 "has buckets"
  run "$LBRENDER" -q --spectral --channels=buckets -o out.exr lamps.pbrt
  ended 1 "has buckets"
  run "$LBRENDER" --rgb -o out.exr buckets.pbrt
  ended 0 "red, green and blue are written"
  "$LBRENDER" -q --rgb --compression=none -o out.exr buckets.pbrt
  [ "$(python3 "$ROOT/test/exr.py" out.exr | grep -c '^S0\.')" -eq 0 ]
}

@test "spectral: in each bucket the patches of a chart are within 0.3 % of pbrt's" {
  data=$ROOT/../shared/data
  needs_data
  "$LBRENDER" -q --spectral --spp=256 --compression=none --bits=32 -o out.exr "$data/scenes/spectral/patches-buckets.pbrt"
  python3 - "$ROOT/test" "$data/references/spectral/patches-buckets.buckets.tsv" <<'END'
import csv
import sys
sys.path.insert(0, sys.argv[1])
import exr
width, _, values = exr.read("out.exr")
worst, count = 0, 0
with open(sys.argv[2]) as file:
    for line in csv.DictReader(file, delimiter="\t"):
        bucket = values[line.pop("bucket").replace(".", ",").replace("S0,", "S0.")]
        for patch, due in enumerate(line.values()):
            rows = range(16 * (patch // 6) + 4, 16 * (patch // 6) + 12)
            middle = [v for y in rows for v in bucket[width * y + 16 * (patch % 6) + 4:][:8]]
            worst, count = max(worst, abs(sum(middle) / 64 / float(due) - 1)), count + 1
print(worst, count)
sys.exit(not (worst < 0.003 and count == 16 * 24))
END
}

@test "spectral: buckets, and what white light shows of albedos, are as in pbrt's pictures" {
  data=$ROOT/../shared/data
  needs_data
  for scene in later-film-spectral later-film-gbuffer; do
    "$LBRENDER" -q --spectral --spp=256 --compression=none --bits=32 -o out.exr "$data/scenes/features/$scene.pbrt"
    python3 "$ROOT/test/exr.py" out.exr "$data/references" $scene 2
  done
}

@test "spectral: albedo of a constant reflectance is exactly it, under lamps of any color" {
  lamps | sed 's/"texture reflectance" "tiles"/"rgb reflectance" [ 0.25 0.25 0.25 ]/
    /^AttributeBegin/,/^AttributeEnd/d' >grey.pbrt
  "$LBRENDER" -q --spectral --spp=256 --channels=albedo,A --bits=32 --compression=none -o out.exr grey.pbrt
  read -r _ red < <(python3 "$ROOT/test/exr.py" out.exr | grep '^Albedo.R')
  read -r _ blue < <(python3 "$ROOT/test/exr.py" out.exr | grep '^Albedo.B')
  read -r _ all < <(python3 "$ROOT/test/exr.py" out.exr | grep '^A ')
  echo "$red $blue $all"
  awk "BEGIN { exit !($red > 0.2497 * $all && $red < 0.2503 * $all && $blue > 0.2497 * $all && $blue < 0.2503 * $all) }"
}
