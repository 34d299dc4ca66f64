# Simulations and races: --simulate, --costs, --known-costs, --compare.
load common

valid() {
  python3 "$ROOT/test/validate.py" <("$LBRENDER" --report-schema) "$1"
}

@test "--simulate prints and writes the same report, and no picture" {
  scene >view.pbrt
  run "$LBRENDER" --simulate=4x1,2x8.5 --report=r.json view.pbrt
  ended 0 simulated
  [[ "$output" == *sim5* ]]
  valid r.json
  jq -e '.simulated and (.frames[0].processors | length == 6)' r.json
  # this is 600 s of work at speed 1, over a speed of 21 in all
  jq -e '.frames[0].t_min | . > 28.57 and . < 28.58' r.json
  [ ! -e view.png ]
}

@test "a cost map that is read back gives what rendering it gives" {
  scene >view.pbrt
  "$LBRENDER" -q --cost-map=map.pfm view.pbrt
  [ -e map.estimate.pfm ]
  [ -e map.coverage.pfm ]
  for strategy in $(strategies); do
    echo $strategy
    "$LBRENDER" -q --strategy=$strategy --simulate=7 --report=a.json view.pbrt
    "$LBRENDER" -q --strategy=$strategy --simulate=7 --costs=map.pfm --report=b.json nothing-to-read.pbrt
    valid a.json
    [ "$(jq -c '.frames' a.json | sed 's/"wall_seconds":[^,}]*//g')" = "$(jq -c '.frames' b.json | sed 's/"wall_seconds":[^,}]*//g')" ]
    jq -e '.frames[0] | [.processors[].pixels] | add == 1200' a.json
  done
}

@test "pbt goes by coverage first and then by the last frame's times, sampled goes by the frame itself" {
  "$LBRENDER" -q --frames=0-3 --resolution=64x48 --spp=1 --cost-map=map.pfm -o a-####.png "$ROOT/test/scenes/headlight.pbrt"
  for strategy in contiguous pbt sampled; do
    "$LBRENDER" -q --strategy=$strategy --simulate=8 --frames=0-3 --costs=map.pfm --report=$strategy.json x.pbrt
  done
  first() { jq '.frames[0].efficiency' $1.json; }
  awk "BEGIN { exit !($(first pbt) < 0.9 * $(first sampled)) }"
  # A scene that stands still is known better after some frames.
  [ "$(jq '.frames[3].efficiency > .frames[0].efficiency' pbt.json)" = true ]
  for strategy in pbt coverage; do
    "$LBRENDER" -q --no-cache -t 3 --resolution=40x30 --spp=4 --passes=2 --strategy=$strategy -o b.png "$ROOT/test/scenes/headlight.pbrt"
    "$LBRENDER" -q --no-cache -t 1 --resolution=40x30 --spp=4 -o c.png "$ROOT/test/scenes/headlight.pbrt"
    cmp b.png c.png
  done
}

@test "--known-costs helps strategies that want an estimate" {
  "$LBRENDER" -q --resolution=64x48 --spp=1 --cost-map=map.pfm -o a.png "$ROOT/test/scenes/headlight.pbrt"
  "$LBRENDER" -q --strategy=estimate --simulate=8 --costs=map.pfm --report=a.json x.pbrt
  "$LBRENDER" -q --strategy=estimate --simulate=8 --costs=map.pfm --known-costs --report=b.json x.pbrt
  [ "$(jq -s '.[0].frames[0].efficiency < .[1].frames[0].efficiency' a.json b.json)" = true ]
}

@test "a simulation takes weights, and refuses a wrong number of them" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=bitrev --region-size=1 --simulate=1x1,1x3 --weights=1,3 --report=r.json view.pbrt
  jq -e '.frames[0].processors[1].share | . > 0.74 and . < 0.76' r.json
  run "$LBRENDER" --simulate=3 --weights=1,3 view.pbrt
  ended 2 "2 weights for 3 processors"
  run "$LBRENDER" --strategy=pool --simulate=2 --weights=1,3 view.pbrt
  ended 0 "the strategy pool has no use for weights"
}

@test "wrong specifications and maps are refused" {
  scene >view.pbrt
  "$LBRENDER" -q -o black.pfm --devices=null:fail=0 view.pbrt
  for spec in 0 x 4x 4x0 4x-1 1,,2 missing.json; do
    echo "$spec"
    run "$LBRENDER" --simulate="$spec" view.pbrt
    [ "$status" -eq 1 ] || [ "$status" -eq 2 ]
  done
  run "$LBRENDER" --simulate=2 --costs=missing.pfm view.pbrt
  ended 1 missing.pfm
  echo PF >short.pfm
  run "$LBRENDER" --simulate=2 --costs=short.pfm view.pbrt
  ended 1 short.pfm
}

@test "a JSON file describes failures, groups and processors that join late" {
  scene >view.pbrt
  cat >spec.json <<'END'
{"processors": [{"count": 3, "speed": 1}, {"speed": 2, "fails": 20}, {"speed": 2, "joins": 10, "group": 1}],
 "total_seconds": 100, "latency": 0.001}
END
  run "$LBRENDER" --strategy=pool --simulate=spec.json --report=r.json view.pbrt
  [ "$status" -eq 3 ] || [ "$status" -eq 0 ]
  valid r.json
  jq -e '.frames[0] | [.processors[].pixels] | add == 1200' r.json
}

@test "a simulation writes maps and traces" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=naive --simulate=4 --partition-map=sim.png --trace=t.json view.pbrt
  "$LBRENDER" -q --strategy=naive -t 4 --partition-map=real.png view.pbrt
  cmp <(map_of sim.png 40 30) <(map_of real.png 40 30)
  jq -e '[.traceEvents[] | select(.ph == "X") | .args.end - .args.begin] | add >= 1200' t.json
}

