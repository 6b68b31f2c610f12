# SPDX-License-Identifier: Apache-2.0
"""What pip calls to make a wheel of this folder (PEP 517, 660). The standard library is enough for it.

libjrec.so goes into the wheel where there is one: the file that JREC_LIBRARY names, or what the build directory (REC_BUILD, else
build/) of the tree above has. Without one the wheel has Python alone, and looks for the library when it is imported.
"""
import base64
import hashlib
import os
import re
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EARLIEST = (1980, 1, 1, 0, 0, 0)  # of a file in a zip archive: the same tree gives the same wheel


def version():
    found = re.search(r"^project\(rec VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    return found.group(1)


def library():
    named = os.environ.get("JREC_LIBRARY")
    if named:
        return Path(named)
    built = Path(os.environ.get("REC_BUILD") or ROOT / "build") / "format" / "c" / "libjrec.so.1"
    return built if built.exists() else None


def metadata():
    return (
        "Metadata-Version: 2.1\nName: jrec\nVersion: %s\nSummary: Reads JFR recordings, of the JDK, async-profiler and rec\n"
        "License: Apache-2.0\nRequires-Python: >=3.8\n"
        'Provides-Extra: numpy\nRequires-Dist: numpy; extra == "numpy"\n'
        'Provides-Extra: pandas\nRequires-Dist: pandas; extra == "pandas"\n'
        'Provides-Extra: arrow\nRequires-Dist: pyarrow; extra == "arrow"\n' % version()
    )


def write_wheel(folder, files, tag):
    """files: name in the wheel -> bytes."""
    info = "jrec-%s.dist-info" % version()
    pure = "true" if tag.endswith("-any") else "false"
    files = dict(files)
    files[info + "/METADATA"] = metadata().encode()
    files[info + "/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: rec\nRoot-Is-Purelib: %s\nTag: %s\n" % (pure, tag)).encode()
    record = ""
    name = "jrec-%s-%s.whl" % (version(), tag)
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in sorted(files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += "%s,sha256=%s,%d\n" % (path, digest, len(content))
            wheel.writestr(entry(path), content)
        wheel.writestr(entry(info + "/RECORD"), record + info + "/RECORD,,\n")
    return name


def entry(path):
    made = zipfile.ZipInfo(path, EARLIEST)
    made.compress_type = zipfile.ZIP_DEFLATED
    made.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
    return made


def platform_tag():
    """JREC_PLATFORM: of a library that was made for another system than this one."""
    return "py3-none-" + re.sub(r"[-.]", "_", os.environ.get("JREC_PLATFORM") or sysconfig.get_platform())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {"jrec/" + path.name: path.read_bytes() for path in (HERE / "jrec").iterdir() if path.suffix in (".py", ".typed")}
    found = library()
    if found:
        files["jrec/libjrec.so"] = found.read_bytes()
    return write_wheel(wheel_directory, files, platform_tag() if found else "py3-none-any")


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, {"jrec.pth": (str(HERE) + "\n").encode()}, "py3-none-any")


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("jrec is built from the tree of rec, which is its source")
