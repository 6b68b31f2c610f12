#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The page of a real recording as a browser shows and a person uses it: every panel, the brush and the zoom of its address, keys and pointer, light and
# dark, and silence: nothing loaded, no error in the console. tests/jvm/browser.py drives Chromium, which is not among the packages that tests require.
. "$(dirname "$0")/lib.sh"
command -v chromium >/dev/null || { skipped "browser" "there is no chromium"; finish; }
CLASSES=$(fixtures ViewMix.java) || { fail "browser: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
export PANELS="stacks threads locks allocation exceptions io collections safepoints run"

# The JDK's own recording of the same run has files, sockets and safepoints beside it: all of them, as none need be slow.
OWN=settings=profile,jdk.FileRead#threshold=0ms,jdk.FileWrite#threshold=0ms,jdk.SocketRead#threshold=0ms,jdk.SocketWrite#threshold=0ms
record() {
  JVM=-XX:StartFlightRecording=filename=own.jfr,$OWN recorded ViewMix app "$(jdks | tail -1)" cpu=5ms,wall=10ms,alloc=64k,lock=1ms,exceptions,statistics=200ms 4 &&
    "$JREC" report app.jfr own.jfr -o page.html
}

# Chromium ends with its driver, whatever becomes of it.
browser() { timeout -s KILL 50 python3 -B "$ROOT/tests/jvm/browser.py" "${2:-file://$PWD/page.html}" "$1"; }

# The page that `jrec open` serves.
served() { # WHAT
  local address="" server rc
  "$JREC" open --no-browser app.jfr own.jfr >address 2>openerr &
  server=$!
  for _ in $(seq 100); do
    grep -q '^Ctrl-C' address && address=$(head -1 address) && break
    sleep 0.1
  done
  [ -n "$address" ] && browser "$1" "$address"
  rc=$?
  kill $server
  return $rc
}

if check "browser: a page is made of a recording" record; then
  check "browser: every panel and lane is there and shows something" browser panels
  check "browser: a brush of the address, of the pointer, and none" browser brush
  check "browser: a zoom of the address, of keys and wheel, and back" browser zoom
  check "browser: who held the locks is told, and where" browser holders
  check "browser: collections alone, one value alone, zeros, and tables of nothing" browser little
  check "browser: years have dates, on the axis and beneath it" browser years
  check "browser: lanes go no higher than what can be, nor for one spike" browser scales
  check "browser: long names of threads leave room" browser names
  check "browser: a search that is too long or too large is none" browser searches
  check "browser: the strips of threads follow the zoom" browser strips
  check "browser: light and dark, by the system, the address and a key, all with contrast" browser shades
  check "browser: nothing is loaded, nothing goes wrong" browser silence
  check "browser: nor of a page that is served" served silence
  check "browser: it gives parts of the time, and leads back" served parts
  check "browser: its times are of the clock, for it may begin later the next time" served anew
  check "browser: threads, frames and places of the page are kept" browser kept
  check "browser: findings lead to what they rest on, and damage is told" browser shows
fi
finish
