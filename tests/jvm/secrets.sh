#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Secrets that are named as such are in no byte of a recording, while it goes on and after; the environment is not recorded at all.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java) || { fail "secrets: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

planted() {
  rm -f s.jfr
  APP_TOKEN=planted-env timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=s.jfr" "-Ddb.password=two planted-property" -Dvisible=kept-property \
    -cp "$CLASSES" Work 1 0 --token "two planted-argument" kept-argument "--api-key=two -planted-option" "--secret:two planted-secret" >out 2>err || complain "$(cat err)" || return
  ! grep -aq 'planted-' s.jfr || complain "the recording holds: $(grep -ao 'planted-[a-z]*' s.jfr | sort -u | tr '\n' ' ')" || return
  grep -aq 'kept-property' s.jfr || complain "the recording lacks an ordinary property" || return
  grep -aq -- '--token \[redacted\] kept-argument' s.jfr || complain "the recording lacks an ordinary argument behind a secret" || return
  grep -aq '\[redacted\]' s.jfr || complain "the recording does not say that something was left out"
}

# The same of what lies on disk and in memory file systems while the recording goes on, and of what the agent says.
planted_live() {
  local pid i
  rm -rf live.jfr live.jfr.chunks copies && mkdir copies
  APP_TOKEN=planted-env "$1/bin/java" "-agentpath:$AGENT=filename=live.jfr,loglevel=debug" "-Ddb.password=two planted-property" -Dvisible=kept-property \
    -cp "$CLASSES" Work 4 0 --token "two planted-argument" kept-argument "--api-key=two -planted-option" "--secret:two planted-secret" >out 2>err &
  pid=$!
  for i in $(seq 200); do grep -aqs kept-property live.jfr.chunks/*.jfr && break; sleep 0.1; done
  cp live.jfr.chunks/*.jfr copies/
  for i in $(awk '/\.spool$/ { print $6 }' /proc/$pid/maps | sort -u); do cp --sparse=always "$i" copies/; done
  wait $pid
  grep -aqs kept-property copies/*.jfr || complain "no chunk with an ordinary property: $(cat err)" || return
  compgen -G 'copies/*.spool' >/dev/null || complain "found no spool of the process" || return
  ! grep -al 'planted-' copies/* out err || complain "in these: $(grep -al 'planted-' copies/* out err | tr '\n' ' ')"
}

for jdk in $(jdks); do
  check "secrets: planted ones are nowhere in the recording ($(jdk_name "$jdk"))" planted "$jdk"
  check "secrets: nor in open chunks, spools and messages ($(jdk_name "$jdk"))" planted_live "$jdk"
done
finish
