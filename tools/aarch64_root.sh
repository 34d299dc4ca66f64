#!/bin/bash
# Unpacks Debian's arm64 libraries that `make aarch64` links with into a folder, for AARCH64_ROOT: nothing of this system is
# changed, and no rights are needed. Done once; a folder that is whole is left as it is.
#
# usage: aarch64_root.sh FOLDER
set -eu
root=$1
mkdir -p "$root"
root=$(cd "$root" && pwd)
mapfile -t packages < <("$(dirname "$0")/setup.sh" libraries)
[ "$(cat "$root/packages.txt" 2>/dev/null)" != "${packages[*]}" ] || exit 0

# Package lists and downloads of their own, for a system of that architecture in which nothing is installed.
apt=$root/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
cat >"$apt/apt.conf" <<CONF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Debug::NoLocking "true";
CONF
export APT_CONFIG=$apt/apt.conf
{ apt-get update -q && apt-get install -q -y --download-only --no-install-recommends "${packages[@]}"; } >"$apt/log" 2>&1 ||
  { tail -n 20 "$apt/log" >&2; echo "aarch64_root.sh: apt-get could not download: ${packages[*]}" >&2; exit 1; }
for package in "$apt"/cache/archives/*.deb; do
  dpkg -x "$package" "$root"
done
# Links to /lib/... mean the folder's own.
find "$root" -type l -lname '/*' | while IFS= read -r link; do
  ln -srf "$root$(readlink "$link")" "$link"
done
rm -rf "$apt"
echo "${packages[*]}" >"$root/packages.txt"
