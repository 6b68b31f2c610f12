# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release: brings zig's compiler, and gives CMake programs to call.

# bring_compiler DIR: DIR/ziglang afterwards, as pinned in compiler.txt. Once; what is there is taken.
bring_compiler() {
  local to=$1 pinned=$ROOT/packaging/release/compiler.txt
  if ! cmp -s "$pinned" "$to/compiler.txt"; then
    rm -rf "$to" && mkdir -p "$to"
    python3 -m pip --version >/dev/null 2>&1 || require_packages python3-pip
    python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --require-hashes --only-binary :all: --target "$to" -r "$pinned" ||
      { echo "the compiler of compiler.txt could not be brought" >&2; return 1; }
    cp "$pinned" "$to/compiler.txt"
  fi
  ZIG=$to/ziglang/zig
  "$ZIG" version >/dev/null
}

# compiler_programs DIR CACHE: DIR/{cc,c++,ar,ranlib}, which call it for ZIG_TARGET. What it makes of its own libraries is kept in CACHE.
compiler_programs() {
  local dir=$1 cache=$2 name tool
  mkdir -p "$dir"
  for name in cc c++ ar ranlib; do
    tool=$name
    case $name in c*) tool+=" -target $ZIG_TARGET" ;; esac
    printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR="%s" ZIG_LOCAL_CACHE_DIR="%s"\nexec "%s" %s "$@"\n' "$cache" "$cache" "$ZIG" "$tool" >"$dir/$name"
    chmod +x "$dir/$name"
  done
}
