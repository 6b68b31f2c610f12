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
  local version
  version=$(dpkg-query -W -f '${Version}' "$1") || { echo "$1 is not installed" >&2; return 1; }
  printf '%s\tpkg:deb/debian/%s@%s?arch=%s\t/usr/share/doc/%s/copyright' "$version" "$1" "${version//+/%2B}" "$DEBIAN_ARCH" "$1"
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
  parts | cut -f2,6 | while IFS=$'\t' read -r name text; do cp -L "$text" "$dir/$name.txt"; done
}
