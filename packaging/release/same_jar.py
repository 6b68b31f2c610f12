# SPDX-License-Identifier: Apache-2.0
# same_jar.py JAR: the same entries in the order of their names, at one time, so that equal classes make equal bytes. The manifest comes
# first, as java.util.jar wants it.
import os
import sys
import time
import zipfile

path = sys.argv[1]
moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(path) as jar:
    entries = {name: jar.read(name) for name in jar.namelist() if not name.endswith("/")}
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as jar:
    for name in sorted(entries, key=lambda name: (name != "META-INF/MANIFEST.MF", name)):
        entry = zipfile.ZipInfo(name, moment)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        jar.writestr(entry, entries[name])
