# Motion while the shutter is open: every processor gives the same bytes, and frames cut the time range.
load common

ALL=A,albedo,P,Z,N,Ns,uv,dz,object,material,samples,variance,relativevariance

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
