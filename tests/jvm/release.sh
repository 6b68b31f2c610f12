#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What scripts/release made for this processor: its sums, what librec.so asks of a Linux, each package in an empty root and a recording with it, musl.
#
#   REC_RELEASE   where it is (default: build-release/). Making it takes minutes, so it is not made here.
. "$(dirname "$0")/lib.sh"
OUT=$(realpath -m "${REC_RELEASE:-$ROOT/build-release}")
if [ ! -e "$OUT/SHA256SUMS" ]; then
  skipped release "there is no release in $OUT: scripts/release makes it"
  finish
fi
cd "$SCRATCH" || exit 1
VERSION=$(sed -nE 's/^project\(rec VERSION ([0-9.]+).*/\1/p' "$ROOT/CMakeLists.txt")
NAME=rec-$VERSION-linux-x64

# Three files are for Java, eight for each processor.
sums() {
  local processors
  processors=$(ls "$OUT" | grep -c '^rec-[0-9.]*-linux-[a-z0-9]*\.tar\.gz$')
  (cd "$OUT" && sha256sum --quiet -c SHA256SUMS) && [ "$(wc -l <"$OUT/SHA256SUMS")" = $((3 + 8 * processors)) ] && [ "$processors" -ge 1 ] || complain "$(ls "$OUT")"
}

unpacked() { tar xzf "$OUT/$NAME.tar.gz" && [ -x "$NAME/bin/jrec" ] && ROOTS+=("$SCRATCH/$NAME"); }
# dpkg takes an empty directory for a system without a package.
installed() {
  mkdir -p system && dpkg --root="$SCRATCH/system" --force-not-root --force-depends -i "$OUT/rec_${VERSION}_amd64.deb" "$OUT/rec-dbgsym_${VERSION}_amd64.deb" >said 2>&1 ||
    complain "$(cat said)" || return
  ROOTS+=("$SCRATCH/system/usr")
}

# rpm likewise; where there is no rpm, or we are not root, the files are taken out of it.
installed_by_rpm() {
  local package packages=("$OUT/rec-$VERSION-1.x86_64.rpm" "$OUT/rec-debuginfo-$VERSION-1.x86_64.rpm")
  mkdir -p rpms
  if [ "$(id -u)" = 0 ] && command -v rpm >/dev/null; then
    rpm --root "$SCRATCH/rpms" --dbpath /var/lib/rpm --nodeps --noscripts -i "${packages[@]}" >said 2>&1 || complain "$(cat said)" || return
  else
    for package in "${packages[@]}"; do rpm2cpio "$package" | (cd rpms && cpio -id --quiet) || return; done
  fi
  ROOTS+=("$SCRATCH/rpms/usr")
}

# files ROOT: their sums, but for pages that a package may have elsewhere or packed.
files() { (cd "$1" && find . -type f ! -path ./README ! -path './share/doc/*' ! -path './lib/debug/*' ! -name 'jrec.1*' -exec sha256sum {} +) | sort; }
same_files() {
  local root
  files "${ROOTS[0]}" >unpacked.sums && [ "$(wc -l <unpacked.sums)" -ge 10 ] || return
  for root in "${ROOTS[@]:1}"; do files "$root" | diff unpacked.sums - || return; done
}

# Both packages have the symbols of both files.
has_debug() { # ROOT
  local file id
  for file in lib/librec.so lib/libjrec.so.1 bin/jrec; do
    id=$(readelf -n "$1/$file" | sed -nE 's/.*Build ID: ([0-9a-f]+)/\1/p')
    [ -s "$1/lib/debug/.build-id/${id:0:2}/${id:2}.debug" ] || complain "no symbols of $file, $id"
  done
}

# Those of a build that all other tests know.
as_a_build() {
  mkdir -p "$SCRATCH/build/agent" "$SCRATCH/build/jrec"
  ln -sf "${ROOTS[0]}/lib/librec.so" "$SCRATCH/build/agent" && ln -sf "${ROOTS[0]}/bin/jrec" "$SCRATCH/build/jrec"
}
fits_every_linux() { # the verdicts of library.sh
  ANY_LIBC=1 REC_BUILD=$SCRATCH/build bash "$ROOT/tests/jvm/library.sh" >verdicts 2>&1 && [ "$(grep -c '^ok ' verdicts)" -ge 14 ] || complain "$(cat verdicts)"
}

is_one_static_file() {
  ! readelf -dW "$1" | grep -E 'NEEDED' && ! readelf -lW "$1" | grep INTERP || complain "it needs something" || return
  env -i "$1" push otlp http://localhost:1 x.jfr 2>said && complain "it pushes"
  grep -q 'one static file' said || complain "$(cat said)"
}

