# What `make install` puts where, and how shells complete command lines.
load common

# Runs make into ./root on the program as it is, without a look at what it is made of. "$@": targets and variables.
install_to_root() {
  mkdir -p build
  cp -u "$LBRENDER" build/lbrender
  MAKEFLAGS= make -s -C "$ROOT" -o "$PWD/build/lbrender" BUILD="$PWD/build" DESTDIR="$PWD/root" "$@" >make.log 2>&1 ||
    { tail -n 20 make.log; false; }
}

# Prints the words to which bash completes the last of "$@".
complete_bash() {
  bash -c 'source completion
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _lbrender
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

@test "make install follows PREFIX and the GNU directory variables; uninstall leaves nothing" {
  install_to_root install
  [ -x root/usr/local/bin/lbrender ]
  cmp root/usr/local/share/doc/lbrender/LICENSE "$ROOT/LICENSE"
  "$LBRENDER" --report-schema | cmp - root/usr/local/share/lbrender/report.schema.json
  [ -s root/usr/local/share/man/man1/lbrender.1 ]
  [ -s root/usr/local/share/man/man5/lbrender-scene.5 ]
  [ -s root/usr/local/share/bash-completion/completions/lbrender ]
  [ -s root/usr/local/share/zsh/site-functions/_lbrender ]
  [ -s root/usr/local/share/fish/vendor_completions.d/lbrender.fish ]
  install_to_root uninstall
  [ -z "$(find root -type f)" ]
  install_to_root install prefix=/opt/x bindir=/there/bin mandir=/there/man docdir=/there/doc
  [ -x root/there/bin/lbrender ]
  [ -s root/there/man/man7/lbrender-strategies.7 ]
  [ -s root/there/doc/LICENSE ]
  [ -s root/opt/x/share/lbrender/samples/room.pbrt ]
  [ -s root/opt/x/share/lbrender/samples/gallery/still-life.pbrt ]
  grep -q 'PREFIX/share/lbrender/samples/' "$BATS_TEST_DIRNAME/../../man/lbrender.1"
  install_to_root uninstall prefix=/opt/x bindir=/there/bin mandir=/there/man docdir=/there/doc
  [ -z "$(find root -type f)" ]
}

@test "make install-strip leaves the symbols out" {
  install_to_root install-strip
  [ "$(stat -c %s root/usr/local/bin/lbrender)" -lt "$(stat -c %s "$LBRENDER")" ]
  root/usr/local/bin/lbrender --version
  readelf -S root/usr/local/bin/lbrender >sections
  no_line '\.symtab' sections
}

@test "bash completes options, strategies' own too, their words, strategies and scenes" {
  "$LBRENDER" --completion=bash >completion
  # These are the options of --help, and no others.
  diff <(complete_bash lbrender -- | sed 's/=$//' | sort) <("$LBRENDER" --help | grep -oE '^ {2,6}(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort)
  [ "$(complete_bash lbrender --curve = h)" = hilbert ]
  [ "$(complete_bash lbrender --curve = | xargs)" = "rows hilbert" ]
  [ "$(complete_bash lbrender --strategy = bit)" = bitrev ]
  [ "$(complete_bash lbrender --strategy = | sort)" = "$(strategies | sort)" ]
  [ "$(complete_bash lbrender --weights = m)" = measured ]
  touch "a b.pbrt" "a note.txt"
  mkdir "a folder"
  [ "$(complete_bash lbrender a | sort)" = "$(printf 'a b.pbrt\na folder')" ]
  [ "$(complete_bash lbrender --report = a | sort)" = "$(printf 'a b.pbrt\na folder\na note.txt')" ]
  touch "a model.glb"
  [ "$(complete_bash lbrender "a m")" = "a model.glb" ]
  rm "a model.glb"
  # Lists go on behind a comma.
  [ "$(complete_bash lbrender --compare = pool,bit)" = pool,bitrev ]
  [ "$(complete_bash lbrender --channels = Z,alb)" = Z,albedo ]
  [ "$(complete_bash lbrender --devices = n)" = null ]
  [[ " $(complete_bash lbrender --devices = cpu:2, | xargs) " == *" cpu:2,cuda "* ]]
  [ -z "$(complete_bash lbrender --spp = '')" ]
  # As the value of --compare may be left out, what follows it is a scene.
  [ "$(complete_bash lbrender --compare = bit)" = bitrev ]
  [ "$(complete_bash lbrender --compare a | sort)" = "$(printf 'a b.pbrt\na folder')" ]
}

@test "zsh and fish understand their completions" {
  for shell in zsh fish; do
    "$LBRENDER" --completion=$shell >completion
    for option in $("$LBRENDER" --help | grep -oE '^ {2,6}(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
      grep -qE -- "(--|-l )${option#--}\b" completion
    done
    if command -v $shell >/dev/null; then
      $shell -n completion
    else
      missing="$missing $shell"
    fi
  done
  if command -v fish >/dev/null; then
    run fish -c 'source completion; complete -C "lbrender --strategy=bit"'
    ended 0 "--strategy=bitrev"
  fi
  [ -z "$missing" ] || skip "not installed:$missing"
}
