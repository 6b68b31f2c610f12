// SPDX-License-Identifier: Apache-2.0
#include "recover/leftover_spools.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>

#include "recorder/spool/append_intent.h"
#include "recover/chunk_look.h"
#include "recover/dead_repository.h"
#include "recover/header_patch.h"
#include "recover/home_spools.h"
#include "recover/leftovers.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/places.h"
#include "tests/recorder/simulated_vm.h"
#include "tests/recover/dead_process.h"
#include "tests/thin.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("damage: samples that a killed process had only committed to its spool come back with their names") {
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  const auto recovered = recover_spools(spool_directory_in(directory), directory / "");
  REQUIRE(recovered.ok());
  CHECK(recovered.value().samples == 7);
  REQUIRE(recovered.value().chunks.size() == 1);
  const ReadFile file = FileReader::read(recovered.value().chunks[0]);
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 7);
  CHECK(file.counters.at("samples") == 7);
  for (const ReadSample& one : file.samples) {
    CHECK(one.thread == "sim-4");
    CHECK(one.frames[0].klass == "sim/p3/C500");
  }
  size_t in_chunks = 0;
  for (const auto& entry : fs::directory_iterator(directory / "repository")) {
    if (entry.path().extension() != ".jfr") continue;
    const ReadFile chunk = FileReader::read(entry.path().string());
    CHECK(chunk.broken == "");  // the one that was open, too
    in_chunks += chunk.samples.size();
  }
  CHECK(in_chunks == 3);
}

TEST_CASE("damage: spools that are sealed twice give the same chunks, and one recording of them all") {
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  const std::string repository = directory / "repository", recording = directory / "recording.jfr";
  for (int round = 0; round < 2; ++round) {  // the first recovery does not live to remove the spools
    auto spools = LeftoverSpools::open(spool_directory_in(directory));
    REQUIRE(spools.ok());
    CHECK(spools->waiting_samples(repository) == 7);
    const auto sealed = spools->seal(repository, repository);
    REQUIRE(sealed.ok());
    CHECK(sealed.value().samples == 7);
    if (round == 1) spools->remove();
  }
  CHECK(spool_directory_in(directory).empty());
  auto dead = DeadRepository::open(repository);
  REQUIRE(dead.ok());
  const auto processes = dead->processes();
  REQUIRE(processes.size() == 1);
  const auto made = make_recording(processes[0].chunks, recording);
  REQUIRE(made.ok());
  CHECK(made.value().samples == 10);
  const ReadFile file = FileReader::read(recording);
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 10);
  CHECK(file.final_chunks == 1);
  CHECK(fs::file_size(recording) == made.value().bytes);
  dead->remove(processes[0].chunks);
  CHECK_FALSE(fs::exists(repository));
}

// What a recovery has made of spools in the repository before it was killed is there, too.
TEST_CASE("damage: spools are sealed into another directory, for a full disk, and count once all the same") {
  struct Quiet final : Tally {
    void add_damage(const std::string&, const base::Error&) override { FAIL_CHECK("there is no damage"); }
  };
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  const std::string repository = directory / "repository", work = directory / "work";
  REQUIRE(recover_spools(spool_directory_in(directory), repository).ok());
  fs::create_directory(work);
  const auto before = fs::last_write_time(repository);
  Quiet tally;
  HomeSpools spools(repository);
  REQUIRE(spools.seal({.more_places = {directory / ""}, .into = work}, tally).ok());
  CHECK(tally.spool_samples == 7);
  CHECK(fs::last_write_time(repository) == before);
  auto dead = DeadRepository::open(repository);
  REQUIRE(dead.ok());
  const auto processes = dead->processes(work);
  REQUIRE(processes.size() == 1);
  CHECK(processes[0].chunks.back().starts_with(work));
  const auto made = make_recording(processes[0].chunks, directory / "recording.jfr");
  REQUIRE(made.ok());
  CHECK(made->samples == 10);
}

