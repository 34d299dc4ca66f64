# Options, operands, and errors of usage.
load common

@test "a scene renders with no option at all" {
  scene >view.pbrt
  run "$LBRENDER" view.pbrt
  ended 0 "wrote view.png  crc32c"
  [ "$(png_size view.png)" = 40x30 ]
}

@test "usage errors end with status 2 and write nothing" {
  scene >view.pbrt
  while IFS= read -r options; do
    echo "lbrender $options"
    eval "run \"$LBRENDER\" $options"
    [ "$status" -eq 2 ]
    [[ "$output" == *lbrender:* ]]
  done <<'END'

a.pbrt b.pbrt
view.pbrt view.pbrt
--no-such-option view.pbrt
-z view.pbrt
-t 0 view.pbrt
-t 2x view.pbrt
-t 1.5 view.pbrt
-t -1 view.pbrt
--spp=0 view.pbrt
--spp=4.5 view.pbrt
--spp=4k view.pbrt
--spp= view.pbrt
--seed=x view.pbrt
--seed=-1 view.pbrt
--resolution=40 view.pbrt
--resolution=40x view.pbrt
--resolution=40x30x2 view.pbrt
--resolution=0x30 view.pbrt
--resolution=65536x1 view.pbrt
--resolution=40x30px view.pbrt
--cropwindow=0,1,0 view.pbrt
--cropwindow=0,1,0,1,1 view.pbrt
--cropwindow=0.5,0.5,0,1 view.pbrt
--cropwindow=0,2,0,1 view.pbrt
--pixelbounds=0,10,0,1.5 view.pbrt
--pixelbounds=10,0,0,1 view.pbrt
--passes=0 view.pbrt
--passes=two view.pbrt
--region-size=0 view.pbrt
--task-size=-4 view.pbrt
--curve=spiral view.pbrt
--order=spiral view.pbrt
--strategy=none view.pbrt
--strategy=Pool view.pbrt
--bind=socket view.pbrt
--isa=sse2 view.pbrt
--bvh-quality=best view.pbrt
--progress=dots view.pbrt
--cost-unit=minutes view.pbrt
--report-format=xml --report=r view.pbrt
--report-format=json view.pbrt
--cost-map=map.exr view.pbrt
--partition-map=map.pfm view.pbrt
-o view.gif view.pbrt
-o view view.pbrt
--skip-existing view.pbrt
--known-costs view.pbrt
--costs=map.pfm view.pbrt
--costs=map.png --simulate=4 view.pbrt
--frames=3-1 view.pbrt
--frames=0-9,0 view.pbrt
--frames=0-9/9 view.pbrt
--frames=0- view.pbrt
--frames=a view.pbrt
--devices= view.pbrt
--devices=gpu view.pbrt
--devices=cpu, view.pbrt
--devices=cpu:0 view.pbrt
--devices=null:speed=fast view.pbrt
--weights= view.pbrt
--weights=1,0 view.pbrt
--weights=1,-1 view.pbrt
--weights=1,1x view.pbrt
--weights=1,,1 view.pbrt
--weights=nan,1 view.pbrt
END
  [ "$(ls)" = view.pbrt ]
}

@test "the message for another number of weights than processors states both" {
  scene >view.pbrt
  run "$LBRENDER" -t 3 --weights=1,2 view.pbrt
  ended 2 "2 weights for 3 processors"
  run "$LBRENDER" --devices=cpu:2,null --weights=1,2,3,4 view.pbrt
  ended 2 "4 weights for 3 processors"
}

@test "there are as many processors as weights, with a warning where CPUs are fewer" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=bitrev --weights=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 view.pbrt
  ended 0 "17 CPU threads"
  [[ "$output" == *cpu16* ]]
}

@test "weights are normalised and shown" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=bitrev --weights=1,1.5,2.5,5 view.pbrt
  ended 0 "10.00%"
  [[ "$output" == *15.00%* && "$output" == *25.00%* && "$output" == *50.00%* ]]
}

