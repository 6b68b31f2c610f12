// SPDX-License-Identifier: Apache-2.0
// Whose a spool is: what a recovery takes, and what it leaves to others.
#include "recorder/spool/identity.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "recorder/repository/repository.h"
#include "recover/dead_repository.h"
#include "recover/files.h"
#include "recover/home_spools.h"
#include "recover/leftovers.h"
#include "recover/spool_places.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/places.h"
#include "tests/recover/dead_process.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

const std::string kOneId(kIdentityDigits, 'a'), kOtherId(kIdentityDigits, 'b');

struct Found final : Tally {
  size_t damages = 0;
  void add_damage(const std::string&, const base::Error&) override { ++damages; }
};

// As the agent has it: chunks beside the recording, spools in a place of their own.
EngineConfig app_config(const TemporaryDirectory& directory) {
  EngineConfig config = test_config(directory);
  config.filename = directory / "app.jfr";
  config.repository = directory / "app.jfr.chunks";
  config.spool_directory = directory / "";
  return config;
}

// An agent that has just begun to record to app.jfr.
void start_beside(const TemporaryDirectory& directory) {
  Lines::clear();
  Repository repository(directory / "app.jfr.chunks", 0, 0);
  REQUIRE(repository.prepare().ok());
  recover_leftovers({repository.directory(), directory / "app.jfr", directory / ""}, Lines::add);
}

uint64_t samples_found(const std::string& directory, const TemporaryDirectory& place) {
  Found tally;
  CHECK(HomeSpools(directory).seal({.more_places = {place / ""}, .dry_run = true}, tally).ok());
  CHECK(tally.damages == 0);
  return tally.spool_samples;
}

void remove_chunks(const std::string& directory) {
  for (const std::string& name : entries(directory))
    if (name.ends_with(".jfr")) fs::remove(directory + "/" + name);
}

TEST_CASE("the ids decide whose a spool is; device and inode do where one is not known") {
  const Identity spool{kOneId, 1, 2};
  CHECK(kin_of(spool, {kOneId, 1, 2}) == Kin::kSame);
  CHECK(kin_of(spool, {kOneId, 1, 3}) == Kin::kCopy);
  CHECK(kin_of(spool, {kOtherId, 1, 2}) == Kin::kNone);  // the inode was used again
  CHECK(kin_of(spool, {"", 1, 2}) == Kin::kSame);
  CHECK(kin_of(spool, {"", 3, 2}) == Kin::kNone);
  CHECK(kin_of({kOneId, 1, 2, 7}, {"", 1, 2, 7}) == Kin::kSame);
  CHECK(kin_of({kOneId, 1, 2, 7}, {"", 1, 2, 8}) == Kin::kNone);  // the inode was used again
  CHECK(kin_of({kOneId, 1, 2, 7}, {kOneId, 1, 2, 8}) == Kin::kCopy);
  CHECK(kin_of({kOneId, 1, 2, 7}, {"", 1, 2, 0}) == Kin::kSame);  // a file system that does not know
  CHECK(kin_of({"", 0, 0}, {"", 0, 0}) == Kin::kNone);
  CHECK(kin_of({kOneId, 0, 0}, {kOneId, 1, 2}) == Kin::kSame);  // of a header that cannot be read
}

TEST_CASE("damage: the file with a repository's id is believed whole, or not at all") {
  const TemporaryDirectory directory;
  const base::Descriptor opened = open_directory(directory / "");
  REQUIRE(write_identity(opened.fd(), kOneId).ok());
  const std::string file = directory / kIdentityFile, whole = read_file(file);
  CHECK(whole == "rec repository " + kOneId + " b980f10b\n");
  CHECK(mode_of(file) == 0600);
  CHECK(read_identity(opened.fd()).id == kOneId);
  REQUIRE(write_identity(opened.fd(), kOtherId).ok());  // it stays who it is
  CHECK(read_identity(opened.fd()).id == kOneId);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    write_file(file, damaged);
    CHECK(read_identity(opened.fd()).id == "");
  }
  write_file(file, whole.substr(0, 20));
  CHECK(read_identity(opened.fd()).id == "");
  CHECK(read_identity(opened.fd()).inode == inode_of(directory / ""));
}

TEST_CASE("a repository that is removed while we record is the same one when it is made anew") {
  const TemporaryDirectory directory;
  Repository repository(directory / "repository", 0, 0);
  REQUIRE(repository.prepare().ok());
  const Identity before = repository.home().identity;
  fs::rename(directory / "repository", directory / "gone");
  REQUIRE(repository.prepare().ok());
  const Identity after = repository.home().identity;
  CHECK(before.id == after.id);
  CHECK(before.inode != after.inode);
  CHECK(after == read_identity(directory / "repository"));
}

TEST_CASE("a start takes no spool of another recording that has its very path elsewhere, and says nothing of it") {
  const TemporaryDirectory directory;
  record_and_die(app_config(directory), 3, 10);
  fs::rename(directory / "app.jfr.chunks", directory / "elsewhere");  // as another container sees it
  SUBCASE("nothing is at the path") {}
  SUBCASE("a dead repository is") {
    fs::create_directory(directory / "app.jfr.chunks");
    const base::Descriptor opened = open_directory(directory / "app.jfr.chunks");
    REQUIRE(write_identity(opened.fd(), kOneId).ok());
    for (const std::string& name : entries(directory / "elsewhere"))
      if (name.ends_with(".jfr")) fs::copy(directory / ("elsewhere/" + name), directory / ("app.jfr.chunks/" + name));
  }
  start_beside(directory);
  REQUIRE_FALSE(spool_directory_in(directory).empty());
  const auto about_spool = [](const std::string& line) { return line.find("spool") != std::string::npos; };
  CHECK(std::none_of(Lines::all().begin(), Lines::all().end(), about_spool));
  CHECK(samples_found(directory / "elsewhere", directory) == 7);
}

