#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Recordings and archives on a server and in an object store: they say what they say on this machine, little of an archive is fetched, a
# server that lies makes an error, and a data set in a bucket is the one that a directory would be.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { skipped remote "there is no python3"; exit 0; }
CLASSES=$(fixtures Work.java) || { fail "remote: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
export AWS_ACCESS_KEY_ID=AKIDEXAMPLE AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG+bPxRfiCY AWS_REGION=eu-north-1 AWS_SESSION_TOKEN='a/token+of=a session'
readonly SECRET=$AWS_SECRET_ACCESS_KEY TOKEN=$AWS_SESSION_TOKEN
unset http_proxy HTTP_PROXY AWS_ENDPOINT_URL_S3
SERVED=$SCRATCH/served LOG=$SCRATCH/log
mkdir -p "$SERVED/bucket/a dir"

serve() {
  python3 "$ROOT/fixtures/object_server.py" "$SERVED" "$LOG" "$SCRATCH/port" "$AWS_ACCESS_KEY_ID" "$AWS_SECRET_ACCESS_KEY" "$AWS_REGION" "$AWS_SESSION_TOKEN" >server.log 2>&1 &
  for _ in $(seq 600); do [ -s "$SCRATCH/port" ] && break || sleep 0.1; done
  AT=http://127.0.0.1:$(cat "$SCRATCH/port") && export AWS_ENDPOINT_URL=$AT
}

# Two recordings one behind the other, and an archive of them with eight times as much noise.
makes_files() {
  local jdk n
  jdk=$(oldest_jdk)
  for n in 1 2; do
    timeout 60 "$jdk/bin/java" -XX:StartFlightRecording=filename="$SERVED/$n.jfr",settings=profile -cp "$CLASSES" Work 1 >/dev/null 2>&1 || return 1
  done
  cat "$SERVED/1.jfr" "$SERVED/2.jfr" >"$SERVED/two.jfr"
  gzip -c "$SERVED/two.jfr" >"$SERVED/two.jfr.gz"
  for n in 1 2 3 4 5 6 7 8; do head -c 1000000 /dev/urandom >"noise$n"; done
  "$JREC" archive add -q --level 1 "$SERVED/x.recz" noise[1-4] "$SERVED/two.jfr" noise[5-8] -l service=shop && cp "$SERVED/two.jfr" "$SERVED/bucket/a dir/x+1=2&3.jfr" &&
    cp "$SERVED/x.recz" "$SERVED/bucket/year.recz"
}

same() { "$JREC" "$1" "$2" >wanted && "$JREC" "$1" "$3" >got && cmp wanted got && [ -s got ]; }
recording_says_the_same() { same summary "$SERVED/two.jfr" "$AT/files/two.jfr" && same collapsed "$SERVED/two.jfr" "$AT/files/two.jfr.gz" && same summary "$SERVED/two.jfr" "s3://bucket/a dir/x+1=2&3.jfr"; }
# A server that knows no ranges gives a recording, and is told of where it should give a part of an archive.
no_ranges_needed() { same summary "$SERVED/two.jfr" "$AT/plain/files/two.jfr" && refuses 1 'gives no parts of files' "$AT/plain/files/x.recz:two.jfr"; }

# little PARTS command... : the command fetches less than one part in PARTS of the archive.
little() {
  local parts=$1 size fetched
  shift
  : >"$LOG"
  "$@" >got || return 1
  size=$(stat -c %s "$SERVED/x.recz") fetched=$(awk '{ sum += $NF } END { print sum + 0 }' "$LOG")
  echo "$fetched of $size bytes in $(wc -l <"$LOG") requests"
  [ "$fetched" -gt 0 ] && [ $((fetched * parts)) -lt "$size" ]
}
list_fetches_little() { "$JREC" archive list "$SERVED/x.recz" >wanted && little 20 "$JREC" archive list "$AT/files/x.recz" && cmp wanted got; }
member_fetches_little() { "$JREC" summary "$SERVED/two.jfr" >wanted && little 4 "$JREC" summary "$AT/files/x.recz:two.jfr" && cmp wanted got; }
# A time of the first chunk: the second is not fetched.
chunk_fetches_less_than_two() {
  local all
  little 4 "$JREC" print --json "$AT/files/x.recz:two.jfr" && all=$(awk '{ sum += $NF } END { print sum }' "$LOG") &&
    "$JREC" print --json "$SERVED/x.recz:two.jfr" --from 100ms --to 300ms >wanted && little 4 "$JREC" print --json "$AT/files/x.recz:two.jfr" --from 100ms --to 300ms && cmp wanted got &&
    [ "$(awk '{ sum += $NF } END { print sum }' "$LOG")" -lt "$all" ]
}
bucket_archive_says_the_same() {
  "$JREC" archive list "$SERVED/x.recz" >wanted && "$JREC" archive list s3://bucket/year.recz | cmp wanted - &&
    same collapsed "$SERVED/x.recz:two.jfr" s3://bucket/year.recz:two.jfr && "$JREC" archive verify s3://bucket/year.recz | grep 'no problem' &&
    "$JREC" archive restore s3://bucket/year.recz two.jfr --to restored -q && cmp restored/two.jfr "$SERVED/two.jfr"
}
sql_reads_it() { [ "$("$JREC" sql "$SERVED/two.jfr" 'select count(*) from samples' | tail -1)" = "$("$JREC" sql s3://bucket/year.recz 'select count(*) from samples' | tail -1)" ]; }

# refuses CODE PATTERN FILE: in a line, and with nothing secret in it.
refuses() {
  timeout -s KILL 200 "$JREC" summary "$3" --max-unpacked 30m >got 2>err
  local code=$?
  [[ $code == $1 ]] && grep -E -- "$2" err && ! grep -F "$SECRET" err && ! grep -F "$TOKEN" err || complain "code $code: $(cat err got)"
}
shows_no_secret() {
  local at="${AT/\/\//\/\/joe:hunter2@}/files/two.jfr?token=hunter2"
  { "$JREC" findings "$at" && "$JREC" diff "$at" "$at" --json && "$JREC" sql "$at" 'select * from recordings' && "$JREC" flame "$at" -o - && "$JREC" verify "$at" && "$JREC" report "$at" -o -; } >got 2>err
  [ -s got ] && ! grep -c hunter2 got err
}
errors_are_lines() {
  refuses 1 'HTTP 404 Not Found: NoSuchKey: there is no such thing$' "$AT/files/none.jfr" && refuses 1 '404' s3://bucket/none.recz && refuses 3 'HTTP 500' "$AT/ill/files/two.jfr" && refuses 3 'HTTP 500' "$AT/ill/files/x.recz:two.jfr" &&
    refuses 1 'onnect' http://127.0.0.1:1/x.jfr && refuses 1 'is no s3://BUCKET/KEY' s3://bucket && refuses 1 'holds no member' "$AT/files/x.recz:none" &&
    refuses 1 '\[redacted\]@127.0.0.1.*\?\[redacted\]: HTTP 404' "${AT/\/\//\/\/joe:hunter2@}/files/none.jfr?token=hunter2" && ! grep hunter2 err && shows_no_secret
}
# Busy or broken to the end is 3 where nothing could be read, as for commands of archives; what is not there is 1. What would end so each
# time is not asked for again.
codes_are_as_promised() {
  local how code
  for how in ill dies; do
    refuses 3 '' "$AT/$how/files/two.jfr" && refuses 3 '' "$AT/$how/files/x.recz:two.jfr" || return 1
    for code in list verify; do "$JREC" archive $code "$AT/$how/files/x.recz" 2>err; [ $? = 3 ] || complain "$how $code: $(cat err)" || return 1; done
    "$JREC" verify "$AT/$how/files/two.jfr" 2>err; [ $? = 3 ] || return 1
    "$JREC" report "$SERVED/1.jfr" "$AT/$how/files/two.jfr" -o - 2>err >/dev/null; [ $? = 3 ] || complain "$how: $(cat err)" || return 1
  done
  "$JREC" archive list "$AT/files/none.recz" 2>err; [ $? = 1 ] && : >"$LOG" && refuses 1 'redirect' "$AT/circle/files/two.jfr" && [ "$(wc -l <"$LOG")" = 6 ] && refuses 1 '[Pp]ort' http://127.0.0.1:99999/x.jfr && same summary "$SERVED/two.jfr" "HTTP${AT#http}/files/two.jfr"
}
# As a recording, of which what came is good, and as an archive, of which nothing is.
lies_are_errors() {
  local lie what
  while read -r lie what; do
    refuses '[23]' "$what" "$AT/$lie/files/two.jfr" && refuses '[23]' "$what" "$AT/$lie/files/x.recz:two.jfr" || complain "$lie" || return 1
  done <<'END'
length has changed while it was read
version has changed while it was read
part gives another part
more sends more than was asked for
less sends less than it says
late ignores which one is asked for
END
  refuses 2 'larger than 31457280 bytes; --max-unpacked' "$AT/endless/files/two.jfr" && refuses 1 'no parts of files' "$AT/endless/files/x.recz" &&
    refuses 1 'too long for this machine' "$AT/huge/files/x.recz" && refuses 3 '' "$AT/headers/files/two.jfr"
}
goes_on() { same summary "$SERVED/two.jfr" "$AT/breaks/files/two.jfr" && same summary "$SERVED/two.jfr" "$AT/busy/files/x.recz:two.jfr" && same summary "$SERVED/two.jfr" "$AT/moved/files/two.jfr"; }
wrong_key() {
  AWS_SECRET_ACCESS_KEY=wrong refuses 1 'HTTP 403 Forbidden: SignatureDoesNotMatch: another signature$' s3://bucket/year.recz && AWS_REGION=elsewhere refuses 1 'another key, region or day' s3://bucket/year.recz &&
    AWS_SESSION_TOKEN='' refuses 1 'no token' s3://bucket/year.recz && AWS_SECRET_ACCESS_KEY='' refuses 1 'go together' s3://bucket/year.recz
}

adds() { timeout 300 "$JREC" export "$@" >said 2>err || complain "$(cat err)"; }
tables() { (cd "$1" && find . -name '*.parquet' | sort | while read -r file; do echo "$file $(md5sum <"$file")"; done); }
export_is_that_of_a_directory() {
  adds "$SERVED/1.jfr" "$SERVED/two.jfr" --parquet wanted.d --service 'a shop' --host h1 --events 'jdk.GC*' && adds "$SERVED/1.jfr" s3://bucket/year.recz:two.jfr --parquet s3://bucket/a/fleet --service 'a shop' --host h1 --events 'jdk.GC*' &&
    tables wanted.d >wanted && tables "$SERVED/bucket/a/fleet" >got && [ -s got ] && [ "$(wc -l <wanted)" = "$(wc -l <got)" ] && diff <(grep -v recordings/ wanted) <(grep -v recordings/ got) && rests
}
# Neither a lock nor names of what was to come; and nothing of ours on this machine.
rests() { [ "$(cd "$SERVED/bucket/a/fleet/_rec" && find . -type f)" = ./schema ] && ! ls -d "${TMPDIR:-/tmp}"/jrec-?????? 2>/dev/null | xargs -r -n1 find 2>/dev/null | grep _rec; }
once() { adds "$SERVED/1.jfr" --parquet s3://bucket/a/fleet && grep 'is there already' said && tables "$SERVED/bucket/a/fleet" | diff - got && rests; }
# What a full store refuses leaves nothing, and what a killed export has left is undone; its stacks are written by the next that has them.
all_or_none() {
  local left="samples/service=x/day=2026-01-01/host=h/0123.parquet"
  touch "$SERVED/full"
  "$JREC" export "$SERVED/2.jfr" --parquet s3://bucket/b >said 2>err
  [ $? = 4 ] && grep 'HTTP 507' err && rm "$SERVED/full" && mkdir -p "$SERVED/bucket/b/_rec/new" "$(dirname "$SERVED/bucket/b/$left")" && echo 1 >"$SERVED/bucket/b/_rec/schema" &&
    echo half >"$SERVED/bucket/b/$left" && printf '%s\n' "$left" recordings/day=2026-01-01/0123.parquet >"$SERVED/bucket/b/_rec/new/0123" &&
    adds "$SERVED/2.jfr" --parquet s3://bucket/b && [ ! -e "$SERVED/bucket/b/$left" ] && [ ! -e "$SERVED/bucket/b/_rec/new/0123" ] && tables "$SERVED/bucket/b" | grep stacks/ &&
    printf '../../../../escaped\nrecordings/none\n' >"$SERVED/bucket/b/_rec/new/bad" && ! "$JREC" export "$SERVED/1.jfr" --parquet s3://bucket/b 2>err && grep 'names ../' err && rm "$SERVED/bucket/b/_rec/new/bad"
}
one_at_a_time() {
  local lock=$SERVED/bucket/b/_rec/lock
  printf 'until %s\nelsewhere 1 x\n' "$(($(date +%s) - 5))" >"$lock" && adds "$SERVED/1.jfr" --parquet s3://bucket/b && [ ! -e "$lock" ] && printf 'until %s\nelsewhere 1 x\n' "$(($(date +%s) + 500))" >"$lock" || return 1
  adds "$SERVED/two.jfr" --parquet s3://bucket/b &
  for _ in $(seq 300); do grep -q 'waits for another export' err && break || sleep 0.1; done
  grep 'waits for another export' err && ! ls "$SERVED/bucket/b/_rec/new/"* && rm "$lock" && wait $! && [ ! -e "$lock" ]
}
# As in a directory, but for when and which; two at a time lose no file; what a store says in place of a log is told.
logs() { (cd "$1" && sed -E 's/"(timestamp|createdTime|modificationTime|deletionTimestamp)":[0-9]+/"\1":0/g; s/"id":"[^"]*"/"id":""/' */_delta_log/*.json | sort); }
delta_is_that_of_a_directory() {
  local at=s3://bucket/logged kept=$SERVED/bucket/logged
  adds "$SERVED/1.jfr" --parquet logged.d --delta --service 'a shop' --host h:1 --events 'jdk.GC*' && adds "$SERVED/two.jfr" --parquet logged.d --service x --host y &&
    adds "$SERVED/1.jfr" --parquet $at --delta --service 'a shop' --host h:1 --events 'jdk.GC*' && adds "$SERVED/two.jfr" --parquet $at --service x --host y && grep 'recordings: version 1, new files: 1' said || return 1
  # The time of an export is in the rows of recordings, so their files may differ in size.
  logs logged.d | grep -v '"add":{"path":"day=' >wanted && logs "$kept" | grep -v '"add":{"path":"day=' >got && [ "$(grep -c '"add"' got)" -gt 8 ] && diff wanted got && rm -r "$kept/samples/service=x" &&
    adds --parquet $at --delta && grep 'samples: version 2, new files: 0, gone: 1' said && echo 'no log' >"$kept/threads/_delta_log/00000000000000000002.json" &&
    ! "$JREC" export "$SERVED/2.jfr" --parquet $at >said 2>err && grep 'threads: at 0x0: is not in the Delta log' err && grep 'recordings: version 2, new files: 1' said
}
# Made, added to, and the same once more; two at a time both get in; what fails leaves what was.
add_puts_it_back() {
  local stored=$SERVED/bucket/added.recz at=s3://bucket/added.recz
  "$JREC" archive add "$at" "$SERVED/1.jfr" -l service=shop && "$JREC" archive verify "$stored" | grep 'no problem' && cp "$stored" before && "$JREC" archive add "$at" "$SERVED/1.jfr" | grep 'already there' && cmp "$stored" before || return 1
  touch "$SERVED/full" && ! "$JREC" archive add -q "$at" "$SERVED/2.jfr" 2>err && grep 'HTTP 507' err && cmp "$stored" before && rm "$SERVED/full" || return 1
  "$JREC" archive add -q "$at" "$SERVED/2.jfr" &
  "$JREC" archive add -q "$at" "$AT/files/two.jfr?token=hunter2" noise1 && wait $! && "$JREC" archive verify "$stored" | grep '4 members.*no problem' && "$JREC" archive cat "$at" two.jfr | cmp - "$SERVED/two.jfr" &&
    ! "$JREC" archive add -q "$at" "$AT/less/files/two.jfr" --name less.jfr 2>err && grep 'sends less than it says' err && ! ls -d "${TMPDIR:-/tmp}"/jrec-??????/archive.recz
}
# Files so small that parity hides them: an archive of some size is as long after most of these adds as it was before.
add_that_keeps_the_size() {
  local stored=$SERVED/bucket/small.recz at=s3://bucket/small.recz n size same=0
  head -c 100000 /dev/urandom >small0 && "$JREC" archive add -q "$at" small0 || return 1
  for n in 1 2 3 4 5 6; do
    echo "number $n" >"small$n"
    size=$(stat -c %s "$stored")
    "$JREC" archive add -q "$at" "small$n" && "$JREC" archive cat "$at" "small$n" | cmp - "small$n" || return 1
    [ "$(stat -c %s "$stored")" = "$size" ] && same=$((same + 1))
  done
  echo "$same adds kept the size" && [ "$same" -gt 0 ]
}
# add_refused CODE PATTERN ARCHIVE: an add says so, and nothing of success.
add_refused() {
  timeout -s KILL 100 "$JREC" archive add --wait 2 "$3" "$SERVED/2.jfr" >said 2>err
  local code=$?
  [[ $code == $1 ]] && grep -E -- "$2" err && [ ! -s said ] || complain "code $code: $(cat err said)"
}
# A bucket that is not there is no archive that others write to; where they do, there are pauses.
add_does_not_hammer() {
  local rounds stored=$SERVED/bucket/busy.recz
  : >"$LOG"
  add_refused 4 '404 Not Found: NoSuchBucket' s3://nosuchbucket/x.recz && [ "$(wc -l <"$LOG")" = 1 ] && "$JREC" archive add -q s3://bucket/busy.recz "$SERVED/1.jfr" && cp "$stored" before && touch "$SERVED/rival" && : >"$LOG" || return 1
  add_refused 1 'others write to it all the time' s3://bucket/busy.recz && rm "$SERVED/rival" && rounds=$(grep -c 'PUT /bucket/busy.recz - 412' "$LOG") || return 1
  echo "$rounds rounds" && [ "$rounds" -gt 1 ] && [ "$rounds" -lt 15 ] && cmp "$stored" before
}
# Not even when it is killed.
add_leaves_no_copy() {
  mkdir -p copies && "$JREC" archive add -q s3://bucket/busy.recz "$SERVED/1.jfr" && : >"$LOG" && touch "$SERVED/rival" || return 1
  TMPDIR=$SCRATCH/copies "$JREC" archive add -q s3://bucket/busy.recz "$SERVED/2.jfr" 2>err &
  for _ in $(seq 300); do grep -q 'PUT /bucket/busy.recz - 412' "$LOG" && break || sleep 0.1; done
  kill -KILL $! && ! wait $! && rm "$SERVED/rival" && grep -q 'PUT /bucket/busy.recz - 412' "$LOG" && [ -z "$(ls copies)" ] && "$JREC" archive verify "$SERVED/bucket/busy.recz" | grep 'no problem'
}
# As export does.
# What prune takes out here it takes out there, all or none, also beside an add; a dry run and nothing to do put nothing.
prune_puts_it_back() {
  local stored=$SERVED/bucket/pruned.recz at=s3://bucket/pruned.recz
  "$JREC" archive add -q "$at" "$SERVED/1.jfr" -l service=shop && "$JREC" archive add -q "$at" "$SERVED/2.jfr" "$SERVED/two.jfr" && cp "$stored" whole && cp whole here.recz || return 1
  "$JREC" archive prune "$at" --max-size 1 -l service=shop --dry-run | grep -x 1.jfr && cmp "$stored" whole && "$JREC" archive prune "$at" --max-size 1g >said && [ ! -s said ] && cmp "$stored" whole || return 1
  touch "$SERVED/full" && ! "$JREC" archive prune "$at" --max-size 1 2>err && grep 'HTTP 507' err && cmp "$stored" whole && rm "$SERVED/full" || return 1
  "$JREC" archive prune here.recz --max-size 1 -l service=shop && "$JREC" archive prune "$at" --max-size 1 -l service=shop | grep -x 1.jfr && cmp "$stored" here.recz || return 1
  "$JREC" archive add -q "$at" noise1 &
  "$JREC" archive prune "$at" --max-size 1 -q && wait $! && "$JREC" archive verify "$stored" | grep -E ' [01] members.*no problem' &&
    ! "$JREC" archive prune s3://bucket/none.recz --max-size 1 2>err && grep 's3://bucket/none.recz: No such file' err && [ ! -e "$SERVED/bucket/none.recz" ]
}
# A block of zeros is mended there; a whole one is not put anew.
repair_puts_it_back() {
  local stored=$SERVED/bucket/hurt.recz at=s3://bucket/hurt.recz
  "$JREC" archive add -q "$at" "$SERVED/1.jfr" "$SERVED/2.jfr" && "$JREC" archive repair "$at" | grep '0 blocks mended' && cp "$stored" whole && dd if=/dev/zero of="$stored" bs=512 seek=24 count=1 conv=notrunc 2>err || return 1
  ! cmp "$stored" whole && "$JREC" archive repair "$at" >said && grep "^$at: 1 block mended" said && grep 'no problem' said && cmp "$stored" whole
}
add_refuses_a_careless_store() {
  local fault stored=$SERVED/bucket/busy.recz
  for fault in careless half; do
    touch "$SERVED/$fault" && add_refused 1 'no conditional writes' s3://bucket/busy.recz && cmp "$stored" before && rm "$SERVED/$fault" && ! ls "$stored".probe-* 2>/dev/null || return 1
  done
}
add_takes_keys_as_they_are() {
  : >"$LOG"
  "$JREC" archive add -q 's3://bucket/k/a//b.recz' "$SERVED/1.jfr" && grep -q 'PUT /bucket/k/a//b.recz - 200' "$LOG" && ! grep 'PUT /bucket/k/a/b.recz' "$LOG" && "$JREC" archive add -q 'S3://bucket//c.recz' "$SERVED/1.jfr" && grep -q 'PUT /bucket//c.recz - 200' "$LOG"
}
# Always another page, or half of one.
listings_that_lie() {
  local pages=0
  : >"$LOG" && touch "$SERVED/endless"
  "$JREC" export "$SERVED/1.jfr" --parquet s3://bucket/b 2>err
  [ $? = 4 ] && grep 'lists more than 67108864 bytes of names' err && pages=$(grep -c list-type "$LOG") && [ "$pages" -gt 50 ] && [ "$pages" -lt 100 ] && : >"$LOG" || complain "$pages pages: $(cat err)" || return 1
  "$JREC" export "$SERVED/1.jfr" --parquet s3://bucket/b --max-unpacked 3m 2>err
  [ $? = 4 ] && grep 'more than 3145728 bytes of names; --max-unpacked allows more' err && [ "$(grep -c list-type "$LOG")" -lt 8 ] && rm "$SERVED/endless" && touch "$SERVED/cut" || return 1
  "$JREC" export "$SERVED/1.jfr" --parquet s3://bucket/b 2>err
  [ $? = 4 ] && grep 'cannot list s3://bucket/b/_rec/new/: .*cut off' err && rm "$SERVED/cut"
}
# A member of an archive behind a query, none of which is shown.
members_behind_a_query() {
  same collapsed "$SERVED/x.recz:two.jfr" "$AT/files/x.recz:two.jfr?sig=hunter2" && same collapsed "$SERVED/x.recz:two.jfr" "$AT/files/x.recz:tw*.jfr?sig=x.recz:hunter2#hunter2" &&
    refuses 1 'holds no member none.jfr$' "$AT/files/x.recz:none.jfr?sig=hunter2" && ! grep hunter2 err && refuses 1 '404' "${AT/\/\//\/\/x.recz:hunter2@}/files/none.jfr" && ! grep hunter2 err
}
not_a_data_set() {
  "$JREC" export "$SERVED/1.jfr" --parquet s3://bucket/ 2>err
  [ $? = 1 ] && grep 'holds something else' err && touch "$SERVED/careless" && ! "$JREC" export "$SERVED/1.jfr" --parquet s3://bucket/c 2>err && grep 'no conditional writes' err && rm "$SERVED/careless" &&
    touch "$SERVED/half" && ! "$JREC" export "$SERVED/1.jfr" --parquet s3://bucket/d 2>err && grep 'no conditional writes' err && rm "$SERVED/half"
}

makes_files || { fail "remote: files"; finish; }
serve
check remote-recording-says-the-same recording_says_the_same
check remote-a-server-without-ranges no_ranges_needed
check remote-list-fetches-little list_fetches_little
check remote-member-fetches-little member_fetches_little
check remote-a-time-fetches-its-chunk chunk_fetches_less_than_two
check remote-archive-in-a-bucket-says-the-same bucket_archive_says_the_same
check remote-members-behind-a-query members_behind_a_query
check remote-sql-reads-a-bucket sql_reads_it
check remote-errors-are-lines errors_are_lines
check remote-codes-are-as-promised codes_are_as_promised
check remote-a-server-that-lies-is-an-error lies_are_errors
check remote-goes-on-where-a-server-broke-off goes_on
check remote-wrong-keys-are-told-of wrong_key
check remote-export-is-that-of-a-directory export_is_that_of_a_directory
check remote-a-recording-is-there-once once
check remote-export-is-all-or-none all_or_none
check remote-one-export-at-a-time one_at_a_time
check remote-delta-logs-are-those-of-a-directory delta_is_that_of_a_directory
check remote-add-puts-an-archive-back add_puts_it_back
check remote-add-that-keeps-the-size add_that_keeps_the_size
check remote-add-does-not-hammer add_does_not_hammer
check remote-add-leaves-no-copy add_leaves_no_copy
check remote-prune-puts-an-archive-back prune_puts_it_back
check remote-repair-puts-an-archive-back repair_puts_it_back
check remote-add-refuses-a-careless-store add_refuses_a_careless_store
check remote-add-takes-keys-as-they-are add_takes_keys_as_they_are
check remote-listings-that-lie listings_that_lie
check remote-what-is-no-data-set-is-refused not_a_data_set
finish