@test "a simulation has frames" {
  scene >view.pbrt
  "$LBRENDER" -q --frames=2-6,2 --strategy=pbt --simulate=1x1,1x3 --report=r.json view.pbrt
  [ "$(jq -c '[.frames[].frame]' r.json)" = "[2,4,6]" ]
}

@test "--compare races all strategies, simulated and real, and lists the best first" {
  scene >view.pbrt
  for kind in --simulate=5 "-t 2"; do
    "$LBRENDER" -q --compare $kind --report=r.json view.pbrt
    [ "$(jq -r '.strategies[].strategy' r.json | sort)" = "$(strategies | sort)" ]
    jq -e '[.strategies[].t_adjusted] | . == sort' r.json
    jq -e '.schema == "lbrender-comparison/1"' r.json
    "$LBRENDER" -q --compare $kind --report=r.csv view.pbrt
    [ "$(wc -l <r.csv)" -eq $(($(strategies | wc -l) + 1)) ]
    "$LBRENDER" -q --compare $kind view.pbrt >table
    [ "$(grep -cv "had nothing to do" table)" -eq $(($(strategies | wc -l) + 2)) ]
  done
  [ ! -e view.png ]
}

@test "the estimate is the cost of one sample in the middle of every 8 x 8 pixels" {
  scene >view.pbrt
  "$LBRENDER" -q --spp=1 -t 3 --resolution=45x31 --cost-map=map.pfm view.pbrt
  python3 - <<'END'
import struct
def read(name):
    head, size, scale, data = open(name, "rb").read().split(b"\n", 3)
    w, h = map(int, size.split())
    rows = [struct.unpack_from("<%df" % (3 * w), data, y * w * 12)[::3] for y in range(h)]
    return rows[::-1]
costs, estimate = read("map.pfm"), read("map.estimate.pfm")
assert (len(estimate), len(estimate[0])) == (4, 6)
for y, row in enumerate(estimate):
    for x, cost in enumerate(row):
        assert cost == costs[min(8 * y + 4, 30)][min(8 * x + 4, 44)], (x, y)
END
}

@test "a processor that is lost in a simulation is named, with status 3; where all are lost there is no report and no table" {
  scene >view.pbrt
  echo '{"processors": [{"count": 2, "fails": 5}, {"count": 2}, {"fails": 1e6}]}' >some.json
  run "$LBRENDER" --simulate=some.json view.pbrt
  ended 3 "sim0 was lost at 5 s"
  ended 3 "sim1 was lost at 5 s"
  [ "$(grep -c "was lost" <<<"$output")" -eq 2 ]
  run "$LBRENDER" --compare --simulate=some.json view.pbrt
  ended 3 "sim1 was lost at 5 s"
  echo '{"processors": [{"count": 30, "fails": 5}, {}]}' >many.json
  run "$LBRENDER" --simulate=many.json view.pbrt
  ended 3 "22 more were lost"
  echo '{"processors": [{"count": 3, "fails": 5}]}' >all.json
  for strategy in $(strategies); do
    run "$LBRENDER" --strategy="$strategy" --simulate=all.json --report=r.json view.pbrt
    ended 1 "$strategy: every processor was lost by 5 s"
    [ ! -e r.json ]
  done
  run "$LBRENDER" --compare --simulate=all.json view.pbrt
  ended 1 "every processor was lost"
}

@test "a race that loses a processor names it once, and goes on with it" {
  scene >view.pbrt
  run "$LBRENDER" --compare --devices=cpu:1,null:fail=1 --report=r.json view.pbrt
  ended 3 "null0 was lost under"
  [ "$(grep -c "was lost" <<<"$output")" -eq 1 ]
  jq -e '[.strategies[].lost] | add > 9' r.json
  run "$LBRENDER" --compare --devices=cpu:1,null:fail=1 - <view.pbrt
  ended 3 "null0 was lost under"
  run "$LBRENDER" --compare --devices=2*null:fail=1 view.pbrt
  ended 1 "every processor was lost"
}

@test "a specification's messages name the option or the file" {
  scene >view.pbrt
  run "$LBRENDER" --simulate=4x view.pbrt
  ended 2 '--simulate: "4x"'
  run "$LBRENDER" --simulate=missing.json view.pbrt
  ended 1 "--simulate: unable to open missing.json: No such file or directory"
  echo '{"processors": [{"count": 2.5}]}' >half.json
  run "$LBRENDER" --simulate=half.json view.pbrt
  ended 1 'half.json: "count" must be a whole number'
}

@test "the coverage map says what the camera ray through the middle of each cell hits" {
  # The scene is a sphere in front of nothing: its disc is covered, the corners are not, and a ray takes at least one step.
  cat >disc.pbrt <<'END'
LookAt 0 0 -5  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 96 "integer yresolution" 64
PixelFilter "box"
WorldBegin
LightSource "distant"
Shape "sphere" "float radius" 1
END
  "$LBRENDER" -q --spp=4 --cost-map=map.pfm -o a.png disc.pbrt
  python3 - <<'END'
import math, struct
head, size, scale, data = open("map.coverage.pfm", "rb").read().split(b"\n", 3)
w, h = map(int, size.split())
assert (w, h) == (24, 16)
for row in range(h):
    for column in range(w):
        steps = struct.unpack_from("<f", data, 12 * (row * w + column))[0]
        assert abs(steps) >= 1
        # The disc's radius is tan(asin(1 / 5)) over tan(20 degrees) of half the height.
        away = math.hypot(column * 4 + 2.5 - 48, row * 4 + 1.5 - 32) / 32 * math.tan(math.radians(20))
        if abs(away - math.tan(math.asin(0.2))) > 0.02:
            assert (steps > 0) == (away < math.tan(math.asin(0.2))), (column, row)
END
}

