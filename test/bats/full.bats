# Disks that are full before the work, or become full while it lasts.
load common

# Runs the script $1 where ./full is a file system of 256 KiB, in a name space of its own; skips where that cannot be made.
on_small_disk() {
  mkdir -p full elsewhere
  unshare -rm sh -c 'mount -t tmpfs -o size=256k tmpfs full' 2>/dev/null || skip "no name space with a small file system"
  LBRENDER=$LBRENDER run unshare -rm bash -c 'mount -t tmpfs -o size=256k tmpfs full || exit 9
'"$1"
}

# Runs the program with the options $2, and with the variables $1 ("TMPDIR=..") as its own, on a disk that fills up while it renders.
# ./listed then says what is left there.
on_filling_disk() {
  on_small_disk ': >err
    { for _ in $(seq 1200); do ! grep -q progress err || break; sleep 0.05; done; head -c 1M /dev/zero >full/filler 2>/dev/null; } &
    '"$1"' "$LBRENDER" --no-cache --progress=lines --devices=null:speed=2000 '"$2"' view.pbrt 2>err
    status=$?; cat err; wait; ls -A full >listed; exit $status'
}

@test "a message tells of a disk that is full already before the render" {
  scene >view.pbrt
  for option in -o --partition-map --cost-map; do
    echo "$option"
    on_small_disk "head -c 1M /dev/zero >full/filler 2>/dev/null
      \"\$LBRENDER\" -q --devices=null:speed=100 -o elsewhere/x.png $option full/a.png view.pbrt"
    ended 1 "full/a.png: cannot write: No space left on device"
    [ ! -e elsewhere/x.png ]
  done
  # There is room for something, but not for a picture of so many floats, whose size is known.
  on_small_disk '"$LBRENDER" -q --resolution=200x200 --devices=null:speed=100 -o full/a.pfm view.pbrt'
  ended 1 "full/a.pfm: cannot write: No space left on device"
  on_small_disk '"$LBRENDER" -q --resolution=100x100 -o full/a.pfm view.pbrt && ls -A full'
  ended 0
  [ "$output" = a.pfm ]
}

@test "whatever a disk has no room for when the work is done goes to TMPDIR, with status 1" {
  scene >view.pbrt
  "$LBRENDER" -q -o right.pfm view.pbrt
  mkdir -p temporary
  export TMPDIR=$PWD/temporary
  on_filling_disk "" "-o full/a.pfm --part=full/a.part --report=full/r.json --trace=full/t.json --partition-map=full/p.png --cost-map=full/c.pfm"
  ended 1 "full/a.pfm: cannot write: No space left on device; it is in $TMPDIR/lbrender-"
  "$LBRENDER" -q --merge temporary/*/a.part -o merged.pfm
  cmp right.pfm merged.pfm
  [ "$(cat listed)" = filler ]
  for file in a.pfm a.part r.json t.json p.png c.pfm c.estimate.pfm c.coverage.pfm; do
    echo "$file"
    [ "$(find temporary -name $file | wc -l)" -eq 1 ]
    grep -q "full/$file: cannot write: .*; it is in $(find "$TMPDIR" -name $file)$" <<<"$output"
  done
  cmp right.pfm temporary/*/a.pfm
  # The report says where the picture is.
  [ "$(jq -r '.image.file' temporary/*/r.json)" = "$(find "$TMPDIR" -name a.pfm)" ]
  [ "$(stat -c %a temporary/lbrender-* | sort -u)" = 700 ]
}

@test "without room anywhere the message names the first place, and no file is left" {
  scene >view.pbrt
  on_filling_disk "TMPDIR=$PWD/full" "-o full/a.pfm"
  ended 1 "full/a.pfm: cannot write: No space left on device"
  [[ "$output" != *"it is in"* ]]
  [ "$(cat listed)" = filler ]
  on_filling_disk "TMPDIR=/no/such/folder" "-o full/a.pfm"
  ended 1 "full/a.pfm: cannot write: No space left on device"
}

@test "a part that was joined goes to TMPDIR too" {
  scene >view.pbrt
  "$LBRENDER" -q -o right.pfm --part=view.part view.pbrt
  mkdir -p temporary
  export TMPDIR=$PWD/temporary
  on_small_disk 'head -c 1M /dev/zero >full/filler 2>/dev/null
    "$LBRENDER" -q --merge view.part -o full/a.pfm --part=full/a.part; status=$?; ls -A full >listed; exit $status'
  ended 1 "full/a.pfm: cannot write: No space left on device; it is in $TMPDIR/lbrender-"
  ended 1 "full/a.part: cannot write: No space left on device; it is in $TMPDIR/lbrender-"
  cmp right.pfm temporary/*/a.pfm
  cmp view.part temporary/*/a.part
  [ "$(cat listed)" = filler ]
}

@test "a stopped render's partial picture goes to TMPDIR too" {
  scene >view.pbrt
  mkdir -p temporary
  export TMPDIR=$PWD/temporary
  on_small_disk ': >err
    "$LBRENDER" --no-cache --progress=lines --devices=null:speed=500 -o full/a.png view.pbrt 2>err & child=$!
    for _ in $(seq 1200); do ! grep -q progress err || break; sleep 0.05; done
    head -c 1M /dev/zero >full/filler 2>/dev/null; kill -TERM $child; wait $child; status=$?; cat err; exit $status'
  ended 143 "temporary/lbrender-"
  [ "$(find temporary -name a.partial.png | wc -l)" -eq 1 ]
}

@test "a race's report goes to TMPDIR too" {
  scene >view.pbrt
  mkdir -p temporary
  export TMPDIR=$PWD/temporary
  on_filling_disk "" "--compare=pool --report=full/r.json"
  ended 1 "full/r.json: cannot write"
  jq -e '.strategies | length == 1' temporary/*/r.json
}
