#!/bin/bash
# Arrows between layers go down only. Reads every #include of ours and fails on one that the table does not allow; where there is a
# build, also on a function or table that a folder uses of another which its includes do not lead to. Neither files nor folders may
# include, or use, each other in a circle, and no folder has more than 40 files.
# usage: check-layers.sh [ROOT]
cd "${1:-$(dirname "$0")/..}" || exit 2

# folder of the file, then the folders or headers that it may include
allowed() {
  case $1 in
    core/base) echo "core/base/" ;;
    core/kernel | core/kernel/*) echo "core/kernel/" ;;
    core/language) echo "core/base/ core/language/" ;;
    core/image) echo "core/base/ core/image/" ;;
    core/scene | core/scene/*) echo "core/base/ core/kernel/ core/language/ core/image/ core/scene/ core/machine/threads.h" ;;
    core/cpu) echo "core/base/ core/kernel/ core/cpu/ core/processor.h core/strategy.h" ;;
    core/wave) echo "core/base/ core/kernel/ core/wave/ core/processor.h core/strategy.h" ;;
    core/display) echo "core/base/ core/display/ core/machine/" ;;
    core/model) echo "core/base/ core/kernel/ core/image/ core/model/ core/scene/ply/ply.h" ;;
    core/machine) echo "core/base/ core/machine/" ;;
    core/processors) echo "core/base/ core/kernel/ core/processors/ core/machine/ core/cpu/cpu.h core/wave/unfit.h core/wave/wave_host.h cuda/cuda.h hosts/hosts.h core/processor.h core/strategy.h" ;;
    core/picture) echo "core/base/ core/kernel/ core/image/ core/picture/" ;;
    core/maps) echo "core/base/ core/kernel/ core/image/ core/report/ core/maps/" ;;
    core/report | core/report/*) echo "core/base/ core/kernel/ core/image/ core/report/ core/strategy.h" ;;
    core/part) echo "core/base/ core/kernel/ core/part/ core/scene/block/identity.h" ;;
    core/run | core/run/*) echo "core/base/ core/kernel/ core/assemble.h core/machine/ core/part/ core/report/ core/run/ core/interrupt.h core/processor.h core/settings.h core/speed.h core/strategy.h" ;;
    core/guiding) echo "core/base/ core/kernel/ core/guiding/ core/machine/ core/cpu/cpu.h core/scene/block/block.h core/processor.h" ;;
    core/simulate) echo "core/base/ core/kernel/ core/report/ core/simulate/ core/settings.h core/speed.h core/strategy.h" ;;
    core) echo "core/base/ core/kernel/ core/machine/ core/option.h core/speed.h core/strategy.h core/assemble.h" ;;
    strategies) echo "core/speed.h core/strategy.h core/kernel/order/order.h strategies/" ;;
    cuda) echo "core/base/ core/kernel/ core/wave/ core/processor.h core/strategy.h cuda/" ;;
    hosts | hosts/wire) echo "core/base/ core/kernel/ core/machine/ core/interrupt.h core/processor.h core/strategy.h hosts/hosts.h hosts/wire/" ;;
    hosts/*) echo "core/base/ core/kernel/ core/machine/ core/interrupt.h core/processor.h core/strategy.h hosts/hosts.h hosts/wire/ $1/" ;;
    cli | cli/*) echo "core/ hosts/hosts.h cli/" ;;
    *) echo "" ;;
  esac
}

# folders whose symbols a folder may use through an interface that is declared elsewhere: core/strategy.h, core/option.h, hosts/hosts.h
linked() {
  case $1 in
    cli | cli/*) echo "strategies hosts/primary hosts/worker hosts/wire" ;;
    core/processors) echo "hosts/primary" ;;
    core/run | core/run/* | core/simulate) echo "strategies" ;;
    strategies) echo "core core/base" ;;
  esac
}

bad=0 files=0 edges= includes=
while IFS= read -r file; do
  files=$((files + 1))
  folder=$(dirname "$file")
  may=$(allowed "$folder")
  [ -n "$may" ] || { echo "$file: no rule for the folder $folder in tools/check-layers.sh"; bad=$((bad + 1)); }
  while IFS=: read -r line include; do
    ok=
    for prefix in $may; do
      case $include in "$prefix"*) ok=1 ;; esac
    done
    # a core/base header may be named by strategies through core/strategy.h alone
    [ -n "$ok" ] || { echo "$file:$line: $folder may not include $include"; bad=$((bad + 1)); }
    [ "$folder" = "${include%/*}" ] || edges+="$folder ${include%/*}"$'\n'
    includes+="$file $include"$'\n'
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" | sed -E 's/^([0-9]+):.*"([^"]+)".*/\1:\2/')
done < <(find core strategies cuda hosts cli -name '*.[ch]' -o -name '*.cc' -o -path '*.cu*' -o -path 'core/*.inc' | sort)
echo "$files files, $bad includes against the layers"

