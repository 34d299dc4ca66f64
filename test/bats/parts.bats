# Parts of pictures: shares, ranges of samples, joining, and going on with them.
load common

# Renders with the options that all renders here have in common.
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

@test "ranges of samples and shares join, also through joined parts" {
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

@test "parts that are missing, doubled, foreign or damaged give a message, and no picture" {
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
  "$LBRENDER" -q --resolution=60x40 --spp=16 --part=other.part -o none "$ROOT/test/scenes/headlight.pbrt"
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
  part --resume=begun.part -o again.pfm # here nothing is left to do
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

ALL=A,albedo,P,Z,N,Ns,uv,dz,motion,object,material,samples,variance,relativevariance

@test "channels: shares, ranges of samples and resumed parts join to the bytes of one whole run" {
  all="--channels=$ALL --transparent"
  part $all -o whole.exr
  part --transparent -o whole.png
  part $all --samples=3:9 --part=a.part -t 1
  part $all --samples=0:3 --part=b.part --devices=null:code=wave
  part $all --samples=9:16 --share=2/2 --part=c.part --strategy=bitrev
  part $all --samples=9:16 --share=1/2 --part=d.part --isa=portable
  "$LBRENDER" -q --merge d.part a.part --part ad.part
  "$LBRENDER" -q --merge c.part ad.part b.part -o joined.exr
  cmp whole.exr joined.exr
  "$LBRENDER" -q --merge b.part c.part ad.part -o joined.png # transparent, as it was rendered
  cmp whole.png joined.png
  for devices in cpu:2,null:code=wave 2*null:as=cuda cpu:1,null:fail=0.3; do
    part $all --resume=ad.part --strategy=steal --passes=3 --devices=$devices --part=resumed.part -o resumed.exr || [ $? -eq 3 ]
    cmp whole.exr resumed.exr
  done
  part $all --part=whole.part -o none
  cmp whole.part resumed.part
  part --channels=$ALL --transparent --part=again.part -o whole-again.png # the part holds channels that a PNG cannot
  cmp whole.part again.part
  cmp whole.png whole-again.png
  part $all --share=1/65536 --part=none.part -o none.exr # this share has no pixel
  run "$LBRENDER" --describe none.part
  ended 0 "0 of 38400 samples"
}

@test "channels: fewer than a part has may be asked for, but not more, nor those of another space" {
  part --channels=Z,N --part=a.part --share=1/2
  part --channels=N,Z --part=b.part --share=2/2
  part --channels=Z -o whole.exr
  part -o light.exr
  part -o light.png
  "$LBRENDER" -q --merge a.part b.part --channels=Z -o joined.exr
  cmp whole.exr joined.exr
  "$LBRENDER" -q --merge a.part b.part --channels=rgb -o joined.exr
  cmp light.exr joined.exr
  "$LBRENDER" -q --merge a.part b.part -o joined.png
  cmp light.png joined.png
  run part --channels=Z --resume=a.part -v -o resumed.exr
  ended 0
  cmp whole.exr resumed.exr
  run "$LBRENDER" --no-cache --resolution=60x40 --spp=16 -v --channels=Z --resume=a.part -o resumed.exr "$SAMPLES/room.pbrt"
  ended 0 "a.part: its channels that are not asked for are left out"
  rm -f joined.exr resumed.exr
  run part --channels=Z,albedo --resume=a.part -o resumed.exr
  ended 1 'a.part has no sums of "all": it was made without that channel'
  run part --channels=Z,N --channel-space=world --resume=a.part -o resumed.exr
  ended 1 "a.part has not the channels of this picture: its positions and normals are of the camera's space, not the world's"
  part --part=plain.part --share=1/2
  run "$LBRENDER" --merge plain.part b.part -o joined.exr
  ended 1 "b.part has not the channels of plain.part: it has sums of cover Z N around, not of around"
  run "$LBRENDER" --merge b.part plain.part --channels=Z -o joined.exr
  ended 1 'plain.part has no sums of "cover": it was made without that channel'
  run "$LBRENDER" --merge a.part b.part --transparent -o joined.exr
  ended 1 "a.part: it was made without --transparent"
  run "$LBRENDER" --merge a.part b.part --channels=Z -o joined.pfm
  ended 2 "PFM files have no room for them"
  [ ! -e joined.exr ]
  [ ! -e resumed.exr ]
  "$LBRENDER" -q --merge plain.part b.part --channels=rgb -o joined.exr
  cmp light.exr joined.exr
}

@test "channels: a part without them has version 1, and one with them says which it has" {
  part --part=a.part -o none --around=no
  part --part=b.part -o none --channels=Z,samples --transparent --channel-space=world
  [ "$(od -An -tu4 -j8 -N4 a.part)" -eq 1 ]
  [ "$(od -An -tu4 -j8 -N4 b.part)" -eq 2 ]
  run "$LBRENDER" --describe a.part b.part
  ended 0 "channels in 7 sums a pixel, of the world's space: all cover background Z samples"
  ended 0 "files have Z,samples, and are transparent"
  "$LBRENDER" --describe --report-format=json a.part b.part | jq -c '[.channels.sums, .channels.outputs, .channels.space]' >said
  [ "$(cat said)" = $'[null,null,null]\n[7,"Z,samples","world"]' ]
}

@test "channels: a film \"gbuffer\" has its own in parts, too" {
  sed 's/^Film .*/Film "gbuffer" "integer xresolution" 30 "integer yresolution" 20/' "$SAMPLES/room.pbrt" >view.pbrt
  grep -q gbuffer view.pbrt
  make() { "$LBRENDER" -q --no-cache --spp=4 "$@" view.pbrt; }
  make -o whole.exr
  make -o light.exr --channels=rgb --around=no # as with the channels of differences
  differ whole.exr light.exr
  for i in 1 2; do make --share=$i/2 --part=$i.part; done
  "$LBRENDER" -q --merge 1.part 2.part -o joined.exr
  cmp whole.exr joined.exr
  make --resume=1.part --checkpoint=state.part -o resumed.exr
  cmp whole.exr resumed.exr
  make --share=1/2 --checkpoint=state.part
  "$LBRENDER" -q --merge state.part 2.part -o joined.exr
  cmp whole.exr joined.exr
  make --resume=1.part --channels=rgb -o resumed.exr
  cmp light.exr resumed.exr
}

@test "channels: a finished picture takes more samples" {
  part --spp=64 --channels=$ALL --part=less.part -o none
  part --spp=80 --channels=$ALL -o whole.exr
  part --spp=80 --channels=$ALL --resume=less.part -o more.exr
  cmp whole.exr more.exr
  # Without textures a few samples are enough, except for dz, which depends on the footprints that textures would be filtered by.
  printf 'Film "rgb" "integer xresolution" 20 "integer yresolution" 20 Camera "perspective" WorldBegin\n' >view.pbrt
  printf 'LightSource "infinite" Translate 0 0 3 Shape "sphere"\n' >>view.pbrt
  "$LBRENDER" -q --spp=8 --channels=Z,uv,N --part=less.part -o none view.pbrt
  "$LBRENDER" -q --spp=16 --channels=Z,uv,N --resume=less.part -o more.exr view.pbrt
  "$LBRENDER" -q --spp=16 --channels=Z,uv,N -o whole.exr view.pbrt
  cmp whole.exr more.exr
  "$LBRENDER" -q --spp=8 --channels=dz --part=less.part -o none view.pbrt
  run "$LBRENDER" -q --spp=16 --channels=dz --resume=less.part -o more.exr view.pbrt
  ended 1 "--spp 16 with --samples 0:8"
}

@test "samples are not added where textures would show more detail then" {
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

@test "options for parts are refused where they make no sense" {
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

@test "pictures that are divided and joined at random have the same bytes" {
  LB_STOPS=${LB_STOPS:-2} run timeout 600 python3 "$ROOT/test/stops.py" merges
  ended 0 "the same bytes"
}

# Starts a render of some seconds on a null device in the background, and waits until it is at work.
slow() {
  : >err
  "$LBRENDER" --no-cache --progress=lines --devices=2*null:speed=4000 --spp=40 "$@" view.pbrt 2>err &
  child=$!
  await grep -q progress err
}

@test "SIGUSR1 writes the state and the picture so far, and the render goes on" {
  scene >view.pbrt
  slow -o out.png --checkpoint=state.part,1000
  kill -USR1 $child
  await test -e out.partial.png
  [ -e state.part ]
  [ ! -e out.png ]
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

@test "a signal leaves the state in a part, from which the same command goes on" {
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

@test "the state is written as often as asked, and a failure to write it does not cost the picture" {
  scene >view.pbrt
  slow -o out.png --checkpoint=state.part,0.05
  await test -e state.part
  kill -KILL $child
  status=0
  wait $child || status=$?
  [ $status -eq 137 ]
  run "$LBRENDER" --no-cache --spp=40 -o out.png --resume=state.part --strategy=naive -t 3 view.pbrt
  ended 0 "wrote out.png"
  "$LBRENDER" -q --spp=40 -o whole.png view.pbrt
  cmp out.png whole.png
}

@test "the passes of a large still grow, and a stop leaves a whole picture of fewer samples" {
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
  [ "$n" -gt 10 ]
  [ "$n" -lt 400 ]
  "$LBRENDER" -q --spp=100000 --samples=0:"$n" --part=same.part -o same.pfm view.pbrt
  cmp limited.pfm same.pfm
  cmp limited.part same.part
  run "$LBRENDER" --no-cache --spp=100000 --noise-target=0.02 -o quiet.pfm view.pbrt
  ended 0 "noise 0.0"
  n=$(grep -oE 'note: [0-9]+ of' <<<"$output" | grep -oE '[0-9]+')
  [ "$n" -lt 100000 ]
  "$LBRENDER" -q --spp=100000 -t 1 --strategy=naive --noise-target=0.02 -o again.pfm view.pbrt
  cmp quiet.pfm again.pfm
  # What is left is said by what will end the frame first.
  run "$LBRENDER" --no-cache --progress=lines --spp=100000 --devices=null:speed=100000 --time-limit=4 -o none view.pbrt
  said=$(grep -oE 'elapsed 1\.[0-9] s left [0-9.]+' <<<"$output" | head -n 1 | grep -oE '[0-9.]+$')
  python3 -c "assert 1.5 < $said < 3.2, $said"
  run "$LBRENDER" --no-cache --progress=lines --spp=100000 --devices=null:speed=100000 --noise-target=0.05 -o none view.pbrt
  grep -qE '^progress [0-9.]+ % elapsed [^l]+ left [0-9][^n]* noise 0\.[0-9]+ of 0\.05$' <<<"$output"
  run "$LBRENDER" --passes=2 --time-limit=1 view.pbrt
  ended 2 "the passes grow by themselves"
  run "$LBRENDER" --compare --time-limit=1 view.pbrt
  ended 2 "no picture is rendered"
}

@test "joining and describing warn of options that they have no use for" {
  part --part=a.part -o none
  run "$LBRENDER" --merge a.part --spp=9 --report=r.json --task-size=4 --strategy=pool -o a.png
  for option in spp report task-size strategy; do ended 0 "--$option has no effect"; done
  [ ! -e r.json ]
  run "$LBRENDER" --merge a.part --bits=8 --format=png --exposure=1 --tone-map=aces -t 2 -o a.png
  ended 0
  [[ "$output" != *effect* ]]
  run "$LBRENDER" --describe a.part --channels=Z --resume=a.part
  for option in channels resume; do ended 0 "--$option has no effect: parts are described"; done
  run "$LBRENDER" --merge a.part --partial --bits=16 --part=b.part
  for option in partial bits; do ended 0 "--$option has no effect: no picture is written"; done
  cmp a.part b.part
  run part --channels=Z --format=exr -o none
  run "$LBRENDER" --no-cache --resolution=8x6 --spp=1 --channels=Z --format=exr -o none "$SAMPLES/room.pbrt"
  for option in channels format; do ended 0 "--$option has no effect: no picture is written"; done
}

@test "where nothing is left to render, a warning tells of missing maps, and reports are empty" {
  part --part=a.part -o none
  run "$LBRENDER" --no-cache --resolution=60x40 --spp=16 -v --resume=a.part --cost-map=c.png --partition-map=p.png --report=r.html \
    --trace=t.json -o a.png "$SAMPLES/room.pbrt"
  ended 0 "lbrender: nothing is left to render"
  ended 0 "warning: nothing was left to render: there is no map of it"
  [ ! -e c.png ]
  [ ! -e p.png ]
  [ -e r.html ]
  [ -e t.json ]
}

@test "--resume of a pipe is an error at once" {
  mkfifo pipe
  run timeout 20 "$LBRENDER" -q --resume=pipe --part=x.lbpart -o none "$SAMPLES/room.pbrt"
  ended 1 "pipe"
}
