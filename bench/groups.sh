#!/bin/bash
# The work pools with several primaries and without any, from 8 to 1024 processors in groups of 2 to 32: prints
# bench/results/csv/groups.csv, the least efficiency of each on each cost map, and where that was (groups x their size,
# or processors). steal and push know no groups.
# usage: groups.sh MAP.pfm ...
cd "$(dirname "$0")/.." || exit 2
[ $# -ge 1 ] || { echo "usage: groups.sh MAP.pfm ..." >&2; exit 2; }

# rows MAP STRATEGY GROUP...: "SPEEDS LEAST GROUP PROCESSORS" a line
rows() {
  local map=$1 strategy=$2
  shift 2
  for group in "$@"; do
    build/bench/balance -g "$group" -p '8-1024*' -n 1 -m same,even -t "$map" "$strategy" |
      awk -F, -v group="$group" 'FNR > 1 { print $2, $4, group, $5 }'
  done
}

echo "map,speeds,strategy,least,at"
for map in "$@"; do
  for strategy in hierarchical peers steal push; do
    groups="0"
    case $strategy in hierarchical | peers) groups="2 4 8 16 32" ;; esac
    # shellcheck disable=SC2086
    found=$(rows "$map" "$strategy" $groups) || exit 1
    for speeds in same even; do
      echo "$found" | awk -v speeds=$speeds -v name="$(basename "$map" .pfm),$speeds,$strategy" '$1 == speeds && (least == "" || $2 < least) { least = $2; group = $3; at = $4 }
        END { if (group > 0) printf "%s,%s,%s x %s\n", name, least, at / group, group; else printf "%s,%s,%s\n", name, least, at }'
    done
  done
done
