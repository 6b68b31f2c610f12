# SPDX-License-Identifier: Apache-2.0
# sbom.py VERSION TREE: the SPDX 2.3 document (JSON) of what lies in TREE, on stdout. What of others is linked into which file comes on
# stdin, a line each (parts.sh): file, name, version, licence, purl, file of its licence. Dates are SOURCE_DATE_EPOCH.
import hashlib
import json
import os
import re
import sys
import time

version, tree = sys.argv[1:3]
created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))


def spdx_id(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def digest(kind, path):
    with open(path, "rb") as file:
        return {"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, file.read()).hexdigest()}


def file_of(path):
    name = os.path.relpath(path, tree)
    return {
        "SPDXID": spdx_id("File", name), "fileName": "./" + name, "checksums": [digest("sha1", path), digest("sha256", path)],
        "licenseConcluded": "NOASSERTION", "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
    }


def package(name, its_version, licence, more):
    return {
        "SPDXID": spdx_id("Package", name), "name": name, "versionInfo": its_version, "downloadLocation": "NOASSERTION",
        "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more,
    }


def verification_code(files):
    sums = sorted(sum["checksumValue"] for file in files for sum in file["checksums"] if sum["algorithm"] == "SHA1")
    return {"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()}


paths = sorted(os.path.join(at, name) for at, _, names in os.walk(tree) for name in names)
paths = [path for path in paths if not os.path.islink(path)]
files = [file_of(path) for path in paths]
rec = package("rec", version, "Apache-2.0", {"filesAnalyzed": True, "packageVerificationCode": verification_code(files)})
packages, relations = [rec], [("SPDXRef-DOCUMENT", "DESCRIBES", rec["SPDXID"])]
relations += [(rec["SPDXID"], "CONTAINS", file["SPDXID"]) for file in files]
where = {re.sub(r"\.so\.\d+$", ".so", os.path.basename(path)): file["SPDXID"] for path, file in zip(paths, files)}
for line in sys.stdin:
    into, name, its_version, licence, purl, _ = line.rstrip("\n").split("\t")
    address = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
    part = package(name, its_version, licence, {"filesAnalyzed": False, "externalRefs": [address]})
    if part not in packages:  # in several files
        packages.append(part)
    relations.append((where[into], "STATIC_LINK", part["SPDXID"]))

own = [{"licenseId": "LicenseRef-public-domain", "extractedText": "liblzma is in the public domain.", "name": "public domain"}]
json.dump({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"rec-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/rec-{version}-{rec['packageVerificationCode']['packageVerificationCodeValue']}",
    "creationInfo": {"created": created, "creators": ["Tool: scripts/release"]},
    "packages": packages, "files": files, "hasExtractedLicensingInfos": own,
    "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations],
}, sys.stdout, indent=1)
sys.stdout.write("\n")
