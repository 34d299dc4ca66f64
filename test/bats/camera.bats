# The camera from the command line, and quick looks.
load common

# A coloured ball beside the origin, and light; $1: what stands before the Camera. Floats, so that pictures can be compared.
view() {
  cat <<END
Film "rgb" "integer xresolution" 40 "integer yresolution" 30
Sampler "independent" "integer pixelsamples" 4
$1
Camera "perspective" "float fov" ${2-40}
WorldBegin
LightSource "distant" "point3 from" [ 3 4 5 ] "rgb L" [ 2 2 2 ]
Material "diffuse" "rgb reflectance" [ 0.8 0.2 0.1 ]
Translate 0.5 0.2 0 Shape "sphere" "float radius" 0.7
END
}

render() {
  "$LBRENDER" -q -o "$1.pfm" "${@:2}"
}

# Checks that two pictures differ by no more than rounding does, which moves a few samples to the other side of an edge.
alike() {
  python3 "$ROOT/test/pfm_error.py" "$1" "$2" >off
  cat off
  awk '{ exit !($NF < 0.005) }' off
}

@test "--look-at puts the camera where a LookAt would" {
  view 'LookAt 1 2 5  0 0.1 0  0 1 0' >asked.pbrt
  view 'LookAt 4 0 0  0 0 0  0 1 0' >a.pbrt
  render asked asked.pbrt
  render a --look-at=1,2,5/0,0.1,0 a.pbrt
  cmp a.pfm asked.pfm
  render a --look-at=1,2,5/0,0.1,0/0,2,0 a.pbrt
  cmp a.pfm asked.pfm
  view 'LookAt 1 2 5  0 0.1 0  1 0 0' >asked.pbrt
  render asked asked.pbrt
  render a --look-at=1,2,5/0,0.1,0/1,0,0 a.pbrt
  cmp a.pfm asked.pfm
}

@test "--look-at keeps upwards what the scene has upwards, and a mirrored world mirrored" {
  view 'Scale -1 1 1 LookAt 1 5 2  0 0.1 0  0 0 1' >asked.pbrt
  view 'Scale -1 1 1 LookAt 4 0.1 0.2  0 0 0  0 0 1' >a.pbrt
  render asked asked.pbrt
  render a --look-at=1,5,2/0,0.1,0 a.pbrt
  cmp a.pfm asked.pfm
}

@test "--fov is the camera's own" {
  view 'LookAt 1 2 5  0 0.1 0  0 1 0' 25 >asked.pbrt
  view 'LookAt 1 2 5  0 0.1 0  0 1 0' >a.pbrt
  render asked asked.pbrt
  render a --fov=25 a.pbrt
  cmp a.pfm asked.pfm
  sed 's/perspective/spherical/; s/"float fov" 40//' a.pbrt >all.pbrt
  run "$LBRENDER" --fov=25 -o a.png all.pbrt
  ended 1 'all.pbrt:4:1: --fov is for perspective cameras, and this one is "spherical"'
}

@test "--orbit turns the camera about what it looks at" {
  view 'LookAt 0 1 5  0 0 0  0 1 0' >a.pbrt
  view 'LookAt 5 1 0  0 0 0  0 1 0' >asked.pbrt
  render asked asked.pbrt
  render a --orbit=90 a.pbrt
  alike a.pfm asked.pfm
  view 'LookAt 0 2 5  0 1 0  0 1 0' >b.pbrt
  render look --look-at=0,2,5/0,1,0 --orbit=-37 a.pbrt
  render own --orbit=-37 b.pbrt
  cmp look.pfm own.pfm
  differ own.pfm a.pfm
}

@test "--eye-offset moves the camera to its right, after --look-at and --orbit" {
  view 'LookAt 0 1 5  0 1 0  0 1 0' >a.pbrt
  view 'LookAt -0.5 1 5  -0.5 1 0  0 1 0' >asked.pbrt # to the right in a left-handed world
  render asked asked.pbrt
  render a --eye-offset=0.5 a.pbrt
  cmp a.pfm asked.pfm
  render a --eye-offset=0.5 --look-at=0,1,5/0,1,0 a.pbrt
  cmp a.pfm asked.pfm
  render same --eye-offset=0 asked.pbrt
  cmp same.pfm asked.pfm
  view 'LookAt 5 1 0.25  0 1 0.25  0 1 0' >asked.pbrt
  render asked asked.pbrt
  render a --orbit=90 --eye-offset=0.25 a.pbrt
  alike a.pfm asked.pfm
}

