# Animations: --frames, numbered files, and weights that are measured from frame to frame and from run to run.
load common

# The scene is a Mandelbrot set whose window does not move, so that frames differ only by their samples.
@test "--frames numbers the outputs and reports every frame" {
  scene >view.pbrt
  run "$LBRENDER" --frames=1-5,2 --report=r.json -o out.png view.pbrt
  ended 0 "wrote out-0003.png"
  [ "$(ls out*)" = "$(printf 'out-0001.png\nout-0003.png\nout-0005.png')" ]
  [ "$(jq -c '[.frames[].frame]' r.json)" = "[1,3,5]" ]
  python3 "$ROOT/test/validate.py" <("$LBRENDER" --report-schema) r.json
  [[ "$output" == *"frame 3 "* ]]
  differ out-0001.png out-0003.png
}

@test "a frame has the same bytes alone, among others, and under every strategy" {
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

@test "#### in the scene's name becomes the frame's number" {
  for f in 07 08; do scene "\"integer xresolution\" $((30 + 10#$f))" | sed 's/"integer xresolution" 40//' >view-$f.pbrt; done
  run "$LBRENDER" --frames=7-8 -o out-#.png view-##.pbrt
  ended 0 "wrote out-8.png"
  [ "$(png_size out-7.png) $(png_size out-8.png)" = "37x30 38x30" ]
  run "$LBRENDER" --frames=7-9 -o out-#.png view-##.pbrt
  ended 1 view-09.pbrt
}

@test "--skip-existing leaves out frames whose pictures are there" {
  scene >view.pbrt
  echo old >out-0001.png
  run "$LBRENDER" -v --frames=0-2 --skip-existing -o out.png view.pbrt
  ended 0 "out-0001.png is there"
  [ "$(cat out-0001.png)" = old ]
  [ "$(png_size out-0002.png)" = 40x30 ]
  run "$LBRENDER" --frames=0-2 --skip-existing -o out.png view.pbrt
  ended 0
  # Where nothing is left to do a note says so, and it is no error.
  run "$LBRENDER" --frames=0-2 --skip-existing -o out.png view.pbrt
  ended 0 "nothing to do: the pictures of all frames are there"
  rm out-0001.png
  run "$LBRENDER" --frames=0-2 --skip-existing -o out.png view.pbrt
  ended 0
  [[ "$output" != *"nothing to do"* ]]
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
  "$LBRENDER" -q --frames=0-3/4 -o out-#.png move.pbrt
  differ out-0.png out-1.png
  # A farm that divides the frames gets the same ones, if it says how many there are in all.
  "$LBRENDER" -q --frames=0-1/4 -o some-#.png move.pbrt
  cmp out-0.png some-0.png
  cmp out-1.png some-1.png
  run "$LBRENDER" --frames=0-1 -o out-#.png move.pbrt
  ended 1 "the scene moves: of how many frames is the animation? (--frames=0-1/N)"
  # The middle of the whole range is the middle of the second of three slices.
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
  [ "$(map_of who-0001.png 40 30 | wc -c)" -eq 3613 ]
}

@test "a signal between frames keeps the frames that are done" {
  scene >view.pbrt
  : >err
  "$LBRENDER" --frames=0-99 --devices=null:speed=3000 --progress=lines -o out.png view.pbrt 2>err &
  child=$! status=0
  # While the third frame is rendered: between frames, when its scene is read, the program would end without a word.
  await test -e out-0001.png
  lines=$(grep -c progress err || true)
  progressed() { [ "$(grep -c progress err)" -gt "$lines" ]; }
  await progressed
  kill -TERM $child
  wait $child || status=$?
  [ $status -eq 143 ]
  [ "$(png_size out-0000.png)" = 40x30 ]
  grep -q "stopped by SIGTERM" err
  partial=$(find . -name 'out*.partial.png' | wc -l)
  # What there is of the frame that the signal met is kept, if there is anything.
  if grep -q "there are 0 samples, no picture was written" err; then [ "$partial" -eq 0 ]; else [ "$partial" -eq 1 ]; fi
}

@test "measured weights are kept, used on demand, ignored with --no-cache, and refused when damaged" {
  scene >view.pbrt
  slow="--strategy=bitrev --devices=null:speed=40000,null:speed=10000 --report=r.json view.pbrt"
  came_from() { [ "$(jq -r '.frames[0].processors[0].weight_source' r.json)" = "$1" ]; }
  "$LBRENDER" -q $slow
  came_from equal
  [ "$(ls cache/lbrender/*.json | wc -l)" -eq 1 ]
  jq -e '.schema == "lbrender-speeds/2"' cache/lbrender/*.json
  "$LBRENDER" -q $slow
  came_from equal
  run "$LBRENDER" --weights=measured $slow
  ended 0 "weights: cached"
  came_from cached
  jq -e '.frames[0].processors[0].weight | . > 0.7 and . < 0.9' r.json
  "$LBRENDER" -q --no-cache $slow
  came_from equal
  # A strategy that goes by them unasked says so.
  "$LBRENDER" -q $slow --strategy=auto
  came_from cached
  "$LBRENDER" -q $slow --strategy=auto --no-cache
  came_from equal
  "$LBRENDER" -q $slow --strategy=auto --weights=1,2
  came_from given
  for file in cache/lbrender/*.json; do echo '{"speeds": [' >"$file"; done
  run "$LBRENDER" --weights=measured $slow
  ended 0 "is damaged and is not used"
  ended 0 "--weights=measured: no run has measured all of these processors"
  "$LBRENDER" $slow 2>&1 | grep damaged && false
  run "$LBRENDER" --weights=measured --no-cache view.pbrt
  ended 2 "--no-cache"
  run "$LBRENDER" --weights=measured --simulate=2 view.pbrt
  ended 2 "simulated processors were never measured"
  run "$LBRENDER" --weights=measured --strategy=naive -t 2 view.pbrt
  ended 0 "no use for weights"
  unset XDG_CACHE_HOME
  mkdir home
  HOME=$PWD/home "$LBRENDER" -q $slow
  [ "$(ls home/.cache/lbrender/*.json | wc -l)" -eq 1 ]
  chmod -R a-w home
  HOME=/dev/null "$LBRENDER" -q $slow
}

@test "something else where speeds should be kept gives a warning, and nothing waits for it" {
  scene >view.pbrt
  slow="--devices=null:speed=40000,null:speed=10000 view.pbrt"
  "$LBRENDER" -q $slow
  file=$(ls cache/lbrender/*.json)
  rm "$file"
  mkfifo "$file"
  run timeout 30 "$LBRENDER" $slow
  ended 0 "is no regular file: no speeds are read from it"
  ended 0 "is no regular file: measured speeds are not kept"
  rm "$file"
  head -c 60000000 /dev/zero | tr '\0' '[' >"$file"
  run timeout 30 "$LBRENDER" $slow
  ended 0 "is damaged and is not used"
  [ "$(stat -c %s "$file")" -lt 2000 ]
  echo '{"schema": "lbrender-speeds/2", "speeds": {"null '"$(isas | tail -1)"', 40000 samples a second": {"steps": 1e308}}}' >"$file"
  run "$LBRENDER" $slow
  ended 0 "holds speeds that are none: they are not used"
}

@test "the order of runs changes nothing, as equal processors weigh the same and comparisons start alike" {
  scene >view.pbrt
  weights() {
    rm -rf cache
    for strategy in "$@" "$@"; do
      for devices in cpu:2 8*null:speed=30000 null:speed=40000,null:speed=10000; do
        "$LBRENDER" -q --strategy=$strategy --devices=$devices --report=r.json -o out.png view.pbrt
        echo "$strategy $devices $(jq -c '.frames[0] | [.processors[] | .weight, .weight_source]' r.json)"
      done
    done | sort -u
  }
  all="contiguous bitrev naive scatter estimate pbt steal"
  weights $all >ahead
  weights $(tr ' ' '\n' <<<"$all" | tac) >back
  cmp ahead back
  [ "$(wc -l <ahead)" -eq 21 ]
  [ "$(grep -vc equal ahead)" -eq 0 ]
  # What a run measures does not make them unequal either, over passes and frames.
  for strategy in $(strategies); do
    echo $strategy
    "$LBRENDER" -q --strategy=$strategy -t 2 --passes=3 --frames=0-2 --report=r.json -o out.png view.pbrt
    jq -e '[.frames[].passes[].processors[] | .weight == 0.5 and .weight_source == "equal"] | all' r.json
    "$LBRENDER" -q --strategy=$strategy --weights=measured -t 2 --report=r.json -o out.png view.pbrt
    jq -e '[.frames[].passes[].processors[] | .weight == 0.5 and .weight_source == "equal"] | all' r.json
  done
  "$LBRENDER" -q --strategy=bitrev --devices=2*null:speed=40000,2*null:speed=10000 --passes=4 --spp=16 --report=r.json -o out.png view.pbrt
  jq -e '.frames[0].passes[3].processors | .[0].weight == .[1].weight and .[2].weight == .[3].weight and .[0].weight > .[2].weight' r.json
}

@test "weights follow the speeds from pass to pass" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --strategy=bitrev --region-size=1 --passes=4 --spp=16 --devices=null:speed=60000,null:speed=15000 \
    --report=r.json view.pbrt
  jq -e '.frames[0].passes[3].processors[0].weight | . > 0.6 and . < 0.95' r.json
  jq -e '.frames[0].passes[3].efficiency > .frames[0].passes[0].efficiency' r.json
}

@test "a scene from standard input is rendered for one frame only" {
  scene >view.pbrt
  run "$LBRENDER" --frames=0-3 -o out.png - <view.pbrt
  ended 2 "one frame only"
  run "$LBRENDER" --frames=0-3,4 -o out.png - <view.pbrt
  ended 0 "wrote out-0000.png"
}

@test "every frame's line and report appear when it is done, and a stopped run reports what it did" {
  scene >view.pbrt
  "$LBRENDER" --no-cache --frames=0-50 --devices=null:speed=9600 --report=r.json -o out-##.png view.pbrt 2>err &
  child=$!
  await test -e out-02.png
  jq -e '.frames | length >= 1' r.json
  kill -TERM $child
  wait $child || status=$?
  [ $status -eq 143 ]
  done=$(ls out-??.png | wc -l)
  [ "$(jq '[.frames[] | select(.incomplete | not)] | length' r.json)" -eq "$done" ]
  jq -e '[.frames[] | select(.incomplete)] | length <= 1' r.json # the frame that was stopped
  grep -q "note: frame 1 took .* s: out-01.png" err
  grep -q "wrote out-01.png" err # in the text report
}