@test "--cost-map of a simulation writes the map that was simulated, and its estimate" {
  scene >view.pbrt
  "$LBRENDER" -q -o pic.png --cost-map=real.pfm view.pbrt
  "$LBRENDER" -q --simulate=3 --cost-map=sim.pfm --report=a.json view.pbrt
  cmp real.pfm sim.pfm
  cmp real.estimate.pfm sim.estimate.pfm
  cmp real.coverage.pfm sim.coverage.pfm
  "$LBRENDER" -q --simulate=3 --costs=sim.pfm --cost-map=heat.png --report=b.json view.pbrt
  [ "$(map_of heat.png 40 30 | wc -c)" -eq 3613 ]
  [ "$(jq .frames[0].t a.json)" = "$(jq .frames[0].t b.json)" ]
}

@test "options that ask a race or a simulation for what it cannot do are usage errors" {
  scene >view.pbrt
  for options in "--compare --trace=a.json" "--compare --simulate=2 --cost-map=a.pfm" \
    "--compare --frames=0-1 --skip-existing" "--simulate=2 --frames=0-1 --skip-existing"; do
    run "$LBRENDER" $options view.pbrt
    ended 2
  done
}

@test "hybrid reports its split, or that there is none to make" {
  scene >view.pbrt
  echo '{"processors": [{"count": 2}, {"speed": 20, "kind": "cuda"}]}' >both.json
  run "$LBRENDER" --strategy=hybrid --resolution=320x200 --simulate=both.json view.pbrt
  for word in t_cpu t_gpu alpha k s1 s2 predicted took speed-up threads GPUs; do ended 0 " $word "; done
  run "$LBRENDER" --strategy=hybrid --resolution=320x200 --simulate=both.json --frames=0-1 --report=frames.json view.pbrt
  [ "$(jq '[.frames[].passes[].chosen | select(test("alpha .* predicted "))] | length' frames.json)" = 2 ]
  run "$LBRENDER" --strategy=hybrid --resolution=320x200 --simulate=both.json --alpha=1.15 view.pbrt
  ended 0 "alpha 1.150 preset"
  for alpha in 0 -1 x 1001 nan 1.5x; do
    run "$LBRENDER" --strategy=hybrid --simulate=both.json --alpha=$alpha view.pbrt
    ended 2 "--alpha needs a number from 0.01 to 1000, not \"$alpha\""
  done
  run "$LBRENDER" --strategy=hybrid -t 2 view.pbrt
  ended 0 "hybrid: no split: CPU threads do all"
  run "$LBRENDER" --strategy=hybrid --resolution=2x2 --simulate=both.json view.pbrt
  ended 0 "hybrid: no split: the trial took all"
}

@test "the manual's command shows the patent's example" {
  page="$ROOT/man/lbrender-strategies.7"
  sed -n 's/^holds \({"processors".*}\):$/\1/p' "$page" >patent.json
  run "$LBRENDER" --strategy=hybrid --resolution=400x250 --simulate=patent.json "$ROOT/test/scenes/mandelbrot-flat.pbrt"
  ended 0 "T 4.31 s   Tmin 4.29 s"
  ended 0 "alpha 1.150"
  ended 0 "speed-up 18.4 = threads 2.61 + GPUs 15.8"
  [ "$(tr -d '\\' <"$page" | grep -cFx "lbrender --strategy=hybrid --resolution=400x250 --simulate=patent.json test/scenes/mandelbrot-flat.pbrt")" -eq 1 ]
}

@test "pbt, coverage and estimate report by what they cut" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=pbt --simulate=2 view.pbrt
  ended 0 "pbt: cut by coverage"
  run "$LBRENDER" --strategy=pbt --frames=0-1 --simulate=2 view.pbrt
  ended 0 "pbt: cut by the last frame's times"
  run "$LBRENDER" --strategy=pbt --frames=0-1 -t 2 view.pbrt
  ended 0 "pbt: cut by the last frame's times"
  run "$LBRENDER" --strategy=coverage --frames=0-1 --simulate=2 view.pbrt
  ended 0 "coverage: cut by coverage"
  run "$LBRENDER" --strategy=estimate -t 2 view.pbrt
  ended 0 "estimate: cut by a pre-pass"
  run "$LBRENDER" --strategy=coverage --simulate=2 --known-costs view.pbrt
  ended 0 "coverage: cut by the true costs"
  run "$LBRENDER" --strategy=coverage --devices=null:code=wave view.pbrt
  ended 0 "coverage: cut evenly: nothing was known"
}

@test "sampled reports by what it cut, or that it did not cut" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=sampled --simulate=2 view.pbrt
  ended 0 "sampled: cut by 0 % of the last times and 100 % of a sample"
  run "$LBRENDER" --strategy=sampled --simulate=2 --known-costs view.pbrt
  ended 0 "sampled: cut by 100 % of the true costs and 0 % of a sample"
  run "$LBRENDER" --strategy=sampled --resolution=40x1 --simulate=2 view.pbrt
  ended 0 "sampled: cut evenly: nothing was known"
  run "$LBRENDER" --strategy=sampled --frames=0-1 --resolution=40x1 --simulate=2 view.pbrt
  ended 0 "sampled: cut by 100 % of the last times and 0 % of a sample"
}