records() { # ROOT JDK
  local root=$1
  AGENT=$root/lib/librec.so JREC=$root/bin/jrec
  JVM=-Xmx64m recorded Work work "$2" interval=2ms,cpu,alloc=64k 1 && silent work || return
  "$JREC" verify work.jfr >said || complain "$(cat said)" || return
  "$JREC" collapsed work.jfr | grep -E '^libc.*;libjvm.so.*;java.lang.Thread.run;.*Work.sortNumbers' >/dev/null || complain "$("$JREC" collapsed work.jfr | head -5)" || return
  "$2/bin/jfr" $QUICK summary work.jfr | awk '$1 == "jdk.ExecutionSample" && $2 > 10 { found = 1 } END { exit !found }' || complain "$("$JREC" summary work.jfr)"
}

# The steps of the image's recipe, in a root with nothing else. What it hands on is the release's library; an ordinary user runs jrec in it.
made_by_recipe() {
  local recipe=$ROOT/packaging/container/Dockerfile image=$SCRATCH/image add run entry
  step() { sed -nE "s/^$1 (.*)/\1/p" "$recipe" | sed "s/\${VERSION}/$VERSION/; s/\${PROCESSOR}/x64/"; }
  add=$(step ADD) run=$(step RUN) entry=$(step ENTRYPOINT | tr -d '[]"')
  mkdir -p "$image/opt" && tar xf "$OUT/${add% *}" -C "$image${add#* }" && sh -c "${run// \// $image/}" || complain "the steps fail: $add, $run" || return
  cmp "$image/opt/rec/lib/librec.so" "${ROOTS[0]}/lib/librec.so" && [ -L "$image/usr/bin/jrec" ] || return
  [ "$(id -u)" = 0 ] || return 0
  chmod 755 "$SCRATCH" && chroot --userspec="$(step USER)" "$image" "$entry" --help | grep -q 'jrec' || complain "jrec does not run in it"
}

# The jar alone, in an empty directory, as Maven brings it.
records_by_jar() { # JDK
  local jar=$OUT/rec-$VERSION.jar native= from
  [ "$(java_version "$1")" -lt 24 ] || native=--enable-native-access=ALL-UNNAMED
  rm -rf tmp && mkdir tmp
  timeout 60 "$1/bin/java" -Xmx64m $native "-Djava.io.tmpdir=$PWD/tmp" "-javaagent:$jar=filename=$PWD/jar.jfr,overwrite=true,interval=2ms" -cp "$CLASSES" Work 1 >said 2>&1 || complain "$(cat said)" || return
  from=$(find tmp -name librec.so) && cmp "$from" "${ROOTS[0]}/lib/librec.so" || complain "another library: $from" || return
  "$JREC" verify jar.jfr >said && [ "$(sql jar.jfr "select count(*) from samples")" -gt 5 ] || complain "$("$JREC" summary jar.jfr)"
}

# Each page of README.md is there; what README at the top names is, too.
leads_to_pages() {
  python3 - "${ROOTS[0]}" <<'END'
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
pages = root / "share/doc/rec"
dead = [link for link in re.findall(r"\]\(([^)#:]+)", (pages / "README.md").read_text()) if not (pages / link).exists()]
named = re.findall(r"^  ((?:bin|lib|include|share)[\w./-]*)", (root / "README").read_text(), re.MULTILINE)
dead += [path for path in named if not (root / path).exists()]
assert not dead and len(named) > 5, dead
END
}

# The wheel, as pip unpacks it, and the library that a program in C links: both read what the release's agent has written.
reads_by_library() { # RECORDING
  local wheel=$OUT/jrec-$VERSION-py3-none-manylinux_2_17_x86_64.whl used
  rm -rf site && python3 -m zipfile -e "$wheel" site && cmp site/jrec/libjrec.so "${ROOTS[0]}/lib/libjrec.so.1" || return
  used=$(objdump -T site/jrec/libjrec.so | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -1)
  [ "$(printf '%s\n' GLIBC_2.17 "$used" | sort -V | tail -1)" = GLIBC_2.17 ] || complain "it needs $used" || return
  PYTHONPATH=site python3 -c 'import jrec, sys; print(jrec.open(sys.argv[1]).counts()["jdk.ExecutionSample"])' "$1" >by_python || return
  printf '#include <jrec.h>\n#include <stdio.h>\nint main(int n, char** a) { jrec_file* f; jrec_type* t; long all = 0; jrec_status s = jrec_open(a[1], &f); if (s == JREC_OK) s = jrec_type_named(f, "jdk.ExecutionSample", &t); if (s == JREC_OK) s = jrec_select(t); while (s == JREC_OK && (s = jrec_next(f, NULL)) == JREC_OK) ++all; jrec_close(f); printf("%%ld\\n", all); return s != JREC_END || n != 2; }' >count.c
  PKG_CONFIG_PATH=${ROOTS[0]}/lib/pkgconfig
  # shellcheck disable=SC2046
  export PKG_CONFIG_PATH && cc count.c -o count $(pkg-config --cflags --libs jrec) && LD_LIBRARY_PATH=${ROOTS[0]}/lib ./count "$1" >by_c || return
  [ "$(cat by_c)" = "$(cat by_python)" ] && [ "$(cat by_c)" -gt 5 ] || complain "C counts $(cat by_c), Python $(cat by_python)"
}

