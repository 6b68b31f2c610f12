// SPDX-License-Identifier: Apache-2.0
// Texts in parts: what is written of them, also by recovery.
#include "recorder/spool/text_parts.h"

#include <doctest/doctest.h>

#include "recorder/chunk/encoded_event.h"
#include "recover/leftover_spools.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"
#include "tests/recover/dead_process.h"

namespace rec::test {
namespace {

constexpr std::string_view kLine = "\tat a.B.c(B.java:1)\n";

std::string read_back(std::vector<char> bytes) {
  std::string all;
  for_each_part(
      bytes, [&](std::string_view part) { all.append(part) += '|'; },
      [&](Ref<EncodedFact> shared, const char*) { all += std::to_string(shared.unit) + '|'; });
  return all;
}

std::vector<char> bytes_of(const TextParts& parts) { return {parts.bytes().begin(), parts.bytes().end()}; }

// "one", the line, "two", the line, as a thread dump; the line is where it was tagged.
Ref<EncodedFact> commit_text(TextTag& tag, const char* first) {
  const EpochPin pin;
  const Ref<EncodedFact> line = pin->tag_text(tag, {kLine.data(), kLine.size()});
  TextParts parts;
  parts.add(first), parts.add(line), parts.add("two\n"), parts.add(line);
  CHECK(commit(*pin, {.type = jfr::TypeId::kThreadDump,
                      .ticks = base::now_ticks(),
                      .fields = parts.bytes().data(),
                      .size = static_cast<uint32_t>(parts.bytes().size()),
                      .has_thread = false,
                      .has_parts = true}));
  return line;
}

std::string text_with(const char* first, std::string_view line) {
  return std::string(first) + std::string(line) + "two\n" + std::string(line);
}

size_t count_in(const std::string& path, const std::string& text) {
  const std::string all = ::test::whole_file(path);
  size_t count = 0;
  for (size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
  return count;
}

TEST_CASE("parts of a text come back in their order") {
  TextParts parts;
  parts.add("one"), parts.add(""), parts.add(Ref<EncodedFact>{77}), parts.add("three");
  CHECK(read_back(bytes_of(parts)) == "one|77|three|");
}

TEST_CASE("damage: a part that goes beyond its text is cut, and half a word is none") {
  TextParts parts;
  parts.add("one"), parts.add("three");
  std::vector<char> bytes = bytes_of(parts);
  bytes.resize(bytes.size() - 2);
  CHECK(read_back(bytes) == "one|thr|");
  bytes.resize(9);
  CHECK(read_back(bytes) == "one|");
}

TEST_CASE("a text in parts is written as one, and what it shares lies in the epoch once") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  TextTag tag;
  const Ref<EncodedFact> first = commit_text(tag, "one\n");
  CHECK(commit_text(tag, "again\n") == first);
  REQUIRE(engine->rotate().ok());
  CHECK(commit_text(tag, "one\n"));
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.count(jfr::TypeId::kThreadDump) == 3);
  CHECK(count_in(directory / "recording.jfr", text_with("one\n", kLine)) == 2);
  CHECK(count_in(directory / "recording.jfr", text_with("again\n", kLine)) == 1);
}

TEST_CASE("damage: of a killed process a text in parts comes back, and a part that was changed is named as damaged") {
  for (const bool damaged : {false, true}) {
    const TemporaryDirectory directory;
    dead_process([&] {
      EngineConfig config = test_config(directory);
      config.flush_interval_ns = 3600'000'000'000;
      const auto engine = start(config);
      TextTag tag;
      const Ref<EncodedFact> line = commit_text(tag, "one\n");
      const EpochPin pin;
      if (damaged) pin->spool().arena().fact(line).tail()[3] ^= 1;
      die();
    });
    auto spools = LeftoverSpools::open(spool_directory_in(directory));
    REQUIRE(spools.ok());
    CHECK(spools->damage().size() == (damaged ? 1 : 0));
    if (damaged) CHECK(spools->damage()[0].error.what == "a line of a thread dump is damaged");
    const auto sealed = spools->seal(directory / "", directory / "repository");
    REQUIRE(sealed.ok());
    REQUIRE(sealed->chunks.size() == 1);
    CHECK(FileReader::read(sealed->chunks[0]).broken == "");
    CHECK(count_in(sealed->chunks[0], text_with("one\n", damaged ? kDamagedPart : kLine)) == 1);
  }
}

}  // namespace
}  // namespace rec::test