@test "speeds are bounded, and at their bounds all figures of a report are finite numbers" {
  scene >view.pbrt
  "$LBRENDER" -q --cost-map=map.pfm view.pbrt
  for spec in 64x1e308,2x1e-308 1x1e10 2,3x1e-10; do
    run "$LBRENDER" --simulate=$spec view.pbrt
    ended 2 ": speeds must be in 1e-09 .. 1e+09"
  done
  echo '{"processors": "1x1e300"}' >fast.json
  run "$LBRENDER" --simulate=fast.json view.pbrt
  ended 2 ": speeds must be in 1e-09 .. 1e+09"
  echo '{"processors": "4", "bandwidth": 1e-300}' >thin.json
  run "$LBRENDER" --simulate=thin.json view.pbrt
  ended 1 'thin.json: "bandwidth" must be 0, for no limit, or at least 1'
  echo '{"processors": "8x1e-9,2x1e9", "total_seconds": 1e12, "start_up": 1e9, "range_overhead": 1e9, "latency": 1e9,
         "bandwidth": 1, "jitter": 1000}' >slow.json
  echo '{"processors": "8x1e9", "total_seconds": 1e-9, "range_overhead": 0, "latency": 0, "bandwidth": 1e18}' >quick.json
  for strategy in $(strategies); do
    while IFS= read -r options; do
      echo "$strategy $options"
      timeout 60 "$LBRENDER" --strategy=$strategy --costs=map.pfm $options --report=r.txt view.pbrt 2>said
      no_line -i 'nan\|inf' r.txt said
    done <<'END'
--simulate=64x1e9,2x1e-9
--simulate=1x1e-9,1x1e9 --weights=1e-308,1e308
--simulate=3 --weights=1e308,1e308,1e308
--simulate=slow.json
--simulate=quick.json
--simulate=8 --task-size=2147483647
--simulate=4000 --region-size=2147483647 --known-costs
END
  done
}

@test "every strategy that deals while the frame runs does a random tree of births" {
  scene >view.pbrt
  births='"births": {"chance": 0.9, "most": 30, "positions": 700}, "start_up": 0.1'
  echo '{"processors": "4,2x3", '$births'}' >even.json
  echo '{"processors": [{"count": 5, "group": 1}, {"count": 3, "speed": 9, "kind": "cuda", "group": 2}, {"fails": 20}], '$births'}' >mix.json
  for strategy in auto hybrid pool hierarchical peers steal push; do
    for spec in even.json:0 mix.json:3; do
      for seed in 1 2; do
        run "$LBRENDER" -q --strategy=$strategy --seed=$seed --simulate=${spec%:*} --report=$seed.json view.pbrt
        ended ${spec#*:}
        [ "$(jq '[.frames[0].processors[].pixels] | add - 1200' $seed.json)" -gt 100 ]
        [ "$(jq '[.frames[0].processors[].pixels] | add - 1200' $seed.json)" -le 700 ]
      done
      differ <(jq .frames 1.json) <(jq .frames 2.json)
    done
  done
  run "$LBRENDER" -q --strategy=bitrev --simulate=even.json --report=none.json view.pbrt
  ended 0
  [ "$(jq '[.frames[0].processors[].pixels] | add' none.json)" = 1200 ]
}

@test "threads that contend take longer, and Tmin grows with them" {
  scene >view.pbrt
  "$LBRENDER" -q --simulate=4 --report=free.json view.pbrt
  "$LBRENDER" -q --simulate=4,contention=1.5 --report=bound.json view.pbrt
  jq -es '(.[1].frames[0].t_min / .[0].frames[0].t_min - 1.5 | fabs) < 1e-9' free.json bound.json
  run "$LBRENDER" --simulate=4,contention=0 view.pbrt
  ended 2 "contention must be in 0.01 .. 1000"
}

@test "a simulation weighs unlike processors from frame to frame as a real run does, each strategy as on null devices" {
  # A picture that costs the same everywhere, as null devices take as long for every sample.
  for strategy in contiguous bitrev coverage estimate pbt robles diffusion; do
    "$LBRENDER" -q --strategy=$strategy --simulate=1,1x3,1x5.3 --frames=0-3 --report=simulated.json "$ROOT/test/scenes/mandelbrot-flat.pbrt"
    # What else a machine does may make a device late, but not in each of eight runs.
    for try in 1 2 3 4 5 6 7 8; do
      "$LBRENDER" -q --no-cache --strategy=$strategy --devices=null:speed=2000,null:speed=6000,null:speed=10600 --frames=0-3 -o none --report=real.json "$ROOT/test/scenes/mandelbrot-flat.pbrt"
      agree=$(jq -s '[.[0].frames, .[1].frames] | transpose | all((.[0].efficiency - .[1].efficiency) | fabs < 0.04)' simulated.json real.json)
      echo $strategy $agree $(jq -c '[.frames[].efficiency]' simulated.json real.json)
      [ "$agree" = false ] || break
    done
    [ "$agree" = true ]
    [ "$(jq -c '[.frames[].processors[0].weight_source]' simulated.json)" = "$(jq -c '[.frames[].processors[0].weight_source]' real.json)" ]
  done
}

@test "bitrev reports its regions, has enough of them, and takes the book's on demand" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=bitrev --resolution=640x360 --simulate=4 view.pbrt
  ended 0 "bitrev: 1024 regions of 226 pixels"
  run "$LBRENDER" --strategy=bitrev --resolution=640x360 --region-drift=off --simulate=4 view.pbrt
  ended 0 "bitrev: 1024 regions of 225 pixels"
  "$LBRENDER" -q --strategy=bitrev --resolution=64x4 --simulate=4 --report=few.json view.pbrt
  jq -e '.frames[0] | [.processors[].pixels] | min > 40' few.json
  run "$LBRENDER" --strategy=bitrev --resolution=64x4 --region-size=128 --simulate=4 view.pbrt
  ended 0 "too few: 2 of 4 processors have none"
  run "$LBRENDER" --region-drift=maybe --simulate=4 view.pbrt
  ended 2 "--region-drift"
}

