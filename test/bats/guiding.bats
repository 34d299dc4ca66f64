# --guiding: before the picture paths learn where light comes from, and the picture is the same bytes, whoever renders it.
load common

ROOM="--guiding=always --spp=16 --resolution=48x32 $SAMPLES/room.pbrt"

# A room that is lit by the sky through a slit, or with $1 by a lamp at its ceiling.
slit() {
  cat <<'END'
LookAt 0 1 1.9  0 1 0  0 1 0
Camera "perspective" "float fov" 80
Sampler "zsobol" "integer pixelsamples" 32
Film "rgb" "integer xresolution" 160 "integer yresolution" 120
WorldBegin
END
  case $1 in
    sky) echo 'LightSource "infinite" "rgb L" [1 1 1]' ;;
    lamp) echo 'AttributeBegin AreaLightSource "diffuse" "rgb L" [9 9 9] Translate 0 1.98 0 Rotate 90 1 0 0 Shape "disk" "float radius" .5 AttributeEnd' ;;
  esac
  # What the lamp lights directly has nothing to learn: little of its light is scattered twice.
  [ "$1" = sky ] && echo 'Material "diffuse" "rgb reflectance" [.6 .6 .6]' || echo 'Material "diffuse" "rgb reflectance" [.1 .1 .1]'
  cat <<'END'
Shape "trianglemesh" "integer indices" [0 1 2 0 2 3 4 5 6 4 6 7 0 1 5 0 5 4 3 2 6 3 6 7 0 3 7 0 7 4]
 "point3 P" [-2 0 -2 2 0 -2 2 0 2 -2 0 2 -2 2 -2 2 2 -2 2 2 2 -2 2 2]
Shape "trianglemesh" "integer indices" [0 1 2 0 2 3 4 5 6 4 6 7]
 "point3 P" [2 0 -2 2 0 2 2 .9 2 2 .9 -2  2 1.1 -2 2 1.1 2 2 2 2 2 2 -2]
END
}

@test "every strategy and number of threads gives the same guided picture" {
  "$LBRENDER" -q --no-cache -t 1 --strategy=naive -o right.pfm $ROOM
  for strategy in $(strategies); do
    for threads in 1 3; do
      echo "$strategy $threads"
      "$LBRENDER" -q --no-cache -t $threads --strategy=$strategy -o out.pfm $ROOM
      cmp right.pfm out.pfm
    done
  done
  for threads in 8 64; do
    "$LBRENDER" -q --no-cache -t $threads --strategy=steal -o out.pfm $ROOM
    cmp right.pfm out.pfm
  done
}

@test "every instruction set gives the same guided picture" {
  "$LBRENDER" -q --no-cache -t 2 --isa=portable -o right.pfm $ROOM
  for isa in $(isas); do
    "$LBRENDER" -q --no-cache -t 3 --isa=$isa -o out.pfm $ROOM
    cmp right.pfm out.pfm
  done
}

@test "the pipeline of GPUs gives the same guided picture" {
  "$LBRENDER" -q --no-cache -t 2 -o right.pfm $ROOM
  for devices in wave cpu:1,wave; do
    "$LBRENDER" -q --no-cache --devices=$devices --strategy=steal -o out.pfm $ROOM
    cmp right.pfm out.pfm
  done
  FAKE_CUDA="devices=2" FAKE_CUDA_LOG=$PWD/log "$FAKE" -q --no-cache --devices=cpu:1,cuda -o out.pfm $ROOM
  cmp right.pfm out.pfm
  # Where glass, interfaces and textures are about as well.
  for scene in materials instances; do
    MORE="--guiding=always --spp=8 --resolution=32x24 $ROOT/test/scenes/$scene.pbrt"
    "$LBRENDER" -q --no-cache -o right.pfm $MORE
    "$LBRENDER" -q --no-cache -o plain.pfm $MORE --guiding=no
    differ right.pfm plain.pfm
    "$LBRENDER" -q --no-cache --devices=wave -o out.pfm $MORE
    cmp right.pfm out.pfm
  done
}

@test "other hosts are guided by what the first has learned" {
  ldd "$LBRENDER" | grep -q libzmq || skip "built without libzmq"
  "$LBRENDER" -q --no-cache -o right.pfm $ROOM
  timeout 60 "$LBRENDER" --serve=tcp://127.0.0.1:0 --hosts=1 --patience=20 --no-cache --devices=host -o out.pfm $ROOM 2>said.txt 3>&- &
  primary=$!
  await grep -qE 'tcp://[^ ]+:[0-9]+' said.txt
  timeout 60 "$LBRENDER" --join="$(grep -oE 'tcp://[^ ]+:[0-9]+' said.txt)" -q --devices=cpu:1,wave 3>&-
  wait "$primary"
  cmp right.pfm out.pfm
}

