#!/bin/bash
# Packs a program that was built with what it needs to run elsewhere: its libraries but for glibc, libstdc++ and libgcc_s, which it
# finds beside itself wherever the archive is unpacked; manuals, completions, samples, and the licences of all of it.
# usage: bindist.sh BUILD VERSION FOLDER, which writes FOLDER/lbrender-VERSION-ARCHITECTURE.tar.xz
set -eu
build=$1 version=$2 folder=$3
name=lbrender-$version-$(uname -m)
root=$build/packed/$name
rm -rf "$build/packed"
mkdir -p "$root/lib" "$root/share/doc/lbrender/licences"
# The program as it is, without a look at what it is made of.
MAKEFLAGS= make --no-print-directory -o "$build/lbrender" BUILD="$build" install-strip DESTDIR="$root" prefix= >"$build/packed/install.log"

# The system's own libraries, which every machine has in a version that fits its kernel, drivers and compiler.
is_systems() {
  case $1 in
    linux-vdso.* | *ld-linux* | libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | libresolv.so.* | libstdc++.so.* | \
      libgcc_s.so.*) true ;;
    *) false ;;
  esac
}

# The licence of the Debian package that a library is from.
keep_licence() {
  local package
  package=$(dpkg-query -S "*/$(basename "$(realpath "$1")")" 2>/dev/null | head -n 1 | cut -d: -f1)
  [ -n "$package" ] && cp "/usr/share/doc/$package/copyright" "$root/share/doc/lbrender/licences/$package" && return
  echo "bindist.sh: no licence is known of $1" >&2
  return 1
}

while read -r library path; do
  is_systems "$library" && continue
  cp -L "$path" "$root/lib/$library"
  chmod 644 "$root/lib/$library"
  patchelf --set-rpath '$ORIGIN' "$root/lib/$library"
  keep_licence "$path"
done < <(ldd "$root/bin/lbrender" | awk '{ print $1, $3 }')
# DT_RPATH in place of DT_RUNPATH: what the libraries themselves need is found by it, too, and LD_LIBRARY_PATH cannot mix in others.
patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$root/bin/lbrender"
# Compiled in: header libraries, and the CUDA runtime where there is one.
for package in libstb-dev libnanovdb-dev; do cp "/usr/share/doc/$package/copyright" "$root/share/doc/lbrender/licences/$package"; done

mkdir -p "$folder"
when=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)
tar -C "$build/packed" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" -cJf "$folder/$name.tar.xz.part" "$name"
mv "$folder/$name.tar.xz.part" "$folder/$name.tar.xz"
echo "wrote $folder/$name.tar.xz, $(du -k "$folder/$name.tar.xz" | cut -f1) KB"
