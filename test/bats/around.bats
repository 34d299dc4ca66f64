# --around: samples count for the pixels around, whose filters reach them, too.
load common

ROOM="--no-cache --guiding=no --resolution=48x32 $SAMPLES/room.pbrt"

# Prints the mean square difference of two PFM files over the square of the first's mean.
difference() {
  python3 - "$@" <<'END'
import array, sys
def read(path):
    file = open(path, "rb")
    [file.readline() for line in range(3)]
    return array.array("f", file.read())
one, other = read(sys.argv[1]), read(sys.argv[2])
mean = sum(one) / len(one)
print(sum((a - b) ** 2 for a, b in zip(one, other)) / len(one) / mean ** 2)
END
}

# An even sky in $1 x $2 pixels of one sample, and little before it.
sky() {
  printf '%s\n' 'Camera "perspective"' "Film \"rgb\" \"integer xresolution\" $1 \"integer yresolution\" $2" 'Sampler "independent" "integer pixelsamples" 1' \
    'Integrator "path" "integer maxdepth" 0' WorldBegin 'LightSource "infinite"' 'Translate 0 0 5' 'Shape "sphere"'
}

@test "the picture is the same, and its noise less than two thirds" {
  "$LBRENDER" -q --around=no --spp=4096 --seed=7 -o right.pfm $ROOM
  for spp in 1 4 16; do
    "$LBRENDER" -q --around=no --spp=$spp -o own.pfm $ROOM
    "$LBRENDER" -q --spp=$spp -o around.pfm $ROOM
    echo "$spp $(difference right.pfm own.pfm) $(difference right.pfm around.pfm)" >noise
    awk '{ print; exit !($3 < $2 * 2 / 3 && $3 > 0) }' noise
  done
  "$LBRENDER" -q --spp=4096 -o around.pfm $ROOM
  difference right.pfm around.pfm >noise
  awk '{ print; exit !($1 < 2e-4) }' noise
}

@test "without it, with a filter as narrow as a pixel, or where own samples are wanted, pixels have their own alone" {
  "$LBRENDER" -q --around=no --spp=4 -o own.pfm $ROOM
  "$LBRENDER" -q --spp=4 -o around.pfm $ROOM
  differ own.pfm around.pfm
  "$LBRENDER" -q --around=always --spp=4 -o always.pfm $ROOM
  cmp around.pfm always.pfm
  # Channels of surfaces go along with it.
  "$LBRENDER" -q --spp=4 --bits=32 -o all.exr --channels=albedo,Z,N $ROOM
  "$LBRENDER" -q --spp=4 --bits=32 -o plain.exr $ROOM
  "$LBRENDER" -q --spp=4 --channels=albedo,Z,N --part=all.part -o none $ROOM
  "$LBRENDER" -q --merge --channels=rgb -o merged.pfm all.part
  cmp around.pfm merged.pfm
  for asked in --channels=variance,albedo --channels=lightgroups --transparent; do
    "$LBRENDER" -q --spp=4 $asked --part=own.part -o none --around=no $ROOM
    "$LBRENDER" -q --spp=4 $asked --part=asked.part -o none $ROOM
    for part in own asked; do "$LBRENDER" -q --merge $asked --bits=32 --format=exr -o $part.exr $part.part; done
    cmp own.exr asked.exr
    run "$LBRENDER" --spp=4 $asked --part=asked.part -o none --around=always $ROOM
    ended 0 "--around has no effect: channels or adaptive sampling want pixels of their own samples alone"
  done
  sed 's/^WorldBegin/PixelFilter "box"\n&/' "$SAMPLES/room.pbrt" >box.pbrt
  grep -q PixelFilter box.pbrt
  for asked in no auto always; do "$LBRENDER" --around=$asked --no-cache --guiding=no --resolution=48x32 --spp=4 -o $asked.pfm box.pbrt 2>$asked.said; done
  cmp no.pfm auto.pfm
  cmp no.pfm always.pfm
  no_line around auto.said
  grep -q "around has no effect: no pixel's filter reaches others" always.said
  for asked in no auto always; do "$LBRENDER" --around=$asked --no-cache --resolution=48x32 --spp=4 -o $asked.pfm "$SAMPLES/mandelbrot.pbrt" 2>$asked.said; done
  cmp no.pfm auto.pfm
  cmp no.pfm always.pfm
  no_line around auto.said
  grep -q 'around has no effect: it is not for the integrator "mandelbrot"' always.said
}

