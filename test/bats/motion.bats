# Motion while the shutter is open: every processor gives the same bytes, and frames cut the time range.
load common

ALL=A,albedo,P,Z,N,Ns,uv,dz,motion,object,material,samples,variance,relativevariance

@test "motion: every strategy, instruction set and the GPU's pipeline give the same bytes" {
  scene=$SAMPLES/motion.pbrt
  "$LBRENDER" -q -t 1 --isa=portable --spp 8 --resolution 48x32 -o one.pfm "$scene"
  for isa in $(isas); do
    "$LBRENDER" -q -t 3 --isa=$isa --spp 8 --resolution 48x32 -o isa.pfm "$scene"
    cmp one.pfm isa.pfm
  done
  for strategy in $(strategies); do
    "$LBRENDER" -q -t 4 --strategy=$strategy --passes 2 --spp 8 --resolution 48x32 -o strategy.pfm "$scene"
    cmp one.pfm strategy.pfm
  done
  "$LBRENDER" -q --devices cpu:1,null:code=wave --bvh-quality=high --spp 8 --resolution 48x32 -o wave.pfm "$scene"
  "$LBRENDER" -q -t 1 --bvh-quality=high --spp 8 --resolution 48x32 -o high.pfm "$scene"
  cmp high.pfm wave.pfm
}

@test "motion: channels are those of each sample's time, on CPUs and on the GPU's pipeline" {
  for devices in cpu:2 null:code=wave; do
    "$LBRENDER" -q --devices $devices --channels=$ALL --spp 8 --resolution 48x32 -o $devices.exr "$SAMPLES/motion.pbrt"
  done
  cmp cpu:2.exr null:code=wave.exr
}

# Writes a scene of a ball that stands still; where $1 is not empty, something moves behind the camera.
beside() {
  cat <<END
LookAt 0 0 5  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 40 "integer yresolution" 40
Sampler "independent" "integer pixelsamples" 4
Integrator "path" "integer maxdepth" 1
WorldBegin
LightSource "point" "point3 from" [ 2 2 4 ] "rgb I" [ 20 20 20 ]
Shape "sphere"
END
  [ -z "${1-}" ] || echo 'ActiveTransform EndTime Translate 1 0 0 ActiveTransform All Translate 0 0 20 Shape "sphere"'
}

@test "motion: what stands still looks the same whether something moves or not" {
  beside >still.pbrt
  beside moving >moving.pbrt
  "$LBRENDER" -q -o still.pfm still.pbrt
  "$LBRENDER" -q -o moving.pfm moving.pbrt
  cmp still.pfm moving.pfm
}

@test "motion: frames cut the time range and the shutter, and their mean is the still" {
  cat >fly.pbrt <<'END'
LookAt 0 0 5  0 0 0  0 1 0
Camera "perspective" "float fov" 9.15
Film "rgb" "integer xresolution" 40 "integer yresolution" 8
PixelFilter "box"
Sampler "zsobol" "integer pixelsamples" 256
WorldBegin
LightSource "infinite" "rgb L" [ 1 1 1 ]
Material "diffuse" "rgb reflectance" [ 0 0 0 ]
Translate -3 0 0
ActiveTransform EndTime
Translate 6 0 0
ActiveTransform All
Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ -.5 -2 0 .5 -2 0 .5 2 0 -.5 2 0 ]
END
  "$LBRENDER" -q -o still.pfm fly.pbrt
  "$LBRENDER" -q --frames=0-3/4 -o frame-#.pfm fly.pbrt
  python3 - <<'END'
import struct
def row(name):
    data = open(name, "rb").read()[-40 * 8 * 12:]
    return [sum(struct.unpack_from("<f", data, (y * 40 + x) * 12)[0] for y in range(8)) / 8 for x in range(40)]
