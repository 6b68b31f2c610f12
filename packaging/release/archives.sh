# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release: archives, packages and sums. Equal trees make equal bytes: names in order, one owner, one time.

# archive DIRECTORY NAME FILE: DIRECTORY as NAME in FILE (.tar.gz).
archive() {
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=u+w,go=rX --format=gnu \
    --transform="s,^\.,$2," -C "$1" -cf - . | gzip -9n >"$3"
}

# debian_package ROOT FILE: of a directory with DEBIAN/control.
debian_package() {
  (cd "$1" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$1" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  chmod -R u+w,go=rX "$1"
  dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$1" "$2" >/dev/null
}

# control PACKAGE SECTION DEPENDS ROOT, and the description from stdin.
control() {
  mkdir -p "$4/DEBIAN"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\nSection: %s\nPriority: optional\nMaintainer: rec <rec@localhost>\n' "$1" "$VERSION" "$DEBIAN_ARCH" "$2"
    printf 'Depends: %s\nInstalled-Size: %s\n' "$3" "$(du -sk --apparent-size "$4/usr" | cut -f1)"
    cat
  } >"$4/DEBIAN/control"
}

# debian_packages TREE DEBUG WORK OUT: rec and rec-dbgsym.
debian_packages() {
  local tree=$1 debug=$2 root=$3/deb out=$4
  rm -rf "$root" && mkdir -p "$root/rec" "$root/dbgsym"
  cp -r "$tree" "$root/rec/usr"
  mv "$root/rec/usr/share/doc/rec/LICENSE" "$root/rec/usr/share/doc/rec/copyright"
  gzip -9n "$root/rec/usr/share/man/man1/jrec.1"
  control rec devel "libc6 (>= 2.17)" "$root/rec" <<'END'
Recommends: java17-runtime-headless
Description: flight recorder for the JVM
 librec.so, an agent that records where a Java program spends its time and
 memory, as a JFR file; and jrec, which starts it and reads what it wrote.
END
  cp -r "$debug/usr" "$root/dbgsym/usr"
  control rec-dbgsym debug "rec (= $VERSION)" "$root/dbgsym" <<'END'
Description: debug symbols for rec
END
  debian_package "$root/rec" "$out/rec_${VERSION}_$DEBIAN_ARCH.deb"
  debian_package "$root/dbgsym" "$out/rec-dbgsym_${VERSION}_$DEBIAN_ARCH.deb"
}
