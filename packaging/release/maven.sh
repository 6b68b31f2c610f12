# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release: rec.jar, with librec.so inside and the licences of what is in that, its sources and its pom.

# maven_files TREE OUT
maven_files() {
  local tree=$1 out=$2 name=rec-$VERSION licences=() part
  for part in $(parts | awk -F'\t' '$1 == "librec.so" { print $2 }'); do licences+=("META-INF/licences/$part.txt=$tree/share/doc/rec/licences/$part.txt"); done
  python3 "$ROOT/packaging/maven/rec_jar.py" "$VERSION" "$tree/share/java/rec-context.jar" "$out/$name.jar" \
    "linux-$NAME_ARCH=$tree/lib/librec.so" "META-INF/LICENSE=$ROOT/LICENSE" "${licences[@]}" || return
  (cd "$ROOT/agent/java" && python3 -m zipfile -c "$out/$name-sources.jar" rec) && python3 "$ROOT/packaging/release/same_jar.py" "$out/$name-sources.jar" || return
  sed "s/@VERSION@/$VERSION/" "$ROOT/packaging/maven/rec.pom.in" >"$out/$name.pom"
}
