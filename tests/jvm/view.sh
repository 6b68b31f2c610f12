#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Views show the figures that `jfr view` shows, of recordings of every JDK; top follows rec's recordings and a JDK's own.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures ViewMix.java) || { fail "view: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
SECONDS_EACH=${REC_VIEW_SECONDS:-3}

# The newest JDK has `jfr view`.
judge() {
  local home newest=
  for home in $(jdks); do "$home/bin/jfr" $QUICK help view >/dev/null 2>&1 && newest=$home; done
  echo "$newest"
}

record() {
  local jdk=$1 name=$2
  sed -E '/event name="jdk.(FileRead|FileWrite|SocketRead|SocketWrite|ThreadSleep)"/,/<\/event>/s/(name="threshold"[^>]*>)[^<]+/\10 ms/' \
    "$jdk/lib/jfr/profile.jfc" >"$name.jfc"
  timeout 120 "$jdk/bin/java" "-XX:StartFlightRecording=settings=$name.jfc,filename=$name.jfr" -cp "$CLASSES" ViewMix "$SECONDS_EACH" \
    >"$name.log" 2>&1
}

# Tables as lines of words, without heads, rules and dots of shortening: the JDK's and ours then read the same.
cells() { grep -E '[0-9]' | grep -vE '^-+|more rows' | sed -E 's/ +/ /g; s/ $//' | sort; }

# same NAME VIEW: every line of the JDK's table is one of ours.
same() {
  local name=$1 view=$2
  timeout 120 "$(judge)/bin/jfr" $QUICK view --width 250 "$view" "$name.jfr" >judged || complain "jfr view $view ended with $?" || return
  timeout 60 "$JREC" view --width 250 "$view" "$name.jfr" >shown || complain "jrec view $view ended with $?" || return
  tail -n +4 judged | cells >theirs
  cells <shown >ours
  [ -s theirs ] || complain "jfr view shows nothing for $view: $(head -5 judged)" || return
  [ -z "$(comm -23 theirs ours)" ] || complain "$view differs: $(diff theirs ours | head -6)"
}

equal_figures() {
  local name=$1 view
  for view in hot-methods exception-by-type exception-by-site events-by-count thread-allocation gc-pause-phases; do
    same "$name" "$view" || return
  done
}

# all_views NAME: one pass shows all, fits, and is JSON when asked.
all_views() {
  local name=$1
  timeout 60 "$JREC" view --width 90 all-views all-events "$name.jfr" >shown || complain "all-views failed" || return
  awk 'length > 90 { print; exit 1 }' shown || complain "a line is wider than 90 columns" || return
  timeout 60 "$JREC" view --json latencies-by-type "$name.jfr" | grep '"eventType":"Java Thread Sleep","count":[1-9]' >/dev/null ||
    complain "no sleeps in latencies-by-type"
}

# follow ARGUMENT: two looks, one of them with new samples.
follow() {
  timeout 60 "$JREC" top -d 1.5 -n 2 --width 120 "$1" >top.out || complain "top ended with $?: $(cat top.out)" || return
  [ "$(grep -c '^samples: ' top.out)" = 2 ] || complain "not two looks: $(cat top.out)" || return
  grep -qE '^samples: [1-9]' top.out || complain "no new samples: $(cat top.out)" || return
  grep -q 'ViewMix' top.out || complain "no method of the program: $(cat top.out)"
}

wait_for() {
  local i
  for i in $(seq 100); do compgen -G "$1" >/dev/null && return 0; sleep 0.1; done
  complain "$1 did not appear"
}

top_of_rec() {
  local jdk=$1 pid status=0
  rm -rf live.jfr live.jfr.chunks
  "$jdk/bin/java" "-agentpath:$AGENT=filename=live.jfr,interval=5ms" -cp "$CLASSES" ViewMix 60 >out 2>err &
  pid=$!
  wait_for 'live.jfr.chunks/*.jfr' && follow live.jfr && follow "$pid" || status=1
  kill $pid 2>/dev/null
  wait $pid 2>/dev/null
  return $status
}

top_of_jdk() {
  local jdk=$1 pid status=0
  rm -rf repository
  "$jdk/bin/java" -XX:StartFlightRecording=settings=profile -XX:FlightRecorderOptions:repository=repository \
    -cp "$CLASSES" ViewMix 60 >out 2>err &
  pid=$!
  wait_for 'repository/*/*.jfr' && follow repository || status=1
  kill $pid 2>/dev/null
  wait $pid 2>/dev/null
  return $status
}

# It ends with the program, and by a signal: SIGTERM, for bash starts jobs with SIGINT ignored.
top_ends() {
  local jdk=$1 pid top
  rm -rf short.jfr short.jfr.chunks
  "$jdk/bin/java" "-agentpath:$AGENT=filename=short.jfr" -cp "$CLASSES" ViewMix 3 >out 2>err &
  pid=$!
  wait_for 'short.jfr.chunks/*.jfr' || return
  timeout 60 "$JREC" top -d 0.3 short.jfr >top.out || complain "top did not end with the recording: $?" || return
  wait $pid
  "$JREC" top -d 30 short.jfr >top.out &
  top=$!
  sleep 1
  kill -TERM $top
  wait $top
  [ $? = 143 ] || complain "top was not ended by SIGTERM with 143"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  record "$jdk" "$name"
  check "jvm: all views of a recording fit, and are JSON ($name)" all_views "$name"
  if [ -n "$(judge)" ]; then
    check "jvm: figures of views are those of jfr view ($name)" equal_figures "$name"
  else
    skipped "view: figures ($name)" "no JDK has jfr view"
  fi
  check "jvm: top follows a recording of rec, by file and by pid ($name)" top_of_rec "$jdk"
  check "jvm: top follows the repository of a JDK ($name)" top_of_jdk "$jdk"
done
check "jvm: top ends with the recording, and by a signal with its number" top_ends "$(oldest_jdk)"
finish
