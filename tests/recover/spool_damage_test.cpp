// SPDX-License-Identifier: Apache-2.0
// Spools that were cut, zeroed or changed after their process died: what is wrong is said, what can be read is kept.
#include "recover/spool_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "recover/home_spools.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/places.h"
#include "tests/recover/dead_process.h"
#include "tests/thin.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

std::string bytes_at(const std::string& path, uint64_t at, size_t size) {
  std::string bytes(size, '\0');
  std::ifstream(path, std::ios::binary).seekg(static_cast<std::streamoff>(at)).read(bytes.data(), bytes.size());
  return bytes;
}
void put(const std::string& path, uint64_t at, const std::string& bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at)).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
void flip(const std::string& path, uint64_t at, unsigned bit) {
  std::string byte = bytes_at(path, at, 1);
  byte[0] = static_cast<char>(byte[0] ^ 1 << bit);
  put(path, at, byte);
}

// What a process has left, and what becomes of it.
struct Left {
  explicit Left(unsigned samples) {
    record_and_die(directory, 0, samples);
    spools = spool_directory_in(directory);
    spool = spools + "/epoch-0.spool";
  }
  LeftoverSpools open() const {
    auto opened = LeftoverSpools::open(spools);
    REQUIRE(opened.ok());
    return std::move(*opened);
  }
  // Seals them, and reads what came of it.
  ReadFile sealed() {
    LeftoverSpools opened = open();
    damage = opened.damage();
    const auto recovered = opened.seal(directory / "", directory / "repository");
    REQUIRE(recovered.ok());
    lost = recovered->lost;
    REQUIRE(recovered->chunks.size() == 1);
    ReadFile file = FileReader::read(recovered->chunks[0]);
    CHECK(file.broken == "");
    fs::remove(recovered->chunks[0]);
    return file;
  }
  bool tells(uint64_t from, uint64_t end) const {
    return std::any_of(damage.begin(), damage.end(), [&](const LeftoverSpools::Damage& one) {
      return one.file == spool && one.error.offset >= from && one.error.offset < end;
    });
  }

  TemporaryDirectory directory;
  std::string spools, spool;
  std::vector<LeftoverSpools::Damage> damage;
  uint64_t lost = 0;
};

TEST_CASE("a spool that nobody touched has no damage") {
  Left left(300);
  CHECK(left.sealed().samples.size() == 300);
  CHECK(left.damage.empty());
  CHECK(left.lost == 0);
}

TEST_CASE("damage: no single bit of a slot, or of a word of the header, changes alone") {
  alignas(EventSlot) std::array<unsigned char, sizeof(EventSlot)> bytes{};
  auto& slot = *reinterpret_cast<EventSlot*>(bytes.data());
  Meter meter{};
  meter.reset(0);
  meter.grow_to(1);
  EventLog log(&slot, &meter);
  log.commit({.kind = EventKind::kSample, .ticks = 123456789, .thread = {7}, .stack = {99}, .value = 5ull << 32 | 1});
  CHECK(log.intact(0));
  for (size_t bit = 0; bit < sizeof slot * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
    CHECK_FALSE(log.intact(0));
    bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
  }
  CheckedWord<uint64_t> word{};
  CHECK(word.intact());
  for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{12345}, (uint64_t{1} << 48) - 1}) {
    word.store(value);
    CHECK(word.load() == value);
    for (unsigned bit = 0; bit < 64; ++bit) {
      CheckedWord<uint64_t> other{};
      uint64_t raw;
      std::memcpy(&raw, static_cast<void*>(&word), sizeof raw);
      raw ^= uint64_t{1} << bit;
      std::memcpy(static_cast<void*>(&other), &raw, sizeof raw);
      CHECK_FALSE(other.intact());
    }
  }
}

TEST_CASE("damage: a spool that was cut is named with the byte where it ends, and what is in front of that is kept") {
  Left left(500);
  const uint64_t end = kSpoolLogOffset + 100 * sizeof(EventSlot);
  fs::resize_file(left.spool, end);
  const ReadFile file = left.sealed();
  CHECK(file.samples.size() == 100);  // their names lay behind
  CHECK(left.lost == 400);
  CHECK(file.counters.at("spoolDamaged") == 400);
  CHECK(left.tells(end, end + 1));
}

