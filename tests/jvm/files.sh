#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What jrec writes is read by the JDKs' own tools, and they find in it what was asked for: cut, scrub, merge, disassemble, verify, and
# wrapped inputs, on recordings of each JDK and of the agent.
#
#   REC_CORPUS   a folder of recordings: each is cut, scrubbed and merged as well, which takes minutes
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java SameEvents.java) || { fail "files: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
SECRET=hunter2forTheTest

# Prints what `jfr summary` counts, without types that have no events: "jdk.ExecutionSample 12", sorted.
counts() { timeout 60 "$1/bin/jfr" $QUICK summary "$2" | awk '$1 ~ /\./ && NF == 3 && $2 > 0 { print $1, $2 }' | grep -vE 'jdk.(Metadata|CheckPoint|Checkpoint) ' | sort; }

# Every line of every event, in any order. Settings name event types by their numbers, which merge changes.
lines() {
  timeout 120 "$1/bin/jfr" $QUICK print --json --stack-depth 64 "$2" >print.json 2>print.err || complain "jfr print $2: $(head -3 print.err)" || return
  ! grep -qi 'error\|exception' print.err || complain "jfr print $2: $(head -3 print.err)" || return
  grep -v '"id":' print.json | sed 's/, *$//' | sort
}

same() { diff "$1" "$2" | head -20 | { ! grep .; } || complain "$3 differs"; }

# Records with JFR itself, and with the agent: NAME.jfr, NAME-rec.jfr
record() {
  timeout 60 "$1/bin/java" -Ddb.password=$SECRET -XX:StartFlightRecording=filename="$2.jfr",settings=profile -cp "$CLASSES" Work 1.5 0 >/dev/null 2>&1
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/$2-rec.jfr" -cp "$CLASSES" Work 1 0 >/dev/null 2>&1
  [ -s "$2.jfr" ] && [ -s "$2-rec.jfr" ] || complain "no recording"
}

verifies() { "$JREC" verify "$1" || complain "verify says $?"; }

# What several commands say of a recording.
told_of() {
  "$JREC" summary --json "$1" && "$JREC" collapsed "$1" && "$JREC" print --json-lines --events 'jdk.CPULoad,jdk.ExecutionSample' "$1"
}

wrapped() {
  told_of "$1" >plain || complain "a command says $?" || return
  { head -c 1000 "$1" | gzip; tail -c +1001 "$1" | gzip; } >a.packed
  told_of a.packed >got && same plain got "gzip" || return
  local tool command
  for tool in zstd lz4; do
    command -v $tool >/dev/null || continue
    $tool -qc "$1" >a.packed
    told_of a.packed >got && same plain got $tool || return
  done
  for command in "summary --json" "collapsed" "print --json-lines --events jdk.CPULoad" "verify --json"; do
    "$JREC" $command - <"$1" >plain && cat a.packed | "$JREC" $command - >got && same plain got "$command in a pipe" || return
  done
}

# What cut, scrub, merge and disassemble write holds the events that it should, to the last frame, read by the JDK: lines for SameEvents.
outputs() {
  local file=$1
  "$JREC" cut "$file" -o all.jfr -q && "$JREC" cut "$file" -o pruned.jfr -q --prune || complain "cut says $?" || return
  "$JREC" cut "$file" -o less.jfr -q --exclude-events ThreadStart,jdk.ActiveSetting || complain "cut --exclude-events says $?" || return
  "$JREC" cut "$file" -o main.jfr -q --thread main && "$JREC" cut "$file" -o others.jfr -q --exclude-threads main || complain "cut by thread says $?" || return
  "$JREC" scrub "$file" -o scrubbed.jfr -q --exclude-events ThreadStart || complain "scrub says $?" || return
  printf '%s\n' "all.jfr $file" "pruned.jfr $file" "less.jfr $file - jdk.ThreadStart jdk.ActiveSetting" "$file main.jfr others.jfr" \
    "scrubbed.jfr $file - jdk.ThreadStart"
}

written_alike() {
  outputs "$2" >list || return
  same_events "$1" 0 5 || return
  [ "$(wc -c <main.jfr)" -lt "$(wc -c <others.jfr)" ] && [ "$(wc -c <less.jfr)" -lt "$(wc -c <all.jfr)" ] || complain "nothing was left out: this shows nothing"
}

# same_events JDK SLACK_ns NUMBER: the list holds, and that many lines of it could be read.
same_events() {
  timeout 200 "$1/bin/java" $READER -Xmx1g -Dslack="$2" -cp "$CLASSES" SameEvents list >verdicts || complain "$(cut -c1-300 verdicts)" || return
  [ "$(grep -c '^same .*: [1-9]' verdicts)" = "$3" ] || complain "$(cut -c1-300 verdicts)"
}

cut_events() {
  "$JREC" cut "$2" -o cut.jfr -q --events 'jdk.ExecutionSample,jdk.CPULoad' || complain "cut says $?" || return
  counts "$1" "$2" | grep -E '^jdk.(ExecutionSample|CPULoad) ' >expected
  [ -s expected ] || complain "no such events: this shows nothing" || return
  counts "$1" cut.jfr >got && same expected got "summary" && verifies cut.jfr
}

# Cut at many places, a recording has each event that is whole in it: no copy of the chunk's header, which the JDK writes with each flush,
# is taken for another chunk. Events are counted here by their sizes alone, metadata and checkpoints too.
cut_anywhere() {
  python3 - "$JREC" "$1" <<'PY' || complain "$(cat told)"
import json, random, subprocess, sys
def number(at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128: return value, at
data = open(sys.argv[2], "rb").read()
ends, at = [], 68
while at < len(data):
    at += number(at)[0]
    ends.append(at)
copies, at = [], 0
while (at := data.find(b"D" + data[:8], at + 1)) > 0: copies.append(at)
random.seed(1)
described = int.from_bytes(data[24:32], "big")
described += number(described)[0]
cuts = [len(data) - 1000] + [copy + 500 for copy in copies[:-1]] + random.sample(range(described, len(data)), 20)
wrong = [] if len(copies) > 1 else ["no copies of the header: this shows nothing"]
for cut in cuts:
    open("part.jfr", "wb").write(data[:cut])
    told = subprocess.run([sys.argv[1], "summary", "--json", "part.jfr"], capture_output=True, timeout=20)
    summary = json.loads(told.stdout)
    got, whole = sum(type["count"] for type in summary["events"]), sum(end <= cut for end in ends)
    if got != whole or summary["chunks"] != 1: wrong.append(f"cut at {cut}: {got} of {whole} events, {summary['chunks']} chunks")
open("told", "w").write("; ".join(wrong[:3]))
sys.exit(bool(wrong))
PY
}

scrubbed() {
  grep -qF "$SECRET" "$2" || complain "no secret in it: this shows nothing" || return
  "$JREC" scrub "$2" out.jfr -q --secrets --exclude-events ClassLoad || complain "scrub says $?" || return
  ! grep -qF "$SECRET" out.jfr || complain "the secret is still there" || return
  counts "$1" "$2" | grep -v '^jdk.ClassLoad ' >expected
  counts "$1" out.jfr >got && same expected got "summary" || return
  lines "$1" out.jfr >got && grep -qF '[redacted]' got || complain "nothing is redacted" || return
  verifies out.jfr
}

# The JDK's own scrub leaves the same events, to the letter.
scrubbed_alike() {
  "$JREC" scrub "$2" ours.jfr -q --exclude-events 'Initial*,jdk.ActiveSetting' || complain "scrub says $?" || return
  rm -f theirs.jfr
  timeout 120 "$1/bin/jfr" $QUICK scrub --exclude-events 'Initial*,jdk.ActiveSetting' "$2" theirs.jfr >/dev/null || complain "jfr scrub failed" || return
  counts "$1" theirs.jfr >expected && counts "$1" ours.jfr >got && same expected got "summary" || return
  lines "$1" theirs.jfr >expected && lines "$1" ours.jfr >got && same expected got "print"
}

# Of all programs, in the order of time; and each chunk of it says by itself what it says among the others. Ticks become nanoseconds: a
# duration may be one off.
merged() {
  local reader=$1
  shift
  "$JREC" merge "$@" -o merged.jfr -q || complain "merge says $?" || return
  rm -rf pieces && mkdir pieces
  "$JREC" disassemble merged.jfr --to pieces --max-chunks 1 -q || complain "disassemble says $?" || return
  printf '%s\n' "merged.jfr $*" "merged.jfr $(echo pieces/*.jfr)" >list
  same_events "$reader" 2 2 && verifies merged.jfr
}

disassembled() {
  rm -rf ours theirs && mkdir ours theirs
  "$JREC" disassemble merged.jfr --to ours --max-chunks 1 -q || complain "disassemble says $?" || return
  cat ours/*.jfr | cmp - merged.jfr || return
  [ "$(java_version "$1")" -lt 25 ] || timeout 60 "$1/bin/jfr" $QUICK disassemble --output theirs --max-chunks 1 merged.jfr >/dev/null || return
  [ "$(java_version "$1")" -lt 25 ] || diff -r ours theirs || complain "the JDK's own pieces differ"
}

# Every recording of a folder, cut, scrubbed, and merged with one of another program. Where the JDK itself shows a recording's later
# chunks by the clock of its first, times may differ by as much as the clocks do: those are named, and held to a second.
corpus() {
  local reader=$1 other=$2 file n=0
  : >list
  for file in "$REC_CORPUS"/*.jfr; do
    n=$((n + 1))
    "$JREC" summary "$file" >/dev/null 2>&1 || continue
    "$JREC" cut "$file" -o "cut$n.jfr" -q && echo "cut$n.jfr $file"
    "$JREC" scrub "$file" -o "scrub$n.jfr" -q && echo "scrub$n.jfr $file"
    "$JREC" merge "$other" "$file" -o "merge$n.jfr" -q && echo "merge$n.jfr $other $file"
  done >list 2>/dev/null
  timeout 1200 "$reader/bin/java" -Xmx2g -Dslack=200 -cp "$CLASSES" SameEvents list | grep -E '^[a-z]' >verdicts
  echo "$(grep -c '^same' verdicts) same, $(grep -c '^unreadable' verdicts) inputs that the JDK cannot read"
  for file in $(sed -nE 's/^differs ([^:]*):.*/\1/p' verdicts); do grep "^$file " list; done >differing
  mv differing list
  [ ! -s list ] || { echo "by the clock only:" && cat list && same_events "$reader" 1000000200 "$(wc -l <list)"; }
}

ALL=()
for home in $(jdks); do
  name=$(jdk_name "$home")
  check "files: $name records" record "$home" "$name"
  ALL+=("$name.jfr" "$name-rec.jfr")
done
for home in $(jdks); do
  name=$(jdk_name "$home")
  for file in "$name.jfr" "$name-rec.jfr"; do
    check "files: $file has no damage" verifies "$file"
    check "files: what cut and scrub write of $file is the same for $name" written_alike "$home" "$file"
  done
  check "files: $name.jfr wrapped" wrapped "$name.jfr"
  check "files: cut of some events is read by $name" cut_events "$home" "$name.jfr"
  [ "$(java_version "$home")" -lt 17 ] || check "files: $name.jfr cut anywhere keeps each whole event" cut_anywhere "$name.jfr"
  check "files: scrub removes a secret, $name reads the rest" scrubbed "$home" "$name.jfr"
  [ "$(java_version "$home")" -lt 19 ] || check "files: scrub and the scrub of $name agree" scrubbed_alike "$home" "$name.jfr"
  check "files: merge of all programs is the same for $name" merged "$home" "${ALL[@]}"
  check "files: disassemble for $name" disassembled "$home"
  [ -z "${REC_CORPUS:-}" ] || check "files: $REC_CORPUS for $name" corpus "$home" "$name.jfr"
done
finish
