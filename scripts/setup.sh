# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: brings what the build needs. On Debian 12 as root it installs it; otherwise it says the line to type.

# Packages that building and testing need; callers add their own.
base_packages() {
  echo g++ cmake ninja-build libzstd-dev zlib1g-dev liblz4-dev libprotozero-dev doctest-dev libcli11-dev libfmt-dev libxxhash-dev libre2-dev libsqlite3-dev libcurl4-openssl-dev liblzma-dev libbenchmark-dev openjdk-17-jdk-headless python3
  if grep -qis rapidjson "$ROOT"/*/CMakeLists.txt "$ROOT"/*/*/CMakeLists.txt; then echo rapidjson-dev; fi
}

# For the sanitizers, the fuzzers, the format and the other processor.
checking_packages() { echo clang-14 libclang-rt-14-dev clang-format-14 g++-aarch64-linux-gnu; }

is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -q '^installed$'; }

missing_packages() {
  local package
  for package in "$@"; do is_installed "$package" || echo "$package"; done
}

# require_packages PACKAGE... : all of them are there afterwards, or the script ends.
require_packages() {
  local missing
  command -v dpkg-query >/dev/null || { echo "This script knows Debian only; it needs: $*" >&2; return 0; }
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    echo "Please type: sudo apt-get install -y --no-install-recommends $missing" >&2
    exit 1
  fi
  echo "installing: $missing"
  local log
  log=$(mktemp)
  if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    echo "apt-get could not install: $missing" >&2
    exit 1
  fi
  rm -f "$log"
}

# build PRESET TARGET... : configures and builds. On a terminal ninja counts in one line; elsewhere a line now and then tells how far it is.
# What fails is shown in whole.
build() {
  local preset=$1 log status=0
  shift
  log=$(mktemp)
  if ! (cd "$ROOT" && cmake --preset "$preset") >"$log" 2>&1; then
    status=1
  elif [ -t 1 ]; then
    NINJA_STATUS='[%f/%t, %es] ' ninja -C "$(build_dir "$preset")" "$@" || { rm -f "$log"; return 1; }
  else
    NINJA_STATUS='[%f/%t, %es] ' ninja -C "$(build_dir "$preset")" "$@" 2>&1 | tee "$log" | now_and_then || status=1
  fi
  [ "$status" = 0 ] || grep -v '^\[[0-9]' "$log" | tail -60 >&2
  rm -f "$log"
  return "$status"
}

# Of ninja's lines "[12/76, 9.5s] Building ...", the counts of one in PROGRESS_EVERY seconds (10).
now_and_then() {
  local line next=$((SECONDS + ${PROGRESS_EVERY:-10}))
  while IFS= read -r line; do
    if [[ $line == \[* ]] && ((SECONDS >= next)); then
      echo "  building ${line%%]*}]"
      next=$((SECONDS + ${PROGRESS_EVERY:-10}))
    fi
  done
}

build_dir() { if [ "$1" = release ]; then echo "$ROOT/build"; else echo "$ROOT/build-$1"; fi; }
