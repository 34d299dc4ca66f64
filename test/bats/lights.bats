# Lights with images: what they send, and the same bytes from everything.
load common

# A room with light $1, of 36 x 24 pixels.
room() {
  cat <<END
LookAt 0 1 5  0 1 0  0 1 0
Camera "perspective" "float fov" 50
Film "rgb" "integer xresolution" 36 "integer yresolution" 24
Sampler "zsobol" "integer pixelsamples" ${2-16}
Integrator "path" "integer maxdepth" 3
WorldBegin
Material "diffuse" "rgb reflectance" [ 0.6 0.5 0.4 ]
Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ -4 0 4  4 0 4  4 0 -2  -4 0 -2 ]
Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ -4 0 -2  4 0 -2  4 4 -2  -4 4 -2 ]
Shape "sphere" "float radius" 0.6
$1
END
}

# A PFM $1 of $2 x $3 texels, each of the colours $4.. in turn, from the lower left.
image() {
  python3 - "$@" <<'END'
import struct, sys
name, width, height, *colours = sys.argv[1:]
n = int(width) * int(height)
texels = [float(v) for i in range(n) for v in colours[i % len(colours)].split(",")]
open(name, "wb").write(b"PF\n%d %d\n-1.0\n" % (int(width), int(height)) + struct.pack("<%df" % (3 * n), *texels))
END
}

# The mean of the colours of a PFM.
mean() {
  python3 - "$1" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
width, height = map(int, data.split(b"\n")[1].split())
values = struct.unpack("<%df" % (3 * width * height), data[-12 * width * height:])
print(" ".join("%.5f" % (sum(values[c::3]) / (width * height)) for c in range(3)))
END
}

# Do the six numbers agree, two by two, to the part $1?
near() {
  local part=$1
  shift
  echo "$@"
  awk -v p="$part" '{ for (i = 1; i <= 3; i++) if (($i - $(i + 3)) ^ 2 > (p * $(i + 3)) ^ 2) exit 1 }' <<<"$*"
}

QUAD='Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ -1 3 -1  1 3 -1  1 3 1  -1 3 1 ] "point2 uv" [ 0 0 1 0 1 1 0 1 ]'

@test "lights: an image of one colour shines as that colour, on every shape" {
  image plain.pfm 3 2 3,2,1
  for shape in "$QUAD" 'Translate 0 3 0 Shape "sphere" "float radius" 0.5' 'Translate 0 3 0 Rotate 90 1 0 0 Shape "disk"' \
    'Translate 0 3 0 Shape "cylinder" "float radius" 0.3' \
    'Shape "bilinearmesh" "point3 P" [ -1 3 -1  1 3 -1  -1 3 1  1 2 1 ]'; do
    room "AreaLightSource \"diffuse\" \"rgb L\" [ 3 2 1 ] \"float scale\" 4 \"bool twosided\" true $shape" >colour.pbrt
    room "AreaLightSource \"diffuse\" \"string filename\" \"plain.pfm\" \"float scale\" 4 \"bool twosided\" true $shape" >image.pbrt
    "$LBRENDER" -q -o colour.pfm colour.pbrt
    "$LBRENDER" -q -o image.pfm image.pbrt
    near 1e-4 $(mean image.pfm) $(mean colour.pfm)
  done
}

@test "lights: of a power given, an image sends as much as its mean colour does" {
  image spots.pfm 16 16 4,0,0 0,4,0 0,0,4 0,0,0
  for shape in "$QUAD" 'Translate 0 3 0 Rotate 90 1 0 0 Shape "disk"'; do
    room "AreaLightSource \"diffuse\" \"rgb L\" [ 1 1 1 ] \"float power\" 30 \"bool twosided\" true $shape" 256 >colour.pbrt
    room "AreaLightSource \"diffuse\" \"string filename\" \"spots.pfm\" \"float power\" 30 \"bool twosided\" true $shape" 256 >image.pbrt
    "$LBRENDER" -q -o colour.pfm colour.pbrt
    "$LBRENDER" -q -o image.pfm image.pbrt
    near 0.04 $(mean image.pfm) $(mean colour.pfm)
  done
}

@test "lights: a projection's irradiance is its intensity by the cube of the cosine" {
  image plain.pfm 2 1 5,5,5
  cat >floor.pbrt <<'END'
LookAt 0 0 2  0 0 0  0 1 0
Camera "orthographic" "float screenwindow" [ -2 2 -1 1 ]
Film "rgb" "integer xresolution" 32 "integer yresolution" 16
PixelFilter "box"
Sampler "zsobol" "integer pixelsamples" 64
Integrator "path" "integer maxdepth" 1
WorldBegin
Material "diffuse" "rgb reflectance" [ 1 1 1 ]
Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ -9 -9 0  9 -9 0  9 9 0  -9 9 0 ]
Translate 0 0 1
Rotate 180 0 1 0
LightSource "projection" "string filename" "plain.pfm" "float scale" 2 "float fov" 60
END
  "$LBRENDER" -q -o floor.pfm floor.pbrt
  python3 - <<'END'
import math, struct
values = struct.unpack("<1536f", open("floor.pfm", "rb").read()[-6144:])
half = math.tan(math.radians(30))  # of the lower side, a unit away; the image is twice as wide
for y in range(16):
    for x in range(32):
        a, b = (x - 15.5) / 8, (y - 7.5) / 8
        inside = (abs(a) - 2 * half) * 8, (abs(b) - half) * 8  # pixels beyond its edges
        if max(inside) > 1: right = 0.0
        elif max(inside) < -1: right = 5 * 2 / math.pi / (1 + a * a + b * b) ** 1.5
        else: continue
        got = values[3 * (y * 32 + x)]
        assert abs(got - right) <= 0.005 * right, (x, y, got, right)