@test "tiles of the area of --task-size are dealt in turn" {
  scene >view.pbrt
  "$LBRENDER" -q --strategy=tiles --task-size=100 --resolution=40x30 -t 3 --partition-map=who.png -o a.png view.pbrt
  "$LBRENDER" -q --strategy=naive --resolution=40x30 -t 1 -o b.png view.pbrt
  cmp a.png b.png
  # There are twelve tiles of 10 x 10 pixels.
  "$LBRENDER" -q --strategy=tiles --task-size=100 --resolution=40x30 --simulate=5 --report=r.json view.pbrt
  [ "$(jq -c '[.frames[0].processors[].pixels]' r.json)" = "[300,300,200,200,200]" ]
}

@test "a simulation that reads costs from a file needs no scene" {
  scene >view.pbrt
  "$LBRENDER" -q --cost-map=map.pfm view.pbrt
  "$LBRENDER" -q --simulate=3 --costs=map.pfm --report=with.json view.pbrt
  "$LBRENDER" -q --simulate=3 --costs=map.pfm --report=without.json
  jq -e '.scene == "map.pfm"' without.json
  cmp <(jq .frames with.json) <(jq .frames without.json)
  run "$LBRENDER" --compare --simulate=3 --costs=map.pfm
  ended 0 "bitrev"
  run "$LBRENDER" --simulate=3
  ended 2 "no scene"
}

@test "--compare=a,b races only these, and --repeat gives the median, its interval and ranks" {
  scene >view.pbrt
  "$LBRENDER" -q --compare=steal,naive --simulate=4x1,2x3 --report=r.json view.pbrt
  jq -e '[.strategies[].strategy] == ["steal", "naive"] and .repeats == 1 and [.strategies[].rank] == [1, 2]' r.json
  jq -e 'all(.strategies[]; .t_least == .t and .t_most == .t)' r.json
  "$LBRENDER" -q -t 2 --compare=naive,pool,bitrev --repeat=3 --report=r.json view.pbrt
  jq -e '(.strategies | length) == 3 and .repeats == 3' r.json
  jq -e 'all(.strategies[]; .t_least <= .t_adjusted and .t_adjusted <= .t_most and .t_least < .t_most and .rank == null)' r.json
  # The figures of a row are those of one run, so that they fit each other.
  jq -e 'all(.strategies[]; .t_adjusted as $t | (.runs | sort_by(.t_adjusted))[1].t_adjusted == $t and .t_min <= .t and (.t_min / .t - .efficiency | fabs) < 1e-6)' r.json
  jq -e 'all(.strategies[]; (.t_min + .overhead_seconds + .imbalance_seconds - .t | fabs) < 1e-6 and .slowed_seconds <= .t_min)' r.json
  run "$LBRENDER" -t 2 --compare=naive,pool --repeat=2 view.pbrt
  ended 0 "the median of 2 runs"
  [[ "$output" == *least-most* ]]
  # Two null devices of speeds 1 and 9 tell naive from pool in ten runs, by their intervals and by their ranks.
  "$LBRENDER" -q --no-cache --devices=null:speed=20000,null:speed=180000 --compare=naive,pool --repeat=10 --report=r.json --report=r.csv view.pbrt
  jq -e '[.strategies[] | [.strategy, .rank, .rank_last, .mean_rank]] == [["pool", 1, 1, 1], ["naive", 2, 2, 2]] and .rank_difference < 1 and .strategies[0].t_high < .strategies[1].t_low' r.json
  [ "$(cut -d, -f1,4-7 r.csv)" = "$(printf 'strategy,repeats,rank,rank_last,mean_rank\npool,10,1,1,1\nnaive,10,2,2,2')" ]
}

