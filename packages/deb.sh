#!/bin/bash
# Packs a program that was built as a Debian package, for the release of Debian that built it.
# usage: deb.sh BUILD VERSION FOLDER, which writes FOLDER/lbrender_VERSION_ARCHITECTURE.deb
# MAINTAINER="NAME <MAIL>" tells who made it; without it that is the last commit's author.
set -eu
build=$1 version=$2 folder=$3
architecture=$(dpkg --print-architecture)
root=$build/deb/root
docs=$root/usr/share/doc/lbrender
when=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)
maintainer=${MAINTAINER:-$(git log -1 --format='%an <%ae>' 2>/dev/null || echo "nobody <nobody@localhost>")}
rm -rf "$build/deb"
mkdir -p "$root/DEBIAN" "$build/deb/debian"
# The program as it is, without a look at what it is made of.
MAKEFLAGS= make --no-print-directory -o "${build#"$PWD"/}/lbrender" BUILD="$build" install-strip DESTDIR="$root" prefix=/usr \
  zshdir=/usr/share/zsh/vendor-completions >"$build/deb/install.log"

# Documents as Debian keeps them (Policy 12). What is compiled in from header libraries and the toolkit comes with its terms.
rm "$docs/LICENSE"
mv "$docs/CHANGELOG.md" "$docs/changelog"
printf 'lbrender (%s) unstable; urgency=low\n\n  * See changelog.gz.\n\n -- %s  %s\n' "$version" "$maintainer" "$(date -R -u -d "@$when")" \
  >"$build/deb/debian/changelog"
cp "$build/deb/debian/changelog" "$docs/changelog.Debian"
{
  printf 'lbrender\nCopyright: its authors, who are named in its history\nLicense: Apache-2.0, see /usr/share/common-licenses/Apache-2.0\n'
  for package in libstb-dev libnanovdb-dev; do
    printf '\n\nCompiled in, from the package %s:\n\n' "$package"
    cat "/usr/share/doc/$package/copyright"
  done
  if grep -qa cudaGetDeviceCount "$build/lbrender"; then
    printf '\n\nCompiled in: the CUDA runtime, under the licence of the NVIDIA CUDA toolkit.\n'
  fi
} >"$docs/copyright"
gzip -9n "$docs/changelog" "$docs/changelog.Debian" "$root"/usr/share/man/man?/*
find "$root/usr" -type d -exec chmod 755 {} +
find "$root" -newermt "@$when" -exec touch -h -d "@$when" {} +

# What it needs is what its libraries' packages say; dpkg-shlibdeps wants a source package's folder to stand in.
printf 'Source: lbrender\n\nPackage: lbrender\nArchitecture: any\n' >"$build/deb/debian/control"
depends=$(cd "$build/deb" && dpkg-shlibdeps -O root/usr/bin/lbrender 2>shlibdeps.log) || { cat "$build/deb/shlibdeps.log" >&2; exit 1; }
cat >"$root/DEBIAN/control" <<END
Package: lbrender
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: graphics
Priority: optional
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: ${depends#shlibs:Depends=}
Suggests: libassimp5
Description: path tracer that balances one picture over all processors
 lbrender renders scenes of pbrt-v4 in batches on every processor of a
 machine, CPU threads and NVIDIA GPUs, and on many hosts, under the
 load-balancing strategy that its user names, and reports how well each
 processor did. A picture has the same bytes whatever rendered it.
END
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
mkdir -p "$folder"
name=lbrender_${version}_$architecture.deb
SOURCE_DATE_EPOCH=$when dpkg-deb --root-owner-group -Zxz --build "$root" "$folder/$name.part" >"$build/deb/dpkg.log"
mv "$folder/$name.part" "$folder/$name"
echo "wrote $folder/$name, $(du -k "$folder/$name" | cut -f1) KB"
