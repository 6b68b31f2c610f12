#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# librec.so and asgst.h, installed, serve another project: by CMake's package and by pkg-config, also when the tree was moved.
. "$(dirname "$0")/lib.sh"
cd "$SCRATCH" || exit 1
MAIN=$ROOT/tests/asgst/installed
JNI=$(oldest_jdk)/include

runs() { "$@" >said && grep -qxE '([0-9]+) \1 noVm' said || complain "it said: $(cat said)"; }

installed() {
  cmake --install "$BUILD" --component programs --prefix "$SCRATCH/made" >/dev/null && mv made prefix || return
  CONFIG=$(find prefix -name rec.pc -printf '%h')
  [ -n "$CONFIG" ] && [ -e prefix/include/asgst.h ] || complain "$(find prefix)"
}

by_cmake() {
  CFLAGS="-I$JNI -I$JNI/linux" cmake -S "$MAIN" -B by_cmake -DCMAKE_PREFIX_PATH="$SCRATCH/prefix" >said 2>&1 && cmake --build by_cmake >>said 2>&1 || complain "$(tail -20 said)" || return
  runs by_cmake/installed
}

by_pkg_config() {
  local flags
  flags=$(PKG_CONFIG_PATH=$CONFIG pkg-config --cflags --libs rec) || return
  grep -q made <<<"$flags" && { complain "it leads to where the tree was: $flags"; return; }
  # shellcheck disable=SC2086
  gcc -Wall -Werror "-I$JNI" "-I$JNI/linux" -o by_pkg_config "$MAIN/main.c" $flags || return
  LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=$CONFIG pkg-config --variable=libdir rec) runs ./by_pkg_config
}

# Both components beside each other: what is in the package is found, what is not is said.
components() {
  local project=components/project
  mkdir -p $project && printf 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\nfind_package(rec 0.1 REQUIRED COMPONENTS reader)\n' >$project/CMakeLists.txt
  cmake -S $project -B components/without -DCMAKE_PREFIX_PATH="$SCRATCH/prefix" >said 2>&1 && { complain "a reader was found"; return; }
  grep -q 'rec::reader is not installed here' said || complain "$(cat said)" || return
  cmake --install "$BUILD" --component library --prefix "$SCRATCH/prefix" >/dev/null || return
  cmake -S $project -B components/with -DCMAKE_PREFIX_PATH="$SCRATCH/prefix" >said 2>&1 || complain "$(cat said)"
}

check "installed: librec.so, asgst.h and what leads to them" installed
check "installed: CMake finds rec::agent, and a program runs" by_cmake
check "installed: pkg-config finds rec, and a program runs" by_pkg_config
check "installed: the reader beside it, or said to be missing" components
finish
