# What is given to others, and how a build finds what it needs; that what `make dist` packs can be built is compilers.bats'.
load common

@test "the build takes Embree 4 where Embree 3 has no header" {
  headers=$(MAKEFLAGS= make -C "$ROOT" -n V=1 CUDA=0 BUILD="$PWD/none" CPPFLAGS=-nostdinc "$PWD/none/core/scene/tree/tree.o")
  [[ $headers == *" -DLB_EMBREE=4 "* ]]
}

# Dependency files name objects as the compiler was told to write them.
@test "a build folder within the tree has one name, however it is given" {
  MAKEFLAGS= make -C "$ROOT" -n V=1 CUDA=0 BUILD="$ROOT/none" none/core/scene/tree/tree.o >told
  grep -q -e " -o none/core/scene/tree/tree.o " told
}

# What nvcc is told to make of the kernels, where nvidia-smi names these architectures: kernel_code "ARCHITECTURES" [VARIABLE=...]
kernel_code() {
  mkdir -p bin
  printf '#!/bin/sh\n[ -z "%s" ] || printf "%%s\\n" %s\n' "$1" "$1" >bin/nvidia-smi
  chmod +x bin/nvidia-smi
  shift
  PATH=$PWD/bin:$PATH CUDA_ARCHS= MAKEFLAGS= make -C "$ROOT" -n V=1 BUILD="$PWD/none" "$@" "$PWD/none/cuda/kernels.cu.o" |
    grep -e ' -c -o ' | grep -o 'code=[a-z]*_[0-9]*' | tr '\n' ' '
}

@test "GPUs that are here get machine code, and without any there is PTX alone" {
  command -v nvcc >/dev/null || skip "no nvcc here"
  [ "$(kernel_code "")" = "code=compute_75 " ]
  [ "$(kernel_code "12.0 9.0 9.0")" = "code=sm_90 code=sm_120 code=compute_120 " ]
  [ "$(kernel_code "9.9")" = "code=compute_75 " ]
  [ "$(kernel_code "9.0" "CUDA_ARCHS=75 80")" = "code=sm_75 code=sm_80 code=compute_80 " ]
  [[ "$(kernel_code "" CUDA_ARCHS=all)" = "code=sm_75 code=sm_80 "*" code=sm_120 code=compute_120 " ]]
}

@test "a build asks once for each header that it may do without" {
  mkdir bin
  printf '#!/bin/sh\ncase "$*" in *-include*) echo "$*" >>%s/asked ;; esac\nexec gcc "$@"\n' "$PWD" >bin/asking
  chmod +x bin/asking
  MAKEFLAGS= make -C "$ROOT" -n CUDA=0 BUILD="$PWD/none" CC="$PWD/bin/asking" "$PWD/none/lbrender" >/dev/null
  [ "$(grep -c embree3 asked)" = 1 ]
  [ "$(grep -c NanoVDB asked)" = 1 ]
}

@test "the packed program runs where nothing but glibc, libstdc++ and libgcc_s is installed, and renders the same" {
  [ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
  command -v patchelf >/dev/null || skip "no patchelf"
  (cd "$ROOT" && XZ_OPT=-0 packages/bindist.sh "${LBRENDER%/*}" 0 "$BATS_TEST_TMPDIR")
  mkdir -p bare/lib bare/lib64 bare/tmp bare/proc
  tar -C bare -xJf lbrender-0-*.tar.xz
  cp -L /lib64/ld-linux-*.so.* bare/lib64/ 2>/dev/null || cp -L /lib/ld-linux-*.so.* bare/lib/
  libraries=$(dirname "$(ldconfig -p | sed -n 's/.*libstdc++\.so\.6 .*=> //p' | head -n 1)")
  for name in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libresolv.so.2 libstdc++.so.6 libgcc_s.so.1; do
    cp -L "$libraries/$name" bare/lib/
  done
  packed=$(cd bare && echo lbrender-0-*)
  # The loader asks /proc where the program is, which only a chroot without it must be told.
  run env -i LD_ORIGIN_PATH="/$packed/bin" "$(command -v chroot)" bare "/$packed/bin/lbrender" --version
  ended 0 "lbrender "
  for scene in mandelbrot room gallery/terrain; do
    env -i LD_ORIGIN_PATH="/$packed/bin" "$(command -v chroot)" bare "/$packed/bin/lbrender" -q --no-cache --threads=2 --resolution=40x30 --spp=2 -o /tmp/out.png \
      "/$packed/share/lbrender/samples/$scene.pbrt"
    "$LBRENDER" -q --no-cache --resolution=40x30 --spp=2 -o right.png "$SAMPLES/$scene.pbrt"
    cmp right.png bare/tmp/out.png
  done
  # Each library has the licence of its package with it, and none of the system's is there.
  [ "$(ls bare/$packed/share/doc/lbrender/licences | wc -l)" -ge 5 ]
  [ -z "$(ls bare/$packed/lib | grep -E '^(libc|libm|libstdc\+\+|libgcc_s|ld-linux.*)\.so')" ]
  [ -z "$(nm "bare/$packed/bin/lbrender" 2>/dev/null)" ]
}

# Packs the built program as a Debian package, once for all tests, and puts that here.
pack_deb() {
  ls "$BATS_FILE_TMPDIR"/*.deb >/dev/null 2>&1 || (cd "$ROOT" && packages/deb.sh "${LBRENDER%/*}" 0.1 "$BATS_FILE_TMPDIR")
  cp "$BATS_FILE_TMPDIR"/*.deb .
}

@test "the Debian package installs, renders the same, and leaves nothing behind" {
  [ "$(id -u)" -eq 0 ] || skip "dpkg needs root"
  command -v dpkg-shlibdeps >/dev/null || skip "no dpkg-shlibdeps"
  pack_deb
  [[ $(dpkg-deb -f lbrender_0.1_*.deb Depends) == *libc6*libembree* ]]
  mkdir -p host/var/lib/dpkg/info host/var/lib/dpkg/updates
  touch host/var/lib/dpkg/status host/var/lib/dpkg/available
  # Its libraries are this machine's.
  dpkg --root=host --force-depends --install lbrender_0.1_*.deb
  "$LBRENDER" -q --no-cache --resolution=40x30 --spp=2 -o right.png "$SAMPLES/gallery/terrain.pbrt"
  host/usr/bin/lbrender -q --no-cache --resolution=40x30 --spp=2 -o out.png host/usr/share/lbrender/samples/gallery/terrain.pbrt
  cmp right.png out.png
  (cd host && md5sum -c --quiet var/lib/dpkg/info/lbrender.md5sums)
  dpkg --root=host --purge lbrender
  [ -z "$(find host -name '*lbrender*')" ]
}

@test "lintian knows no fault of the Debian package" {
  command -v lintian >/dev/null || skip "no lintian"
  pack_deb
  lintian --allow-root lbrender_0.1_*.deb >said
  cat said
  [ ! -s said ]
}
