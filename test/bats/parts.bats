# Parts of pictures: shares, sample ranges, joining, going on.
load common

# What all renders here have in common.
part() {
  "$LBRENDER" -q --no-cache --resolution=60x40 --spp=16 "$@" "$SAMPLES/room.pbrt"
}

@test "shares of pixels, in any order, join to the bytes of one whole run" {
  part -o whole.png
  part -o whole.pfm
  for i in 1 2 3 4 5; do part --share=$i/5 --part=$i.part --strategy=pool; done
  [ ! -e room.png ]
  "$LBRENDER" -q --merge 3.part 5.part 1.part 4.part 2.part -o joined.png
  "$LBRENDER" -q --merge 5.part 4.part 3.part 2.part 1.part -o joined.pfm
  cmp whole.png joined.png
  cmp whole.pfm joined.pfm
}

@test "sample ranges and shares join, also by way of joined parts" {
  part -o whole.pfm
  part --samples=3:9 --part=a.part -t 1
  part --samples=0:3 --part=b.part --devices=null:code=wave
  part --samples=9:16 --share=2/2 --part=c.part --strategy=bitrev
  part --samples=9:16 --share=1/2 --part=d.part --isa=portable
  "$LBRENDER" -q --merge d.part a.part --part ad.part
  "$LBRENDER" -q --merge c.part ad.part b.part -o joined.pfm
  cmp whole.pfm joined.pfm
}

@test "shares are as large as their weights say, and have every pixel once" {
  for i in 1 2 3; do part --share=$i/3,1,2,5 --samples=0:1 --part=$i.part; done
  for i in 1 2 3; do "$LBRENDER" --describe --report-format=json $i.part | jq .begun_pixels; done | tee sizes
  awk '{ n[NR] = $1 } END { exit !(n[1] + n[2] + n[3] == 2400 && n[1] > 260 && n[1] < 340 && n[2] > 560 && n[2] < 640) }' sizes
  part --share=1/65536 --part=none.part -o none
  run "$LBRENDER" --describe none.part
  ended 0 "0 of 38400 samples"
}

@test "what is missing, doubled, foreign or damaged has its message, and no picture" {
  for i in 1 2 3; do part --share=$i/3 --part=$i.part; done
  run "$LBRENDER" --merge 1.part 3.part -o out.png
  ended 1 "samples are missing: all of"
  [ ! -e out.png ]
  run "$LBRENDER" --merge 1.part 3.part --partial -o out.png
  ended 0 "samples are missing: all of"
  [ "$(png_size out.png)" = 60x40 ]
  run "$LBRENDER" --merge 1.part 2.part 1.part -o twice.png
  ended 1 "1.part: sample 0 of pixel"
  ended 1 "is in another part too"
  part --seed=5 --share=2/3 --part=seed.part
  run "$LBRENDER" --merge 1.part seed.part -o twice.png
  ended 1 "seed.part is not of the picture of 1.part: its seed is 5, not 0"
  part --spp=8 --part=less.part -o none
  run "$LBRENDER" --merge 1.part less.part -o twice.png
  ended 1 "its samples a pixel are 8, not 16"
  "$LBRENDER" -q --resolution=60x40 --spp=16 --part=other.part -o none "$SAMPLES/headlight.pbrt"
  run "$LBRENDER" --merge 1.part other.part -o twice.png
  ended 1 "other.part is not of the picture of 1.part: its scene is"
  head -c 3000 2.part >cut.part
  run "$LBRENDER" --merge 1.part cut.part -o twice.png
  ended 1 "cut.part: damaged part: its checksum is wrong"
  run "$LBRENDER" --merge 1.part out.png -o twice.png
  ended 1 "out.png: it is no part of a picture"
  run "$LBRENDER" --merge 1.part absent.part -o twice.png
  ended 1 absent.part
  run "$LBRENDER" --merge 1.part 2.part --part 2.part
  ended 2 "would overwrite 2.part"
  [ ! -e twice.png ]
}

@test "a part is resumed on other processors, under every strategy" {
  part -o whole.pfm
  part --share=2/3 --part=a.part
  part --samples=2:5 --part=b.part --share=1/3
  "$LBRENDER" -q --merge a.part b.part --part begun.part
  for strategy in $(strategies); do
    part --resume=begun.part --strategy=$strategy --passes=2 --devices=cpu:2,null:code=wave -o $strategy.pfm
    cmp whole.pfm $strategy.pfm
  done
  part --resume=begun.part --part=begun.part -o none
  part --resume=begun.part -o again.pfm # nothing is left to do
  cmp whole.pfm again.pfm
}