recomputed() {
  python3 - <<'END'
import json, statistics
def middle(values):
    values = sorted(values)
    n = len(values)
    return statistics.median(values) if n % 2 == 0 else sum(values[n // 2 - 1:n // 2 + 2]) / 3
rows = json.load(open("r.json"))["strategies"]
alone = [[r["t"] * (r["t_min"] - r["slowed_seconds"]) / r["t_min"] for r in row["runs"]] for row in rows]
levels = [middle(row[k] for row in alone) for k in range(9)]
level = middle(levels)
for row, times in zip(rows, alone):
    times = [t * level / levels[k] for k, t in enumerate(times)]
    for t, run in zip(times, row["runs"]):
        assert abs(t - run["t_adjusted"]) <= 1e-6 * t, (row["strategy"], t, run)
    times.sort()
    for name, t in (("t_adjusted", times[4]), ("t_low", times[0]), ("t_high", times[8])):
        assert abs(row[name] - t) <= 1e-6 * t, (row["strategy"], name, t, row[name])
assert [row["t_adjusted"] for row in rows] == sorted(row["t_adjusted"] for row in rows)
END
}

@test "noisy rounds tell strategies apart by their ranks where intervals do not" {
  "$LBRENDER" -q --no-cache --spp=1 --resolution=160x100 --cost-map=map.pfm -o none "$ROOT/samples/room.pbrt"
  # Ranges take up to three times as long by chance, in each round by another one.
  printf '{"processors": [{"count": 8}], "jitter": 2}' >spec.json
  "$LBRENDER" -q --compare=naive,bitrev,pool,auto,tiles,steal,scanline,push,scatter --simulate=spec.json --costs=map.pfm --repeat=16 --report=r.json --report=r.html none.pbrt
  jq -e '.rank_difference as $d | .strategies | any(.[] as $a | .[] as $b | $a.t_high > $b.t_low and $b.mean_rank - $a.mean_rank > $d and $b.rank > $a.rank and $b.rank_last > $a.rank_last; .)' r.json
  jq -e '.rank_difference as $d | .strategies | all(.[] as $a | .[] as $b | $b.mean_rank - $a.mean_rank <= $d or $b.rank > 1; .)' r.json
  grep -q "mean ranks are $(jq -r '.rank_difference * 100 | round / 100' r.json) apart" r.html
}

@test "a race's adjusted times are those of its runs without what others did, recomputed" {
  scene >view.pbrt
  for strategies in naive,pool,bitrev,steal naive,pool,bitrev; do
    "$LBRENDER" -q --no-cache -t 2 --compare=$strategies --repeat=9 --report=r.json view.pbrt
    recomputed
  done
}

@test "the line on a run and the table have the same Tmin: one run has one efficiency" {
  scene >view.pbrt
  "$LBRENDER" --no-cache --progress=none -t 2 --compare=naive,pool,strips --report=r.json view.pbrt 2>notes >table
  for strategy in naive pool strips; do
    told=$(sed -n "s/.*$strategy took .* a frame, efficiency //p" notes)
    [ -z "$told" ] || [ "$told" = "$(jq -r --arg s $strategy '.strategies[] | select(.strategy == $s) | .efficiency * 1000 | round / 1000' r.json | xargs printf %.3f)" ]
  done
  [ "$(grep -c "a frame, efficiency" notes)" -eq 2 ]
}

@test "--compare with --partition-map writes a map a strategy, the one that the strategy alone has" {
  scene >view.pbrt
  "$LBRENDER" -q --compare=naive,strips,steal --simulate=3x1,1x4 --partition-map=w.png view.pbrt
  for strategy in naive strips steal; do
    "$LBRENDER" -q --strategy=$strategy --simulate=3x1,1x4 --partition-map=one.png view.pbrt
    cmp w.$strategy.png one.png
  done
  "$LBRENDER" -q --compare=naive,strips --frames=1-2 -t 2 --partition-map=m#.png view.pbrt
  [ "$(ls m*.png | tr '\n' ' ')" = "m1.naive.png m1.strips.png m2.naive.png m2.strips.png " ]
  [ ! -e w.png ]
}

@test "a race says where there are fewer pieces than processors, and what would make more" {
  scene >view.pbrt
  "$LBRENDER" -q --compare=scanline,tiles,steal --simulate=64 --report=r.json view.pbrt
  run "$LBRENDER" -q --compare=scanline,tiles,steal --simulate=64 view.pbrt
  ended 0 "scanline: 34 of 64 processors had nothing to do; it has as many pieces"
  ended 0 "tiles: 62 of 64 processors had nothing to do; a smaller --task-size"
  [[ "$output" != *"steal: "* ]]
  jq -e '[.strategies[] | select(.without_work > 0) | .strategy] | sort == ["scanline", "tiles"]' r.json
  run "$LBRENDER" -q --compare=tiles --task-size=4 --simulate=64 view.pbrt
  [[ "$output" != *"had nothing to do"* ]]
}

@test "of many processors the text has the extremes, CSV and JSON all; a simulation shows speeds and no CPU times" {
  scene >view.pbrt
  run "$LBRENDER" -q --strategy=steal --simulate=30x1,34x2.5 --report=- --report=r.csv --report=r.json view.pbrt
  ended 0 "64 processors of speeds 1 to 2.5: busy "
  [ "$(grep -c '^sim[0-9]' <<<"$output")" -eq 3 ]
  [ "$(wc -l <r.csv)" -eq 65 ]
  jq -e '.frames[0].processors | length == 64' r.json
  run "$LBRENDER" -q --strategy=steal --simulate=2x1,1x2.5 --report=- view.pbrt
  [ "$(grep '^sim[0-9]' <<<"$output" | awk '{ print $NF }' | tr '\n' ' ')" = "1 1 2.5 " ]
  for word in cpu Mrays/s; do [[ "$output" != *" $word "* ]]; done
  run "$LBRENDER" -q -t 2 --report=- view.pbrt
  for word in cpu Mrays/s; do [[ "$output" == *" $word "* ]]; done
}

@test "--repeat=auto ends a race when the ranks are settled, or when its time is over" {
  scene >view.pbrt
  race="$LBRENDER -q --no-cache --devices=null:speed=20000,null:speed=180000"
  $race --compare=naive,pool --repeat=auto,60 --report=r.json view.pbrt
  jq -e '.repeats == 10 and [.strategies[].rank] == [1, 2] and .wall_seconds < 30' r.json
  # One strategy is settled as soon as it has an interval; for that there is no time here.
  $race --compare=naive --repeat=auto,0.2 --report=r.json view.pbrt
  jq -e '.repeats < 8 and .strategies[0].rank == null' r.json
  # In a simulation without chance all rounds are alike for who draws nothing.
  "$LBRENDER" -q --compare=naive,pool,strips --simulate=4 --repeat=auto --report=r.json view.pbrt
  jq -e '.repeats == 11 and all(.strategies[]; .rank >= 1 and .t_low == .t_high)' r.json
}

@test "a race says when others have the CPUs, and what tells strategies apart all the same" {
  scene >view.pbrt
  run "$LBRENDER" --no-cache -t 16 --compare=pool,steal --spp=400 --resolution=200x150 view.pbrt
  ended 0 "of their busy time"
  [[ "$output" == *"--compare --simulate=16 ranks"* ]]
  run "$LBRENDER" --no-cache --devices=2*null:speed=100000 --compare=pool,steal view.pbrt
  [[ "$output" != *"of their busy time"* ]]
}

@test "--simulate=1..64*2 gives curves: text, CSV, JSON and a page, the same figures as one set after another" {
  scene >view.pbrt
  "$LBRENDER" -q --compare=naive,pool,auto --simulate=1..8*2,1x3 --report=c.json --report=c.csv --report=c.html view.pbrt
  jq -e '.schema == "lbrender-curves/1" and .processors == [2, 3, 5, 9] and .speeds == [4, 5, 7, 11]' c.json
  for i in 0 1 2 3; do
    "$LBRENDER" -q --compare=naive,pool,auto --simulate=$((1 << i)),1x3 --report=one.json view.pbrt
    for strategy in naive pool auto; do
      jq -se --arg s $strategy --argjson i $i '(.[0].strategies[] | select(.strategy == $s)) as $c
        | (.[1].strategies[] | select(.strategy == $s)) as $o
        | $c.t[$i] == $o.t and $c.efficiency[$i] == $o.efficiency and $c.imbalance[$i] == $o.imbalance
          and ($c.speed_up[$i] - 600 / $o.t | fabs) < 1e-6' c.json one.json
    done
  done
  [ "$(wc -l <c.csv)" -eq 13 ]
  [ "$(cut -d, -f1,2,4 c.csv | tail -n 1)" = 3,9,auto ]
  python3 -c "import xml.dom.minidom as m; d = m.parse('c.html')
assert len(d.getElementsByTagName('polyline')) == 7 and len(d.getElementsByTagName('circle')) == 24
# The efficiencies' lines are at round numbers, and one of them at 1.
labels = [t.firstChild.data for t in d.getElementsByTagName('svg')[3].getElementsByTagName('text') if t.getAttribute('text-anchor') == 'end']
print(labels)
assert labels[-1] == '1' and all(round(float(l) * 10, 6) % 1 == 0 or float(labels[0]) >= .7 for l in labels)"
  run "$LBRENDER" --strategy=pool --simulate=3..5 view.pbrt
  ended 0 "3 sets of processors"
  grep -qE '^efficiency +3 +4 +5$' <<<"$output"
  echo '["2x1", {"processors": "3", "contention": 1.5}, {"hosts": [{"count": 2, "cores": 4}]}]' >sets.json
  "$LBRENDER" -q --strategy=pool --simulate=sets.json --report=c.json view.pbrt
  jq -e '.processors == [2, 3, 8] and (.strategies | length) == 1 and (.strategies[0].t | length) == 3' c.json
  # Where a strategy has too few pieces, the text and the page say so, and what would make more.
  "$LBRENDER" -q --spp=1 --resolution=64x64 --cost-map=map.pfm -o none view.pbrt
  "$LBRENDER" -q --compare=tiles,auto --task-size=1024 --simulate=1..8*2 --costs=map.pfm --report=few.txt --report=few.html x.pbrt
  told="tiles: on 1 of 4 sets, from 8 processors on, some of these had nothing to do; a smaller --task-size"
  grep -q "^$told" few.txt
  grep -q "$told" few.html
  [ "$(grep -c "nothing to do" few.txt)" -eq 1 ]
  # One list of counts is one set, which a note says.
  run "$LBRENDER" --strategy=pool --simulate=1,2,4 view.pbrt
  ended 0 "--simulate=1,2,4 is one set of 7 processors"
  [[ "$output" == *sim6* ]]
}

@test "--compare --threads=1..4*2 races on each number of threads, and gives curves" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --compare=naive,pool,strips --threads=1..5*2 --repeat=3 --report=c.json --report=c.csv --report=c.html view.pbrt
  jq -e '.schema == "lbrender-curves/1" and .processors == [1, 2, 4] and .speeds == [1, 2, 4] and .simulated == false' c.json
  # Speed-ups are over the least Tmin on one thread, and efficiencies are those of the runs.
  jq -e '([.strategies[].t_min[0]] | min) as $w | all(.strategies[]; . as $s | all(range(3); ($s.speed_up[.] * $s.t[.] / $w - 1 | fabs) < 1e-4
    and ($s.t_min[.] / $s.t[.] - $s.efficiency[.] | fabs) < 1e-4))' c.json
  [ "$(wc -l <c.csv)" -eq 10 ]
  grep -q "Speed-up over one thread" c.html
  run "$LBRENDER" -q --no-cache --compare=pool --threads=2..3 view.pbrt
  ended 0 "2 sets of processors"
  ended 0 "speed-up"
  for options in "--threads=1..2" "--threads=1..2 --compare --simulate=3" "--threads=1..2 --compare --partition-map=a.png" \
    "--compare --threads=2..1" "--compare --threads=0..2" "--compare --threads=1..2*1" "--compare --threads=1..5000"; do
    run "$LBRENDER" $options view.pbrt
    ended 2 "--threads"
  done
}