@test "a strategy without a use for an option warns once of each and goes on" {
  scene >view.pbrt
  "$LBRENDER" -q -o right.png view.pbrt
  run "$LBRENDER" --strategy=naive --curve=rows --region-size=3 --curve=hilbert --weights=1,2 -o out.png view.pbrt
  ended 0 "the strategy naive has no use for weights"
  [ "$(grep -c "the strategy naive has no use for --curve" <<<"$output")" -eq 1 ]
  [ "$(grep -c "the strategy naive has no use for --region-size" <<<"$output")" -eq 1 ]
  cmp right.png out.png
  run "$LBRENDER" --region-size=3 --task-size=9 view.pbrt
  ended 0 "the strategy auto has no use for --task-size"
  [[ "$output" != *"no use for --region-size"* ]]
  run "$LBRENDER" --strategy=pool --curve=hilbert --order=tiles --region-size=3 --task-size=9 view.pbrt
  ended 0
  [[ "$output" != *"no use"* ]]
  run "$LBRENDER" --strategy=scatter --simulate=3 --order=tiles view.pbrt
  ended 0 "the strategy scatter has no use for --order"
  run "$LBRENDER" --compare --curve=hilbert --task-size=9 view.pbrt
  ended 0
  [[ "$output" != *"no use"* ]]
}

@test "options reach the strategies that declare them" {
  scene >view.pbrt
  "$LBRENDER" -q --cost-map=map.pfm -o out.png view.pbrt
  # Tasks have 9 pixels and are one range each, in a simulation and in a race of all.
  "$LBRENDER" -q --strategy=pool --order=curve --task-size=9 --simulate=3 --costs=map.pfm --report=own.json view.pbrt
  jq -e '([.frames[0].processors[].ranges] | add) >= .image.width * .image.height / 9' own.json
  "$LBRENDER" -q --strategy=pool --simulate=3 --costs=map.pfm --report=rows.json view.pbrt
  jq -e '([.frames[0].processors[].ranges] | add) == .image.height' rows.json
  "$LBRENDER" -q --compare --simulate=3 --costs=map.pfm --task-size=9 --report=race.json view.pbrt
  jq -se '(.[1].frames[0].efficiency - ([.. | objects | select(.strategy? == "pool" and has("efficiency"))][0].efficiency)) |
    fabs < 1e-6' race.json own.json
}

@test "a strategy without a use for weights warns once and goes on" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=naive -t 2 --weights=1,3 view.pbrt
  ended 0 "the strategy naive has no use for weights"
  [ "$(grep -c "no use for weights" <<<"$output")" -eq 1 ]
  run "$LBRENDER" --strategy=bitrev -t 2 --weights=1,3 view.pbrt
  ended 0
  [[ "$output" != *"no use"* ]]
}

@test "an unknown option or strategy that is spelt like a known one names it" {
  while IFS='>' read -r options said; do
    echo "lbrender $options"
    run "$LBRENDER" $options view.pbrt
    ended 2 "$said"
  done <<'END'
--strategi=bitrev>there is no option --strategi; did you mean --strategy?
--region-sise=4>did you mean --region-size?
--hlep>did you mean --help?
-q --quite>did you mean --quiet?
--outfile=x.png>there is no option --outfile; did you mean --output?
--zebra>there is no option --zebra
--strategy=bitrv>there is no "bitrv"; did you mean "bitrev"?
--strategy=Pool>did you mean "pool"?
--strategy=zebra>there is no "zebra"; see --list-strategies
END
  run "$LBRENDER" --zebra view.pbrt
  [[ "$output" != *"did you mean"* ]]
  # A value is no option, nor is an operand behind --. The beginning of one option stands for it; that of several is an error.
  run "$LBRENDER" -q -o --strategi.png -- --nothing.pbrt
  ended 1 "--nothing.pbrt"
  run "$LBRENDER" --quie missing.pbrt
  ended 1 "missing.pbrt"
  run "$LBRENDER" --cost view.pbrt
  ended 2 "ambiguous"
}

@test "-h is --help" {
  run "$LBRENDER" -h
  ended 0 "--strategy"
  diff <("$LBRENDER" -h) <("$LBRENDER" --help)
}

