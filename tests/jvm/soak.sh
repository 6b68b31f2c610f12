#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A soak of seconds: scripts/soak is the long one. Classes, threads and redefinitions storm while the recorder runs at 5 kHz.
# Alone: watches what a process grows by while it works as much as it can.
. "$(dirname "$0")/lib.sh"
SOAK_SECONDS=${REC_SOAK_SECONDS:-12}

soak() {
  REC_BUILD=$BUILD REC_SOAK_CHECK_S=3 REC_SOAK_OUT=$SCRATCH/soak timeout $((SOAK_SECONDS * 2 + 300)) \
    "$ROOT/scripts/soak" "$(awk -v s="$SOAK_SECONDS" 'BEGIN { print s / 60 }')" "$1" "$2"
}

gcs=(G1 Z Parallel)
for jdk in $(jdks); do
  check "soak: $SOAK_SECONDS s of classes, threads and redefinitions under ${gcs[0]} ($(jdk_name "$jdk"))" soak "$jdk" "${gcs[0]}"
  gcs=("${gcs[@]:1}" "${gcs[0]}")
done
finish
