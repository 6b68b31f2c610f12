#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What scripts/release made: its sums, what librec.so asks of a Linux, each package in an empty root and a recording with it, musl.
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

sums() { (cd "$OUT" && sha256sum --quiet -c SHA256SUMS) && [ "$(wc -l <"$OUT/SHA256SUMS")" = 5 ] || complain "$(ls "$OUT")"; }

unpacked() { tar xzf "$OUT/$NAME.tar.gz" && [ -x "$NAME/bin/jrec" ] && ROOTS+=("$SCRATCH/$NAME"); }
# dpkg takes an empty directory for a system without a package.
installed() {
  mkdir -p system && dpkg --root="$SCRATCH/system" --force-not-root --force-depends -i "$OUT/rec_${VERSION}_amd64.deb" "$OUT/rec-dbgsym_${VERSION}_amd64.deb" >said 2>&1 ||
    complain "$(cat said)" || return
  ROOTS+=("$SCRATCH/system/usr")
}

same_files() {
  (cd "${ROOTS[0]}" && find . -type f ! -path './share/doc/*' ! -name 'jrec.1*' -exec sha256sum {} +) | sort >unpacked.sums
  (cd "${ROOTS[1]}" && find . -type f ! -path './share/doc/*' ! -path './lib/debug/*' ! -name 'jrec.1*' -exec sha256sum {} +) | sort | diff unpacked.sums - &&
    [ "$(wc -l <unpacked.sums)" -ge 10 ]
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
  "$JREC" collapsed work.jfr | grep -qE '^libc.*;libjvm.so.*;java.lang.Thread.run;.*Work.sortNumbers' || complain "$("$JREC" collapsed work.jfr | head -5)" || return
  "$2/bin/jfr" $QUICK summary work.jfr | awk '$1 == "jdk.ExecutionSample" && $2 > 50 { found = 1 } END { exit !found }' || complain "$("$JREC" summary work.jfr)"
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
check "release: both have the same files" same_files
as_a_build
check "release: librec.so fits every Linux" fits_every_linux
check "release: jrec is one static file" is_one_static_file "${ROOTS[0]}/bin/jrec"
check "release: its parts are listed" lists_what_is_in_it
CLASSES=$(fixtures Work.java) || { fail "release: fixtures compile"; finish; }
for root in "${ROOTS[@]}"; do
  for jdk in $(jdks); do check "release: records on $(jdk_name "$jdk"), from ${root#"$SCRATCH/"}" records "$root" "$jdk"; done
done
if command -v musl-gcc >/dev/null; then
  check "release: the same librec.so is loaded under musl" loads_under_musl
else
  skipped "release: the same librec.so is loaded under musl" "there is no musl-gcc (musl-tools)"
fi
finish
