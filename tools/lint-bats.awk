# Refuses what looks like a check in a bats file and cannot fail, and waits for a time instead of for a condition.
# usage: awk -f lint-bats.awk FILE.bats ...
# Prints FILE:LINE: what is wrong with it. bats 1.8 ends a test where `set -e` does, and that overlooks a status that `!` turned round
# and all but the last command of a list of &&.

function strip(text) {
  gsub(/'[^']*'/, "''", text) # a pattern may hold anything
  gsub(/\[\[[^]]*\]\]/, "[[ ]]", text)
  sub(/(^|[ \t])#.*/, "", text)
  return text
}

FNR == 1 { depth = 0; text = ""; end = "" }

# A here-document is data.
end != "" { if ($0 == end) end = ""; next }

{
  if (text == "") first = FNR
  text = text $0
  if (match($0, /<<'?[A-Z]+'?/)) {
    end = substr($0, RSTART, RLENGTH)
    gsub(/[<']/, "", end)
  }
}

# A line that ends with a backslash, a pipe, && or || goes on.
/(\\|\||&&)[ \t]*$/ && end == "" { sub(/\\$/, "", text); next }

{
  line = strip(text)
  text = ""
  checked = line # without what if and the loops ask
  sub(/^[ \t]*(if|elif|while|until)[ \t].*;[ \t]*(then|do)/, "then", checked)
  if (checked ~ /(^|[;&{(]|do|then|else)[ \t]*![ \t]/ && checked !~ /\|\|[ \t]*(continue|break|return)/)
    printf "%s:%d: `!` cannot end a test: use no_line for grep, or run and the status\n", FILENAME, first
  if (checked ~ /^[ \t]*(\[|\[\[|test|grep|cmp|diff|jq|ended|differ|valid) .*&&/ && checked !~ /\|\|/ &&
      checked !~ /&&[ \t]*(\{|break|continue|return|[A-Za-z_]+=[^ ]*$)/)
    printf "%s:%d: what stands before && cannot end a test: give it a line of its own\n", FILENAME, first
  if (line ~ /^[ \t]*(for|while|until)[ \t]/ || line ~ /^[ \t]*for[ \t]*\(\(/) {
    depth++
    waits[depth] = line ~ /^[ \t]*(while|until)[ \t]/
    slept[depth] = 0
  }
  if (depth > 0 && line ~ /(^|[ \t;&|])(break|return)([ \t;]|$)/)
    waits[depth] = 1
  if (line ~ /^[ \t]*sleep[ \t]+[0-9.]+[ \t]*$/) {
    if (depth == 0)
      printf "%s:%d: a sleep that waits for no condition: use await\n", FILENAME, first
    else
      slept[depth] = first
  }
  if (depth > 0 && line ~ /(^|[ \t;])done([ \t;|<>&]|$)/) {
    if (slept[depth] && !waits[depth])
      printf "%s:%d: a sleep that waits for no condition: use await\n", FILENAME, slept[depth]
    depth--
  }
}
