#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jrec print, metadata and summary say what the JDK's jfr says, of recordings with every type, unit and odd value.
#
#   print.sh [FILE...]   compares these recordings too; what jfr itself cannot print is skipped
#   PRINT_CORPUS=DIR     and all recordings under this directory: the big run
#
# Each file gets a line that says how many events were compared, and how many differ.
. "$(dirname "$0")/lib.sh"
FILES=()
for file in "$@"; do FILES+=("$(readlink -f "$file")"); done
if [ -n "${PRINT_CORPUS:-}" ]; then
  while IFS= read -r file; do FILES+=("$(readlink -f "$file")"); done < <(find "$PRINT_CORPUS" -name '*.jfr' | sort)
fi
CLASSES=$(fixtures EventShapes.java JsonCompare.java TextCompare.java XmlEvents.java) ||
  { fail "print: fixtures compile"; finish; }
JUDGE=$(jdks | tail -1) # the newest: its text is what ours follows
cd "$SCRATCH" || exit 1

jfr() { timeout 200 "$JUDGE/bin/jfr" $QUICK -J-Xmx4g "$@"; }
compare() { timeout 300 "$JUDGE/bin/java" $READER -Xmx2g -cp "$CLASSES" "$@" >verdict || complain "$(cat verdict)"; }

# A process whose command line looks like the end of an event: jdk.SystemProcess has it.
mkfifo idle
bash -c $': "\n}\n\nthing {\n  a = 1\n}\n\n"; read' <>idle >/dev/null 2>&1 &

record() { timeout 60 "$1/bin/java" -cp "$CLASSES" EventShapes "$2" >out 2>err || complain "$(cat err)"; }

# The JDK reads a chunk by the constants and the clock of the one before, which is wrong where recordings were joined:
# there its own reading of each chunk by itself is the judge.
json() {
  "$JREC" print --json "$1" >ours || complain "jrec print --json: $?" || return
  compare JsonCompare ours theirs && return
  [ "$("$JREC" summary --json "$1" | sed -nE 's/.*"chunks":([0-9]+).*/\1/p')" -gt 1 ] || return
  chunks_alone "$1" && compare JsonCompare ours alone/*.json && sed -i '$s/$/ (chunk by chunk)/' verdict
}

chunks_alone() {
  rm -rf alone && mkdir alone && jfr disassemble --max-chunks 1 --output alone "$1" >/dev/null || return
  local chunk
  for chunk in alone/*.jfr; do jfr print --json --stack-depth 2048 "$chunk" >"$chunk.json" || return; done
}

text() {
  "$JREC" print "$1" >ours || complain "jrec print: $?" || return
  # Unsigned amounts beyond a long are negative in theirs.
  sed -i -E '/unsignedBytes = (-|[89]\.[0-9] EB|1[0-6]\.[0-9] EB)/d' ours theirs
  compare TextCompare ours theirs
}

xml() {
  # Characters beyond U+FFFF are two references in theirs, which no parser takes; the fixture has one of them.
  sed -i 's/&#55357;&#56832;/\xf0\x9f\x98\x80/g' theirs
  "$JREC" print --xml --stack-depth 64 "$1" >ours || complain "jrec print --xml: $?" || return
  compare JsonCompare ours theirs
}

# Tabs in descriptions are escaped, on purpose.
metadata() {
  jfr metadata "$1" >theirs || complain "jfr metadata fails" || return
  "$JREC" metadata "$1" | sed 's/\\x09/\t/g' >ours || complain "jrec metadata: $?" || return
  diff theirs ours >difference || complain "$(grep -c '^[<>]' difference) lines differ: $(head -10 difference)"
}

# name count bytes, a line each. jfr goes by number, so a type may have several lines.
counts() {
  jfr summary "$1" | awk 'NF == 3 && $1 !~ /:$/ && $2 ~ /^[0-9]+$/ { n[$1] += $2; b[$1] += $3 }
                          END { for (t in n) print t, n[t], b[t] }' | sort >theirs
  "$JREC" summary --json "$1" |
    sed -nE 's/^\{"name":"([^"]*)","count":([0-9]+),"bytes":([0-9]+)\}.*/\1 \2 \3/p' | sort >ours
  [ -s theirs ] && cmp theirs ours || complain "$(diff theirs ours | head)"
}

lines_are_objects() {
  "$JREC" print --json-lines "$1" >lines && "$JREC" print --json "$1" >document || complain "exit code $?" || return
  { echo '{"recording":{"events":['; sed '$!s/$/,/' lines; echo ']}}'; } >ours
  compare JsonCompare ours document
}

table() {
  "$JREC" print --csv --events shapes.Times "$1" >csv || complain "exit code $?" || return
  [ "$(head -1 csv | cut -d, -f1-2)" = startTime,duration_ns ] || complain "header: $(head -1 csv)" || return
  [ "$(wc -l <csv)" -eq "$(($("$JREC" print --json-lines --events Times "$1" | wc -l) + 1))" ] ||
    complain "$(wc -l <csv) lines"
}

