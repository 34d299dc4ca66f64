#!/bin/bash
# Installs the Debian packages that the build and the tests need, when some are missing and this user may; else prints the one
# command to run and ends with status 1.
#
# usage: setup.sh [build|test|aarch64|browser|libraries]
#   test (the default) includes build; aarch64: what builds and runs programs for 64-bit ARM on another machine;
#   libraries: prints the packages that stand beside the program for each architecture, for tools/aarch64_root.sh
#   browser: what shows reports' pages in the tests, which do without
set -u
build=(gcc g++ make pkg-config)
libraries=(libembree-dev libtbb-dev libpng-dev libjpeg-dev libdeflate-dev libopenexr-dev libjansson-dev libutf8proc-dev
  libnanovdb-dev libxxhash-dev libzmq3-dev libzstd-dev zlib1g-dev)
headers=(libstb-dev)
test=(clang-14 libclang-rt-14-dev clang-format-14 libcmocka-dev bats libmpfr-dev python3 python3-jsonschema jq mandoc)
build+=("${libraries[@]}" "${headers[@]}")
case ${1:-test} in
  libraries) printf '%s\n' "${libraries[@]}"; exit ;;
  build) want=("${build[@]}") ;;
  aarch64) want=("${build[@]}" gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static) ;;
  browser) want=(chromium fonts-dejavu-core) ;;
  *) want=("${build[@]}" "${test[@]}") ;;
esac

missing=()
for package in "${want[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

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
