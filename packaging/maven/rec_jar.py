# SPDX-License-Identifier: Apache-2.0
# rec_jar.py VERSION CLASSES.jar OUT.jar PLACE=FILE... : the classes with natives inside, for -javaagent and for Maven. A place that is a
# platform (linux-x64) has its librec.so; META-INF/... is where the file goes.
#
#   META-INF/native-libs/linux-x64/librec.so           as rec.Library looks for it; linux-arm64 lies beside it
#   META-INF/native-libs/linux-x64/librec.so.sha256    names its copy on the disk
#
# Equal input makes equal bytes: names in order, one time (SOURCE_DATE_EPOCH).
import hashlib
import os
import sys
import time
import zipfile

version, classes, out = sys.argv[1:4]
moment = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")))[:6]  # without it 1980, the first that zip knows
MANIFEST = f"""Manifest-Version: 1.0
Implementation-Title: rec
Implementation-Version: {version}
Automatic-Module-Name: rec
Premain-Class: rec.Agent
Agent-Class: rec.Agent

"""

with zipfile.ZipFile(classes) as jar:
    entries = {name: jar.read(name) for name in jar.namelist() if name.endswith(".class")}
for argument in sys.argv[4:]:
    place, path = argument.split("=", 1)
    with open(path, "rb") as file:
        content = file.read()
    if place.startswith("META-INF/"):
        entries[place] = content
        continue
    place = f"META-INF/native-libs/{place}/librec.so"
    entries[place] = content
    entries[place + ".sha256"] = hashlib.sha256(content).hexdigest().encode() + b"\n"

with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as jar:
    for name, content in [("META-INF/MANIFEST.MF", MANIFEST.encode())] + sorted(entries.items()):
        entry = zipfile.ZipInfo(name, moment)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        jar.writestr(entry, content)
