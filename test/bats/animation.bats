# --frames, numbered files, measured weights from frame to frame and from run to run.
load common

# A Mandelbrot scene whose window does not move: frames differ by their samples alone.
@test "--frames numbers the outputs and reports every frame" {
  scene >view.pbrt
  run "$LBRENDER" --frames=1-5,2 --report=r.json -o out.png view.pbrt
  ended 0 "wrote out-0003.png"
  [ "$(ls out*)" = "$(printf 'out-0001.png\nout-0003.png\nout-0005.png')" ]
  [ "$(jq -c '[.frames[].frame]' r.json)" = "[1,3,5]" ]
  python3 "$ROOT/test/validate.py" "$ROOT/test/report.schema.json" r.json
  [[ "$output" == *"frame 3 "* ]]
  differ out-0001.png out-0003.png
}

@test "a frame is the same alone, in a row, and under every strategy" {
  scene >view.pbrt
  "$LBRENDER" -q --frames=0-3 -o row-##.png view.pbrt
  "$LBRENDER" -q --frames=2 -o alone-##.png view.pbrt
  cmp row-02.png alone-02.png
  for strategy in $(strategies); do
    echo $strategy
    "$LBRENDER" -q --frames=0-3 -t 3 --passes=2 --strategy=$strategy -o $strategy-##.png view.pbrt
    for f in 00 01 02 03; do cmp row-$f.png $strategy-$f.png; done
  done
}

@test "#### in the scene's name" {
  for f in 07 08; do scene "\"integer xresolution\" $((30 + 10#$f))" | sed 's/"integer xresolution" 40//' >view-$f.pbrt; done
  run "$LBRENDER" --frames=7-8 -o out-#.png view-##.pbrt
  ended 0 "wrote out-8.png"
  [ "$(png_size out-7.png) $(png_size out-8.png)" = "37x30 38x30" ]
  run "$LBRENDER" --frames=7-9 -o out-#.png view-##.pbrt
  ended 1 view-09.pbrt
}

@test "--skip-existing leaves out what is there" {
  scene >view.pbrt
  echo old >out-0001.png
  run "$LBRENDER" -v --frames=0-2 --skip-existing -o out.png view.pbrt
  ended 0 "out-0001.png is there"
  [ "$(cat out-0001.png)" = old ]
  [ "$(png_size out-0002.png)" = 40x30 ]
  run "$LBRENDER" --frames=0-2 --skip-existing -o out.png view.pbrt
  ended 0
}

@test "frames of a moving scene show the middle of their slices" {
  cat >move.pbrt <<'END'
TransformTimes 0 1
LookAt 0 0 5  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 40 "integer yresolution" 40
Sampler "independent" "integer pixelsamples" 4
WorldBegin
LightSource "infinite" "rgb L" [ 0.1 0.1 0.1 ]
ActiveTransform EndTime
Translate 1 0 0
ActiveTransform All
AreaLightSource "diffuse" "rgb L" [ 1 1 1 ]
Shape "sphere" "float radius" 0.3
END
  "$LBRENDER" -q --frames=0-1 -o out-#.png move.pbrt
  differ out-0.png out-1.png
  # The first of one frame is the second of three.
  "$LBRENDER" -q --frames=0-0/1 --seed=0 --partition-map=m.png -o one-#.pfm move.pbrt
  "$LBRENDER" -q --frames=1-1/3 --seed=0 -o three-#.pfm move.pbrt
  python3 - <<'END'
import struct
def middle(name):
    data = open(name, "rb").read()[-40 * 40 * 12:]
    bright = [i % 40 for i in range(1600) if struct.unpack_from("<f", data, i * 12)[0] > 0.5]
    return sum(bright) / len(bright)
assert abs(middle("one-0.pfm") - middle("three-1.pfm")) < 0.3
END
}

@test "maps are numbered with the frames" {
  scene >view.pbrt
  "$LBRENDER" -q --frames=0-1 --cost-map=cost.pfm --partition-map=who.png -o out.png view.pbrt
  [ -e cost-0000.pfm ]
  [ -e cost-0001.estimate.pfm ]
  [ "$(png_size who-0001.png)" = 40x30 ]
}

@test "a signal between frames keeps the frames that are done" {
  scene >view.pbrt
  : >err
  "$LBRENDER" --frames=0-99 --devices=null:speed=9600 --progress=lines -o out.png view.pbrt 2>err &
  child=$! tries=0 status=0
  until [ -e out-0001.png ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
  kill -TERM $child
  wait $child || status=$?
  [ $status -eq 143 ]
  [ "$(png_size out-0000.png)" = 40x30 ]
  [ "$(ls out*.partial.png | wc -l)" -eq 1 ]
}

@test "measured weights: kept, used, ignored with --no-cache, refused when damaged" {
  scene >view.pbrt
  slow="--strategy=bitrev --devices=null:speed=40000,null:speed=10000 --report=r.json view.pbrt"
  "$LBRENDER" -q $slow
  jq -e '.frames[0].processors[0].weight_source == "equal" or .frames[0].processors[0].weight_source == "measured"' r.json
  [ "$(ls cache/lbrender/*.json | wc -l)" -eq 1 ]
  jq -e '.schema == "lbrender-speeds/1"' cache/lbrender/*.json
  "$LBRENDER" -q $slow
  jq -e '.frames[0].passes[0].processors[0].weight | . > 0.6 and . < 0.95' r.json
  jq -e '.frames[0].passes[0].processors[0].weight_source == "cached"' r.json || jq -e '.frames[0].processors[0].weight_source == "measured"' r.json
  "$LBRENDER" -q --no-cache $slow
  jq -e '.frames[0].processors[0].weight_source != "cached"' r.json
  for file in cache/lbrender/*.json; do echo '{"speeds": [' >"$file"; done
  run "$LBRENDER" $slow
  ended 0 "damaged"
  "$LBRENDER" $slow 2>&1 | grep damaged && false
  unset XDG_CACHE_HOME
  mkdir home
  HOME=$PWD/home "$LBRENDER" -q $slow
  [ "$(ls home/.cache/lbrender/*.json | wc -l)" -eq 1 ]
  chmod -R a-w home
  HOME=/dev/null "$LBRENDER" -q $slow
}

@test "weights follow the speeds from pass to pass" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --strategy=bitrev --region-size=1 --passes=4 --spp=16 --devices=null:speed=60000,null:speed=15000 \
    --report=r.json view.pbrt
  jq -e '.frames[0].passes[3].processors[0].weight | . > 0.6 and . < 0.95' r.json
  jq -e '.frames[0].passes[3].efficiency > .frames[0].passes[0].efficiency' r.json
}

@test "standard input is one frame" {
  scene >view.pbrt
  run "$LBRENDER" --frames=0-3 -o out.png - <view.pbrt
  ended 2 "one frame only"
  run "$LBRENDER" --frames=0-3,4 -o out.png - <view.pbrt
  ended 0 "wrote out-0000.png"
}