TEST_CASE("damage: after kill -9 the counters add up to the samples, those of the open chunk too") {
  const TemporaryDirectory directory;
  const pid_t child = dead_process([&] {
    EngineConfig config = test_config(directory);
    config.flush_interval_ns = 3600'000'000'000;
    const auto engine = start(config);
    SimulatedThread thread(4);
    SimulatedClass klass;
    klass.load(500);
    for (unsigned i = 0; i < 12; ++i) {
      if (i == 3) engine->rotate().ok();
      if (i == 7) {
        const uint64_t before = engine->status().bytes;
        for (engine->flush(); engine->status().bytes == before;) usleep(1000);
      }
      if (!sample(thread, klass, i)) _exit(1);
    }
    die();
  });
  const std::string repository = directory / "repository";
  for (int round = 0; round < 2; ++round) {  // the first recovery does not live to its end
    CHECK(untold_samples(repository, static_cast<uint32_t>(child)) == 4);
    const auto recovered = recover_spools(spool_directory_in(directory), repository);
    REQUIRE(recovered.ok());
    CHECK(recovered.value().samples == 5);
  }
  auto dead = DeadRepository::open(repository);
  REQUIRE(dead.ok());
  const std::string recording = directory / "recording.jfr";
  REQUIRE(make_recording(dead->processes().at(0).chunks, recording).ok());
  const ReadFile file = FileReader::read(recording);
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 12);
  CHECK(file.counters.at("samples") == 12);
  CHECK(file.starts.size() == 3);
  CHECK(std::is_sorted(file.starts.begin(), file.starts.end()));
}

TEST_CASE("race: what one recovery has locked, another leaves alone") {
  const TemporaryDirectory directory;
  record_and_die(directory, 0, 3);
  const auto first = LeftoverSpools::open(spool_directory_in(directory));
  REQUIRE(first.ok());
  const auto second = LeftoverSpools::open(spool_directory_in(directory));
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().code == base::ErrorCode::kUsage);
}

TEST_CASE("the chunks of a repository come in the order of their numbers, whatever the clock said") {
  const TemporaryDirectory directory;
  for (const char* name :
       {"2026_11_21_13_45_10-17-0002.jfr", "2026_11_21_14_45_10-17-0001.jfr", "2026_11_21_12_00_00-17-0010.jfr",
        "recovered-17-0a1b-2-0001.jfr", "recovered-17-0a1b-10-0001.jfr", "2026_11_21_13_45_10-5-0001.jfr", "notes.txt",
        "2026_11_21-17-0003.jfr", ".2026_11_21_13_45_10-17-0004.jfr.tmp"})
    std::ofstream(directory / name) << "x";
  auto dead = DeadRepository::open(directory / "");
  REQUIRE(dead.ok());
  const auto processes = dead->processes();
  REQUIRE(processes.size() == 2);
  CHECK(processes[0].pid == 5);
  CHECK(processes[1].pid == 17);
  std::vector<std::string> names;
  for (const std::string& chunk : processes[1].chunks) names.push_back(name_of(chunk));
  CHECK(names == std::vector<std::string>{"2026_11_21_14_45_10-17-0001.jfr", "2026_11_21_13_45_10-17-0002.jfr",
                                          "2026_11_21_12_00_00-17-0010.jfr", "recovered-17-0a1b-2-0001.jfr",
                                          "recovered-17-0a1b-10-0001.jfr"});
}

TEST_CASE("what was recovered from spools stands in front of a chunk that begins later") {
  const TemporaryDirectory directory;
  const auto chunk = [&](const char* name, int64_t start_ticks) {
    HeaderBytes header{};
    put_big_endian(header, jfr::kStartTicksOffset, static_cast<uint64_t>(start_ticks));
    std::ofstream(directory / name).write(reinterpret_cast<const char*>(header.data()), header.size());
  };
  chunk("2026_11_21_13_45_10-17-0001.jfr", 100);
  chunk("2026_11_21_13_45_20-17-0002.jfr", 200);
  chunk("2026_11_21_13_45_30-17-0003.jfr", 300);
  chunk("recovered-17-0a1b-2-0001.jfr", 200);
  chunk("recovered-17-0a1b-2-0002.jfr", 270);
  chunk("recovered-17-0a1b-3-0001.jfr", 310);
  auto dead = DeadRepository::open(directory / "");
  REQUIRE(dead.ok());
  const std::vector<DeadProcess> processes = dead->processes();
  REQUIRE(processes.size() == 1);
  std::vector<std::string> names;
  for (const std::string& path : processes[0].chunks) names.push_back(name_of(path));
  CHECK(names == std::vector<std::string>{"2026_11_21_13_45_10-17-0001.jfr", "2026_11_21_13_45_20-17-0002.jfr",
                                          "recovered-17-0a1b-2-0001.jfr", "recovered-17-0a1b-2-0002.jfr",
                                          "2026_11_21_13_45_30-17-0003.jfr", "recovered-17-0a1b-3-0001.jfr"});
}