@test "a finished picture takes more samples" {
  part --spp=64 --part=less.part -o none
  part --spp=80 -o whole.pfm
  part --spp=80 --resume=less.part -o more.pfm
  cmp whole.pfm more.pfm
  run part --spp=32 --resume=less.part -o more.pfm
  ended 1 "for 64 samples a pixel, more than the 32 asked for"
}

@test "where textures would show more detail, samples are not mixed" {
  cat >view.pbrt <<'TEXT'
Film "rgb" "integer xresolution" 20 "integer yresolution" 20
Camera "perspective"
Sampler "independent" "integer pixelsamples" 4
WorldBegin
LightSource "infinite"
Texture "t" "float" "fbm"
Material "diffuse" "texture displacement" "t"
Translate 0 0 3
Shape "sphere"
TEXT
  "$LBRENDER" -q --part=less.part -o none view.pbrt
  run "$LBRENDER" -q --spp=16 --resume=less.part -o more.pfm view.pbrt
  ended 1 "--spp 16 with --samples 0:4"
  "$LBRENDER" -q --spp=16 --samples=0:4 --part=first.part view.pbrt
  "$LBRENDER" -q --spp=16 --resume=first.part -o more.pfm view.pbrt
  "$LBRENDER" -q --spp=16 -o whole.pfm view.pbrt
  cmp whole.pfm more.pfm
}

@test "a part does not depend on who rendered it, and says what it is" {
  part --part=a.part -o none -t 5
  part --part=b.part -o none -t 1 --isa=portable --strategy=tiles --passes=3
  cmp a.part b.part
  run "$LBRENDER" --describe a.part b.part
  ended 0 "60x40 at 0,0 of a film of 60x40, 16 samples a pixel, seed 0, frame 0"
  ended 0 "38400 of 38400 samples (100.00 %)"
  "$LBRENDER" --describe --report-format=json a.part b.part | jq -e .complete >said
  [ "$(cat said)" = $'true\ntrue' ]
}

@test "parts of frames are numbered" {
  scene >view.pbrt
  "$LBRENDER" -q --frames=0-2 --share=1/2 --part=p-#.part view.pbrt
  "$LBRENDER" -q --frames=0-2 --resume=p-#.part -o r-#.png view.pbrt
  "$LBRENDER" -q --frames=0-2 -o w-#.png view.pbrt
  for i in 0 1 2; do cmp r-$i.png w-$i.png; done
}

@test "usage" {
  run part --share=3/2 --part=x.part
  ended 2 "--share needs I/N"
  run part --share=1/2,1 --part=x.part
  ended 2 "1 weights for 2 shares"
  run part --share=1/2
  ended 2 "--share without --part"
  run part --samples=5:5 --part=x.part
  ended 2 "--samples needs A:B"
  run part --samples=5:17 --part=x.part
  ended 2 "a pixel gets 16 samples in all"
  run "$LBRENDER" --merge -o x.png
  ended 2 "no parts of a picture"
  run "$LBRENDER" --merge x.part
  ended 2 "give --output, --part, or both"
  run part --partial
  ended 2 "--partial without --merge"
  run part --part=missing/x.part
  ended 1 missing/x.part
  run part --part=x.png -o x.png
  ended 2 "are the same file"
}

@test "a render that is stopped again and again goes on, on other processors, to the same bytes" {
  LB_STOPS=${LB_STOPS:-5} run timeout 600 python3 "$ROOT/test/stops.py" stops
  ended 0 "the same bytes"
}

@test "pictures divided and joined at random are the same bytes" {
  LB_STOPS=${LB_STOPS:-2} run timeout 600 python3 "$ROOT/test/stops.py" merges
  ended 0 "the same bytes"
}

# A render of some seconds on a null device, in the background, once it is at work.
slow() {
  : >err
  "$LBRENDER" --no-cache --progress=lines --devices=2*null:speed=8000 --spp=40 "$@" view.pbrt 2>err &
  child=$!
  for _ in $(seq 100); do grep -q progress err && break || sleep 0.1; done
}

@test "SIGUSR1 writes the state and the picture so far, and the render goes on" {
  scene >view.pbrt
  slow -o out.png --checkpoint=state.part,1000
  kill -USR1 $child
  for _ in $(seq 50); do [ -e out.partial.png ] && break || sleep 0.1; done
  [ -e state.part ] && [ ! -e out.png ]
  [ "$(png_size out.partial.png)" = 40x30 ]
  run "$LBRENDER" --describe state.part
  ended 0 "of 48000 samples"
  cp state.part begun.part
  wait $child
  grep -qE 'note: asked by SIGUSR1; wrote out.partial.png with [0-9]+ of 48000 samples' err
  "$LBRENDER" -q --spp=40 --resume=begun.part -o resumed.png view.pbrt
  cmp out.png resumed.png
  run "$LBRENDER" --describe state.part
  ended 0 "48000 of 48000 samples"
}

