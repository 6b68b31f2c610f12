// SPDX-License-Identifier: Apache-2.0
// The worked examples of docs/archive_format.md: their bytes are read out of the page, so that page and code agree.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/leb128.h"
#include "format/archive/archive_writer.h"
#include "format/archive/chunk_codec.h"
#include "format/archive/chunk_packer.h"
#include "format/archive/part_reader.h"
#include "format/archive/stack_model.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/text.h"

namespace jfr::archive::test {
namespace {

using ::test::has;
using ::test::RecordingBuilder;
using ::test::Workplace;
using Content = std::vector<uint8_t>;

constexpr const char* kPage = "/docs/archive_format.md";
constexpr const char* kFile = "hello\n";

// The bytes of the example under that heading, whose lines are: offset, two blanks, bytes, two blanks, what they mean.
Content example(const std::string& heading) {
  std::ifstream page(std::string(REC_SOURCE_ROOT) + kPage);
  Content bytes;
  std::string line;
  bool zeros = false;
  while (std::getline(page, line) && line != heading) {
  }
  while (std::getline(page, line) && line != "```") {
  }
  while (std::getline(page, line) && line != "```") {
    if (has(line, "...")) {  // zeros, up to what the next line says
      zeros = true;
      continue;
    }
    if (zeros) bytes.resize(std::stoul(line));
    zeros = false;
    CHECK(std::stoul(line) == bytes.size());  // the page says where it is
    const size_t from = line.find("  ", line.find_first_not_of(' ')) + 2;
    const std::string hex = line.substr(from, line.find("  ", from) - from);
    std::istringstream numbers(hex);
    for (unsigned byte = 0; numbers >> std::hex >> byte;) bytes.push_back(static_cast<uint8_t>(byte));
  }
  return bytes;
}

Content hello() { return {kFile, kFile + std::char_traits<char>::length(kFile)}; }

// As `jrec archive add -l service=shop a.recz note.txt` does it.
Content archive_of_hello() {
  const Workplace place;
  const std::string path = place.path("a.recz");
  auto writer = ArchiveWriter::open(path);
  REQUIRE(writer.ok());
  jfr::archive::ChunkPacker packer(*writer, 9);
  const Content file = hello();
  Member member;
  member.name = "note.txt";
  member.labels = {"service=shop"};
  member.added_ns = 1'700'000'000'000'000'000;
  member.size = file.size();
  member.hash = content_hash(file);
  auto part = packer.write(packer.pack_bytes(file));
  REQUIRE(part.ok());
  part->size = file.size();
  member.parts = {*part};
  REQUIRE(writer->add_member(member).ok());
  REQUIRE(writer->commit().ok());
  const auto written = writer->map();
  REQUIRE(written.ok());
  return {written->bytes().begin(), written->bytes().end()};
}

// The cells of the row that begins with that stack.
std::vector<std::vector<uint64_t>> row(const std::string& stack) {
  std::ifstream page(std::string(REC_SOURCE_ROOT) + kPage);
  std::string line;
  while (std::getline(page, line) && !line.starts_with("| " + stack + " |")) {
  }
  std::istringstream cells(line.substr(std::min(line.size(), stack.size() + 4)));
  std::vector<std::vector<uint64_t>> row;
  while (std::getline(cells, line, '|')) {
    std::istringstream numbers(line);
    row.emplace_back();
    for (uint64_t number = 0; numbers >> number;) row.back().push_back(number);
  }
  return row;
}

// A frame is told by the first letters of its name.
std::vector<StackFrame> frames_of(const std::string& stack) {
  std::istringstream names(stack);
  std::vector<StackFrame> frames;
  for (std::string name; names >> name;) frames.insert(frames.begin(), {static_cast<uint64_t>(name[0]) << 8 | name[1]});
  return frames;
}

// Two samples: main calls run, which calls work at 1000 and wait at 1500.
Content chunk_of_two_samples() {
  return RecordingBuilder()
      .stack(1, {{3, 30}, {2, 20}, {1, 10}})
      .stack(2, {{4, 40}, {2, 20}, {1, 10}})
      .sample(1'000, 1)
      .sample(1'500, 2)
      .bytes();
}

TEST_CASE("golden: the archive that the page walks through is what a writer writes, and a reader reads") {
  const Content page = example("### An archive");
  CHECK(archive_of_hello() == page);
  jfr::read::Problems problems;
  const ArchiveBytes archive(page);
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  CHECK(problems.empty());
  const Member* member = catalogue->find("note.txt");
  REQUIRE(member != nullptr);
  CHECK(member->labels == std::vector<std::string>{"service=shop"});
  jfr::archive::PartReader parts(archive);
  const auto content = parts.read(member->parts.at(0));
  REQUIRE(content.ok());
  CHECK(*content == hello());
}

TEST_CASE("golden: the columns that the page walks through are those of the chunk that it tells of") {
  const Content chunk = chunk_of_two_samples();
  const auto coded = encode_chunk(chunk);
  REQUIRE(coded.has_value());
  Blocks page = coded->blocks;
  page.front = example("### The columns of a chunk");
  CHECK(coded->blocks.front == page.front);
  const auto back = decode_chunk(page, coded->metadata, chunk.size());
  REQUIRE(back.ok());
  CHECK(*back == chunk);
}

TEST_CASE("golden: the stacks that the page walks through leave the tree as it says") {
  Streams streams;
  StackModel model(streams);
  std::vector<std::vector<uint64_t>> expected(4);
  std::deque<Content> wires;
  for (const char* stack : {"main run work", "main run wait", "main wait run work", "boot main wait run work"}) {
    const auto cells = row(stack);
    REQUIRE(cells.size() >= expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i].insert(expected[i].end(), cells[i].begin(), cells[i].end());
    Content& wire = wires.emplace_back();
    const std::vector<StackFrame> frames = frames_of(stack);
    for (const StackFrame& frame : frames)
      for (const uint64_t field : frame) base::append_leb(field, wire);
    model.encode(wire, frames.size());
  }
  for (uint32_t i = 0; i < expected.size(); ++i) CHECK(streams.all(i) == expected[i]);
}

}  // namespace
}  // namespace jfr::archive::test
