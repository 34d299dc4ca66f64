# The manual page lbrender.1 says what the program does.
load common

MAN=$ROOT/man/lbrender.1

# Prints the long options of --help, one on each line.
help_options() {
  "$LBRENDER" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u
}

# Prints the long options that have an entry in the man page.
man_options() {
  sed 's/\\-/-/g' "$MAN" | awk '/^\.SH OPTIONS/ { on = 1 } /^\.SH SIGNALS/ { on = 0 } on && last == ".TP" { print } { last = $0 }' |
    grep -oE -- '--[a-z-]+' | sort -u
}

@test "the man page and --help have the same options" {
  diff <(help_options) <(man_options)
}

@test "the manual can be read where nothing is installed, as the README says" {
  page=$(grep -oE '`man \./[^`]+`' "$ROOT/README.md" | tr -d '`' | sed 's/^man //')
  (cd "$ROOT" && [ -s "$page" ])
  [[ "$page" == ./man/* ]]
}

@test "no message says \"a EXR\"" {
  strings -n 8 "$LBRENDER" >said
  no_line -E '(^|[^a-z])a (EXR|[aeioAEIO][a-z])' said
}

@test "no option stands twice in --help" {
  [ -z "$("$LBRENDER" --help | grep -oE '^ +(-., )?--[a-z-]+' | sort | uniq -d)" ]
}

# Prints the words that the options $1, with | between, take by --help: "tone-map agx".
words_of() {
  "$LBRENDER" --help | sed -nE "s/^ +--($1)\\[?=([a-z|]+).*/\\1 \\2/p" | while read -r option words; do
    printf "$option %s\n" ${words//|/ }
  done
}

@test "every option, and every word of --channels, --preview and --tone-map, is used by a test" {
  find "$ROOT/test/bats" -name '*.bats' ! -name manual.bats -exec cat {} + >tests
  [ "$(help_options | wc -l)" -gt 80 ]
  for option in $(help_options); do
    grep -qE -e "$option([^a-z-]|\$)" tests || { echo "no test uses $option"; return 1; }
  done
  [ "$(words_of 'preview|tone-map' | wc -l)" -eq 10 ]
  words_of 'preview|tone-map' | while read -r option word; do
    grep -qE -e "--$option(=| )$word" tests || [ "$word" = none ] || { echo "no test uses --$option=$word"; return 1; }
  done
  "$LBRENDER" --channels=x 2>&1 | sed -n 's/.*there are \(.*\), and gbuffer.*/\1/p' | tr ',' ' ' >words
  [ "$(wc -w <words)" -gt 15 ]
  for word in $(cat words); do
    grep -qE -e "(--channels=|ALL=)([A-Za-z]+,)*$word([^A-Za-z]|\$)" tests || { echo "no test uses --channels=$word"; return 1; }
  done
}

@test "the man page and the enum have the same exit statuses" {
  from_enum=$(grep -oE '= [0-9]+' "$ROOT/cli/console/status.h" | grep -oE '[0-9]+')
  from_man=$(awk '/^\.SH EXIT STATUS/ { on = 1; next } /^\.SH/ { on = 0 } on && /^\.B [0-9]/ { print $2 }' "$MAN")
  [ "$from_enum" = "$from_man" ]
}

@test "the man page names the ending of every format of pictures" {
  words=$("$LBRENDER" --help | grep -oE -- '--format=[a-z|]+' | head -1 | cut -d= -f2 | tr '|' ' ')
  [ "$(wc -w <<<"$words")" -ge 3 ]
  for word in $words; do
    grep -qE "^\.B \.$word" "$MAN" || { echo "$word is missing"; false; }
  done
}

@test "the man page names the strategies that do not follow weights" {
  scene >view.pbrt
  listed=$(tr '\n' ' ' <"$MAN" | sed 's/.*one warning and goes on; these are \([^.]*\)\..*/\1/; s/,/ /g; s/ and / /' | xargs -n1 | sort)
  ignoring=$(for s in $(strategies); do
    "$LBRENDER" --strategy=$s -t 2 --weights=1,2 view.pbrt 2>&1 | grep -q "no use for weights" && echo $s
  done | sort)
  diff <(echo "$listed") <(echo "$ignoring")
}

@test "every key of the JSON report is in the man page" {
  scene >view.pbrt
  "$LBRENDER" -q --report=r.json view.pbrt
  page=$(sed 's/\\-/-/g' "$MAN" | sed -n '/^\.SH REPORT/,/^\.SH ENVIRONMENT/p')
  for key in $(jq -r '[.. | objects | keys[]] | unique[]' r.json); do
    echo "$key"
    grep -qw "$key" <<<"$page"
  done
}

@test "the man page is well formed" {
  command -v man >/dev/null || skip "no man"
  run man -l --warnings -Tutf8 "$MAN"
  [ "$status" -eq 0 ]
  [ -z "$(man -l --warnings -Tutf8 "$MAN" 2>&1 >/dev/null)" ]
}

@test "the man page tells the default of every option that takes a value" {
  awk '/^\.SH OPTIONS/ { on = 1 } /^\.SH SIMULATION/ { on = 0 } on' "$MAN" | sed 's/\\-/-/g' |
    awk '/^\.TP/ { item = 1; next } /^\.S[HS]/ { name = "" } item && /--/ { if (match($0, /--[a-z-]+/)) name = substr($0, RSTART, RLENGTH) }
         { item = 0 } /Default:/ { print name }' | sort -u >told
  "$LBRENDER" --help | grep -oE '^ +(-., )?--[a-z-]+=' | grep -oE -- '--[a-z-]+' | sort -u >options
  [ "$(wc -l <options)" -gt 25 ]
  diff options told
}
