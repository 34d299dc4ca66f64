# Functions that the bats files share. Every test runs in a folder of its own.
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
LBRENDER=${LBRENDER:-$ROOT/build/lbrender}
SAMPLES=$ROOT/samples
# The program with GPU processors over devices that this host plays (test/fake_cuda).
FAKE=${LBRENDER_FAKE_GPU:-$(dirname "$LBRENDER")/lbrender_fake_gpu}

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
  unset ${!SLURM_*} # what a job on a farm has
}

# Prints a scene of the Mandelbrot set with 40 x 30 pixels of 4 samples. $1: more parameters of the film.
scene() {
  cat <<END
Film "rgb" "integer xresolution" 40 "integer yresolution" 30 ${1-}
Sampler "independent" "integer pixelsamples" 4
Integrator "mandelbrot" "integer maxiterations" 60
WorldBegin
END
}

# Checks that the last `run` ended with status $1 and has the text $2 somewhere in its output.
ended() {
  if [ "$status" -ne "$1" ] || [[ "$output" != *"${2-}"* ]]; then
    echo "status $status, expected $1; expected \"${2-}\" in:"
    echo "$output"
    return 1
  fi
}

# Checks that grep, with these arguments, finds no line, and prints those that it finds. A file that is not there is an error.
no_line() {
  local status=0
  grep "$@" || status=$?
  [ $status -eq 1 ]
}

# Waits until the command "$@" succeeds: longer than any machine needs, however busy, so that only a fault waits in vain.
await() {
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    "$@" && return
    sleep 0.05
  done
  echo "waited in vain for: $*"
  return 1
}

# Checks that files differ, as a failing `! cmp` would not end a test.
differ() {
  if cmp -s "$1" "$2"; then
    echo "$1 and $2 are the same"
    return 1
  fi
}

# Skips the test where the data beside this folder is missing as a whole. Where it is there, the test must find all that it
# looks for in it: one name that is wrong would otherwise skip it for ever.
needs_data() {
  [ -d "$ROOT/../shared/data" ] || skip "there is no ../shared/data"
}

# Prints width and height of a PNG: "40x30".
png_size() {
  python3 -c 'import struct, sys; print("%dx%d" % struct.unpack(">II", open(sys.argv[1], "rb").read(24)[16:]))' "$1"
}

# Prints the upper left $2 x $3 pixels of the PNG file $1 as a PPM: a map without its legend.
map_of() {
  python3 "$ROOT/test/png.py" "$@"
}

strategies() {
  "$LBRENDER" --list-strategies | cut -d' ' -f1
}

# Prints the instruction sets that this machine runs.
isas() {
  local isa
  scene >isa.pbrt
  for isa in portable avx2 avx512; do
    "$LBRENDER" --isa=$isa -q -o isa.png isa.pbrt 2>/dev/null && echo $isa
  done
}

# A scene of what has spectra of its own, for `--spectral`: lamps of all kinds, a window of a black body, glowing and colored
# grids, metals and flesh whose colors are textures, hair and coats, seen by a sensor's film of 20 x 15 pixels.
spectra() {
  cat <<'END'
LookAt 0 1 7  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 20 "integer yresolution" 15
Sampler "zsobol" "integer pixelsamples" 4
Integrator "volpath" "integer maxdepth" 8
WorldBegin
LightSource "infinite" "blackbody L" 3000 "point3 portal" [ -4 -2 6  -4 4 6  4 4 6  4 -2 6 ]
LightSource "distant" "spectrum L" "stdillum-F11" "point3 from" [ 3 4 5 ]
LightSource "point" "rgb I" [ 4 9 20 ] "point3 from" [ -3 3 2 ]
AttributeBegin
  ColorSpace "rec2020"
  LightSource "spot" "rgb I" [ 30 10 4 ] "point3 from" [ 2 5 3 ] "point3 to" [ 0 0 0 ]
AttributeEnd
Texture "tiles" "spectrum" "checkerboard" "rgb tex1" [ 0.9 0.4 0.2 ] "spectrum tex2" [ 400 0.2 550 0.9 700 0.4 ] "float uscale" 6 "float vscale" 6
Texture "few" "spectrum" "scale" "texture tex" "tiles" "float scale" 0.3
Texture "veins" "spectrum" "marble" "float scale" 2
MakeNamedMedium "heat" "string type" "uniformgrid" "integer nx" 2 "integer ny" 2 "integer nz" 2 "point3 p0" [ -1 -1 -1 ]
  "point3 p1" [ 1 1 1 ] "float density" [ 1 2 3 1 2 1 4 2 ] "float temperature" [ 900 3000 1500 2500 4000 2000 6500 800 ]
  "rgb sigma_a" [ 0.3 0.5 0.9 ] "rgb sigma_s" [ 0.6 0.4 0.2 ]
MakeNamedMedium "colors" "string type" "rgbgrid" "integer nx" 2 "integer ny" 1 "integer nz" 2 "point3 p0" [ -1 -1 -1 ]
  "point3 p1" [ 1 1 1 ] "rgb sigma_a" [ 0.6 0.4 1.6 0.5 0.3 0.9 1.4 0.2 0.6 0.7 1.7 0.9 ]
  "rgb sigma_s" [ 0.5 0.8 2.4 1.9 2.4 1 0.4 0.9 2.4 0.8 1 1.2 ] "rgb Le" [ 0.1 0.2 0.1 0.1 0 0.3 0 0 0.1 0.2 0.1 0 ]
Material "conductor" "texture eta" "tiles" "texture k" "few" "float roughness" 0.2
Translate -2 0 0
Shape "sphere" "float radius" 0.6
Material "subsurface" "texture mfp" "few" "texture reflectance" "veins" "float scale" 0.5
Translate 1.3 0 0
Shape "sphere" "float radius" 0.6
Material "coateddiffuse" "texture reflectance" "tiles" "float roughness" 0.3
Translate 1.3 0 0
Shape "sphere" "float radius" 0.6
Material "hair" "float eumelanin" 1.3
Translate 1.3 0 0
Shape "curve" "point3 P" [ -0.2 -0.6 0  0.3 -0.2 0  -0.3 0.2 0  0.2 0.6 0 ] "float width" 0.2
Material "dielectric" "spectrum eta" "glass-BK7"
Translate 0.6 -0.3 1
Shape "sphere" "float radius" 0.4
Material "interface"
AttributeBegin
  MediumInterface "heat" ""
  Translate -3.6 1.3 0
  Shape "sphere" "float radius" 0.6
AttributeEnd
AttributeBegin
  MediumInterface "colors" ""
  Translate -2 1.3 0
  Shape "sphere" "float radius" 0.6
AttributeEnd
Material "diffuse" "texture reflectance" "tiles"
Shape "trianglemesh" "point3 P" [ -9 -0.6 -9  9 -0.6 -9  9 -0.6 9  -9 -0.6 9 ] "integer indices" [ 0 1 2 0 2 3 ]
END
}
