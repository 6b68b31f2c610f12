# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release: what of others is in a release, from parts.tsv.

# parts: a line each, "file<TAB>name<TAB>version<TAB>licence<TAB>address (purl)<TAB>file of its licence".
parts() {
  local file name place licence
  grep -v '^#' "$ROOT/packaging/release/parts.tsv" | while IFS=$'\t' read -r file name place licence; do
    printf '%s\t%s\t%s\t%s\n' "$file" "$name" "$("part_${place%%:*}" "${place#*:}")" "$licence" | awk -F'\t' -v OFS='\t' '{ print $1, $2, $3, $6, $4, $5 }'
  done
}

# Of a package of Debian, or of a folder of zig's: "version<TAB>purl<TAB>licence file".
part_deb() {
  local version arch
  IFS=$'\t' read -r version arch < <(version_deb "$1") || { echo "$1 is not installed for $NAME_ARCH" >&2; return 1; }
  printf '%s\tpkg:deb/debian/%s@%s?arch=%s\t%s/usr/share/doc/%s/copyright' "$version" "$1" "${version//+/%2B}" "$arch" "$(sysroot)" "$1"
}
# "version<TAB>architecture": what is linked for this processor is installed, for others it is unpacked (arm64.sh).
version_deb() {
  if [ -z "$(sysroot)" ]; then
    dpkg-query -W -f '${Version}\t${Architecture}\n' "$1"
  else
    awk -F'\t' -v OFS='\t' -v name="$1" '$1 == name { print $2, $3 }' "$CACHE/arm64/versions.tsv"
  fi
}
part_zig() {
  local version text
  version=$("$ZIG" version)
  text=$(find "$(dirname "$ZIG")/lib/$1" "$(dirname "$ZIG")" -maxdepth 1 -name 'LICENSE*' | head -1)
  printf '%s\tpkg:pypi/ziglang@%s#lib/%s\t%s' "$version" "$version" "$1" "$text"
}

# licences DIR: the texts, one file a part.
licences() {
  local dir=$1 name text
  mkdir -p "$dir"
  parts | cut -f2,6 | while IFS=$'\t' read -r name text; do cp -L "$text" "$dir/$name.txt" || return; done
}
