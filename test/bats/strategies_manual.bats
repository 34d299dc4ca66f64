# The manual page lbrender-strategies.7 has an entry for each strategy that there is, and for no other.
load common

PAGE=$ROOT/man/lbrender-strategies.7

# Prints the names of its entries, which are paragraphs whose tags begin with a name in bold.
entries() {
  awk 'last == ".TP" && /^\.BR? / { print $2 } { last = $0 }' "$PAGE" | sort
}

@test "the manual and --list-strategies have the same strategies" {
  diff <(strategies | sort) <(entries)
}

@test "every file that makes a strategy is in the table, but the skeleton" {
  made=$(sed -n 's/^const struct lb_strategy lb_strategy_\([a-z0-9_]*\) =.*/\1/p' "$ROOT"/strategies/*.c)
  [ "$(wc -l <<<"$made")" -gt 15 ]
  diff <(grep -v '^skeleton$' <<<"$made" | sort) <(strategies | sort)
}

# Prints lines "STRATEGY --OPTION", as the headings of --help say.
options_of_help() {
  "$LBRENDER" --help | tr '\n' '\r' | sed 's/,\r */, /g' | tr '\r' '\n' |
    awk '/^ [A-Z].*:$/ { for_these = /^ For [a-z, ]+:$/; gsub(/^ For |[:,]/, ""); n = split($0, names, " ") }
         for_these && /^ +--/ { sub(/=.*/, ""); for (i = 1; i <= n; i++) print names[i], $1 }' | sort
}

# Prints the same, as the last lines of the entries say.
options_of_page() {
  sed 's/\\-/-/g' "$PAGE" | awk 'last == ".TP" { name = $2 } { last = $0 }
    /^Options: / { gsub(/[,.]/, ""); for (i = 2; i <= NF; i++) print name, $i }' | sort
}

@test "the manual and --help name the same options of each strategy" {
  [ "$(options_of_help | wc -l)" -gt 20 ]
  diff <(options_of_help) <(options_of_page)
}

@test "the manual of the strategies is well formed" {
  command -v man >/dev/null || skip "no man"
  [ -z "$(man -l --warnings -Tutf8 "$PAGE" 2>&1 >/dev/null)" ]
}

@test "the page names the strategies that start from kept speeds" {
  scene >view.pbrt
  slow="-q --devices=null:speed=40000,null:speed=10000 -o out.png --report=r.json view.pbrt"
  "$LBRENDER" $slow
  for strategy in $(strategies); do
    "$LBRENDER" --strategy=$strategy $slow
    if [ "$(jq -r '.frames[0].processors[0].weight_source' r.json)" = cached ]; then echo $strategy; fi
  done >used
  [ "$(cat used)" = "$(sed -n '/that earlier runs kept are used by/,/unasked/s/^\.B //p' "$ROOT/man/lbrender-strategies.7")" ]
}

@test "the skeleton names every hook that a strategy may have" {
  hooks=$(sed -n '/^struct lb_strategy {/,/^};/p' "$ROOT/core/strategy.h" | grep -o '(\*[a-z_]*)' | tr -d '(*)')
  [ "$(echo "$hooks" | wc -l)" -ge 11 ]
  for hook in $hooks; do
    grep -qE "\.$hook\b" "$ROOT/strategies/skeleton.c" || { echo "$hook"; return 1; }
  done
}

@test "what the page says of the sources' schemes is what their formulas give, recomputed without the program" {
  run python3 "$ROOT/bench/sources.py" "$LBRENDER"
  ended 0 "patent, Tmin and speed-ups"
  [ "$(grep -c "NOT IN THE PAGE" <<<"$output")" -eq 0 ]
}
