# lbrender-strategies.7 has an entry for each strategy that there is, and for no other.
load common

PAGE=$ROOT/man/lbrender-strategies.7

# A strategy's entry: a paragraph whose tag begins with its name in bold.
entries() {
  awk 'last == ".TP" && /^\.BR? / { print $2 } { last = $0 }' "$PAGE" | sort
}

@test "the manual and --list-strategies have the same strategies" {
  diff <(strategies | sort) <(entries)
}

@test "the manual of the strategies is well formed" {
  command -v man >/dev/null || skip "no man"
  [ -z "$(man -l --warnings -Tutf8 "$PAGE" 2>&1 >/dev/null)" ]
}