@test "an option without effect warns once and goes on" {
  scene >view.pbrt
  "$LBRENDER" -q --cost-map=map.pfm -o right.png view.pbrt
  while IFS='>' read -r options said; do
    echo "lbrender $options"
    run "$LBRENDER" $options view.pbrt
    ended 0 "$said"
    [ "$(grep -c "has no effect" <<<"$output")" -eq "$(grep -o "has no effect" <<<"$said" | wc -l)" ]
    run "$LBRENDER" -q $options view.pbrt
    [[ "$output" != *effect* ]]
  done <<'END'
--cost-unit=seconds>--cost-unit has no effect: no costs are asked for
--cost-unit=seconds --cost-map=other.pfm>
--simulate=2 --passes=2>--passes has no effect: a simulated frame is one pass
--simulate=2 -o x.png>--output has no effect: no picture is written
--simulate=2 --no-cache>--no-cache has no effect
--simulate=2 --costs=map.pfm --spp=3>--spp has no effect: the costs are read from a file
--simulate=2 --costs=map.pfm -t 3>--threads has no effect: the costs are read from a file
--simulate=2 -t 2 --spp=2>
--compare -t 2 -o x.png>--output has no effect
--compare --simulate=2 --strategy=pool>--strategy has no effect
END
  run "$LBRENDER" --simulate=2 --costs=map.pfm --isa=portable --bind=core view.pbrt
  ended 0 "--bind has no effect"
  [[ "$output" == *"--isa has no effect"* ]]
}

@test "-q silences everything but errors" {
  scene >view.pbrt
  run "$LBRENDER" -q --strategy=naive -t 2 --weights=1,3 view.pbrt
  ended 0
  [ -z "$output" ]
  run "$LBRENDER" -q missing.pbrt
  ended 1 missing.pbrt
}

@test "scene errors name file, line and column" {
  { scene; echo 'Shape "blob"'; } >wrong.pbrt
  run "$LBRENDER" wrong.pbrt
  ended 1 "wrong.pbrt:5:"
  [[ "$output" == *blob* ]]
  [ ! -e wrong.png ]
}

@test "--spp, --seed and --resolution win over the scene" {
  scene >view.pbrt
  run "$LBRENDER" --spp=7 --seed=3 --resolution=13x11 view.pbrt --report=r.json
  ended 0 "13x11 x 7 spp"
  [ "$(png_size view.png)" = 13x11 ]
  [ "$(jq -c '.image | [.width, .height, .spp, .seed]' r.json)" = "[13,11,7,3]" ]
  "$LBRENDER" -q --spp=7 --seed=4 --resolution=13x11 -o other.png view.pbrt
  differ view.png other.png
}

@test "--cropwindow and --pixelbounds render that part of the same picture" {
  scene >view.pbrt
  "$LBRENDER" -q -o whole.pfm view.pbrt
  "$LBRENDER" -q -o crop.pfm --cropwindow=0.25,0.75,0.5,1 view.pbrt
  "$LBRENDER" -q -o bounds.pfm --pixelbounds=10,30,15,30 view.pbrt
  cmp crop.pfm bounds.pfm
  python3 - <<'END'
def rows(name):
    data = open(name, "rb").read()
    head = data.split(b"\n", 3)
    w, h = map(int, head[1].split())
    body = data[-w * h * 12:]
    return [body[y * w * 12:(y + 1) * w * 12] for y in range(h)][::-1]
whole, part = rows("whole.pfm"), rows("crop.pfm")
assert len(part) == 15
assert all(part[y] == whole[15 + y][10 * 12:30 * 12] for y in range(15))
END
}