TEST_CASE("damage: a segment that was committed but not marked consumed is not written again") {
  const TemporaryDirectory directory;
  record_and_die(directory, 0, 6);
  const std::string repository = directory / "repository", spools = spool_directory_in(directory);
  const std::string spool = spools + "/epoch-0.spool";
  std::string chunk;
  for (const auto& entry : fs::directory_iterator(repository))
    if (entry.path().extension() == ".jfr") chunk = entry.path().filename().string();
  edit_header(spool, [&](SpoolHeader& header) { header.intent_end.store(4); });
  const auto waiting = [&](uint64_t offset) {
    edit_header(spool, [&](SpoolHeader& header) {
      name_chunk(header, chunk);
      header.intent_offset.store(offset);
    });
    return LeftoverSpools::open(spools)->waiting_samples(repository);
  };
  auto look = look_at_chunk(repository + "/" + chunk);
  REQUIRE(look.ok());
  CHECK(waiting(look->used) == 6);        // still the filler
  CHECK(waiting(look->checkpoint) == 6);  // not where a segment may begin
  CHECK(waiting(uint64_t{1} << 47) == 6);
  uint64_t committed = look->used;
  std::fstream file(repository + "/" + chunk, std::ios::in | std::ios::out | std::ios::binary);
  const char event[8] = {8, 10, 1, 1, 1, 1, 1, 1};
  file.seekp(static_cast<std::streamoff>(committed)).write(event, sizeof event);
  file.close();
  CHECK(waiting(committed) == 2);
  edit_header(spool, [](SpoolHeader& header) { header.intent_end.store(7); });  // more than there is
  CHECK(waiting(committed) == 6);
}

TEST_CASE("a start turns what dead processes left into recordings, and says so") {
  Lines::clear();
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  const std::string filename = directory / "app.jfr";
  fs::rename(directory / "repository", filename + ".chunks.dead-0123456789abcdef");
  fs::create_directory(filename + ".chunks");
  recover_leftovers({filename + ".chunks", filename, directory / ""}, Lines::add);
  CHECK(spool_directory_in(directory).empty());
  CHECK_FALSE(fs::exists(filename + ".chunks.dead-0123456789abcdef"));
  CHECK(fs::exists(filename + ".chunks"));
  std::string recording;
  for (const auto& entry : fs::directory_iterator(directory / ""))
    if (entry.path().filename().string().starts_with("app-recovered-")) recording = entry.path().string();
  REQUIRE_FALSE(recording.empty());
  const ReadFile file = FileReader::read(recording);
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 10);
  const auto about = [&](const std::string& line) { return line.find(name_of(recording)) != std::string::npos; };
  CHECK(std::count_if(Lines::all().begin(), Lines::all().end(), about) == 1);
}

// As if another version of rec had written it.
void make_foreign(const TemporaryDirectory& directory) {
  for (const auto& entry : fs::directory_iterator(spool_directory_in(directory)))
    edit_header(entry.path().string(), [](SpoolHeader& header) { header.version = kSpoolVersion - 1; });
}

TEST_CASE("a start leaves spools of another version, and the chunks that they belong to, and says so") {
  Lines::clear();
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  const std::string filename = fs::canonical(directory / "").string() + "/app.jfr",
                    dead = filename + ".chunks.dead-0123456789abcdef";
  fs::rename(directory / "repository", dead);
  make_foreign(directory);
  fs::create_directory(filename + ".chunks");
  recover_leftovers({filename + ".chunks", filename, directory / ""}, Lines::add);
  const std::string spools = spool_directory_in(directory);
  REQUIRE_FALSE(spools.empty());
  CHECK(fs::exists(dead));
  const auto about = [&](const std::string& line) {
    return line.find(dead) != std::string::npos && line.find(name_of(spools)) != std::string::npos;
  };
  CHECK(std::count_if(Lines::all().begin(), Lines::all().end(), about) == 1);
}

