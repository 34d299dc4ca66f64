# --preview: the picture in a terminal (test/preview.py plays one) or on a page, while it is rendered.
load common

teardown() {
  local job
  for job in $(jobs -pr); do kill "$job"; done
  wait
}

render() { echo "$LBRENDER --no-cache --resolution=150x70 --spp=3 $* $SAMPLES/room.pbrt"; }

# Runs $3.. in a terminal that answers $2, and keeps what it was sent in $1.
in_terminal() {
  env -u TERM_PROGRAM TERM="${TERMINAL-xterm}" timeout 100 python3 "$ROOT/test/preview.py" run "$@" 3>&-
}

seen() {
  python3 "$ROOT/test/preview.py" "$@"
}

@test "a terminal gets the picture by kitty's protocol or as sixels, as it is asked for or as the terminal says" {
  $(render -q -o plain.pfm)
  in_terminal a - $(render -o a.pfm --preview=kitty)
  cmp plain.pfm a.pfm
  [ "$(seen kitty a plain.pfm)" -ge 2 ]
  in_terminal b - $(render -o b.pfm --preview=sixel)
  cmp plain.pfm b.pfm
  [ "$(seen sixel b plain.pfm)" -ge 2 ]
  TERMINAL=xterm-kitty in_terminal c - $(render -o c.pfm --preview)
  seen kitty c plain.pfm
  in_terminal d "62;4;22" $(render -o d.pfm --preview=auto)
  seen sixel d plain.pfm
  # The terminal was asked for its attributes once, and is told nothing else between the pictures than where they go.
  [ "$(grep -ac $'\e\[c' d)" = 1 ]
}

@test "a picture that the terminal has no room for is shown smaller" {
  in_terminal a - $LBRENDER -q --no-cache --resolution=2500x100 --spp=1 -o none --preview=kitty "$SAMPLES/room.pbrt"
  grep -aq 's=834,v=34,' a
}

@test "where the terminal shows no pictures there is a page, whose picture becomes the file's" {
  $(render -q -o plain.pfm)
  in_terminal a "62;22" $(render -o a.pfm --preview)
  grep -q "the picture is shown at http://127.0.0.1:[0-9]*/ on this machine" a
  cmp plain.pfm a.pfm
  $(render -o b.pfm --exposure=0 --strategy=pool --passes=2 --preview=page --progress=none) 2>log &
  await grep -q 'http://[0-9.:]*/' log
  page=$(grep -o 'http://[0-9.:]*/' log)
  wait
  cmp plain.pfm b.pfm
}

@test "the page and its picture are served to who asks for them, and the last one is waited for" {
  command -v curl >/dev/null || skip "curl is not there"
  $(render -q -o plain.pfm)
  # Long enough to be looked at: who has asked once is waited for after the end.
  "$LBRENDER" --no-cache --progress=none --resolution=150x70 --spp=3000 -o none --preview=page --time-limit=4 "$SAMPLES/room.pbrt" 2>log &
  await grep -q 'http://[0-9.:]*/' log
  page=$(grep -o 'http://[0-9.:]*/' log)
  curl -sf "$page" >html
  grep -q '<title>lbrender</title>' html
  run curl -sf -o /dev/null -w '%{http_code}' "${page}other"
  [ "$output" = 404 ]
  await curl -sf -o 1.bmp "${page}picture.bmp?1"
  python3 -c 'import sys; data = open("1.bmp", "rb").read(); assert data[:2] == b"BM" and len(data) == 54 + 452 * 70'
  wait
  # A whole render whose last picture is fetched after its end.
  "$LBRENDER" --no-cache --progress=none --resolution=150x70 --spp=3 -o c.pfm --preview=page "$SAMPLES/room.pbrt" 2>log &
  await grep -q 'http://[0-9.:]*/' log
  page=$(grep -o 'http://[0-9.:]*/' log)
  while curl -sf -o next.bmp "${page}picture.bmp"; do mv next.bmp last.bmp; done
  wait
  cmp plain.pfm c.pfm
  [ ! -e last.bmp ] || seen bmp last.bmp plain.pfm
}

@test "a port that is taken and a word that is none are told; two views at once are an error" {
  python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print(s.getsockname()[1], flush=True); time.sleep(100)' >port 3>&- &
  await test -s port
  run $(render -o a.pfm --preview=page:$(cat port))
  ended 0 "--preview: port $(cat port) of this machine: Address already in use; nothing is shown"
  for wrong in tev page: page:0 page:65536 kitty:80 pages; do
    run $(render -o a.pfm --preview=$wrong)
    ended 2 "--preview"
  done
  run $(render -o a.pfm --preview=page --display-server=localhost:1)
  ended 2 "--preview and --display-server: it is either"
}