TEST_CASE("damage: a spool whose chunk is missing waits for its repository, whoever starts") {
  const TemporaryDirectory directory;
  record_and_die(app_config(directory), 3, 10);
  remove_chunks(directory / "app.jfr.chunks");
  Lines::clear();
  fs::create_directory(directory / "other.jfr.chunks");
  recover_leftovers({directory / "other.jfr.chunks", directory / "other.jfr", directory / ""}, Lines::add);
  CHECK(Lines::all().empty());
  CHECK(samples_found(directory / "app.jfr.chunks", directory) == 7);
  start_beside(directory);
  CHECK(spool_directory_in(directory).empty());
  REQUIRE(Lines::all().size() == 1);
  CHECK(has(Lines::all()[0], "7 samples"));
}

TEST_CASE("a repository that was moved keeps its spools; a copy leaves them to the original that is there") {
  const TemporaryDirectory directory;
  record_and_die(app_config(directory), 3, 10);
  const std::string original = directory / "app.jfr.chunks", copy = directory / "copy";
  fs::copy(original, copy);
  CHECK(samples_found(copy, directory) == 0);
  CHECK(samples_found(original, directory) == 7);
  fs::remove_all(original);
  CHECK(samples_found(copy, directory) == 7);
  HomeSpools of_agent(copy);
  of_agent.set_copies(HomeSpools::Copies::kLeave);
  Found tally;
  REQUIRE(of_agent.seal({.more_places = {directory / ""}, .dry_run = true}, tally).ok());
  CHECK(tally.spool_samples == 0);
  CHECK(of_agent.left().size() == 1);
}

TEST_CASE(
    "damage: without its id a repository is known by device and inode, and a fresh one at its path is not taken for "
    "it") {
  const TemporaryDirectory directory;
  record_and_die(app_config(directory), 3, 10);
  const std::string original = directory / "app.jfr.chunks";
  fs::remove(original + "/" + kIdentityFile);
  CHECK(samples_found(original, directory) == 7);
  CHECK(find_repository(home_of(spool_directory_in(directory))) == original);
  fs::rename(original, directory / "moved");
  CHECK(samples_found(directory / "moved", directory) == 7);
  fs::create_directory(original);
  CHECK(samples_found(original, directory) == 0);
  CHECK(find_repository(home_of(spool_directory_in(directory))) == "");
}

TEST_CASE("race: of two starts that find the same leftovers one recovers them, whole and once") {
  const TemporaryDirectory directory;
  record_and_die(app_config(directory), 3, 10);
  const std::string filename = directory / "app.jfr";
  fs::rename(filename + ".chunks", filename + ".chunks.dead-0123456789abcdef");
  pid_t starts[4];
  for (pid_t& one : starts) {
    if ((one = fork()) != 0) continue;
    recover_leftovers({filename + ".chunks", filename, directory / ""}, [](const char*) {});
    _exit(0);
  }
  int status = 0;
  for (const pid_t one : starts) CHECK((waitpid(one, &status, 0) == one && status == 0));
  const std::vector<std::string> left = entries(directory / "");
  REQUIRE(left.size() == 1);
  CHECK(left[0].starts_with("app-recovered-"));
  CHECK(FileReader::read(directory / left[0]).samples.size() == 10);
}

TEST_CASE("a start finishes what an earlier run left under another name of the same pattern, if its spools are here") {
  const TemporaryDirectory directory;
  EngineConfig config = app_config(directory);
  config.repository = directory / "app-17.jfr.chunks";
  record_and_die(config, 3, 10);
  Lines::clear();
  LeftoverPlaces places{directory / "app-18.jfr.chunks", directory / "app-18.jfr", directory / ""};
  places.may_be_ours = [](const std::string& name) { return name == "app-17.jfr"; };
  SUBCASE("they are") {
    recover_leftovers(places, Lines::add);
    REQUIRE(entries(directory / "") == std::vector<std::string>{"app-17.jfr"});
    CHECK(FileReader::read(directory / "app-17.jfr").samples.size() == 10);
  }
  SUBCASE("they are not: another container may have them") {
    fs::remove_all(spool_directory_in(directory));
    recover_leftovers(places, Lines::add);
    CHECK(entries(directory / "") == std::vector<std::string>{"app-17.jfr.chunks"});
  }
  CHECK(Lines::all().empty());
}

TEST_CASE("another user's directory of chunks is refused, and stays" * doctest::skip(geteuid() != 0)) {
  const TemporaryDirectory directory;
  const EngineConfig config = app_config(directory);
  fs::create_directory(config.repository);
  REQUIRE(chown(config.repository.c_str(), kAnotherUser, kAnotherUser) == 0);
  const auto refused = Engine::start(config, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(has(refused.error().what, "belongs to user"));
  CHECK(fs::exists(config.repository));
}

}  // namespace
}  // namespace rec::test
