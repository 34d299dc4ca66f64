# Functions that the bats files share. Every test runs in a folder of its own.
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
LBRENDER=${LBRENDER:-$ROOT/build/lbrender}
SAMPLES=$ROOT/samples
# The program with GPU processors over devices that this host plays (test/fake_cuda).
FAKE=${LBRENDER_FAKE_GPU:-$(dirname "$LBRENDER")/lbrender_fake_gpu}

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
  unset ${!SLURM_*} # what a job on a farm has
}

# Prints a scene of the Mandelbrot set with 40 x 30 pixels of 4 samples. $1: more parameters of the film.
scene() {
  cat <<END
Film "rgb" "integer xresolution" 40 "integer yresolution" 30 ${1-}
Sampler "independent" "integer pixelsamples" 4
Integrator "mandelbrot" "integer maxiterations" 60
WorldBegin
END
}

# Checks that the last `run` ended with status $1 and has the text $2 somewhere in its output.
ended() {
  if [ "$status" -ne "$1" ] || [[ "$output" != *"${2-}"* ]]; then
    echo "status $status, expected $1; expected \"${2-}\" in:"
    echo "$output"
    return 1
  fi
}

# Checks that grep, with these arguments, finds no line, and prints those that it finds. A file that is not there is an error.
no_line() {
  local status=0
  grep "$@" || status=$?
  [ $status -eq 1 ]
}

# Waits until the command "$@" succeeds: longer than any machine needs, however busy, so that only a fault waits in vain.
await() {
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    "$@" && return
    sleep 0.05
  done
  echo "waited in vain for: $*"
  return 1
}

# Checks that files differ, as a failing `! cmp` would not end a test.
differ() {
  if cmp -s "$1" "$2"; then
    echo "$1 and $2 are the same"
    return 1
  fi
}

# Skips the test where the data beside this folder is missing as a whole. Where it is there, the test must find all that it
# looks for in it: one name that is wrong would otherwise skip it for ever.
needs_data() {
  [ -d "$ROOT/../shared/data" ] || skip "there is no ../shared/data"
}

# Prints width and height of a PNG: "40x30".
png_size() {
  python3 -c 'import struct, sys; print("%dx%d" % struct.unpack(">II", open(sys.argv[1], "rb").read(24)[16:]))' "$1"
}

# Prints the upper left $2 x $3 pixels of the PNG file $1 as a PPM: a map without its legend.
map_of() {
  python3 "$ROOT/test/png.py" "$@"
}

strategies() {
  "$LBRENDER" --list-strategies | cut -d' ' -f1
}

# Prints the instruction sets that this machine runs.
isas() {
  local isa
  scene >isa.pbrt
  for isa in portable avx2 avx512; do
    "$LBRENDER" --isa=$isa -q -o isa.png isa.pbrt 2>/dev/null && echo $isa
  done
}
