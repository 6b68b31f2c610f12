# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release: rec.jar, with librec.so of each processor inside and the licences of what is in that, its sources and its pom.

# maven_files OUT PROCESSOR...: their trees are in OUT/made.
maven_files() {
  local out=$1 tree=$1/made/$2/tree name=rec-$VERSION licences=() natives=() part processor
  shift
  for processor in "$@"; do natives+=("linux-$processor=$out/made/$processor/tree/lib/librec.so"); done
  for part in $(parts | awk -F'\t' '$1 == "librec.so" { print $2 }'); do licences+=("META-INF/licences/$part.txt=$tree/share/doc/rec/licences/$part.txt"); done
  python3 "$ROOT/packaging/maven/rec_jar.py" "$VERSION" "$tree/share/java/rec-context.jar" "$out/$name.jar" \
    "${natives[@]}" "META-INF/LICENSE=$ROOT/LICENSE" "${licences[@]}" || return
  (cd "$ROOT/agent/java" && python3 -m zipfile -c "$out/$name-sources.jar" rec) && python3 "$ROOT/packaging/release/same_jar.py" "$out/$name-sources.jar" || return
  sed "s/@VERSION@/$VERSION/" "$ROOT/packaging/maven/rec.pom.in" >"$out/$name.pom"
}
