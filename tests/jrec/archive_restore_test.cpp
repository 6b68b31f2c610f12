// SPDX-License-Identifier: Apache-2.0
// What restore does where something is there already.
#include "jrec/archive/archive_restore.h"

#include <doctest/doctest.h>

#include <string>

#include "jrec/archive/archive_add.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using test::has;
using test::Said;
using test::Workplace;

void add_named(const Workplace& place, const std::string& file, const std::string& name, int64_t at) {
  ArchiveAddOptions options;
  options.archive = place.path("a.recz");
  options.files = {place.write(file, test::RecordingBuilder().text(at, file).bytes())};
  options.name = name;
  REQUIRE(place.run(run_archive_add, options).code == kDone);
}

}  // namespace

TEST_CASE(
    "archive: restore leaves what is there and is no member, unless it is told otherwise, and the archive always") {
  const Workplace place;
  add_named(place, "m1", "m1", 1500);
  add_named(place, "m2", "m2", 1600);
  add_named(place, "m1", "a.recz", 1500);
  const std::string archive = place.read("a.recz"), whole = place.read("m1");
  place.write("m1", {'x'});
  ArchiveRestoreOptions options;
  options.archive = place.path("a.recz");
  options.directory = place.path(".");
  const test::Quiet quiet;
  const Said kept = place.run(run_archive_restore, options);
  CHECK(kept.code == kUsageError);
  CHECK(has(kept.text, "m2: already there"));
  CHECK(place.read("m1") == "x");
  options.overwrite = true;
  CHECK(place.run(run_archive_restore, options).code == kOutputFailed);  // the archive is in the place of its member
  CHECK(place.read("m1") == whole);
  CHECK(place.read("a.recz") == archive);
}
