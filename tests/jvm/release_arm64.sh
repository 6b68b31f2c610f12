#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What scripts/release made for arm64, under emulation: the archive and the packages in an empty root, jrec in it, librec.so and the jar in
# HotSpot for aarch64, and what librec.so asks of a Linux.
#
#   REC_RELEASE   where the release is (default: build-release/)
#   REC_AARCH64   what scripts/aarch64-jvm brought (default: ~/.cache/rec-aarch64)
. "$(dirname "$0")/lib.sh"
OUT=$(realpath -m "${REC_RELEASE:-$ROOT/build-release}")
VERSION=$(sed -nE 's/^project\(rec VERSION ([0-9.]+).*/\1/p' "$ROOT/CMakeLists.txt")
NAME=rec-$VERSION-linux-arm64
JAVA=${REC_AARCH64:-$HOME/.cache/rec-aarch64}/java
QEMU=$(dirname "$JAVA")/qemu/usr/bin/qemu-aarch64-static
for needed in "$OUT/$NAME.tar.gz:scripts/release makes it" "$JAVA:scripts/aarch64-jvm brings it" "$QEMU:scripts/aarch64-jvm brings it"; do
  [ -e "${needed%%:*}" ] || { skipped release_arm64 "there is no ${needed%%:*}: ${needed#*:}" && finish; }
done
cd "$SCRATCH" || exit 1
CLASSES=$(fixtures Shares.java Work.java) || { fail "release_arm64: fixtures compile" && finish; }
HERE=$SCRATCH/here/rec-$VERSION-linux-x64/bin/jrec  # the same release's, for this processor

unpacked() {
  mkdir -p unpacked here && tar xzf "$OUT/$NAME.tar.gz" -C unpacked && mv unpacked/$NAME unpacked/rec && cp "$QEMU" unpacked/qemu &&
    tar xzf "$OUT/rec-$VERSION-linux-x64.tar.gz" -C here && [ -x unpacked/rec/bin/jrec ] && [ -x "$HERE" ]
}
installed() {
  mkdir -p system && dpkg --root="$SCRATCH/system" --force-not-root --force-depends --force-architecture -i "$OUT/rec_${VERSION}_arm64.deb" "$OUT/rec-dbgsym_${VERSION}_arm64.deb" >said 2>&1 ||
    complain "$(cat said)"
}
installed_by_rpm() {
  local package packages=("$OUT/rec-$VERSION-1.aarch64.rpm" "$OUT/rec-debuginfo-$VERSION-1.aarch64.rpm")
  for package in "${packages[@]}"; do [ "$(rpm -qp --qf '%{ARCH}' "$package")" = aarch64 ] || complain "$package" || return; done
  mkdir -p rpms && rpm --root "$SCRATCH/rpms" --dbpath /var/lib/rpm --nodeps --noscripts --ignorearch -i "${packages[@]}" >said 2>&1 || complain "$(cat said)"
}

# files ROOT: their sums, but for pages that a package may have elsewhere or packed.
files() { (cd "$1" && find . -type f ! -path ./README ! -path './share/doc/*' ! -path './lib/debug/*' ! -name 'jrec.1*' -exec sha256sum {} +) | sort; }
has_the_same() { # ROOT
  files unpacked/rec >unpacked.sums && [ "$(wc -l <unpacked.sums)" -ge 10 ] && files "$1" | diff unpacked.sums - || return
  local file id
  for file in lib/librec.so lib/libjrec.so.1 bin/jrec; do
    id=$(readelf -n "$1/$file" | sed -nE 's/.*Build ID: ([0-9a-f]+)/\1/p')
    [ -s "$1/lib/debug/.build-id/${id:0:2}/${id:2}.debug" ] || complain "no symbols of $file, $id" || return
  done
}
# The two archives differ in their programs, what is in those, and nothing else.
has_the_same_texts() {
  diff -r -q unpacked/rec "here/rec-$VERSION-linux-x64" >differ || true
  ! grep -vE '^Files .*/(lib/librec\.so|lib/libjrec\.so\.1|bin/jrec|rec\.spdx\.json|licences/[A-Za-z0-9+-]*\.txt) ' differ || complain "$(cat differ)"
}

# emulated ARGUMENTS...: its jrec, in a root with nothing else where we may change it; files are in /files there.
emulated() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && chroot "$SCRATCH/unpacked" /qemu /rec/bin/jrec "$@")
  else
    (cd unpacked && "$QEMU" rec/bin/jrec "${@/#\/files/files}")
  fi
}
is_one_static_file() {
  ! readelf -dW unpacked/rec/bin/jrec | grep NEEDED && ! readelf -lW unpacked/rec/bin/jrec | grep INTERP || complain "it needs something" || return
  [ "$(emulated --version)" = "$("$HERE" --version)" ] && emulated --version | grep -qF "$VERSION" || complain "$(emulated --version)" || return
  ! emulated push otlp http://localhost:1 x.jfr >said 2>&1 && grep -q 'one static file' said || complain "$(cat said)"
}
# Kernels for aarch64 have pages of 4, 16 or 64 kB.
fits_large_pages() {
  local file
  for file in unpacked/rec/lib/librec.so unpacked/rec/bin/jrec; do
    [ "$(readelf -lW "$file" | awk '$1 == "LOAD" { print $NF }' | sort -u)" = 0x10000 ] || complain "$file: $(readelf -lW "$file" | grep LOAD)" || return
  done
}
fits_every_linux() { # the verdicts of library.sh
  mkdir -p build/agent && ln -sf "$SCRATCH/unpacked/rec/lib/librec.so" build/agent
  ANY_LIBC=1 REC_BUILD=$SCRATCH/build bash "$ROOT/tests/jvm/library.sh" >verdicts 2>&1 && [ "$(grep -c '^ok ' verdicts)" -ge 14 ] || complain "$(cat verdicts)"
}