still, frames = row("still.pfm"), [row("frame-%d.pfm" % i) for i in range(4)]
for x in range(40):
    mean = sum(f[x] for f in frames) / 4
    assert abs(mean - still[x]) < 0.02, (x, mean, still[x])
    # A sheet that is one unit wide covers each point for a sixth of the time, except where its way ends.
    if 8 <= x < 32: assert abs(still[x] - 5 / 6) < 0.02, (x, still[x])
assert min(frames[0][:10]) > 0.99 and min(frames[3][30:]) > 0.99
END
}

# Writes a scene of the camera $1 and of what $2 says, 40 x 20 pixels, renders it, and prints between what bounds forward.u and
# forward.v lie where the picture is covered.
moved() {
  cat >moved.pbrt <<END
$1
Film "rgb" "integer xresolution" 40 "integer yresolution" 20
PixelFilter "box"
Sampler "independent" "integer pixelsamples" 8
WorldBegin
LightSource "infinite" "rgb L" [ 1 1 1 ]
$2
END
  "$LBRENDER" -q --compression=none --channels=A,motion -o moved.exr moved.pbrt
  python3 - "$ROOT/test" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import exr
values = exr.read("moved.exr")[2]
for name in "forward.u", "forward.v":
    seen = [v for v, a in zip(values[name], values["A"]) if a > 0]
    assert seen and all(v == 0 for v, a in zip(values[name], values["A"]) if a == 0)
    print("%.2f %.2f" % (round(min(seen), 2) + 0.0, round(max(seen), 2) + 0.0), end=" ")
END
}

@test "motion: vectors tell how far each pixel's surface moves on the film" {
  flat='Camera "orthographic" "float screenwindow" [ -2 2 -1 1 ]'
  wall='Shape "bilinearmesh" "point3 P" [ -9 -9 4 9 -9 4 -9 9 4 9 9 4 ]'
  up='ActiveTransform EndTime Translate .5 .25 0 ActiveTransform All'
  # Ten pixels are a unit; v counts upwards.
  [ "$(moved "$flat" "$up $wall")" = "5.00 5.00 2.50 2.50 " ]
  [ "$(moved "$flat" "$wall")" = "0.00 0.00 0.00 0.00 " ]
  # They are of the whole time range, however short the shutter is open.
  [ "$(moved 'Camera "orthographic" "float screenwindow" [ -2 2 -1 1 ] "float shutteropen" .5 "float shutterclose" .5' "$up $wall")" = "5.00 5.00 2.50 2.50 " ]
  # A camera that moves to the right sees all move to the left, at the distance of 4 where the film is 8 x 4 large.
  [ "$(moved "ActiveTransform EndTime Translate -.8 0 0 ActiveTransform All Camera \"perspective\" \"float fov\" 53.130102" "$wall")" = "-4.00 -4.00 0.00 0.00 " ]
  # What moves with the camera stands still on the film.
  [ "$(moved "ActiveTransform EndTime Translate -.8 0 0 ActiveTransform All Camera \"perspective\" \"float fov\" 53.130102" \
    "ActiveTransform EndTime Translate .8 0 0 ActiveTransform All $wall")" = "0.00 0.00 0.00 0.00 " ]
  # A turn by 9 degrees is a fortieth of what a camera for all directions sees, beyond the film's edge too.
  [ "$(moved 'ActiveTransform EndTime Rotate 9 0 1 0 ActiveTransform All Camera "spherical" "string mapping" "equirectangular"' 'Shape "sphere"')" = "-1.00 -1.00 0.00 0.00 " ]
}

@test "motion: a lens has no vectors, and says so" {
  cat >lens.pbrt <<END
Camera "realistic" "string lensfile" "lens.dat" "float aperturediameter" 1 "float focusdistance" 1
WorldBegin
Shape "sphere"
END
  printf '50 1 1.5 10\n0 1 0 8\n-50 50 1 10\n' >lens.dat
  run "$LBRENDER" --channels=motion -o a.exr lens.pbrt
  ended 1 'the channel "motion" is not known for the camera "realistic"'
}