# An old VM reads the two classes that refuse it; sources of all are there, and the pom tells the same version.
is_for_maven() {
  python3 - "$OUT/rec-$VERSION" "$VERSION" <<'END'
import sys, xml.etree.ElementTree, zipfile
name, version = sys.argv[1:]
jar, sources = zipfile.ZipFile(name + ".jar"), zipfile.ZipFile(name + "-sources.jar")
java = lambda path: int.from_bytes(jar.read(path)[6:8], "big") - 44
classes = {path: java(path) for path in jar.namelist() if path.endswith(".class")}
assert classes["rec/Agent.class"] == classes["rec/Host.class"] == 8 and set(classes.values()) == {8, 17}, classes
assert {path.split("$")[0].removesuffix(".class") for path in classes} == {path.removesuffix(".java") for path in sources.namelist()}
assert {"META-INF/LICENSE", "META-INF/licences/libc++.txt", "META-INF/native-libs/linux-x64/librec.so.sha256"} <= set(jar.namelist())
pom = xml.etree.ElementTree.parse(name + ".pom").getroot()
assert pom.find("{*}version").text == version and pom.find("{*}dependencies") is None
END
}

lists_what_is_in_it() {
  python3 - "$OUT/$NAME.spdx.json" "$NAME" <<'END'
import hashlib, json, sys
document, root = json.load(open(sys.argv[1])), sys.argv[2]
assert document["spdxVersion"] == "SPDX-2.3"
assert {"libc++", "glibc", "zstd", "sqlite"} <= {package["name"] for package in document["packages"]}
assert all(package["versionInfo"] for package in document["packages"])
for file in document["files"]:
    sums = {sum["algorithm"]: sum["checksumValue"] for sum in file["checksums"]}
    assert hashlib.sha256(open(f"{root}/{file['fileName']}", "rb").read()).hexdigest() == sums["SHA256"], file["fileName"]
assert len(document["files"]) >= 10
END
}

# A program of musl's loads the same file, and threads that were there before and come later have their own thread-locals of it.
loads_under_musl() {
  musl-gcc -O1 -I"$ROOT/agent/include" -I"$JNI" -I"$JNI/linux" -o musl_load "$ROOT/fixtures/musl_load.c" && ./musl_load "${ROOTS[0]}/lib/librec.so" >said 2>&1 || complain "$(cat said)" || return
  grep -qx 'ok' said || complain "$(cat said)"
}

JNI=$(oldest_jdk)/include
ROOTS=()
check "release: the sums are right" sums
check "release: the archive is unpacked" unpacked
check "release: the packages are installed in an empty root" installed
[ ${#ROOTS[@]} = 2 ] || finish
check "release: its debug symbols, too" has_debug "${ROOTS[1]}"
if command -v rpm2cpio >/dev/null; then
  check "release: those of rpm likewise" installed_by_rpm
  [ ${#ROOTS[@]} = 3 ] || finish
  check "release: their debug symbols, too" has_debug "${ROOTS[2]}"
else
  skipped "release: those of rpm likewise" "there is no rpm"
fi
check "release: all have the same files" same_files
as_a_build
check "release: librec.so fits every Linux" fits_every_linux
check "release: jrec is one static file" is_one_static_file "${ROOTS[0]}/bin/jrec"
check "release: its parts are listed" lists_what_is_in_it
CLASSES=$(fixtures Work.java) || { fail "release: fixtures compile"; finish; }
for root in "${ROOTS[@]}"; do
  for jdk in $(jdks); do check "release: records on $(jdk_name "$jdk"), from ${root#"$SCRATCH/"}" records "$root" "$jdk"; done
done
check "release: the image's recipe, by its steps" made_by_recipe
check "release: the reader for C, and the wheel for Python" reads_by_library work.jfr
check "release: README.md leads to its pages" leads_to_pages
check "release: the jar, its sources and its pom" is_for_maven
for jdk in $(jdks); do check "release: records on $(jdk_name "$jdk"), from the jar" records_by_jar "$jdk"; done
if command -v musl-gcc >/dev/null; then
  check "release: the same librec.so is loaded under musl" loads_under_musl
else
  skipped "release: the same librec.so is loaded under musl" "there is no musl-gcc (musl-tools)"
fi
finish
