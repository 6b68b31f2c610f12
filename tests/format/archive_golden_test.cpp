// SPDX-License-Identifier: Apache-2.0
// Archives as versions of jrec wrote them. Bytes that cannot be made again: whoever changes the format keeps reading these.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "format/archive/catalogue.h"
#include "format/archive/part_reader.h"
#include "format/archive/piece.h"
#include "format/reader/mapped_file.h"

namespace jfr::archive::test {

using Content = std::vector<uint8_t>;

// Made by the first version that wrote archives with parity: chunks that stand by themselves and such as are
// packed with others and with their names; a torn chunk; a text.
TEST_CASE("golden: an archive of version 2 is read as long as there is a reader") {
  const auto file = jfr::read::MappedFile::open(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v2.recz");
  REQUIRE(file.ok());
  jfr::read::Problems problems;
  const ArchiveBytes archive(file->bytes());
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  CHECK(problems.empty());
  struct Expected {
    const char* name;
    size_t size;
    uint64_t hash;
  };
  const Expected expected[] = {{"shop-1.jfr", 48128, 0x9b67fd276af17263}, {"shop-2.jfr", 47560, 0x25a405b90f603b34},
                               {"one.jfr", 3907, 0x57fab4bffc4502f3},     {"two.jfr", 5122, 0x880a52234e366aa8},
                               {"torn.jfr", 700, 0xfd59b9e07f9477f9},     {"text.txt", 171, 0xf65100cd204ad225}};
  jfr::archive::PartReader parts(archive);
  for (const Expected& each : expected) {
    const Member* member = catalogue->find(each.name);
    REQUIRE(member != nullptr);
    Content bytes;
    for (const Part& part : member->parts) {
      const auto content = parts.read(part);
      REQUIRE(content.ok());
      bytes.insert(bytes.end(), content->begin(), content->end());
    }
    CHECK(bytes.size() == each.size);
    CHECK(hash_of(bytes) == each.hash);
  }
  CHECK(catalogue->find("shop-1.jfr")->labels == std::vector<std::string>{"service=shop", "host=h1"});
}

}  // namespace jfr::archive::test