@test "parts of a guided picture join, and it is gone on with as it was begun" {
  "$LBRENDER" -q --no-cache -o right.pfm $ROOM
  for share in 1 2; do
    "$LBRENDER" -q --no-cache --share=$share/2 --part=$share.lbpart -o none $ROOM
  done
  "$LBRENDER" --merge -q -o out.pfm 1.lbpart 2.lbpart
  cmp right.pfm out.pfm
  "$LBRENDER" -q --no-cache --samples=0:5 --part=few.lbpart -o none $ROOM
  "$LBRENDER" -q --no-cache --resume=few.lbpart -o out.pfm $ROOM
  cmp right.pfm out.pfm
  # What was not guided does not join.
  "$LBRENDER" -q --no-cache --share=2/2 --part=plain.lbpart -o none $ROOM --guiding=no
  run "$LBRENDER" --merge -q -o none 1.lbpart plain.lbpart
  ended 1 "paths that its guide has learned from (--guiding) are"
}

@test "a picture with more samples than before keeps its guide, or that it has none" {
  slit sky >sky.pbrt
  small="--resolution=80x60 sky.pbrt"
  for samples in 16 64; do
    "$LBRENDER" -q --no-cache --guiding --spp=64 --samples=0:$samples --part=$samples.lbpart -o none $small
    "$LBRENDER" -q --no-cache --spp=128 --resume=$samples.lbpart --part=whole.lbpart -o $samples.pfm $small
  done
  cmp 16.pfm 64.pfm
  [ "$("$LBRENDER" --describe --report-format=json whole.lbpart | jq .guided)" -gt 0 ]
  "$LBRENDER" -q --no-cache --spp=32 --part=few.lbpart -o none $small
  "$LBRENDER" -q --no-cache --guiding --spp=128 --resume=few.lbpart -o out.pfm $small
  "$LBRENDER" -q --no-cache --guiding=no --spp=128 -o plain.pfm $small
  cmp out.pfm plain.pfm
  differ out.pfm 16.pfm
}

@test "a guided crop is that part of the guided picture, and passes and adaptive samples are guided, too" {
  "$LBRENDER" -q --no-cache -o whole.pfm $ROOM
  "$LBRENDER" -q --no-cache --pixelbounds=8,40,4,28 -o crop.pfm $ROOM
  python3 - <<'END'
def rows(path):
    with open(path, "rb") as file:
        file.readline()
        width, height = map(int, file.readline().split())
        file.readline()
        return [file.read(12 * width) for _ in range(height)][::-1]
whole, crop = rows("whole.pfm"), rows("crop.pfm")
# At the crop's edges there are no samples of the pixels beyond.
assert [row[12:-12] for row in crop[1:-1]] == [row[12 * 9:12 * 39] for row in whole[5:27]]
END
  "$LBRENDER" -q --no-cache --passes=3 -o out.pfm $ROOM
  cmp whole.pfm out.pfm
  "$LBRENDER" -q --no-cache --adaptive --spp=32 -o adaptive.pfm $ROOM --spp=32
  "$LBRENDER" -q --no-cache --adaptive --devices=wave -o out.pfm $ROOM --spp=32
  cmp adaptive.pfm out.pfm
}

