#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reads recordings with jrec and with other readers, side by side: CPU seconds, wall time and peak memory, and how many times jrec's each needs.
# Every reader counts all events, and merges the stacks of one kind of event; what it finds is printed, so that a reader that finds less shows.
#
#   readers.sh FILE...
#
#   JREC              (default: build/jrec/jrec)
#   JAVA_HOME         JDK for the other readers, with jfr in its bin    (default: that of java on the PATH)
#   ASYNC_CONVERTER   async-profiler's jfr-converter.jar; without it, it is left out. The same for the others:
#   JMC_LIB           folder of the jars of JMC's flightrecorder and what it needs
#   JAFAR_CLASSES     class path of jafar's parser
#   EVENTS            whose stacks are merged                            (default: "jdk.ExecutionSample")
#   ROUNDS            (default: 5); each round runs every reader once; medians of the ratios of a round are printed
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
JREC=${JREC:-$ROOT/build/jrec/jrec}
JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
EVENTS=${EVENTS:-jdk.ExecutionSample}
ROUNDS=${ROUNDS:-5}
HEAP=${HEAP:--Xmx8g}
[ $# -gt 0 ] || { sed -n '3,16s/^# \{0,1\}//p' "$0" >&2; exit 1; }
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

compile() { # NAME CLASSPATH
  "$JAVA_HOME/bin/javac" -nowarn -cp "$2" -d "$SCRATCH/$1" "$ROOT/bench/readers/ReadWith$1.java"
  echo "$1 $SCRATCH/$1:$2" >>"$SCRATCH/peers"
}

: >"$SCRATCH/peers"
compile Consumer .
[ -z "${ASYNC_CONVERTER:-}" ] || compile AsyncProfiler "$ASYNC_CONVERTER"
[ -z "${JMC_LIB:-}" ] || compile Jmc "$(printf '%s:' "$JMC_LIB"/*.jar)"
[ -z "${JAFAR_CLASSES:-}" ] || compile Jafar "$JAFAR_CLASSES"

# One line a reader: name, tab, command.
readers() { # count|EVENT FILE
  local task=$1 file=$2 mode
  if [ "$task" = count ]; then
    mode=count
    printf 'jrec\t%s\n' "$JREC --jobs 1 summary $file"
    printf 'jrec-2\t%s\n' "$JREC --jobs 2 summary $file"
    printf 'jfr-summary\t%s\n' "$JAVA_HOME/bin/jfr summary $file"
  else
    mode="stacks $task"
    printf 'jrec\t%s\n' "$JREC --jobs 1 collapsed --samples -e $task $file"
    printf 'jrec-2\t%s\n' "$JREC --jobs 2 collapsed --samples -e $task $file"
  fi
  while read -r name path; do
    printf '%s\t%s\n' "$name" "$JAVA_HOME/bin/java $HEAP -cp $path ReadWith$name $mode $file"
  done <"$SCRATCH/peers"
}

# What a reader found, in a few words: events, or events and distinct stacks.
found() { # NAME
  case $1 in
    jrec*) grep -v '^$' "$SCRATCH/out" | if [ "$task" = count ]; then awk '$2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ { n += $2 } END { print n }'
      else awk '{ n += $NF } END { print n " " NR }'; fi ;;
    jfr-summary) awk '$2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ { n += $2 } END { print n }' "$SCRATCH/out" ;;
    *) tail -1 "$SCRATCH/out" ;;
  esac
}

measure() { # NAME COMMAND
  if ! /usr/bin/time -o "$SCRATCH/time" -f '%U %S %e %M' timeout 600 $2 >"$SCRATCH/out" 2>/dev/null; then return; fi
  awk -v who="$1" '{ print who, $1 + $2, $3, $4 / 1024 }' "$SCRATCH/time" >>"$SCRATCH/rows"
  [ "$round" -gt 1 ] || found "$1" >"$SCRATCH/found-$1"
}

median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) printf "%.3f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

column() { awk -v who="$1" -v column="$2" '$1 == who { print $column }' "$SCRATCH/rows" | median; }

# The ratio of a round is that of the k-th run of both.
ratio() { # NAME COLUMN
  paste <(awk -v column="$2" '$1 == "jrec" { print $column }' "$SCRATCH/rows") \
    <(awk -v who="$1" -v column="$2" '$1 == who { print $column }' "$SCRATCH/rows") |
    awk 'NF == 2 { print $2 / ($1 > 0.005 ? $1 : 0.005) }' | median
}

report() {
  printf '\n%s, %s (%s MB)\n%-14s %9s %9s %9s %9s %9s   %s\n' "$(basename "$file")" "$task" "$(($(stat -c %s "$file") / 1000000))" \
    reader 'CPU s' 'ratio' 'wall s' 'ratio' 'RSS MiB' found
  while IFS=$'\t' read -r name _; do
    [ -n "$(column "$name" 2)" ] || { printf '%-14s failed\n' "$name"; continue; }
    printf '%-14s %9s %9s %9s %9s %9.0f   %s\n' "$name" "$(column "$name" 2)" "$(ratio "$name" 2)" "$(column "$name" 3)" "$(ratio "$name" 3)" \
      "$(column "$name" 4)" "$(cat "$SCRATCH/found-$name")"
  done < <(readers "$task" "$file")
}

for file in "$@"; do
  for task in count $EVENTS; do
    : >"$SCRATCH/rows"
    for round in $(seq "$ROUNDS"); do
      while IFS=$'\t' read -r name command; do measure "$name" "$command"; done < <(readers "$task" "$file")
    done
    report
  done
done
