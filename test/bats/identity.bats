# The picture is the same bytes, whoever renders it and however the work is divided.
load common

# Renders with every strategy and the options $@, and compares all pictures with right.png.
race() {
  local strategy
  for strategy in $(strategies); do
    echo "$strategy $*"
    "$LBRENDER" -q --strategy=$strategy -o out.png "$@"
    cmp right.png out.png
  done
}

@test "every strategy, number of threads, curve and number of passes gives the same bytes" {
  room="--resolution=37x23 --spp=3 $SAMPLES/room.pbrt"
  "$LBRENDER" -q -t 1 --strategy=naive -o right.png $room
  turn=0
  for threads in 1 2 3 7 16; do
    for passes in 1 2; do
      curve=$([ $((turn++ % 2)) = 0 ] && echo rows || echo hilbert)
      race -t $threads --passes=$passes --curve=$curve $room
    done
  done
}

@test "all weights give the same bytes" {
  scene >view.pbrt
  "$LBRENDER" -q -t 1 -o right.png view.pbrt
  race --weights=1 view.pbrt
  race --weights=0.1,0.15,0.25,0.5 view.pbrt
  race --weights=1e-9,1,3,1e9,1,1,1 view.pbrt
  race --weights=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --curve=hilbert --passes=3 view.pbrt
}

@test "every instruction set gives the same bytes, on every sample" {
  for sample in "$SAMPLES"/*.pbrt; do
    "$LBRENDER" -q -t 1 --isa=portable --resolution=40x40 --spp=2 -o right.png "$sample"
    for isa in $(isas); do
      echo "$sample $isa"
      "$LBRENDER" -q -t 2 --isa=$isa --resolution=40x40 --spp=2 -o out.png "$sample"
      cmp right.png out.png
    done
  done
}

@test "trees, passes and tasks of any size give the same bytes" {
  room="--resolution=37x23 --spp=5 $SAMPLES/room.pbrt"
  "$LBRENDER" -q -o right.png $room
  for options in --bvh-quality=high --passes=5 --passes=7 --region-size=1 --region-size=100000 --task-size=1 \
    "--task-size=100000 --strategy=pool" "--order=tiles --strategy=pool" "--order=reversed --strategy=pool --task-size=7" \
    "--region-size=3 --strategy=bitrev --curve=hilbert" "--region-size=1 --strategy=bitrev -t 16"; do
    echo "$options"
    "$LBRENDER" -q $options -o out.png $room
    cmp right.png out.png
  done
}

@test "pictures that are smaller than any task have the same bytes" {
  scene >view.pbrt
  for size in 1x1 1x7 7x1 2x2 3x5; do
    "$LBRENDER" -q -t 1 --resolution=$size -o right.png view.pbrt
    race -t 16 --resolution=$size --passes=2 view.pbrt
  done
}

@test "well-known scenes have the same bytes" {
  local data=$ROOT/../shared/data/scenes name
  needs_data
  for name in cornell-box coffee staircase2; do
    small="--resolution=30x30 --spp=2 $data/$name/$name.pbrt"
    "$LBRENDER" -q -t 1 --strategy=naive --isa=portable -o right.png $small
    race -t 3 --passes=2 $small
  done
}