@test "--list-strategies prints a line with name and description for each strategy, and nothing else" {
  run "$LBRENDER" --list-strategies
  ended 0
  [ "${#lines[@]}" -ge 7 ]
  for line in "${lines[@]}"; do
    [[ "$line" =~ ^[a-z]+\ +[^\ ] ]]
  done
  # The descriptions stand below each other.
  [ "$(sed -E 's/^([a-z]+ +).*/\1/' <<<"$output" | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]
  for name in naive contiguous scanline strips scatter bitrev pool; do
    grep -q "^$name " <<<"$output"
  done
}

@test "--list-devices names the CPU threads and says why there is no GPU" {
  run "$LBRENDER" --list-devices
  ended 0 "cpu "
  [[ "$output" == *"cuda:0"* || "$output" == *"no CUDA device: "* ]]
}

@test "--version and --help print and end with status 0" {
  run "$LBRENDER" --version
  ended 0 "lbrender "
  run "$LBRENDER" --help
  ended 0 "--strategy"
}

@test "--help is as wide as the terminal, and has what matters first" {
  for columns in 60 79 100 119; do
    COLUMNS=$columns "$LBRENDER" --help >help
    [ "$(awk '{ if (length > most) most = length } END { print most }' help)" -le "$columns" ]
    [ "$columns" -lt 100 ] || [ "$(awk '{ if (length > most) most = length } END { print most }' help)" -gt 79 ]
  done
  head -n 16 help | grep -q -- '-o, --output=FILE'
  [ "$(head -n 10 help | grep -c '^  lbrender .*scene.pbrt$')" -eq 3 ]
}

@test "who reads only the head of a listing is left in peace" {
  for option in --help --list-strategies --report-schema --completion=bash; do
    echo "$option"
    run bash -c "trap '' PIPE; { sleep 0.2; \"$LBRENDER\" $option; echo \"status \$?\" >&2; } | true"
    [ "$output" = "status 0" ]
  done
}

@test "times, shares and counts are written as people write them" {
  scene >view.pbrt
  "$LBRENDER" -q --spp=10 -o right.png view.pbrt
  "$LBRENDER" -q --spp=1e1 -o other.png view.pbrt
  cmp right.png other.png
  "$LBRENDER" -q --resolution=150% -o large.png view.pbrt
  [ "$(png_size large.png)" = 60x45 ]
  "$LBRENDER" -q --resolution=1% -o small.png view.pbrt
  [ "$(png_size small.png)" = 1x1 ]
  "$LBRENDER" -q --threads=2 --weights=25%,75% --report=r.json view.pbrt
  jq -e '[.frames[0].processors[].weight] == [0.25, 0.75]' r.json
  for time in 90 5m 1h30m 1.5h 2min 3m0.5s 1d 200ms; do
    "$LBRENDER" -q --time-limit=$time --noise-target=50% -o none view.pbrt
    "$LBRENDER" -q --checkpoint=kept.part,$time --resume=kept.part -o none view.pbrt || "$LBRENDER" -q --checkpoint=kept.part,$time -o none view.pbrt
  done
  for option in time-limit=5x time-limit=m time-limit=1m1h time-limit=1.5h3m time-limit=5%% time-limit=0s noise-target=% noise-target=-5% \
    spp=1.5e0 spp=1e9 spp=e3 resolution=0% resolution=% resolution=1e9% weights=%,1; do
    run "$LBRENDER" "--$option" view.pbrt
    ended 2 "lbrender: --"
  done
}

@test "several reports are written, each in its own form" {
  scene >view.pbrt
  run "$LBRENDER" --report=r.json --report=r.csv --report=- --report=r.html view.pbrt
  ended 0 "Tmin"
  jq -e '.frames | length == 1' r.json
  grep -q ^scene,strategy, r.csv
  grep -q '<html' r.html
  run "$LBRENDER" --report=r.json --report=./r.json view.pbrt
  ended 2 "--report and --report are the same file"
  run "$LBRENDER" --report=1 --report=2 --report=3 --report=4 --report=5 view.pbrt
  ended 2 '"5" is one more than 4 reports'
  "$LBRENDER" -q --compare=pool,steal --report=c.json --report=c.html view.pbrt
  jq -e '.strategies | length == 2' c.json
  grep -q '<html' c.html
}

@test "standard output that cannot be written is an error" {
  [ -e /dev/full ] || skip "no /dev/full"
  for option in --list-strategies --list-devices --report-schema --help --usage --version; do
    echo "$option"
    run bash -c "\"$LBRENDER\" $option >/dev/full"
    ended 1 "standard output"
    [ "${#lines[@]}" -eq 1 ] || [ $option = --list-devices ]
  done
  scene >view.pbrt
  run bash -c "\"$LBRENDER\" -q --report=- view.pbrt >/dev/full"
  ended 1 "standard output"
}

@test "numbers at the ends of their ranges take no memory, no time and give no other picture" {
  scene >view.pbrt
  "$LBRENDER" -q -o right.png view.pbrt
  ulimit -v 3000000
  for strategy in $(strategies); do
    while IFS= read -r options; do
      echo "$strategy $options"
      timeout 60 "$LBRENDER" -q --no-cache --strategy=$strategy $options -o out.png view.pbrt
      cmp right.png out.png
    done <<'END'
--passes=2147483647 --region-size=2147483647
--task-size=2147483647
--task-size=2147483647 --order=tiles
--region-size=2147483647 --curve=hilbert --order=reversed
--weights=1e308,1e308,1e308
--weights=1e-308,1e308
--devices=null:speed=1e15,cpu:1
END
  done
}

@test "--passes beyond the samples makes as many passes as samples" {
  scene >view.pbrt
  run "$LBRENDER" --passes=2147483647 --report=r.json view.pbrt
  ended 0 "2147483647 passes of 4 samples: as many passes as samples"
  jq -e '.frames[0].passes | length == 4' r.json
}

@test "a worker warns of options that only the primary has a use for" {
  run "$LBRENDER" --join=tcp://127.0.0.1:9 --patience=0.2 --part=x.part --spp=3 -o x.png --threads=2 --strategy=pool --no-cache
  [ "$status" -ne 0 ]
  for option in part spp output; do [[ "$output" == *"--$option has no effect: who serves says what is rendered"* ]]; done
  [ "$(grep -c 'has no effect' <<<"$output")" -eq 3 ]
}

@test "weights that do not fit are said to, with those that would" {
  fits="weights that fit: 0.25,0.25,0.25,0.25"
  scene >view.pbrt
  run "$LBRENDER" --spp=64 --threads=4 --strategy=bitrev --weights=0.1,0.15,0.25,0.5 --report=r.html -o none view.pbrt
  ended 0 "measured speeds 25 25 25 25 %; $fits"
  grep -q "$fits" r.html
  run "$LBRENDER" --spp=64 --threads=4 --strategy=bitrev --weights=1,1,1,1 -o none view.pbrt # they fit
  ended 0
  [[ "$output" != *"that fit"* ]]
  run "$LBRENDER" --spp=64 --threads=4 --strategy=bitrev -o none view.pbrt # nothing was given
  [[ "$output" != *"that fit"* ]]
  slow='null:speed=20000,null:speed=60000'
  run "$LBRENDER" --no-cache --devices=$slow --strategy=bitrev --weights=1,3 -o none view.pbrt
  [[ "$output" != *"that fit"* ]]
}

@test "a scene that moves asks once for the number of frames" {
  cat >view.pbrt <<'END'
Film "rgb" "integer xresolution" 8 "integer yresolution" 8
Camera "perspective"
WorldBegin
ActiveTransform EndTime
Translate 1 0 0
ActiveTransform All
Shape "sphere"
Shape "sphere"
Shape "sphere"
END
  run "$LBRENDER" --frames=0-3 -o 'a-#.png' view.pbrt
  ended 1 "view.pbrt: the scene moves: of how many frames is the animation? (--frames=0-3/N)"
  [ "${#lines[@]}" -eq 1 ]
}

@test "a stack that is too small is a message, and a limit that may be raised is" {
  scene >view.pbrt
  run bash -c 'ulimit -s 64; "$0" -o a.png view.pbrt' "$LBRENDER"
  ended 1 "the stack is limited to 64 KB, and 1024 are needed (ulimit -s)"
  [ ! -e a.png ]
  bash -c 'ulimit -Ss 64; "$0" -q -o a.png view.pbrt' "$LBRENDER"
  [ -e a.png ]
}

@test "out of memory says how much was asked for" {
  scene >view.pbrt
  run bash -c "ulimit -v 900000; exec \"$LBRENDER\" --threads=1 --resolution=20000x20000 -o none view.pbrt"
  ended 1 "out of memory for 20000 x 20000 pixels, 12.8 GB"
}

# An option that is kept and never looked at would be taken and have no effect.
@test "every field that an option is kept in is read somewhere in the program" {
  names=$(tr '\n' ' ' <"$ROOT/cli/options/table.c" |
    grep -oE '\b(TEXT|FLAG|COUNT|REAL|SECONDS|WORD|EITHER|ENDS_IN|GIVEN)\([a-z_.]+|TYPED\([A-Z_]+, [a-z_ *]+, [a-z_.]+' | sed -E 's/.*[(, .]//' | sort -u)
  [ "$(wc -w <<<"$names")" -gt 60 ]
  for name in $names; do
    grep -rqE --include=*.c --exclude=table.c "(\.|->)$name\b" "$ROOT"/{core,cli,hosts} || echo "nobody reads $name"
  done >unread
  diff unread /dev/null
}