@test "--turntable goes once around, in frames" {
  view 'LookAt 0 1 5  0 0 0  0 1 0' >a.pbrt
  "$LBRENDER" -q --turntable=4 -o t.pfm a.pbrt
  for i in 0 1 2 3; do
    "$LBRENDER" -q --frames=$i-$i/4 --orbit=360 -o f.pfm a.pbrt
    cmp t-000$i.pfm f-000$i.pfm
  done
  # A frame's samples depend on its number: here it is the same.
  view 'LookAt 5 1 0  0 0 0  0 1 0' >asked.pbrt
  "$LBRENDER" -q --frames=1-1 -o asked.pfm asked.pbrt
  alike t-0001.pfm asked-0001.pfm
  "$LBRENDER" -q --frames=1-1/4 --orbit=180 -o half.pfm a.pbrt
  "$LBRENDER" -q --frames=1-1/8 --orbit=360 -o eighth.pfm a.pbrt
  cmp half-0001.pfm eighth-0001.pfm
  differ half-0001.pfm t-0001.pfm
}

@test "--orbit without anything to turn about is an error" {
  view 'Transform [ 1 0 0 0 0 1 0 0 0 0 1 0 0 0 5 1 ]' >a.pbrt
  run "$LBRENDER" --orbit=10 -o a.png a.pbrt
  ended 1 "--orbit needs something to turn about"
  run "$LBRENDER" -q --look-at=0,1,5/0,0,0 --orbit=10 -o a.png a.pbrt
  ended 0
}

@test "wrong places, angles and combinations are refused" {
  scene >a.pbrt
  for option in --look-at=1,2 --look-at=1,2,3 --look-at=1,2,3/4,5 --look-at=1,2,3/4,5,6/ --look-at=1,2,3/4,5,6/7,8,9/1 \
    --look-at=1,2,nan/0,0,0 --fov=0 --fov=180 --orbit=x --eye-offset=x --eye-offset=nan --turntable=1; do
    run "$LBRENDER" -o a.png $option a.pbrt
    echo "$option"
    ended 2 "${option%%=*}"
  done
  run "$LBRENDER" -o a.png --turntable=3 --frames=0-2 a.pbrt
  ended 2 "it is either"
  view 'LookAt 0 1 5  0 0 0  0 1 0' >a.pbrt
  run "$LBRENDER" -o a.png --look-at=1,1,1/1,1,1 a.pbrt
  ended 1 "--look-at needs a target apart from the eye"
}

@test "--quick halves the picture and ends soon" {
  view 'LookAt 0 1 5  0 0 0  0 1 0' | sed 's/"integer pixelsamples" 4/"integer pixelsamples" 16777216/' >a.pbrt
  timeout 60 "$LBRENDER" -q --quick -o a.png a.pbrt
  [ "$(png_size a.png)" = 20x15 ]
  "$LBRENDER" -q --quick --resolution=10x12 --time-limit=0.2 -o b.png a.pbrt
  [ "$(png_size b.png)" = 10x12 ]
}

@test "--dry-run tells what would be rendered and how long, and writes nothing" {
  view 'LookAt 0 1 5  0 0 0  0 1 0' | sed 's/"integer pixelsamples" 4/"integer pixelsamples" 2000000/' >a.pbrt
  "$LBRENDER" -q --dry-run -o a.png --report=r.json --resolution=60x50 --pixelbounds=0,30,0,40 a.pbrt >told
  cat told
  grep -qx 'picture     30 x 40 pixels of 60 x 50, 2000000 samples each' told
  grep -qE '^scene +0 triangles, 1 lights' told
  grep -qE '^time +about [0-9.e+]+ (s|min|h), by [0-9]+ samples a pixel in [0-9.]+ s$' told
  [ ! -e a.png ]
  [ ! -e r.json ]
  "$LBRENDER" -q --dry-run --turntable=3 --spp=2 a.pbrt >told
  grep -qE ' a frame, .* for 3 of them' told
  run "$LBRENDER" --dry-run --simulate=2 a.pbrt
  ended 2 "--dry-run"
  run "$LBRENDER" --dry-run gone.pbrt
  ended 1 "gone.pbrt"
}

@test "the time that --dry-run tells is about right" {
  view 'LookAt 0 1 5  0 0 0  0 1 0' >a.pbrt
  "$LBRENDER" -q -t 1 --dry-run --spp=4096 --resolution=100x100 a.pbrt >told
  "$LBRENDER" -q -t 1 --spp=4096 --resolution=100x100 -o a.png --report=r.json a.pbrt
  cat told
  about=$(awk '$1 == "time" { print $3 * ($4 ~ /^min/ ? 60 : $4 ~ /^h/ ? 3600 : 1) }' told)
  took=$(jq '.frames[0].t' r.json)
  echo "$about $took"
  awk "BEGIN { exit !($about > 0.2 * $took && $about < 5 * $took) }"
}