# filtered EXPECTED words...: so many events are printed
filtered() {
  local expected=$1 got
  shift
  got=$("$JREC" print --json-lines "$@" | wc -l)
  [ "$got" -eq "$expected" ] || complain "$*: $got events, expected $expected"
}

filters() {
  local plain
  plain=$("$JREC" print --json-lines --events shapes.Plain "$1" | wc -l)
  [ "$plain" -gt 50 ] || complain "only $plain events" || return
  filtered "$plain" "$1" --categories Deeper &&
    filtered 1 "$1" --events Plain --thread 'a thread of*' &&
    filtered $((plain - 1)) "$1" --events Plain --thread main &&
    filtered 1 "$1" --events shapes.* --where 'aString = "in a thread"' &&
    filtered 1 "$1" --where 'aString = deep and eventThread.javaName ~ "^ma"' &&
    filtered 2 "$1" --where 'nanos >= 1s and nanos < 2s' &&
    filtered 1 "$1" --where 'nanos = 1ms or nanos > 1ms and nanos < 1000.5us' &&
    filtered 1 "$1" --events Plain -I 'EventShapes\.deep' --where 'aString = deeper' &&
    filtered 0 "$1" --events Plain -X EventShapes &&
    filtered "$("$JREC" print --json-lines --events ThreadSleep "$1" | grep -c .)" "$1" --event sleep &&
    filtered "$("$JREC" print --json-lines --events shapes.Times "$1" | grep -c .)" "$1" --event shapes.Times &&
    filtered 0 "$1" --from 1h && filtered 0 "$1" --to -1h
}

# damaged BYTES-OF-A-FILE CODES: printed behind a whole recording, which is shown whatever follows. So the document is
# closed, has no fewer events, and the exit code is one of these.
damaged() {
  local code
  cat "$1" damaged.jfr >joined.jfr
  timeout 20 "$JREC" print --json joined.jfr >ours 2>err
  code=$?
  [[ " $2 " == *" $code "* ]] || complain "exit $code: $(head -1 err)" || return
  [ $code -eq 0 ] || grep -q 'at 0x' err || complain "no place is named: $(head -1 err)" || return
  [ "$(tail -1 ours)" = "$(tail -1 whole)" ] || complain "the document is not closed" || return
  [ "$(wc -l <ours)" -ge "$(wc -l <whole)" ] || complain "events of the whole recording are missing"
}

cut_files() {
  local size tenth format
  size=$(stat -c %s "$1")
  for tenth in 1 2 3 4 5 6 7 8 9; do
    head -c $((size * tenth / 10)) "$1" >damaged.jfr
    damaged "$1" 2 || complain "cut at $tenth/10" || return
    for format in --json-lines --xml --stack-depth=64; do
      timeout 20 "$JREC" print "$format" damaged.jfr >ours 2>err
      [ $? -eq 2 ] || complain "$format, cut at $tenth/10: $(head -1 err)" || return
    done
  done
}

# A byte turned over at forty places.
flipped_files() {
  local size place
  size=$(stat -c %s "$1")
  for place in {1..40}; do
    cp "$1" damaged.jfr
    printf '\xff' | dd of=damaged.jfr bs=1 seek=$((size * place / 41)) conv=notrunc 2>/dev/null
    damaged "$1" "0 2" || complain "turned over at $place/41" || return
  done
  compare JsonCompare ours ours
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "print: $name is recorded" record "$jdk" "$PWD/$name.jfr"
  FILES+=("$PWD/$name.jfr")
  check "print: --json-lines of $name is --json, a line an event" lines_are_objects "$name.jfr"
  check "print: --csv of $name is one table" table "$name.jfr"
  check "print: filters of $name" filters "$name.jfr"
  "$JREC" print --json "$name.jfr" >whole
  check "damage: of $name cut short the whole events are printed" cut_files "$name.jfr"
  check "damage: a byte of $name turned over ends in an answer" flipped_files "$name.jfr"
done
# judged NAME FILE test words...: runs the test on the file when jfr print with these words, into theirs, succeeds.
judged() {
  local name=$1 file=$2 test=$3
  shift 3
  if jfr print "$@" "$file" >theirs 2>err; then
    check "$name" "$test" "$file"
  else
    skipped "$name" "jfr of the JDK cannot: $(head -1 err | cut -c1-100)"
    return 1
  fi
}

for file in "${FILES[@]}"; do
  name=$(basename "$file" .jfr)
  : >verdict
  judged "print: --json of $name equals jfr's, field by field" "$file" json --json --stack-depth 2048 || continue
  echo "    $name: $(tail -1 verdict)"
  if ! grep -q 'chunk by chunk' verdict; then # where the JDK mixes programs up, it does so in every format
    judged "print: text of $name equals jfr's, line by line" "$file" text --stack-depth 64
    judged "print: --xml of $name equals jfr's" "$file" xml --xml --stack-depth 64
    check "print: metadata of $name equals jfr's" metadata "$file"
  fi
  check "print: counts and bytes of $name equal jfr summary's" counts "$file"
done
finish