# recorded_there NAME FIXTURE OPTION...: NAME.jfr in the root's /files.
recorded_there() {
  local name=$1 fixture=$2
  shift 2
  mkdir -p unpacked/files
  timeout -s KILL 200 "$JAVA" "$@" -XX:+UseSerialGC -XX:CICompilerCount=2 -Xmx64m -cp "$CLASSES" "$fixture" 2000 >out 2>err || complain "$(cat out err)" || return
  [ -s "unpacked/files/$name.jfr" ] && [ ! -s err ] || complain "said: $(cat out err)"
}
records() {
  recorded_there agent Shares "-agentpath:$SCRATCH/unpacked/rec/lib/librec.so=filename=$SCRATCH/unpacked/files/agent.jfr,interval=5ms,cpu,alloc=64k"
}
records_by_jar() {
  mkdir -p tmp
  recorded_there jar Shares --enable-native-access=ALL-UNNAMED "-Djava.io.tmpdir=$SCRATCH/tmp" "-javaagent:$OUT/rec-$VERSION.jar=filename=$SCRATCH/unpacked/files/jar.jfr,interval=5ms" || return
  cmp "$(find tmp -name librec.so)" unpacked/rec/lib/librec.so || complain "another library"
}

# What the emulated jrec says of a recording is what the other one says, and it is the program.
reads_the_same() { # NAME
  local name=$1 command
  for command in verify summary "collapsed" "hot -n 5" "print --events jdk.ExecutionSample"; do
    # shellcheck disable=SC2086
    emulated $command "/files/$name.jfr" >there 2>&1 || complain "$command: $(tail -3 there)" || return
    # shellcheck disable=SC2086
    (cd unpacked && "$HERE" $command "files/$name.jfr") >here.txt 2>&1
    diff <(sed 's,/files/,files/,g' there) <(sed 's,/files/,files/,g' here.txt) >differ || complain "$command: $(head -10 differ)" || return
  done
  (cd unpacked && "$HERE" collapsed "files/$name.jfr") | awk '/Shares\.turn/ { sum += $NF } END { exit !(sum > 20) }' || complain "$("$HERE" collapsed "unpacked/files/$name.jfr" | head -5)"
}

lists_what_is_in_it() {
  python3 - "$OUT/$NAME.spdx.json" unpacked/rec <<'END'
import hashlib, json, sys
document, root = json.load(open(sys.argv[1])), sys.argv[2]
packages = {package["name"]: package for package in document["packages"]}
addresses = {name: package.get("externalRefs", [{}])[0].get("referenceLocator", "") for name, package in packages.items()}
assert all("arch=arm64" in addresses[name] for name in ("glibc", "zstd", "sqlite")), addresses
assert all(package["versionInfo"] for package in packages.values())
for file in document["files"]:
    sums = {sum["algorithm"]: sum["checksumValue"] for sum in file["checksums"]}
    assert hashlib.sha256(open(f"{root}/{file['fileName']}", "rb").read()).hexdigest() == sums["SHA256"], file["fileName"]
END
}

check "release_arm64: the archive is unpacked" unpacked
[ -x unpacked/qemu ] && [ -x "$HERE" ] || finish
check "release_arm64: the packages are installed in an empty root" installed
check "release_arm64: they have the same files, and their debug symbols" has_the_same system/usr
if [ "$(id -u)" = 0 ] && command -v rpm >/dev/null; then
  check "release_arm64: those of rpm are for it, too" installed_by_rpm
  check "release_arm64: and have the same files" has_the_same rpms/usr
else
  skipped "release_arm64: those of rpm are for it, too" "there is no rpm, or we are not root"
fi
check "release_arm64: its texts are those of the archive for x86-64" has_the_same_texts
check "release_arm64: jrec is one static file, and runs in an empty root" is_one_static_file
check "release_arm64: its parts are listed" lists_what_is_in_it
check "release_arm64: both fit pages of 64 kB" fits_large_pages
if command -v aarch64-linux-gnu-g++ >/dev/null; then
  check "release_arm64: librec.so fits every Linux" fits_every_linux
else
  skipped "release_arm64: librec.so fits every Linux" "there is no aarch64-linux-gnu-g++"
fi
check "release_arm64: HotSpot for aarch64 is recorded, and nobody says a word" records
check "release_arm64: jrec for aarch64 reads the recording as the other does" reads_the_same agent
check "release_arm64: it is recorded by the jar" records_by_jar
check "release_arm64: and that recording is read likewise" reads_the_same jar
finish
