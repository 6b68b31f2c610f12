// SPDX-License-Identifier: Apache-2.0
// Recordings that are wrapped by gzip, zstd or lz4, or come out of a pipe.
#include <doctest/doctest.h>
#include <lz4frame.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include "jrec/archive/archive_add.h"
#include "jrec/input/input.h"
#include "jrec/input/recording.h"
#include "tests/jrec/files.h"

using namespace jrec;
using namespace test;

namespace {

Bytes gzip(const Bytes& plain) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  Bytes packed(deflateBound(&stream, plain.size()) + 32);
  stream.next_in = const_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Bytes zstd(const Bytes& plain) {
  Bytes packed(ZSTD_compressBound(plain.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

Bytes lz4(const Bytes& plain) {
  Bytes packed(LZ4F_compressFrameBound(plain.size(), nullptr));
  packed.resize(LZ4F_compressFrame(packed.data(), packed.size(), plain.data(), plain.size(), nullptr));
  return packed;
}

using Pack = Bytes (*)(const Bytes&);
constexpr Pack kPacks[] = {gzip, zstd, lz4};

Bytes slice(const Bytes& bytes, size_t from, size_t to) {
  return {bytes.begin() + static_cast<ptrdiff_t>(from), bytes.begin() + static_cast<ptrdiff_t>(to)};
}

// How much of these bytes a reader takes out of a pipe. What it leaves stays in the pipe, or is not written.
template <typename Read>
size_t taken_of(const Bytes& sent, Read read) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  size_t taken = 0;
  std::thread writer([&] {
    for (ssize_t got = 1; got > 0 && taken < sent.size(); taken += static_cast<size_t>(std::max<ssize_t>(got, 0)))
      got = ::write(ends[1], sent.data() + taken, sent.size() - taken);
    ::close(ends[1]);
  });
  read("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  writer.join();
  std::signal(SIGPIPE, before);
  return taken;
}

}  // namespace

TEST_CASE("a recording wrapped by gzip, zstd or lz4 reads as it is, in one piece or several") {
  const Workplace place;
  const Bytes plain = two_chunks();
  const std::string expected = summary_of(place, place.write("plain.jfr", plain)).text;
  CHECK(has(expected, "\"chunks\":2"));
  for (const Pack pack : kPacks) {
    const Printed one = summary_of(place, place.write("a", pack(plain)));
    CHECK(one.code == kDone);
    CHECK(one.text == expected);
    const Bytes pieces = join(pack(slice(plain, 0, 100)), pack(slice(plain, 100, plain.size())));
    CHECK(summary_of(place, place.write("b", pieces)).text == expected);
  }
}

TEST_CASE("a wrapped member of an archive reads as it is, alone and among others") {
  const Workplace place;
  const Bytes plain = two_chunks();
  const std::string expected = summary_of(place, place.write("plain.jfr", plain)).text;
  for (const Pack pack : kPacks) {
    ArchiveAddOptions add;
    add.archive = place.path("a.recz");
    add.files = {place.path("plain.jfr"), place.write("packed", pack(plain))};
    REQUIRE(place.run(run_archive_add, add).code == kDone);
    CHECK(summary_of(place, add.archive + ":packed").text == expected);
    CHECK(has(summary_of(place, add.archive).text, "\"chunks\":4"));
    std::filesystem::remove(add.archive);
  }
}

TEST_CASE("a recording comes out of a pipe, plain or wrapped") {
  const Workplace place;
  const Bytes plain = two_chunks();
  const std::string expected = summary_of(place, place.write("plain.jfr", plain)).text;
  for (const Bytes& sent : {plain, gzip(plain), zstd(plain), lz4(plain)}) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    REQUIRE(::write(ends[1], sent.data(), sent.size()) == static_cast<ssize_t>(sent.size()));  // it fits
    ::close(ends[1]);
    CHECK(summary_of(place, "/dev/fd/" + std::to_string(ends[0])).text == expected);
    ::close(ends[0]);
  }
}

TEST_CASE("damage: what is no recording is not read to its end, plain or wrapped") {
  const Workplace place;
  Bytes noise(8 << 20);
  std::mt19937 random(7);
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
  for (const Bytes& sent : {noise, gzip(noise), zstd(noise), lz4(noise)}) {
    Printed printed;
    CHECK(taken_of(sent, [&](const std::string& pipe) { printed = summary_of(place, pipe); }) < 2 << 20);
    CHECK(printed.code == kNothingReadable);
  }
}

TEST_CASE("damage: a recording out of a pipe has its good chunks, also where its beginning is damaged") {
  const Workplace place;
  Bytes recording = two_chunks();
  recording[0] = 'X';
  for (const Bytes& sent : {recording, gzip(recording)}) {
    Printed printed;
    taken_of(sent, [&](const std::string& pipe) { printed = summary_of(place, pipe); });
    CHECK(printed.code == kDamaged);
    CHECK(has(printed.text, "\"chunks\":1"));
  }
}

TEST_CASE("damage: of a wrapped recording that is cut, the chunks in front are read") {
  const Workplace place;
  for (const Pack pack : kPacks) {
    Bytes recording = two_chunks();
    Bytes noise(200'000);
    std::mt19937 random(1);
    for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
    Bytes packed = pack(join(recording, noise));
    packed.resize(packed.size() - 1000);
    const Printed printed = summary_of(place, place.write("cut", packed));
    CHECK(printed.code == kDamaged);
    CHECK(has(printed.text, "\"chunks\":2"));
  }
}

TEST_CASE("damage: a few bytes of a wrapping are nothing readable, and foreign bytes behind it are told") {
  const Workplace place;
  for (const Pack pack : kPacks) {
    Bytes packed = pack(two_chunks());
    CHECK(summary_of(place, place.write("long", join(packed, {'f', 'o', 'r', 'e', 'i', 'g', 'n'}))).code == kDamaged);
    packed.resize(9);
    CHECK(summary_of(place, place.write("short", packed)).code == kNothingReadable);
  }
}

TEST_CASE("damage: what unpacks without end stops at its limits, and its good chunks are read") {
  const Workplace place;
  const Bytes bomb = join(two_chunks(), Bytes(48 << 20));
  for (const Pack pack : {gzip, zstd}) {
    const std::string file = place.write("bomb", pack(bomb));
    jfr::read::Problems problems;
    const auto opened = Input::open(file, problems);
    REQUIRE(opened);
    CHECK(opened.value()->size() < kFreeOfRatio + (1 << 20));
    REQUIRE(problems.count() == 1);
    CHECK(problems.kept()[0].code == base::ErrorCode::kLimit);
    CHECK(summary_of(place, file).code == kDamaged);
  }
  const InputLimits before = input_limits();
  input_limits().unpacked_bytes = 1000;
  jfr::read::Problems problems;
  const auto opened = Input::open(place.write("small", gzip(two_chunks())), problems);
  input_limits() = before;
  REQUIRE(opened);
  CHECK(opened.value()->size() <= 1000);
  CHECK(problems.count() == 1);
}

TEST_CASE("damage: a zstd frame that asks for more window than 128 MiB is refused") {
  const Workplace place;
  const Bytes frame = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x90, 0x01, 0x00, 0x00};  // window 2^28, one empty block
  CHECK(summary_of(place, place.write("wide", frame)).code == kNothingReadable);
}

TEST_CASE("damage: twenty thousand chunks without anything in them begin no thread each") {
  const Workplace place;
  const Bytes whole = two_chunks();
  Bytes heads;
  for (int i = 0; i < 20'000; ++i) heads.insert(heads.end(), whole.begin(), whole.begin() + jfr::kHeaderSize);
  for (size_t at = 0; at < heads.size(); at += jfr::kHeaderSize) heads[at + 14] = 0, heads[at + 15] = jfr::kHeaderSize;
  Recording recording(place.write("heads.jfr", heads));
  REQUIRE(recording.open());
  size_t taken = 0, elsewhere = 0;
  recording.each_part([](jfr::read::Chunk&) { return std::this_thread::get_id(); },
                      [&](std::thread::id reader) { ++taken, elsewhere += reader != std::this_thread::get_id(); });
  CHECK(taken == 20'000);
  CHECK(elsewhere == 0);
}

TEST_CASE("damage: mutated wrappings never break the input") {
  const Workplace place;
  std::mt19937 random(21);
  for (const Pack pack : kPacks) {
    const Bytes good = pack(two_chunks());
    for (int round = 0; round < 100; ++round) {
      Bytes bad = good;
      for (int flips = static_cast<int>(random() % 4) + 1; flips > 0; --flips)
        bad[random() % bad.size()] = static_cast<uint8_t>(random());
      if (random() % 4 == 0) bad.resize(random() % bad.size());
      const int code = summary_of(place, place.write("bad", bad)).code;
      CHECK((code == kDone || code == kDamaged || code == kNothingReadable));
    }
  }
}