TEST_CASE("damage: pages of zeros cost the events in them, which are counted") {
  Left left(500);
  const uint64_t at = kSpoolLogOffset + 128 * sizeof(EventSlot);
  put(left.spool, at, std::string(4096, '\0'));
  const ReadFile file = left.sealed();
  CHECK(file.samples.size() == 500 - 128);
  CHECK(left.lost == 128);
  CHECK(left.tells(at, at + 1));
  for (const ReadSample& one : file.samples) CHECK(one.frames[0].klass == "sim/p3/C500");
}

TEST_CASE("damage: a spool without its header is said to be lost, and no event is made of it") {
  Left left(20);
  put(left.spool, 0, std::string(kSpoolHeaderBytes, '\0'));
  const auto damage = left.open().damage();  // the other spool, which is empty, can be opened
  REQUIRE(damage.size() == 1);
  CHECK(damage[0].file == left.spool);
  CHECK(damage[0].error.offset == 0);
  CHECK(has(damage[0].error.what, "20 events"));
  fs::resize_file(left.spool, 100);
  CHECK(left.open().damage()[0].error.offset == 100);
}

TEST_CASE("damage: what a damaged header says of the recording is taken from the other spool") {
  Left left(20);
  for (const size_t at : {offsetof(SpoolHeader, clock_unix_ns), offsetof(SpoolHeader, repository) + 3,
                          offsetof(SpoolHeader, sample_event), offsetof(SpoolHeader, check)}) {
    const std::string before = bytes_at(left.spool, at, 1);
    flip(left.spool, at, 6);
    CHECK(left.sealed().samples.size() == 20);
    CHECK(left.tells(kFactsBegin, kFactsEnd));
    CHECK(left.open().home().path == left.directory / "repository");
    put(left.spool, at, before);
  }
}

TEST_CASE("damage: a counter that is damaged is left out, and billions are not lost") {
  Left left(20);
  const size_t at = offsetof(SpoolHeader, losses) + 4 * 8;
  flip(left.spool, at + 3, 5);
  CHECK(left.sealed().samples.size() == 20);
  CHECK(left.lost == 0);
  CHECK(left.tells(at, at + 8));
}

TEST_CASE("damage: how many events are in chunks is known twice") {
  Left left(20);
  edit_header(left.spool, [](SpoolHeader& header) {
    header.consumed.store(5);
    header.consumed_again.store(5);
  });
  CHECK(left.sealed().samples.size() == 15);
  flip(left.spool, offsetof(SpoolHeader, consumed), 1);
  CHECK(left.sealed().samples.size() == 15);
  CHECK(left.tells(offsetof(SpoolHeader, consumed), offsetof(SpoolHeader, consumed) + 8));
}

TEST_CASE("damage: of any bit that changes in events, names and stacks nothing false comes out without a word") {
  Left left(40);
  const ReadFile whole = left.sealed();
  const auto text_of = [](const ReadSample& one) {
    std::string text = one.thread;
    for (const auto& frame : one.frames) text += '|' + frame.klass + '.' + frame.method;
    return text;
  };
  std::map<std::string, size_t> known;
  for (const ReadSample& one : whole.samples) ++known[text_of(one)];
  uint64_t seed = 7;
  for (unsigned round = 0; round < 300; round += ::test::kThin) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const bool in_log = round % 2 == 0;
    const uint64_t at = in_log ? kSpoolLogOffset + (seed >> 33) % (40 * sizeof(EventSlot))
                               : kSpoolArenaOffset + 8 + (seed >> 33) % 1200;
    flip(left.spool, at, seed >> 61 & 7);
    const ReadFile file = left.sealed();
    CAPTURE(at);
    const bool same =
        file.samples.size() == 40 && std::all_of(file.samples.begin(), file.samples.end(),
                                                 [&](const ReadSample& one) { return known.count(text_of(one)) != 0; });
    if (!same) CHECK_FALSE(left.damage.empty());
    CHECK(file.samples.size() + left.lost == 40);
    flip(left.spool, at, seed >> 61 & 7);
  }
}

}  // namespace
}  // namespace rec::test
