#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files of a recording are for their user alone whatever the umask; a planted link or another user's directory is refused with one line
# and left as it is, and the application does not notice; no socket is opened and no child gets a descriptor.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java Children.java) || { fail "security: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
chmod 755 .

plain() { timeout 60 "$JDK/bin/java" -cp "$CLASSES" "$@" >plain.out 2>plain.err; }
recorded() {
  local options=$1
  shift
  timeout 60 "$JDK/bin/java" "-agentpath:$AGENT=$options" -cp "$CLASSES" "$@" >out 2>err
}

# Waits until the first chunk is beside recording $1: at most 20 s.
wait_for_chunk() {
  local i
  for i in $(seq 200); do
    compgen -G "$1.chunks/*.jfr" >/dev/null && return 0
    sleep 0.1
  done
  complain "no chunk appeared beside $1: $(cat err)"
}

# Everything under the paths given is a directory of mode 0700 or a file of mode 0600.
private() {
  local open
  open=$(find "$@" \( -type d ! -perm 0700 \) -o \( -type f ! -perm 0600 \) -o ! -type d ! -type f)
  [ -z "$open" ] || complain "not private: $(ls -ld $open)"
}

modes() {
  JDK=$1
  local pid spools bad=0
  rm -rf modes && mkdir -m 755 modes
  (umask "$2" && exec "$JDK/bin/java" "-agentpath:$AGENT=filename=modes/new/m.jfr,interval=1ms" -cp "$CLASSES" Work 3 >out 2>err) &
  pid=$!
  wait_for_chunk modes/new/m.jfr || return
  private modes/new || bad=1
  spools=$(awk '/\.spool$/ { print $6 }' /proc/$pid/maps | sort -u | xargs -r -n1 dirname | sort -u)
  [ -n "$spools" ] || complain "found no spool of the process" || bad=1
  private $spools || bad=1
  wait $pid || complain "ended with $?: $(cat err)" || return
  private modes/new || return
  [ "$(ls -A modes/new)" = m.jfr ] || complain "left behind: $(ls -A modes/new)" || return
  return $bad
}

# refused LINE OPTIONS: the application does as it does without the agent, and one line, which matches LINE, says why it is not recorded.
refused() {
  plain Work 0.2 7
  local want=$?
  recorded "$2" Work 0.2 7
  local got=$?
  [ $got = $want ] || complain "exit code $got instead of $want" || return
  cmp plain.out out || return
  [ "$(grep -c '^rec: ' err)" = 1 ] || complain "not one line: $(cat err)" || return
  grep -q "^rec: .*$1" err || complain "no line about $1: $(cat err)"
}

links() {
  JDK=$1
  rm -rf links && mkdir links && mkdir links/victims && echo precious >links/victim && chmod 640 links/victim
  local before
  before=$(stat -c '%i %a %Y %s' links/victim)
  ln -s victim links/a.jfr
  ln -s victims links/b.jfr.chunks
  ln -s nothing links/c.jfr
  refused 'symbolic link' filename=links/a.jfr || return
  refused 'symbolic link' filename=links/b.jfr || return
  refused 'symbolic link' filename=links/c.jfr || return
  [ "$(stat -c '%i %a %Y %s' links/victim)" = "$before" ] && [ "$(cat links/victim)" = precious ] || complain "the victim was changed" || return
  [ -z "$(ls -A links/victims)" ] && [ ! -e links/nothing ] || complain "something was written behind a link"
}