END
}

# Checks that the scene $1 has the same bytes by every instruction set, under every strategy and by the GPU's pipeline.
same_bytes() {
  "$LBRENDER" -q -t 1 --isa=portable -o one.pfm "$1"
  for isa in $(isas); do
    "$LBRENDER" -q -t 3 --isa=$isa -o isa.pfm "$1"
    cmp one.pfm isa.pfm
  done
  for strategy in $(strategies); do
    "$LBRENDER" -q -t 4 --strategy=$strategy --passes 2 -o strategy.pfm "$1"
    cmp one.pfm strategy.pfm
  done
  "$LBRENDER" -q --devices cpu:1,null:code=wave -o wave.pfm "$1"
  cmp one.pfm wave.pfm
}

@test "lights: with images, the same bytes under every strategy, by every instruction set and the GPU's pipeline" {
  image spots.pfm 8 4 4,0,0 0,4,0 0,0,4 0,0,0 1,1,1
  image square.pfm 4 4 4,0,0 0,4,0 0,0,4 0,0,0 1,1,1
  room "AreaLightSource \"diffuse\" \"string filename\" \"spots.pfm\" $QUAD
    AttributeBegin Translate 1 1 0 Shape \"sphere\" \"float radius\" 0.3 \"float alpha\" 0.5 AttributeEnd
    Translate -1 2 2 Rotate 150 0 1 0 LightSource \"projection\" \"string filename\" \"spots.pfm\"
    LightSource \"goniometric\" \"string filename\" \"square.pfm\"" >view.pbrt
  same_bytes view.pbrt
}

# A room $1 pixels wide with many lights of all kinds under a sky, chosen as $2 says, with $3 samples.
many_lights() {
  python3 - "$@" <<'END'
import random, sys
width, sampler, samples = sys.argv[1:]
rng = random.Random(3)
print('LookAt 0 1 5  0 1 0  0 1 0 Camera "perspective" "float fov" 50\nFilm "rgb" "integer xresolution" %s "integer yresolution" %d\n'
      'Sampler "zsobol" "integer pixelsamples" %s Integrator "volpath" "integer maxdepth" 4 "string lightsampler" "%s"\nWorldBegin\n'
      'LightSource "infinite" "rgb L" [ 0.1 0.1 0.2 ] LightSource "distant" "point3 from" [ 1 3 2 ] "rgb L" [ 0.3 0.3 0.2 ]\n'
      'MakeNamedMedium "fog" "string type" "homogeneous" "rgb sigma_s" [ 0.5 0.5 0.5 ] "rgb sigma_a" [ 0.1 0.1 0.1 ]\n'
      'Material "diffuse" "rgb reflectance" [ 0.6 0.5 0.4 ]' % (width, int(width) * 2 // 3, samples, sampler))
quad = 'Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ %s ]'
print(quad % "-4 0 4  4 0 4  4 0 -2  -4 0 -2", quad % "-4 0 -2  4 0 -2  4 4 -2  -4 4 -2")
print('AttributeBegin Translate 0.8 0.7 0.8 Material "dielectric" "float roughness" 0.3 Shape "sphere" "float radius" 0.5 AttributeEnd')
print('AttributeBegin Translate -1 1.8 0.5 MediumInterface "fog" "" Material "interface" Shape "sphere" "float radius" 0.5 AttributeEnd')
print('AttributeBegin Translate -0.7 0.6 1.2 Material "diffusetransmission" Shape "disk" "float radius" 0.5 AttributeEnd')
for i in range(40):
    print("AttributeBegin Translate %g %g %g Rotate %g 1 %g 1" % (rng.uniform(-4, 4), rng.uniform(0.2, 4), rng.uniform(-1.9, 3), rng.uniform(0, 360), rng.uniform(-1, 1)))
    kind, power = rng.choice(["point", "spot", "sphere", "disk", "quad", "cylinder"]), 10 ** rng.uniform(-1, 1)
    if kind in ("point", "spot"):
        print('LightSource "%s" "float scale" %g' % (kind, 0.2 * power))
    else:
        print('AreaLightSource "diffuse" "rgb L" [ %g %g %g ] "bool twosided" %s' % (power, rng.uniform(0, power), power, rng.choice(["true", "false"])))
        print(quad % "0 0 0 0.2 0 0 0.2 0.2 0 0 0.2 0" if kind == "quad" else
              'Shape "%s" "float radius" 0.1 %s' % (kind, '"float zmin" -0.1 "float zmax" 0.1' if kind == "cylinder" else ""), '"float alpha" %g' % rng.choice([1, 1, 0.5]))
    print("AttributeEnd")
END
}

@test "lights: many are chosen by a tree, which changes nothing but the noise" {
  for sampler in bvh power uniform; do
    many_lights 12 $sampler 16384 >many.pbrt
    "$LBRENDER" -q -o $sampler.pfm many.pbrt
  done
  cmp bvh.pfm power.pfm && return 1
  cmp power.pfm uniform.pfm && return 1
  python3 - <<'END'
import struct
read = lambda name: struct.unpack("<288f", open(name, "rb").read()[-1152:])
tree, power, uniform = map(read, ("bvh.pfm", "power.pfm", "uniform.pfm"))
for other in (power, uniform):
    for c in range(3):
        a, b = sum(tree[c::3]), sum(other[c::3])
        assert abs(a - b) < 0.005 * b, (c, a, b)
END
}

@test "lights: chosen by a tree, the same bytes under every strategy, by every instruction set and the GPU's pipeline" {
  many_lights 36 bvh 8 >many.pbrt
  same_bytes many.pbrt
}
