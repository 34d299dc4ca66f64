# --guiding: paths learn where light comes from, and the picture is the same bytes, whoever renders it.
load common

ROOM="--guiding=always --spp=16 --resolution=48x32 $SAMPLES/room.pbrt"

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

@test "a trial finds out where guiding pays, the same whoever renders it" {
  for light in sky lamp; do
    slit $light >$light.pbrt
    "$LBRENDER" --no-cache -t 1 --strategy=naive --guiding --report=$light.json -o $light.pfm $light.pbrt 2>$light.txt
    "$LBRENDER" --no-cache -t 3 --strategy=steal --isa=portable --guiding=trial -o other.pfm $light.pbrt 2>other.txt
    diff <(grep guiding: $light.txt) <(grep guiding: other.txt)
    cmp $light.pfm other.pfm
  done
  cat sky.txt lamp.txt
  grep 'guiding: in the trial samples had \(1\.[5-9]\|[23]\)[.0-9]* times the variance without it that they have with it, at 1\.[2-4][0-9]* times the cost: paths were guided' sky.txt
  grep 'guiding: in the trial samples had \(0\.[5-9]\|1\.[01]\)[0-9]* times the variance without it that they have with it, at 1\.[2-4][0-9]* times the cost: it does not pay, and paths were not guided' lamp.txt
  # 1, 1, 1, 3, 6, 12 and 8 samples, and without a guide 1, 1, 1 and the rest.
  [ "$(jq '.frames[0].passes | length' sky.json)" -eq 7 ]
  [ "$(jq '.frames[0].passes | length' lamp.json)" -eq 4 ]
}

@test "a trial takes a quarter of the samples at most: with fewer there is none" {
  slit sky >sky.pbrt
  "$LBRENDER" --no-cache --spp=11 --guiding -o trial.pfm sky.pbrt 2>said.txt
  grep "guiding: too few samples for a trial, paths were not guided" said.txt
  "$LBRENDER" -q --no-cache --spp=11 -o plain.pfm sky.pbrt
  cmp trial.pfm plain.pfm
  run "$LBRENDER" -q --no-cache --guiding=often -o none sky.pbrt
  ended 2 '--guiding needs trial or always, not "often"'
}

@test "a guided frame has passes that double" {
  "$LBRENDER" -q --no-cache --report=passes.json -o none $ROOM
  [ "$(jq '.frames[0].passes | length' passes.json)" -eq 5 ]
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

@test "what cannot be guided is refused" {
  refuses "--guiding and --adaptive" --adaptive
  refuses "--guiding and --passes" --passes=2
  refuses "--guiding and --part" --part=x.lbpart
  refuses "--guiding and --serve" --serve=tcp://127.0.0.1:0 --insecure
  refuses "for CPU threads, not for wave0" --devices=cpu:1,wave
  refuses "wavelengths" --spectral
  ROOM="--guiding $SAMPLES/mandelbrot.pbrt"
  refuses "follows no paths"
}
