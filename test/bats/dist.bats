# What `make dist` packs is all that a build needs.
load common

@test "the packed sources build in an empty folder and render the same" {
  git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "not a git clone"
  git -C "$ROOT" diff --quiet HEAD || skip "there are changes that are not committed"
  MAKEFLAGS= make -s -C "$ROOT" BUILD="$PWD/packed" dist
  tar xzf packed/lbrender-*.tar.gz
  cd lbrender-*/
  MAKEFLAGS= make -s -j"$(nproc)" CUDA=0 CFLAGS=-O0 all >make.log 2>&1 || { tail -n 20 make.log; false; }
  "$LBRENDER" -q --no-cache --resolution=40x30 --spp=2 -o right.png samples/room.pbrt
  build/lbrender -q --no-cache --resolution=40x30 --spp=2 -o out.png samples/room.pbrt
  cmp right.png out.png
}

@test "the build takes Embree 4 where Embree 3 has no header" {
  headers=$(MAKEFLAGS= make -C "$ROOT" -n V=1 CUDA=0 BUILD="$PWD/none" CPPFLAGS=-nostdinc "$PWD/none/core/scene/tree.o")
  [[ $headers == *" -DLB_EMBREE=4 "* ]]
}