# The link appears while the recording goes on: the chunks stay, and a line says where.
late_link() {
  JDK=$1
  rm -rf late && mkdir late && echo precious >late/victim
  "$JDK/bin/java" "-agentpath:$AGENT=filename=late/a.jfr" -cp "$CLASSES" Work 2 7 >out 2>err &
  local pid=$!
  wait_for_chunk late/a.jfr && ln -s victim late/a.jfr
  wait $pid
  [ $? = 7 ] || complain "another exit code: $(cat err)" || return
  [ "$(cat late/victim)" = precious ] || complain "the victim was changed" || return
  grep -q '^rec: .*symbolic link.*chunks are in' err || complain "no line says where the chunks are: $(cat err)" || return
  "$JDK/bin/jfr" $QUICK summary late/a.jfr.chunks/*.jfr >/dev/null
}

another_user() {
  JDK=$1
  [ "$(id -u)" = 0 ] || { echo "only root can make another user's directory"; return 0; }
  rm -rf theirs && mkdir -p theirs/d theirs/r.jfr.chunks
  chown 65534:65534 theirs/d theirs/r.jfr.chunks
  refused 'belongs to user 65534' filename=theirs/d/a.jfr || return
  refused 'belongs to user 65534' filename=theirs/r.jfr || return
  refused 'belongs to user 65534' filename=theirs/a.jfr,repository=theirs/d || return
  [ -z "$(ls -A theirs/d theirs/r.jfr.chunks | grep -v ':$')" ] || complain "something was written: $(ls -AR theirs)"
}

# gives_up_root JDK MAXCHUNKAGE RECOVERED: the process becomes another user's while it records. The lines say how root gets the recording, and
# that brings it: what `jrec recover` says matches RECOVERED.
gives_up_root() {
  JDK=$1
  rm -rf given && mkdir -m 755 given
  gcc -O2 -shared -fPIC "-I$JDK/include" "-I$JDK/include/linux" -o give_up_root.so "$ROOT/fixtures/give_up_root.c" || return
  "$JDK/bin/java" "-agentpath:$SCRATCH/give_up_root.so=$SCRATCH/given/go" "-agentpath:$AGENT=filename=given/a.jfr,interval=1ms,maxchunkage=$2" \
    -cp "$CLASSES" Work 3 7 >out 2>err &
  local pid=$!
  wait_for_chunk given/a.jfr && touch given/go
  wait $pid
  [ $? = 7 ] || complain "another exit code: $(cat err)" || return
  tail -1 err | grep -q "^rec: .*has become user 65534, and user 0 gets the recording by 'jrec recover .*/given/a.jfr.chunks'.*chunks are in" ||
    complain "no line says how root gets the recording: $(cat err)" || return
  "$JREC" recover given/a.jfr.chunks >recovered 2>&1 || complain "$(cat recovered)" || return
  grep -qE "$3" recovered || complain "recovered: $(cat recovered)" || return
  "$JREC" verify given/a.jfr >verified 2>&1 || complain "$(cat verified)"
}

# Descriptors above 2 of process $1 that a child would inherit, without what differs from run to run.
inheritable() {
  local fd flags
  for fd in /proc/"$1"/fd/*; do
    [ "${fd##*/}" -gt 2 ] || continue
    flags=$(awk '/^flags/ {print $2}' "/proc/$1/fdinfo/${fd##*/}" 2>/dev/null)
    [ -n "$flags" ] && [ $((8#$flags & 8#2000000)) = 0 ] && readlink "$fd" | sed 's/[0-9]\+/N/g'
  done | sort
}

sockets() { ls -l /proc/"$1"/fd | grep -c 'socket:'; }

descriptors() {
  JDK=$1
  "$JDK/bin/java" -cp "$CLASSES" Children 3 >plain.out 2>&1 &
  local theirs=$! ours
  "$JDK/bin/java" "-agentpath:$AGENT=filename=d.jfr,onchunk=true" -cp "$CLASSES" Children 3 >out 2>err &
  ours=$!
  wait_for_chunk d.jfr || return
  sleep 1
  inheritable $theirs >plain.fds
  inheritable $ours >fds
  local plain_sockets=$(sockets $theirs) our_sockets=$(sockets $ours)
  wait $theirs $ours
  [ "$our_sockets" = "$plain_sockets" ] || complain "$our_sockets sockets instead of $plain_sockets" || return
  [ -z "$(comm -13 plain.fds fds)" ] || complain "a child would inherit: $(comm -13 plain.fds fds)" || return
  cmp plain.out out || { diff plain.out out; return 1; }
  grep -q '^child ended with 0' out
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "security: with umask 000 files are 0600 and directories 0700 ($name)" modes "$jdk" 000
  check "security: planted links are refused and untouched ($name)" links "$jdk"
  check "security: a link planted during the recording is refused and untouched ($name)" late_link "$jdk"
  check "security: another user's directory is refused ($name)" another_user "$jdk"
  if [ "$(id -u)" = 0 ]; then
    check "security: a process that gives up root goes on in its open chunk ($name)" gives_up_root "$jdk" 0 '1 chunk kept.* [1-9][0-9,]* samples'
    check "security: what it records behind its open chunk is recovered, too ($name)" gives_up_root "$jdk" 1s '1 chunk kept.*1 from spools \([1-9]'
  else skipped "security: a process that gives up root ($name)" "only root can"; fi
  check "security: no socket, and no descriptor for a child ($name)" descriptors "$jdk"
done
finish
