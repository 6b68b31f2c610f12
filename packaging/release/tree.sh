# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release: builds librec.so, libjrec.so and jrec, and lays them out as they are installed.

# Nothing of where this tree lies is in what is built. The last map that fits is taken: the build may lie in the tree.
prefix_maps() { echo "-ffile-prefix-map=$ROOT=. -ffile-prefix-map=$(dirname "$ZIG")=zig -ffile-prefix-map=$CACHE/arm64/root= -ffile-prefix-map=$1=build"; }

# configured_and_built DIR TARGETS CMAKE-OPTIONS...
configured_and_built() {
  local dir=$1 targets=$2 log=$1.log
  shift 2
  # shellcheck disable=SC2086
  if ! { (cd "$ROOT" && cmake --preset release -B "$dir" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_{C,CXX}_FLAGS="$(prefix_maps "$dir")" \
    -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--build-id=sha1 -DCMAKE_EXE_LINKER_FLAGS=-Wl,--build-id=sha1 "$@") && ninja -C "$dir" $targets; } >"$log" 2>&1; then
    tail -40 "$log" >&2
    return 1
  fi
}

# agent_build DIR PROGRAMS: librec.so and rec-context.jar.
agent_build() {
  configured_and_built "$1" "rec rec_context_jar" -DREC_ANY_LIBC=ON -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$CMAKE_ARCH" \
    -DCMAKE_C_COMPILER="$2/cc" -DCMAKE_CXX_COMPILER="$2/c++" -DCMAKE_AR="$2/ar" -DCMAKE_RANLIB="$2/ranlib"
}

# library_build DIR PROGRAMS: libjrec.so, as the C++ library of the same compiler is in it.
library_build() {
  configured_and_built "$1" jrec_c -DREC_ONLY_LIBRARY=ON -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$CMAKE_ARCH" \
    -DCMAKE_C_COMPILER="$2/cc" -DCMAKE_CXX_COMPILER="$2/c++" -DCMAKE_AR="$2/ar" -DCMAKE_RANLIB="$2/ranlib"
}

# wheel LIBRARY OUT: the package for Python, with the library in it. PEP 600 has the name of what needs glibc 2.17 and nothing else.
wheel() {
  (cd "$ROOT/format/python" && JREC_LIBRARY=$1 JREC_PLATFORM=manylinux_2_17_$CMAKE_ARCH PYTHONDONTWRITEBYTECODE=1 \
    python3 -c 'import sys, wheel_backend; wheel_backend.build_wheel(sys.argv[1])' "$2")
}

# jrec_build DIR PROGRAMS HERE: for another processor by Debian's cross compilers. It cannot say its manual then, and HERE, which can run, does.
jrec_build() {
  local other=()
  if [ -n "$(sysroot)" ]; then
    arm64_programs "$2" "$(sysroot)"
    other=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$CMAKE_ARCH" -DCMAKE_C_COMPILER="$2/cc" -DCMAKE_CXX_COMPILER="$2/c++" -DJREC_HERE="$3"
      -DCMAKE_FIND_ROOT_PATH="$(sysroot)" -DCMAKE_FIND_ROOT_PATH_MODE_{LIBRARY,INCLUDE,PACKAGE}=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER)
  fi
  configured_and_built "$1" jrec -DREC_STATIC_JREC=ON "${other[@]}"
}

# installed BUILD TREE [COMPONENT]: of one of them.
installed() { cmake --install "$1" --component "${3:-programs}" --prefix "$2" >/dev/null; }

# without_debug TREE DEBUG: symbols go to DEBUG/usr/lib/debug/.build-id/, where gdb, perf and `jrec symbolize` look for them.
without_debug() {
  local file id to
  for file in "$1/lib/librec.so" "$1/lib/libjrec.so.1" "$1/bin/jrec"; do
    id=$(readelf -n "$file" | sed -nE 's/.*Build ID: ([0-9a-f]+)/\1/p')
    [ -n "$id" ] || { echo "$file has no build id" >&2; return 1; }
    to=$2/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
    mkdir -p "$(dirname "$to")"
    "$OBJCOPY" --only-keep-debug --compress-debug-sections=zlib "$file" "$to"
    "$OBJCOPY" --strip-debug --strip-unneeded "$file"
    chmod 644 "$to"
  done
}

# tree WORK TREE DEBUG HERE: everything, but for the list of what is in it. HERE: a jrec of this tree that runs here, or will by then.
tree() {
  local work=$1 tree=$2 debug=$3
  compiler_programs "$work/programs" "$CACHE"
  agent_build "$work/agent" "$work/programs" && library_build "$work/library" "$work/programs" && jrec_build "$work/jrec" "$work/jrec-programs" "$4" || return
  rm -rf "$tree" "$debug"
  installed "$work/agent" "$tree" && installed "$work/jrec" "$tree" && installed "$work/library" "$tree" library && without_debug "$tree" "$debug" || return
  python3 "$ROOT/packaging/release/same_jar.py" "$tree/share/java/rec-context.jar"
  licences "$tree/share/doc/rec/licences" || return
  cp "$ROOT/LICENSE" "$ROOT/README.md" "$ROOT/CHANGELOG.md" "$tree/share/doc/rec"
  cp "$ROOT/packaging/release/rec-demo" "$tree/bin" && cp "$ROOT/fixtures/Work.java" "$tree/share/doc/rec"
  mkdir -p "$tree/share/doc/rec/docs" && cp "$ROOT"/docs/*.md "$tree/share/doc/rec/docs"  # where README.md looks for them
}