@test "the same bytes from processors, passes, parts of pixels and of samples, and other hosts" {
  "$LBRENDER" -q -t 1 --spp=8 -o right.pfm $ROOM
  for how in "-t 3 --strategy=bitrev" "-t 2 --strategy=scatter --passes=3" "--devices=wave,cpu:1 --strategy=pool" "-t 64 --strategy=steal"; do
    "$LBRENDER" -q $how --spp=8 -o out.pfm $ROOM
    cmp right.pfm out.pfm
  done
  for isa in $(isas); do
    "$LBRENDER" -q --isa=$isa --spp=8 -o out.pfm $ROOM
    cmp right.pfm out.pfm
  done
  # Shares of single pixels: every neighbor is in another part.
  for i in 1 2 3; do "$LBRENDER" -q --spp=8 --share=$i/3 --strategy=scatter --part=$i.part -o none $ROOM; done
  "$LBRENDER" -q --merge -o out.pfm 2.part 3.part 1.part
  cmp right.pfm out.pfm
  "$LBRENDER" -q --spp=8 --samples=3:8 --part=late.part -o none $ROOM
  "$LBRENDER" -q --spp=8 --samples=0:3 --part=soon.part -o none $ROOM
  "$LBRENDER" -q --merge -o out.pfm soon.part late.part
  cmp right.pfm out.pfm
  "$LBRENDER" -q --spp=8 --resume=1.part -o out.pfm $ROOM
  cmp right.pfm out.pfm
  # What fails is rendered again by others, once.
  "$LBRENDER" -q --spp=8 --devices='cpu:1,2*null:fail=0.3,code=cpu' --strategy=pool -o out.pfm $ROOM || [ $? -eq 3 ]
  cmp right.pfm out.pfm
  timeout 60 "$LBRENDER" --serve=tcp://127.0.0.1:0 --hosts=1 --patience=20 --devices=host --spp=8 -o host.pfm $ROOM 2>said.txt 3>&- &
  await grep -qE 'tcp://[^ ]+:[0-9]+' said.txt
  timeout 60 "$LBRENDER" --join="$(grep -oE 'tcp://[^ ]+:[0-9]+' said.txt)" -q --devices=cpu:1,wave 3>&-
  wait
  cmp right.pfm host.pfm
}

@test "a part is gone on with as it was begun, and does not join others" {
  "$LBRENDER" -q --spp=4 --share=1/2 --part=around.part -o none $ROOM
  "$LBRENDER" -q --spp=4 --share=1/2 --part=own.part --around=no -o none $ROOM
  "$LBRENDER" -q --spp=4 -o around.pfm $ROOM
  "$LBRENDER" -q --spp=4 --around=no -o own.pfm $ROOM
  for how in around own; do
    "$LBRENDER" -q --spp=4 --resume=$how.part -o out.pfm $ROOM
    cmp $how.pfm out.pfm
    "$LBRENDER" -q --spp=4 --resume=$how.part --devices=wave -o out.pfm $ROOM
    cmp $how.pfm out.pfm
  done
  rm out.pfm
  run "$LBRENDER" --spp=4 --resume=around.part --around=no -o out.pfm $ROOM
  ended 1 "around.part: its samples count for the pixels around, too (--around)"
  run "$LBRENDER" --spp=4 --resume=own.part --around=always -o out.pfm $ROOM
  ended 1 'own.part has no sums of "around": it was made without that channel'
  "$LBRENDER" -q --spp=4 --share=2/2 --part=rest.part -o none $ROOM
  run "$LBRENDER" --merge -o out.pfm own.part rest.part
  ended 1 "has not the channels of"
  [ ! -e out.pfm ]
}

@test "a crop has the pixels of the whole picture, but for those at its edges" {
  "$LBRENDER" -q --spp=4 -o whole.pfm $ROOM
  "$LBRENDER" -q --spp=4 --pixelbounds=10,40,5,30 -o crop.pfm $ROOM
  python3 - <<'END'
def rows(name):
    file = open(name, "rb")
    file.readline()
    width, height = map(int, file.readline().split())
    file.readline()
    return [file.read(12 * width) for row in range(height)][::-1]
whole, crop = rows("whole.pfm"), rows("crop.pfm")
assert len(crop) == 25 and len(crop[0]) == 12 * 30
assert [row[12:-12] for row in crop[1:-1]] == [row[12 * 11:12 * 39] for row in whole[6:29]]
assert crop[0] != whole[5][12 * 10:12 * 40]
END
}

@test "large pictures do so where that is asked for" {
  sky 2048 1025 >large.pbrt
  sky 2048 1024 >small.pbrt
  for size in small large; do
    for asked in no auto always; do "$LBRENDER" -q --no-cache --around=$asked -o $size-$asked.pfm $size.pbrt; done
  done
  cmp large-no.pfm large-auto.pfm
  differ large-no.pfm large-always.pfm
  cmp small-auto.pfm small-always.pfm
  differ small-no.pfm small-auto.pfm
}
