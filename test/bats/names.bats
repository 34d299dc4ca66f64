# Names that come from outside, of whatever bytes, as the terminal and reports show them.
load common

# Checks that files are UTF-8 and have no control character but the newline.
clean() {
  python3 - "$@" <<'END'
import sys, unicodedata
for name in sys.argv[1:]:
    for c in open(name, "rb").read().decode("utf-8"):
        if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp"):
            sys.exit("%s holds U+%04X" % (name, ord(c)))
END
}

ESC=$'a\e[31mRED\u009b\u202e\x7f\r\nlbrender: fake Zürich 東京'

@test "control characters of options, names and JSON members are shown, not sent" {
  scene >view.pbrt
  while IFS= read -r options; do
    echo "lbrender $options"
    eval "\"$LBRENDER\" $options" >out 2>err && status=0 || status=$?
    [ "$status" -eq 1 ] || [ "$status" -eq 2 ]
    clean out err
    grep -qF '\x1B[31mRED\u009B\u202E\x7F\r\nlbrender: fake Zürich 東京' err
    [ "$(grep -c '^lbrender: fake' err)" -eq 0 ]
  done <<'END'
"--$ESC" view.pbrt
"--spp$ESC=1" view.pbrt
"--spp=$ESC" view.pbrt
"--strategy=$ESC" view.pbrt
"--curve=$ESC" view.pbrt
"--devices=$ESC" view.pbrt
"--weights=$ESC" view.pbrt
"--simulate=$ESC" view.pbrt
"--simulate=$ESC.json" view.pbrt
"--simulate=2" "--costs=$ESC.pfm" view.pbrt
"--output=$ESC" view.pbrt
"--output=missing/$ESC.png" view.pbrt
view.pbrt "$ESC"
"$ESC"
END
}

@test "control characters of a film's file name and of a specification are shown, not sent" {
  scene "\"string filename\" \"a$(printf '\033')[31mRED\\nlbrender: fake\\r$(printf '\007').bmp\"" >film.pbrt
  for options in "" --report=- --compare; do
    "$LBRENDER" $options film.pbrt >out 2>err
    clean out err
    [ "$(cat out err | grep -c '^lbrender: fake')" -eq 0 ]
  done
  grep -q 'it will be a\\x1B\[31mRED\\nlbrender: fake\\r\\x07.png' <("$LBRENDER" film.pbrt 2>&1)
  printf '{"\\u001b[31mRED\\u0007\\n\\r": 1}' >spec.json
  run "$LBRENDER" --simulate=spec.json film.pbrt
  ended 1 'spec.json: unknown member "\x1B[31mRED\x07\n\r"'
}

@test "every form of the report names files whose names are not UTF-8" {
  name=$'caf\xe9'
  scene >"$name.pbrt"
  for options in "" "--simulate=2" "--compare" "--compare --simulate=2"; do
    for form in text json csv html; do
      echo "$options $form"
      "$LBRENDER" $options --report-format=$form --report=report -o "$name.png" "$name.pbrt" >out 2>err
      clean report out err
    done
  done
  "$LBRENDER" -q --report=r.json -o "$name.png" "$name.pbrt"
  [ -e "$name.png" ]
  jq -e '.scene == "caf\\xE9.pbrt" and .image.file == "caf\\xE9.png" and .frames[0].file == "caf\\xE9.png"' r.json
  "$LBRENDER" -q --report=r.csv -o "$name.png" "$name.pbrt"
  grep -q '^"caf\\xE9.pbrt",.*,"caf\\xE9.png",' r.csv
  run "$LBRENDER" -o "$name.png" "$name.pbrt"
  ended 0 'wrote caf\xE9.png  crc32c'
}

@test "JSON has names in UTF-8 whole" {
  scene >view.pbrt
  "$LBRENDER" -q --report=r.json -o "$ESC.png" view.pbrt
  clean r.json
  [ "$(jq -j .image.file r.json)" = "$ESC.png" ]
}
