# Glass whose index depends on the wavelength splits light.
load common

# A slit of light behind an upright prism whose eta is $1, seen through it.
prism() {
  cat <<END
LookAt 1.1 0 5  0.2 0 0  0 1 0
Camera "perspective" "float fov" 16
Film "rgb" "integer xresolution" 90 "integer yresolution" 3
PixelFilter "box"
Sampler "independent" "integer pixelsamples" 256
WorldBegin
AttributeBegin
  AreaLightSource "diffuse" "rgb L" [ 5 5 5 ]
  Material "diffuse" "rgb reflectance" [ 0 0 0 ]
  Translate -4 0 -4
  Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ -0.02 -1 0  0.02 -1 0  0.02 1 0  -0.02 1 0 ]
AttributeEnd
Material "dielectric" $1
Shape "trianglemesh" "integer indices" [ 0 1 2 3 5 4 0 3 4 0 4 1 1 4 5 1 5 2 2 5 3 2 3 0 ]
  "point3 P" [ -1 -1 0.5  1 -1 0.5  0 -1 -1.2  -1 1 0.5  1 1 0.5  0 1 -1.2 ]
END
}

# The columns of the picture $1 in which red, green and blue are strongest, and the greatest value.
strongest() {
  python3 - "$1" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
values = struct.unpack("<810f", data[-3240:])[270:540]
places = [max(range(90), key=lambda x: values[3 * x + c]) for c in range(3)]
print(*places, max(values))
END
}

@test "dispersion: a prism bends blue further than green, and green further than red" {
  prism '"spectrum eta" "glass-F11"' >split.pbrt
  prism '"float eta" 1.78' >whole.pbrt
  for scene in split whole; do "$LBRENDER" -q -t 1 -o $scene.pfm $scene.pbrt; done
  read -r red green blue most <<<"$(strongest split.pfm)"
  echo "$red $green $blue $most"
  [ "$most" != 0.0 ]
  [ "$red" -gt "$((green + 1))" ] && [ "$green" -gt "$((blue + 1))" ] || [ "$red" -lt "$((green - 1))" ] && [ "$green" -lt "$((blue - 1))" ]
  read -r red green blue most <<<"$(strongest whole.pfm)"
  echo "$red $green $blue $most"
  [ "$most" != 0.0 ]
  [ "$red" = "$green" ]
  [ "$green" = "$blue" ]
}

@test "dispersion: it gives the same bytes on every instruction set, strategy, number of threads and the GPU's pipeline" {
  view="--spp=4 $BATS_TEST_DIRNAME/../scenes/dispersion.pbrt"
  "$LBRENDER" -q -t 1 --isa=portable -o right.pfm $view
  for isa in $(isas); do
    "$LBRENDER" -q -t 2 --isa=$isa -o out.pfm $view
    cmp right.pfm out.pfm
  done
  for strategy in $(strategies); do
    echo "$strategy"
    "$LBRENDER" -q -t 3 --passes=2 --strategy=$strategy -o out.pfm $view
    cmp right.pfm out.pfm
  done
  "$LBRENDER" -q --devices=null:code=wave -o out.pfm $view
  cmp right.pfm out.pfm
}

@test "dispersion: an index that is too large at some wavelength is refused" {
  prism '"spectrum eta" [ 300 1.5 449 1.5 450 2e6 451 1.5 900 1.5 ]' >view.pbrt
  run "$LBRENDER" -q view.pbrt
  ended 1 '"eta" is 2e+06'
}
