#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `jrec open`: the page of a recording that is still written, made anew when there is more of it, and to the end; for nobody else; of a process and of
# a directory, too.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures Work.java) || { fail "open: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

# serve TARGET...: sets server and address.
serve() {
  local i
  timeout 100 "$JREC" open --no-browser "$@" >address 2>openerr &
  server=$!
  for i in $(seq 300); do
    grep -q '^Ctrl-C' address && address=$(head -1 address) && return
    kill -0 $server 2>/dev/null || break
    sleep 0.1
  done
  complain "no address: $(cat address openerr)"
}

# By SIGTERM: a shell's background commands do not hear of Ctrl-C.
stop_server() {
  kill $server
  wait $server
  [ $? = 143 ] || complain "jrec ended with another code than 143"
}

# What the page's data says of the recording's length, in ms.
shown_ms() {
  python3 - "$address" <<'PY'
import base64, json, re, sys, urllib.request, zlib
page = urllib.request.urlopen(sys.argv[1], timeout=60).read().decode()
element = re.search(r'id="data">(.*?)</script>', page, re.S)
text = element[1].strip()
if not text.startswith("{"): text = zlib.decompress(base64.b64decode(text), 47).decode()
print(round(json.loads(text)["seconds"] * 1000))
PY
}

status_of() { # METHOD ADDRESS [HOST]
  python3 - "$@" <<'PY'
import sys, urllib.error, urllib.request
request = urllib.request.Request(sys.argv[2], method=sys.argv[1], headers={"Host": sys.argv[3]} if len(sys.argv) > 3 else {})
try: print(urllib.request.urlopen(request, timeout=30).status)
except urllib.error.HTTPError as e: print(e.code)
PY
}

grows() { # JDK
  local first second last
  rm -rf live.jfr live.jfr.chunks
  "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/live.jfr,interval=5ms,flush-interval=200ms" -cp "$CLASSES" Work 600 >out 2>err &
  local pid=$!
  for i in $(seq 200); do ls live.jfr.chunks/*.jfr >/dev/null 2>&1 && break; sleep 0.1; done
  sleep 1
  serve live.jfr || { kill -9 $pid; return 1; }
  first=$(shown_ms)
  sleep 2
  second=$(shown_ms)
  kill $pid
  wait $pid 2>/dev/null
  last=$(shown_ms)
  echo "first=$first second=$second last=$last"
  stop_server || return
  [ "$first" -gt 0 ] && [ "$second" -gt "$first" ] && [ "$last" -ge "$second" ] && [ -s live.jfr ] || complain "the page does not grow"
}

whoever() {
  serve live.jfr || return
  local port=${address#http://127.0.0.1:} got
  port=${port%%/*}
  got="$(status_of GET "$address") $(status_of HEAD "$address") $(status_of POST "$address") $(status_of GET "http://127.0.0.1:$port/") $(status_of GET "$address" "evil.example:$port")"
  stop_server || return
  [ "$got" = "200 200 405 404 403" ] || complain "$got"
}

targets() { # JDK
  mkdir -p shelf
  cp live.jfr shelf/a.jfr
  serve shelf || return
  [ "$(shown_ms)" -gt 0 ] && stop_server || return
  rm -rf only
  mkdir only
  "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/only/other.jfr,interval=5ms,flush-interval=200ms" -cp "$CLASSES" Work 600 >out 2>err &
  local pid=$! shown="" last="" recovered=""
  for i in $(seq 200); do ls only/other.jfr.chunks/*.jfr >/dev/null 2>&1 && break; sleep 0.1; done
  sleep 1
  serve only && [ "$(shown_ms)" -gt 0 ] && stop_server || complain "a directory of chunks is not shown"
  serve $pid && shown=$(shown_ms)
  sleep 1
  kill -9 $pid
  wait $pid 2>/dev/null
  last=$(shown_ms)
  "$JREC" recover only/other.jfr >/dev/null 2>recovererr || complain "$(cat recovererr)"
  recovered=$(shown_ms)
  stop_server
  echo "shown=$shown last=$last recovered=$recovered"
  [ "${shown:-0}" -gt 0 ] && [ "$last" -gt "$shown" ] && [ "$recovered" -ge "$last" ] || complain "a process is not shown to its end: $(cat openerr)"
}

silent() { # JDK
  "$1/bin/java" -cp "$CLASSES" Work 600 >out 2>err &
  local pid=$! told i
  for i in $(seq 100); do grep -q libjvm /proc/$pid/maps 2>/dev/null && break; sleep 0.1; done
  told=$("$JREC" open --no-browser $pid 2>&1)
  kill $pid
  wait $pid 2>/dev/null
  [ "$told" = "jrec: $pid: is a JVM that does not record; jrec start $pid begins that" ] || complain "$told"
}

refused() {
  local code
  "$JREC" open --no-browser nothing.jfr >out 2>err
  code=$?
  [ $code = 1 ] && [ "$(wc -l <err)" = 1 ] || complain "nothing.jfr: $code, $(cat err)" || return
  "$JREC" open --no-browser - <live.jfr >out 2>err
  code=$?
  [ $code = 1 ] && [ "$(wc -l <err)" = 1 ] || complain "standard input: $code, $(cat err)" || return
  head -c 3000 /dev/urandom >noise.jfr
  "$JREC" open --no-browser noise.jfr >out 2>err
  code=$?
  [ $code = 3 ] && [ -s err ] || complain "noise: $code, $(cat err)"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "open: the page grows with its recording, and outlives it ($name)" grows "$jdk"
  check "open: a directory and a process are shown, too ($name)" targets "$jdk"
  check "open: of a JVM that does not record it is said how to begin ($name)" silent "$jdk"
done
check "open: nobody else gets the page, and nothing can be written" whoever
check "open: what cannot be shown is refused in a line" refused
finish
