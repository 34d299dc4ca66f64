#!/bin/bash
# Installs the Debian packages that the build and the tests need, when some are missing and this user may; else prints the one
# command to run and ends with status 1.
#
# usage: setup.sh [build|test|aarch64]      (default: test, which includes build; aarch64 only says what is missing)
set -u
build=(gcc g++ make pkg-config libembree-dev libtbb-dev libstb-dev libpng-dev libjpeg-dev libdeflate-dev libopenexr-dev libjansson-dev libutf8proc-dev
  zlib1g-dev)
test=(clang-14 libclang-rt-14-dev clang-format-14 libcmocka-dev bats libmpfr-dev python3 python3-jsonschema jq mandoc)
# The libraries for 64-bit ARM, for `make aarch64` on another machine.
aarch64=(gcc-aarch64-linux-gnu g++-aarch64-linux-gnu)
for package in "${build[@]}"; do
  case $package in
    libstb-dev) ;; # headers for any machine
    *-dev) aarch64+=("$package:arm64") ;;
  esac
done
case ${1:-test} in
  build) want=("${build[@]}") ;;
  aarch64) want=("${aarch64[@]}") ;;
  *) want=("${build[@]}" "${test[@]}") ;;
esac

missing=()
for package in "${want[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

# Another architecture's libraries may want newer ones of this machine's: that is for a person to decide.
if [ "${1:-test}" = aarch64 ]; then
  echo "Packages are missing. Run: sudo dpkg --add-architecture arm64 && sudo apt-get update &&" \
    "sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  { apt-get update -q && apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 && exit 0
  tail -n 20 "$log" >&2
  echo "setup.sh: apt-get could not install: ${missing[*]}" >&2
  exit 1
fi
echo "Packages are missing. Run: sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
exit 1