@test "a race over frames tells each frame's time and efficiency, as the strategy alone has them" {
  scene >view.pbrt
  "$LBRENDER" -q --compare=pbt,naive --simulate=2x1,1x3 --frames=2-6 --report=r.json --report=r.html view.pbrt
  for strategy in pbt naive; do
    "$LBRENDER" -q --strategy=$strategy --simulate=2x1,1x3 --frames=2-6 --report=one.json view.pbrt
    jq -se --arg s $strategy '(.[0].strategies[] | select(.strategy == $s) | .frames) as $f | .[1].frames as $o | ($f | length == 5)
      and all(range(5); $f[.].t_adjusted == $o[.].t and ($f[.].efficiency - $o[.].efficiency | fabs) < 1e-6)' r.json one.json
  done
  [ "$(grep -o 'naive, frame [1-5]: T' r.html | wc -l)" -eq 10 ]
  "$LBRENDER" -q --compare=pbt --simulate=2x1,1x3 --report=r.json --report=r.html view.pbrt
  jq -e '.strategies[0].frames == null' r.json
  [ "$(grep -c 'frame 1: T' r.html)" -eq 0 ]
}

@test "sets of processors that cannot be are refused" {
  scene >view.pbrt
  echo '[]' >none.json
  echo '["2", "1..4"]' >nested.json
  echo '["2", 3]' >number.json
  while IFS='>' read -r code options said; do
    run "$LBRENDER" $options view.pbrt
    ended $code "$said"
  done <<'END'
2>--simulate=0..4>wanted numbers of processors as in 1..64 or 1..1024*2
2>--simulate=4..3>wanted numbers of processors
2>--simulate=1..4*1>wanted numbers of processors
2>--simulate=1..4*>wanted numbers of processors
2>--simulate=1..>wanted numbers of processors
2>--simulate=1..2..3>wanted numbers of processors
2>--simulate=1..4x2>wanted numbers of processors
2>--simulate=1..9999>more than 4096 sets of processors
2>--simulate=1..4,0>"1,0": wanted counts and speeds
1>--simulate=none.json>none.json: an empty list of sets of processors
2>--simulate=nested.json>"1..4": wanted counts and speeds
1>--simulate=number.json>number.json: not an object
2>--simulate=1..4 --weights=1,2>--weights: --simulate=1..4 is several sets
2>--simulate=1..4 --trace=t.json>--trace: --simulate=1..4 is several sets
2>--simulate=1..4 --compare --repeat=2>--repeat: --simulate=1..4 is several sets
END
}