# The links of what is built, a line for each pair of objects: FOLDER OWNER'S-FOLDER SYMBOL OBJECT OWNER. Objects without a source
# are left overs.
links() {
  local build=$1 object source
  find "$build/core" "$build/cli" "$build/strategies" "$build/cuda" "$build/hosts" -name '*.o' 2>/dev/null | while IFS= read -r object; do
    source=${object#"$build/"} source=${source%.o}
    [ ! -f "$source" ] && [ ! -f "$source.c" ] || printf '%s\0' "$object"
  done | xargs -0 -r nm -gA | awk -v build="$build/" '
    { object = $1; sub(/:[^:]*$/, "", object); folder = substr(object, length(build) + 1); sub("/[^/]*$", "", folder) }
    $(NF - 1) ~ /U$/ { users[$NF] = users[$NF] " " folder ":" object; next }
    { owner[$NF] = folder; holder[$NF] = object }
    END {
      for (symbol in users)
        if (symbol in owner)
          for (i = split(users[symbol], user, " "); i > 0; i--) {
            split(user[i], part, ":")
            if (part[2] != holder[symbol] && !told[part[2], holder[symbol]]++)
              print part[1], owner[symbol], symbol, part[2], holder[symbol]
          }
    }' | sort
}

# More than that is too much to see into; rooms in it say what they hold. strategies/ is a list of what there is to choose from.
while read -r count folder; do
  [ "$count" -le 40 ] || { echo "$folder: $count files, more than 40: make rooms"; bad=$((bad + 1)); }
done < <(find core cuda hosts cli -type f 2>/dev/null | sed 's#/[^/]*$##' | sort | uniq -c)

pairs=0 wrong=0 linked_objects=$(links "${BUILD:-build}")
while read -r user owner symbol object _; do
  pairs=$((pairs + 1)) ok=
  edges+="$user $owner"$'\n'
  for prefix in $(allowed "$user"); do
    # a folder with all below it, or the folder of one header
    case $prefix in */) case $owner/ in "$prefix"*) ok=1 ;; esac ;; *) [ "$owner" = "${prefix%/*}" ] && ok=1 ;; esac
  done
  for folder in $(linked "$user"); do
    [ "$owner" = "$folder" ] && ok=1
  done
  [ -n "$ok" ] || { echo "$object: $user may not use $symbol of $owner"; wrong=$((wrong + 1)); }
done < <(awk '$1 != $2 && !told[$1, $2]++' <<<"$linked_objects")
echo "$pairs pairs of folders are linked, $wrong against the layers"
# refuse_circle WHAT: of pairs on standard input; tsort names what is in a circle, if there is one
refuse_circle() {
  local circle
  circle=$(tsort 2>&1 >/dev/null | sed -n '/contains a loop/d; s/^tsort: //p')
  [ -z "$circle" ] || { echo "$1:" $circle; wrong=$((wrong + 1)); }
}
refuse_circle "folders that include or use each other" <<<"$edges"
refuse_circle "headers that include each other" <<<"$includes"
refuse_circle "files that use each other" < <(awk '{ print $4, $5 }' <<<"$linked_objects")
[ $bad -eq 0 ] && [ $wrong -eq 0 ] && [ $files -gt 0 ]
