#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What an archive takes beside zstd and xz, on the same files in one run: bytes and CPU time, one core each.
#
#   bench/archive_sizes.sh FILE...            each file in an archive of its own, and all in one
#   JREC=build/jrec/jrec   LEVEL=9
#
# Prints a line a file, of bytes: jrec, zstd -3, -9, -19 --long=27, xz -9e, and jrec's as a share of the last two; then the sums, and the
# seconds of CPU time that each took, packing and unpacking.
set -euo pipefail
JREC=${JREC:-build/jrec/jrec}
LEVEL=${LEVEL:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A bytes cpu back

# timed NAME command... : adds its CPU time to cpu[NAME]
timed() {
  local name=$1 seconds
  shift
  { /usr/bin/time -f '%U %S' -o "$work/time" "$@"; } || { echo "failed: $*" >&2; exit 1; }
  seconds=$(awk '{ print $1 + $2 }' "$work/time")
  cpu[$name]=$(echo "${cpu[$name]:-0} $seconds" | awk '{ print $1 + $2 }')
}

count() {
  size=$(stat -c %s "$2")
  bytes[$1]=$((${bytes[$1]:-0} + size))
}

printf '%-50s %11s %10s %10s %10s %10s %10s %7s %7s\n' file bytes jrec zstd-3 zstd-9 zstd-19 xz-9e /zstd19 /xz
row() {
  printf '%-50.50s %11d %10d %10d %10d %10d %10d %7.3f %7.3f\n' "$@" "$(echo "$3 $6" | awk '{ print $1 / $2 }')" "$(echo "$3 $7" | awk '{ print $1 / $2 }')"
}
for file in "$@"; do
  rm -f "$work"/a.recz "$work"/out.*
  line=("$(basename "$file")" "$(stat -c %s "$file")")
  timed jrec "$JREC" --jobs 1 archive add -q --level "$LEVEL" "$work/a.recz" "$file"
  count jrec "$work/a.recz" && line+=("$size")
  timed unjrec "$JREC" --jobs 1 archive cat "$work/a.recz" "$(basename "$file")" >"$work/out.back"
  cmp "$file" "$work/out.back"
  for level in 3 9 "19 --long=27"; do
    timed "zstd -$level" zstd -q -$level -T1 -f -o "$work/out.zst" "$file"
    count "zstd -$level" "$work/out.zst" && line+=("$size")
  done
  timed unzstd zstd -qd --long=27 -f -o "$work/out.back" "$work/out.zst"
  timed "xz -9e" xz -9e -T1 -kc "$file" >"$work/out.xz"
  count "xz -9e" "$work/out.xz" && line+=("$size")
  timed unxz xz -dc "$work/out.xz" >"$work/out.back"
  bytes[all]=$((${bytes[all]:-0} + $(stat -c %s "$file")))
  row "${line[@]}"
done
row "sum" "${bytes[all]}" "${bytes[jrec]}" "${bytes[zstd -3]}" "${bytes[zstd -9]}" "${bytes[zstd -19 --long=27]}" "${bytes[xz -9e]}"
"$JREC" --jobs 1 archive add -q --level "$LEVEL" "$work/all.recz" "$@"
all=$(stat -c %s "$work/all.recz")
row "all in one archive" "${bytes[all]}" "$all" "${bytes[zstd -3]}" "${bytes[zstd -9]}" "${bytes[zstd -19 --long=27]}" "${bytes[xz -9e]}"
echo
for name in jrec "zstd -3" "zstd -9" "zstd -19 --long=27" "xz -9e" unjrec unzstd unxz; do
  printf '%-20s %8.2f s CPU %8.1f MB/s\n' "$name" "${cpu[$name]}" "$(echo "${bytes[all]} ${cpu[$name]}" | awk '{ print $1 / 1e6 / ($2 + 1e-9) }')"
done
