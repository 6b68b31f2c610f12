#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Secrets that are named as such are in no byte of a recording; the environment is not recorded at all.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java) || { fail "secrets: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

planted() {
  rm -f s.jfr
  APP_TOKEN=planted-env timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=s.jfr" -Ddb.password=planted-property -Dvisible=kept-property \
    -cp "$CLASSES" Work 1 0 --token planted-argument --api-key=planted-option >out 2>err || complain "$(cat err)" || return
  ! grep -aq 'planted-' s.jfr || complain "the recording holds: $(grep -ao 'planted-[a-z]*' s.jfr | sort -u | tr '\n' ' ')" || return
  grep -aq 'kept-property' s.jfr || complain "the recording lacks an ordinary property" || return
  grep -aq '\[redacted\]' s.jfr || complain "the recording does not say that something was left out"
}

for jdk in $(jdks); do check "secrets: planted ones are nowhere in the recording ($(jdk_name "$jdk"))" planted "$jdk"; done
finish