@test "a signal leaves the state; the same command goes on" {
  scene >view.pbrt
  slow -o out.png --checkpoint=state.part --resume=state.part
  kill -TERM $child
  wait $child || status=$?
  [ $status -eq 143 ]
  grep -qE 'stopped by SIGTERM; wrote state.part with [0-9]+ of 48000 samples; wrote out.partial.png' err
  run "$LBRENDER" --no-cache --spp=40 -v -o out.png --checkpoint=state.part --resume=state.part view.pbrt
  ended 0 "wrote state.part with 48000 of 48000 samples"
  "$LBRENDER" -q --spp=40 -o whole.png view.pbrt
  cmp out.png whole.png
  run "$LBRENDER" -v --spp=40 -o out.png --checkpoint=new.part,5 --resume=new.part view.pbrt
  ended 0 "new.part is not there yet"
  run "$LBRENDER" --spp=40 -o out.png --resume=absent.part view.pbrt
  ended 1 "absent.part"
}

@test "the state is written every so often, and a failure to write it costs no picture" {
  scene >view.pbrt
  slow -o out.png --checkpoint=state.part,0.05
  for _ in $(seq 50); do [ -e state.part ] && break || sleep 0.1; done
  [ -e state.part ]
  kill -KILL $child
  wait $child || true
  run "$LBRENDER" --no-cache --spp=40 -o out.png --resume=state.part --strategy=naive -t 3 view.pbrt
  ended 0 "wrote out.png"
  "$LBRENDER" -q --spp=40 -o whole.png view.pbrt
  cmp out.png whole.png
}

@test "a large still's passes grow, and a stop leaves a whole picture of fewer samples" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --spp=4096 --report=r.json -o grown.pfm view.pbrt
  [ "$(jq '.frames[0].passes | length' r.json)" -eq 3 ]
  "$LBRENDER" -q --no-cache --spp=4096 --passes=1 --report=r.json -o one.pfm view.pbrt
  [ "$(jq '.frames[0].passes | length' r.json)" -eq 1 ]
  cmp grown.pfm one.pfm
  "$LBRENDER" -q --no-cache --spp=2048 --report=r.json -o small.pfm view.pbrt
  [ "$(jq '.frames[0].passes | length' r.json)" -eq 1 ]
  "$LBRENDER" -q --no-cache --spp=4096 --samples=0:256 --part=first.part view.pbrt
  "$LBRENDER" -q --no-cache --spp=4096 --devices=2*null:speed=200000 -o stopped.png --checkpoint=stopped.part,0.1 view.pbrt &
  child=$!
  for _ in $(seq 100); do # until each pixel has the first pass, and some have more
    sleep 0.1
    "$LBRENDER" --describe --report-format=json stopped.part >said 2>said.err || continue
    jq -e '.fewest >= 256 and .most > .fewest' said && break
  done
  kill -TERM $child
  wait $child || status=$?
  [ $status -eq 143 ]
  [ "$("$LBRENDER" --describe --report-format=json stopped.part | jq .fewest)" -ge 256 ]
  "$LBRENDER" -q --no-cache --spp=4096 --resume=stopped.part -o resumed.pfm view.pbrt
  cmp resumed.pfm one.pfm
}

@test "--time-limit and --noise-target end at a number of samples that all pixels share" {
  scene >view.pbrt
  run "$LBRENDER" --no-cache --spp=100000 --devices=2*null:speed=100000 --time-limit=1.5 --part=limited.part -o limited.pfm view.pbrt
  ended 0 "of 100000 samples a pixel"
  n=$(grep -oE 'note: [0-9]+ of' <<<"$output" | grep -oE '[0-9]+')
  [ "$n" -gt 10 ] && [ "$n" -lt 400 ]
  "$LBRENDER" -q --spp=100000 --samples=0:"$n" --part=same.part -o same.pfm view.pbrt
  cmp limited.pfm same.pfm
  cmp limited.part same.part
  run "$LBRENDER" --no-cache --spp=100000 --noise-target=0.02 -o quiet.pfm view.pbrt
  ended 0 "noise 0.0"
  n=$(grep -oE 'note: [0-9]+ of' <<<"$output" | grep -oE '[0-9]+')
  [ "$n" -lt 100000 ]
  "$LBRENDER" -q --spp=100000 -t 1 --strategy=naive --noise-target=0.02 -o again.pfm view.pbrt
  cmp quiet.pfm again.pfm
  run "$LBRENDER" --passes=2 --time-limit=1 view.pbrt
  ended 2 "the passes grow by themselves"
  run "$LBRENDER" --compare --time-limit=1 view.pbrt
  ended 2 "no picture is rendered"
}