# Prints the mean square of the difference of two pictures' blocks of 8 x 8 pixels, over that of the second picture's.
blocks_of() {
  python3 - "$@" <<'END'
import array, sys
def read(path):
    with open(path, "rb") as file:
        file.readline()
        width, height = map(int, file.readline().split())
        file.readline()
        values = array.array("f", file.read())
    sums = {}
    for i, value in enumerate(values):
        x, y = i // 3 % width, i // 3 // width
        sums[x // 8, y // 8] = sums.get((x // 8, y // 8), 0) + value / 192
    return sums
one, other = read(sys.argv[1]), read(sys.argv[2])
print(sum((one[at] - other[at]) ** 2 for at in one) / sum(value ** 2 for value in other.values()))
END
}

@test "guided light is the same with light groups and without" {
  "$LBRENDER" -q --no-cache --around=no -o right.exr --bits=32 --compression=none $ROOM
  for isa in $(isas); do
    "$LBRENDER" -q --no-cache --isa=$isa --channels=lightgroups --bits=32 --compression=none -o groups.exr $ROOM
    python3 - "$ROOT" <<'END'
import sys
sys.path.insert(0, sys.argv[1] + "/test")
import exr
right, groups = exr.read("right.exr")[2], exr.read("groups.exr")[2]
assert any(name.endswith(".R") for name in groups) and all(right[name] == groups[name] for name in "RGB")
END
  done
}

@test "guided paths bring the light that others bring" {
  ROOM="--spp=256 --resolution=48x32 $SAMPLES/room.pbrt"
  "$LBRENDER" -q --no-cache -o one.pfm $ROOM
  "$LBRENDER" -q --no-cache --seed=2 -o two.pfm $ROOM
  "$LBRENDER" -q --no-cache --guiding=always -o guided.pfm $ROOM
  run cmp -s one.pfm guided.pfm
  [ "$status" -eq 1 ]
  chance=$(blocks_of two.pfm one.pfm)
  found=$(blocks_of guided.pfm one.pfm)
  echo "other seed $chance, guided $found"
  awk -v found="$found" -v chance="$chance" 'BEGIN { exit !(found < 3 * chance) }'
}

@test "a trial finds out where guiding pays, the same whoever renders it" {
  for light in sky lamp; do
    slit $light >$light.pbrt
    "$LBRENDER" --no-cache -t 1 --strategy=naive --guiding -o $light.pfm $light.pbrt 2>$light.txt
    "$LBRENDER" --no-cache -t 3 --strategy=steal --isa=portable --guiding=trial -o other.pfm $light.pbrt 2>other.txt
    diff <(grep -o 'guiding: .*guided' $light.txt) <(grep -o 'guiding: .*guided' other.txt)
    cmp $light.pfm other.pfm
  done
  cat sky.txt lamp.txt
  grep 'guiding: in the trial samples had \(1\.[5-9]\|[23]\)[.0-9]* times the variance without it that they have with it, at 1\.[2-4][0-9]* times the cost: paths are guided' sky.txt
  grep 'guiding: in the trial samples had \(0\.[5-9]\|1\.[0-3]\)[0-9]* times the variance without it that they have with it, at 1\.[2-4][0-9]* times the cost: it does not pay, and paths are not guided' lamp.txt
  "$LBRENDER" -q --no-cache --guiding=no -o plain.pfm lamp.pbrt
  cmp lamp.pfm plain.pfm
}

@test "large pictures are guided where it pays though nobody asks, and small ones are not" {
  slit sky >sky.pbrt
  "$LBRENDER" --no-cache --spp=52 -o auto.pfm sky.pbrt 2>said.txt
  grep "paths are guided" said.txt
  "$LBRENDER" -q --no-cache --spp=52 --guiding -o trial.pfm sky.pbrt
  cmp auto.pfm trial.pfm
  "$LBRENDER" --no-cache --spp=50 -o auto.pfm sky.pbrt 2>said.txt
  no_line guiding said.txt
  "$LBRENDER" -q --no-cache --spp=50 --guiding=no -o plain.pfm sky.pbrt
  cmp auto.pfm plain.pfm
}

@test "a trial takes an eighth of the paths at most: with fewer there is none" {
  slit sky >sky.pbrt
  "$LBRENDER" --no-cache --spp=10 --guiding -o trial.pfm sky.pbrt 2>said.txt
  grep "guiding: too few samples for a trial, paths are not guided" said.txt
  "$LBRENDER" -q --no-cache --spp=10 -o plain.pfm sky.pbrt
  cmp trial.pfm plain.pfm
  run "$LBRENDER" -q --no-cache --guiding=often -o none sky.pbrt
  ended 2 '--guiding needs auto, trial, always or no, not "often"'
}

# The program refuses --guiding with the options from $2 on, and says $1.
refuses() {
  local said=$1
  shift
  run "$LBRENDER" -q --no-cache -o none $ROOM "$@"
  echo "$output"
  [ "$status" -eq 2 ]
  [[ "$output" == *"$said"* ]]
}

@test "what cannot be guided is refused, and rendered where nobody asks for a guide" {
  refuses "wavelengths" --spectral
  ROOM="--guiding $SAMPLES/mandelbrot.pbrt"
  refuses "follows no paths"
  "$LBRENDER" -q --no-cache --spp=4 --resolution=600x500 -o none "$SAMPLES/mandelbrot.pbrt"
}