TEST_CASE("damage: spools of another version count as damage of the directory that they name, and of no other") {
  struct Count final : Tally {
    size_t damages = 0;
    void add_damage(const std::string&, const base::Error&) override { ++damages; }
  };
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  fs::create_directory(directory / "other");
  make_foreign(directory);
  Count ours, others;
  CHECK(HomeSpools(directory / "repository").seal({.more_places = {directory / ""}, .dry_run = true}, ours).ok());
  CHECK(HomeSpools(directory / "other").seal({.more_places = {directory / ""}, .dry_run = true}, others).ok());
  CHECK(ours.damages == 1);
  CHECK(others.damages == 0);
  CHECK_FALSE(spool_directory_in(directory).empty());
}

TEST_CASE(
    "damage: a start that was killed before it removed what it recovered is finished by the next, without a copy") {
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  const std::string filename = directory / "app.jfr", dead = filename + ".chunks.dead-0123456789abcdef";
  fs::rename(directory / "repository", dead);
  const std::string spools = spool_directory_in(directory);
  fs::copy(dead, directory / "kept-chunks", fs::copy_options::recursive);
  fs::copy(spools, directory / "kept-spools", fs::copy_options::recursive);
  const LeftoverPlaces places{filename + ".chunks", filename, directory / ""};
  recover_leftovers(places, Lines::add);
  const std::vector<std::string> once = entries(directory / "");
  CHECK(once.size() == 3);
  for (const char* spool : {"kept-spools/epoch-0.spool", "kept-spools/epoch-1.spool"})
    edit_header(directory / spool, [place = read_identity(directory / "kept-chunks")](SpoolHeader& header) {
      header.repository_inode = place.inode;
      header.repository_born_ns = place.born_ns;
    });
  fs::rename(directory / "kept-chunks", dead);
  fs::rename(directory / "kept-spools", spools);
  recover_leftovers(places, Lines::add);
  REQUIRE(entries(directory / "").size() == 1);
  CHECK(FileReader::read(directory / entries(directory / "")[0]).samples.size() == 10);
}

TEST_CASE("a start touches nothing of a process that lives") {
  Lines::clear();
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  fs::create_directory(directory / "other.jfr.chunks");
  recover_leftovers({directory / "other.jfr.chunks", directory / "recording.jfr", directory / ""}, Lines::add);
  CHECK_FALSE(spool_directory_in(directory).empty());
  CHECK(fs::exists(directory / "repository"));
  SimulatedThread thread(4);
  SimulatedClass klass;
  klass.load(500);
  REQUIRE(sample(thread, klass, 1));
  REQUIRE(engine->stop().ok());
  CHECK(FileReader::read(directory / "recording.jfr").samples.size() == 1);
}

TEST_CASE("the spool of a process that lives is left alone") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  const auto recovered = recover_spools(spool_directory_in(directory), directory / "");
  REQUIRE_FALSE(recovered.ok());
  CHECK(recovered.error().code == base::ErrorCode::kUsage);
}

TEST_CASE("damage: a spool with any word overwritten gives an error or a chunk that can be read") {
  const TemporaryDirectory directory;
  record_and_die(directory, 0, 5);
  const std::string spools = spool_directory_in(directory);
  const std::string path = spools + "/epoch-0.spool";
  uint64_t seed = 1;
  for (unsigned round = 0; round < 300; round += ::test::kThin) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    // The header, the first events, the first facts.
    const uint64_t starts[] = {0, kSpoolLogOffset, kSpoolArenaOffset}, sizes[] = {1024, 256, 2048};
    const auto part = seed >> 60 & 1 ? 2 : (seed >> 33) % 3;
    const uint64_t at = starts[part] + (seed >> 40) % (sizes[part] / 4) * 4;
    const uint32_t value = round % 3 == 0 ? UINT32_MAX : static_cast<uint32_t>(seed >> 20);
    uint32_t before = 0;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at)).read(reinterpret_cast<char*>(&before), 4);
    file.seekp(static_cast<std::streamoff>(at)).write(reinterpret_cast<const char*>(&value), 4);
    file.flush();
    const auto recovered = recover_spools(spools, directory / "");
    CAPTURE(at);
    CAPTURE(value);
    if (recovered)
      for (const std::string& chunk : recovered.value().chunks) {
        CHECK(FileReader::read(chunk).broken == "");
        fs::remove(chunk);
      }
    file.seekp(static_cast<std::streamoff>(at)).write(reinterpret_cast<const char*>(&before), 4);
  }
}

}  // namespace
}  // namespace rec::test
