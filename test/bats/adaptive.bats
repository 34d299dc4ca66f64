# --adaptive: samples go where the picture is noisy, and the picture is the same bytes, whoever renders it.
load common

ROOM="--adaptive --spp=16 --resolution=48x32 --compression=none --channels=samples $SAMPLES/room.pbrt"

@test "every strategy, number of threads and kind of processor gives the same adaptive picture" {
  "$LBRENDER" -q --no-cache -t 1 --strategy=naive -o right.exr $ROOM
  for strategy in $(strategies); do
    for processors in --threads=3 --devices=cpu:1,wave "--devices=null:fail=0.3,cpu:2 --weights=9,1,1"; do
      echo "$strategy $processors"
      run "$LBRENDER" -q --no-cache --strategy=$strategy $processors -o out.exr $ROOM
      [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
      cmp right.exr out.exr
    done
  done
}

# Prints the number of passes of an adaptive frame with the options $@.
passes_of() {
  "$LBRENDER" -q --no-cache -t 3 --report=passes.json -o none "$@" $ROOM
  jq '.frames[0].passes | length' passes.json
}

@test "dynamic strategies render in two passes, by births, what static ones render in a pass for each number of samples" {
  static=$(passes_of --strategy=bitrev)
  [ "$static" -ge 8 ] # two rounds, and more than half of the eleven numbers
  for strategy in auto steal push pool hierarchical peers hybrid; do
    echo "$strategy"
    [ "$(passes_of --strategy=$strategy)" -eq 2 ]
  done
  # A cost map, whose costs are added up, and costs by births are the same.
  for strategy in auto bitrev; do
    "$LBRENDER" -q --no-cache -t 3 --strategy=$strategy --cost-map=$strategy.pfm --partition-map=$strategy.png --trace=$strategy.json -o none $ROOM
  done
  cmp auto.pfm bitrev.pfm
}

@test "hosts render the bytes of one host, adaptively" {
  "$LBRENDER" -q --no-cache -o right.exr $ROOM
  ldd "$LBRENDER" | grep -q libzmq || skip "built without libzmq"
  for strategy in auto steal bitrev; do
    : >primary.err # or the address of the primary before would be found
    timeout 60 "$LBRENDER" --serve=tcp://127.0.0.1:0 --hosts=2 --patience=20 --no-cache --threads=1 --strategy=$strategy -o out.exr $ROOM 2>primary.err 3>&- &
    primary=$!
    await grep -qE 'tcp://127.0.0.1:[0-9]+' primary.err
    for threads in 1 2; do
      timeout 60 "$LBRENDER" --join="$(grep -oE 'tcp://127.0.0.1:[0-9]+' primary.err | head -n 1)" -q --threads=$threads 3>&- &
    done
    wait "$primary"
    cmp right.exr out.exr
  done
}

# Prints the sum of a channel of the EXR $1 and its least and largest value.
samples_of() {
  python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
import exr
values = exr.read(sys.argv[2])[2]["samples"]
print(int(sum(values)), int(min(values)), int(max(values)))' "$ROOT/test" "$1"
}

@test "pixels get --spp samples on average, the noisy ones more and the others fewer" {
  "$LBRENDER" -q --no-cache -o a.exr --bits=32 $ROOM
  read -r sum least most <<<"$(samples_of a.exr)"
  echo "$sum $least $most"
  [ "$sum" -le $((48 * 32 * 16)) ]
  [ "$sum" -ge $((48 * 32 * 16 * 999 / 1000 - 48)) ]
  [ "$least" -ge 4 ]
  [ "$least" -lt 16 ]
  [ "$most" -gt 16 ]
  [ "$most" -le 128 ]
  # The report counts the samples that were rendered, and the picture says the average.
  "$LBRENDER" -q --no-cache -o b.exr --bits=32 --report=r.json $ROOM
  [ "$(jq '[.frames[0].processors[].samples] | add' r.json)" -eq "$sum" ]
  [ "$(jq .image.spp r.json)" -eq 16 ]
}

# Renders to stopped.part with the options $2.. until jq's condition $1 holds of it, and stops that.
stop_when() {
  rm -f stopped.part
  "$LBRENDER" --no-cache --devices=3*null:speed=2000 --checkpoint=stopped.part,0.1 -o none "${@:2}" 2>/dev/null 3>&- &
  child=$!
  await test -s stopped.part
  for ((tries = 0; tries < 600; tries++)); do
    "$LBRENDER" --describe --report-format=json stopped.part >said
    jq -e "$1" said >/dev/null && break
    kill -USR1 $child # writes it anew
    sleep 0.05
  done
  kill -TERM $child
  wait $child && status=0 || status=$?
  [ $status -eq 143 ]
}

@test "an adaptive frame that was stopped goes on to the same picture and the same part, under any strategy" {
  "$LBRENDER" -q --no-cache --part=right.part -o right.exr $ROOM
  "$LBRENDER" --describe --report-format=json right.part >said
  jq -e '.complete and .adaptive == 16 and .missing == 0 and .fewest >= 4 and .fewest < 16 and ([.sets[] | .goal == .samples[0][1]] | all)' said
  "$LBRENDER" -q --merge right.part --compression=none -o merged.exr
  cmp right.exr merged.exr
  # Stopped in the rounds, when nothing is decided, and twice later: by how many samples a pixel has at least.
  for fewest in 0 4 4; do
    stop_when ".samples > $((fewest * 2200)) and .fewest >= $fewest" $ROOM
    for strategy in auto bitrev steal; do
      "$LBRENDER" -q --no-cache -t 2 --strategy=$strategy --resume=stopped.part --part=resumed.part -o resumed.exr $ROOM
      cmp right.exr resumed.exr
      cmp right.part resumed.part
    done
  done
  jq -e '.missing > 0 and .fewest >= 4 and .most > 4' said
  run "$LBRENDER" --resume=right.part -o x.exr ${ROOM/--adaptive/}
  ended 1 "it is adaptive, as that one is not"
  run "$LBRENDER" --resume=right.part -o x.exr ${ROOM/--spp=16/--spp=20}
  ended 1 "its samples a pixel on average are 16, not 20"
  run "$LBRENDER" --merge right.part resumed.part -o x.exr
  ended 1 "is in another part too"
}

@test "frames of an animation are adaptive each for itself" {
  "$LBRENDER" -q --no-cache --adaptive --spp=16 --resolution=30x20 --frames=0-1/2 -o 'f#.png' "$SAMPLES/motion.pbrt"
  "$LBRENDER" -q --no-cache --adaptive --spp=16 --resolution=30x20 --frames=1-1/2 -o 'g#.png' "$SAMPLES/motion.pbrt"
  cmp f1.png g1.png
}

@test "what --adaptive cannot be joined with is said" {
  scene >view.pbrt
  for option in --passes=2 --time-limit=1 --quick --simulate=4 "--share=1/2 --part=p" "--samples=0:1 --part=p"; do
    run "$LBRENDER" --adaptive --spp=16 $option -o none view.pbrt
    ended 2 "--adaptive and ${option%%=*}: "
    [ "$(grep -cE 'rounds|noisy|noise|whole picture' <<<"$output")" -ge 1 ] # the reason
  done
  run "$LBRENDER" --adaptive -o none view.pbrt
  ended 2 "--adaptive: 4 samples per pixel are too few: --spp=16 or more"
  run "$LBRENDER" --adaptive --spp=4000000 -o none view.pbrt
  ended 2 "--adaptive: at most --spp=2097152"
}

@test "a noise that is wanted: the bytes are the same, and the note says what was reached" {
  noisy="--noise-target=0.17 --spp=64 ${ROOM/--spp=16/}"
  run "$LBRENDER" --no-cache -t 1 --strategy=naive -o mean.exr --report=r.json $noisy
  [ "$status" -eq 0 ]
  [[ "$output" =~ ([0-9]+)\ of\ 64\ samples\ a\ pixel\ on\ average,\ noise\ (0\.[0-9]+)\ in\ the\ mean\ of\ the\ pixels ]]
  [ "${BASH_REMATCH[1]}" -lt 32 ]
  jq -e ".spent <= 64 and .noise <= 0.17 and .noise > 0.15" <<<"{\"spent\": ${BASH_REMATCH[1]}, \"noise\": ${BASH_REMATCH[2]}}"
  read -r sum least most <<<"$(samples_of mean.exr)"
  [ "$least" -eq 16 ]
  [ "$most" -gt 16 ]
  [ "$(jq '[.frames[0].processors[].samples] | add' r.json)" -eq "$sum" ]
  run "$LBRENDER" --no-cache -t 1 --strategy=naive -o largest.exr --noise-by=largest $noisy
  [[ "$output" =~ "in the noisiest pixel" ]]
  read -r more least most <<<"$(samples_of largest.exr)"
  [ "$more" -gt "$sum" ]
  for strategy in $(strategies); do
    for processors in --threads=3 --devices=cpu:1,wave "--devices=null:fail=0.3,cpu:2 --weights=9,1,1"; do
      for by in mean largest; do
        [ "$by" = mean ] || [ "$processors" = --threads=3 ] || continue
        echo "$strategy $processors $by"
        run "$LBRENDER" -q --no-cache --strategy=$strategy $processors --noise-by=$by -o out.exr $noisy
        [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
        cmp $by.exr out.exr
      done
    done
  done
  # Samples run out before such a noise is reached.
  run "$LBRENDER" --no-cache -o out.exr --noise-target=0.001 $ROOM
  [[ "$output" =~ "16 of 16 samples a pixel on average" ]]
  read -r sum least most <<<"$(samples_of out.exr)"
  [ "$sum" -le $((48 * 32 * 16)) ]
}

@test "a frame that was stopped goes on to its noise, hosts render to it, and what does not go with it is said" {
  noisy="--noise-target=0.1 --spp=96 ${ROOM/--spp=16/}"
  "$LBRENDER" -q --no-cache --part=right.part -o right.exr $noisy
  "$LBRENDER" --describe --report-format=json right.part >said
  jq -e '.complete and .missing == 0 and .noise_target.noise == 0.1 and .noise_target.by == "mean" and .noise_target.reached <= 0.1' said
  # In the second round, when no noise is known yet, and in a later pass.
  for when in ".fewest >= 4 and .fewest < 16" ".fewest == 16 and .most > 16"; do
    stop_when "$when" $noisy
    jq -e '(.complete | not) and (.noise_target.reached == null) == (.fewest < 16)' said
    for strategy in auto bitrev; do
      "$LBRENDER" -q --no-cache -t 2 --strategy=$strategy --resume=stopped.part --part=resumed.part -o resumed.exr $noisy
      cmp right.exr resumed.exr
      cmp right.part resumed.part
    done
  done
  run "$LBRENDER" --merge stopped.part -o merged.exr
  [[ "$output" =~ "; --partial writes what there is" ]]
  "$LBRENDER" -q --merge right.part --compression=none -o merged.exr
  cmp right.exr merged.exr
  run "$LBRENDER" --merge right.part stopped.part -o merged.exr
  ended 1 "stopped.part: parts of a picture that ends by its noise do not join: each is all of it"
  run "$LBRENDER" --resume=stopped.part -o x.exr --noise-by=largest $noisy
  ended 1 "it ends where the noise is 0.1 in the mean, not where the noise is 0.1 in the noisiest pixel"
  scene >view.pbrt
  for options in --adaptive --noise-target=0.1; do
    run "$LBRENDER" --spp=16 --noise-by=largest $options -o none view.pbrt
    ended 2 "--noise-by without --adaptive and --noise-target"
  done
  noisy=${noisy/0.1/0.17}
  "$LBRENDER" -q --no-cache -o right.exr $noisy
  ldd "$LBRENDER" | grep -q libzmq || skip "built without libzmq"
  for strategy in auto bitrev; do
    : >primary.err # or the address of the primary before would be found
    timeout 60 "$LBRENDER" --serve=tcp://127.0.0.1:0 --hosts=2 --patience=20 --no-cache --threads=1 --strategy=$strategy -o out.exr $noisy 2>primary.err 3>&- &
    primary=$!
    await grep -qE 'tcp://127.0.0.1:[0-9]+' primary.err
    for threads in 1 2; do
      timeout 60 "$LBRENDER" --join="$(grep -oE 'tcp://127.0.0.1:[0-9]+' primary.err | head -n 1)" -q --threads=$threads 3>&- &
    done
    wait "$primary"
    cmp right.exr out.exr
  done
}