@test "options of races that cannot be are refused" {
  scene >view.pbrt
  # Each run draws its own jitter.
  echo '{"processors": "4", "jitter": 0.5}' >spec.json
  "$LBRENDER" -q --compare=pool --repeat=8 --simulate=spec.json --report=r.json view.pbrt
  jq -e '.strategies[0] | .t_least < .t and .t < .t_most' r.json
  while IFS='>' read -r options said; do
    run "$LBRENDER" $options view.pbrt
    ended 2 "$said"
  done <<'END'
--compare=naive,pol>--compare: there is no "pol"; did you mean "pool"?
--compare=naive,>--compare: there is no ""
--compare=naive,naive>--compare: "naive" is named twice
--repeat=2>--repeat without --compare
--repeat=auto>--repeat without --compare
--compare --repeat=0>--repeat
--compare --repeat=10001>--repeat
--compare --repeat=auto,0>--repeat
--compare --repeat=auto,>--repeat
--compare --repeat=autos>--repeat
END
}

@test "the progress of a race goes from 0 to 100 % once, and names the strategy that runs" {
  scene >view.pbrt
  "$LBRENDER" --no-cache --devices=null:speed=6000 --compare=naive,pool --repeat=2 --progress=lines view.pbrt 2>said
  grep '^progress' said
  for strategy in naive pool; do
    grep -q "^progress [0-9.]* % elapsed [0-9.]* s left [0-9.?]* s under $strategy$" said
  done
  [ "$(grep -c '^progress 100.0 %' said)" -eq 1 ]
  diff <(sed -n 's/^progress \([0-9.]*\) .*/\1/p' said) <(sed -n 's/^progress \([0-9.]*\) .*/\1/p' said | sort -n)
}

@test "for costs in seconds probes are in seconds too, and maps of another unit are refused" {
  "$LBRENDER" -q --no-cache -t 1 --resolution=60x40 --spp=8 --cost-map=steps.pfm -o a.png "$SAMPLES/room.pbrt"
  "$LBRENDER" -q --no-cache -t 1 --resolution=60x40 --spp=8 --cost-map=seconds.pfm --cost-unit=seconds -o a.png "$SAMPLES/room.pbrt"
  for strategy in estimate coverage; do
    "$LBRENDER" -q --strategy=$strategy --simulate=4 --costs=steps.pfm --report=steps.json
    "$LBRENDER" -q --strategy=$strategy --simulate=4 --costs=seconds.pfm --report=seconds.json
    "$LBRENDER" -q -t 1 --strategy=$strategy --simulate=4 --resolution=60x40 --spp=8 --cost-unit=seconds --report=render.json \
      "$SAMPLES/room.pbrt"
    # However noisy seconds are, it takes no longer than one processor needs for all of the work and the probe.
    jq -se 'all(.[]; .frames[0].t < 620 and .frames[0].t > 150)' steps.json seconds.json render.json
  done
  # The probe takes the same part of the whole in any unit.
  python3 - <<'END'
import array
def total(name):
    data = open(name, "rb").read()
    width, height = map(int, data.split(b"\n", 3)[1].split())
    return sum(abs(x) for x in array.array("f", data[-12 * width * height:]))
for probe in "estimate", "coverage":
    parts = [total("%s.%s.pfm" % (unit, probe)) / total(unit + ".pfm") for unit in ("steps", "seconds")]
    assert 0 < parts[0] < 0.1 and abs(parts[1] / parts[0] - 1) < 1e-3, parts
END
  cp steps.estimate.pfm seconds.estimate.pfm
  run "$LBRENDER" --strategy=estimate --simulate=4 --costs=seconds.pfm
  ended 1 "seconds.estimate.pfm: not in the unit of seconds.pfm"
}
