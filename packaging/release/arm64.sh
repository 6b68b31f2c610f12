# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release and scripts/aarch64-jvm: Debian's packages for arm64 on a machine of another processor, and its compiler with
# them. Nothing is installed, and no setting of apt is changed.

# arm64_debs DIR PACKAGE...: the newest .deb file of each in DIR.
arm64_debs() {
  local dir=$1 apt=$1/apt
  shift
  mkdir -p "$apt"/{lists/partial,archives/partial} && touch "$apt/status"
  local apt_get=(apt-get -q -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" -o APT::Sandbox::User=root -o APT::Architecture=arm64 -o APT::Architectures::=arm64)
  "${apt_get[@]}" update >&2 && (cd "$dir" && "${apt_get[@]}" download "$@" >&2) && rm -rf "$apt"
}

# What is linked into jrec (parts.tsv). And what is not: the kernel's headers, a library that fmt's files for CMake want to see, and those that
# have the licences of others.
arm64_packages() { printf '%s\n' linux-libc-dev libfmt9 gcc-12-base libre2-9 && sed -nE 's/^jrec\t[^\t]*\tdeb:([^\t]*)\t.*/\1/p' "$ROOT/packaging/release/parts.tsv"; }

# Where they lie in CACHE; empty for the processor that we are on.
sysroot() { [ "$NAME_ARCH" = x64 ] || echo "$CACHE/$NAME_ARCH/root"; }

# bring_arm64 DIR: DIR/root afterwards, unpacked, and DIR/versions.tsv, "package<TAB>version<TAB>architecture". Once; what is there is taken.
bring_arm64() {
  local to=$1 new=$1.new deb
  ! diff -q <(arm64_packages | sort) <(cut -f1 "$to/versions.tsv" | sort) >/dev/null 2>&1 || return 0
  rm -rf "$to" "$new" && mkdir -p "$new/debs" "$new/root"
  # shellcheck disable=SC2046
  arm64_debs "$new/debs" $(arm64_packages) || { echo "Debian's packages for arm64 could not be brought" >&2; return 1; }
  for deb in "$new/debs"/*.deb; do
    dpkg-deb -x "$deb" "$new/root" && dpkg-deb -W --showformat='${Package}\t${Version}\t${Architecture}\n' "$deb" || return
  done >"$new/versions.tsv"
  rm -rf "$new/debs" && mv "$new" "$to"
}

# arm64_programs DIR SYSROOT: DIR/{cc,c++}, Debian's cross compilers, which read and link what lies in SYSROOT alone, statically. Their own
# libraries are of the same versions, but without the mends since.
arm64_programs() {
  local dir=$1 root=$2 libraries=$2/usr/lib/aarch64-linux-gnu of_gcc=$2/usr/lib/gcc/aarch64-linux-gnu/12 cxx=$2/usr/include
  local headers="-isystem $cxx/aarch64-linux-gnu -isystem $cxx"
  local cxx_headers="-isystem $cxx/c++/12 -isystem $cxx/aarch64-linux-gnu/c++/12 -isystem $cxx/c++/12/backward $headers"
  mkdir -p "$dir"
  printf '#!/bin/sh\nexec aarch64-linux-gnu-gcc --sysroot="%s" -B"%s" -B"%s" -static-pie -nostdinc %s "$@"\n' "$root" "$libraries" "$of_gcc" "$headers" >"$dir/cc"
  printf '#!/bin/sh\nexec aarch64-linux-gnu-g++ --sysroot="%s" -B"%s" -B"%s" -static-pie -nostdinc %s "$@"\n' "$root" "$libraries" "$of_gcc" "$cxx_headers" >"$dir/c++"
  chmod +x "$dir/cc" "$dir/c++"
}
