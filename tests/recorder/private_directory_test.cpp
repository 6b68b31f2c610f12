// SPDX-License-Identifier: Apache-2.0
// Security of every name that we use: modes, links, other users.
#include "base/private_directory.h"

#include <doctest/doctest.h>

#include "format/writer/chunk_file.h"
#include "recorder/repository/assemble.h"
#include "recorder/repository/repository.h"
#include "recorder/spool/spool.h"
#include "tests/recorder/places.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

// The error's sentence, or nothing.
template <typename T>
std::string why(const base::Result<T>& result) {
  return result ? "" : result.error().what;
}

}  // namespace

TEST_CASE("files are 0600 and directories 0700 whatever the umask") {
  for (const mode_t mask : {mode_t{000}, mode_t{022}, mode_t{0777}}) {
    const TemporaryDirectory directory;
    const Umask umask(mask);
    Repository repository(directory / "new/deeper/repository", 0, 0);
    CHECK(why(repository.prepare()) == "");
    for (const char* made : {"new", "new/deeper", "new/deeper/repository"}) CHECK(mode_of(directory / made) == 0700);
    auto file = jfr::ChunkFile::create(repository.directory(), repository.next_name(1), 1u << 20, {1, 1});
    REQUIRE(file.ok());
    CHECK(mode_of(file->path()) == 0600);
    REQUIRE(file->close(2, true).ok());
    CHECK(mode_of(file->path()) == 0600);
    CHECK(why(assemble({file->path(), file->path()}, directory / "recording.jfr", Replaces::kEmpty)) == "");
    CHECK(mode_of(directory / "recording.jfr") == 0600);
    auto spool = Spool::create(directory / "new", 0);
    REQUIRE(spool.ok());
    CHECK(mode_of(spool->path()) == 0600);
  }
}

TEST_CASE("damage: a symbolic link at any name is refused and its target stays as it is") {
  const TemporaryDirectory directory;
  const std::string victim = directory / "victim", victims = directory / "victims";
  write_file(victim, "precious");
  fs::create_directory(victims);
  write_file(directory / "chunk.jfr", "chunk");
  const auto plant = [&](const std::string& name, const std::string& target) {
    fs::create_symlink(target, directory / name);
    return directory / name;
  };

  SUBCASE("the recording, at the start") {
    CHECK(has(why(base::check_recording_name(plant("r.jfr", victim))), "symbolic link"));
    CHECK(has(why(base::check_recording_name(plant("dangling.jfr", directory / "nothing"))), "symbolic link"));
  }
  SUBCASE("the recording, when it is put together") {
    const std::string link = plant("r.jfr", victim);
    CHECK(has(why(assemble({directory / "chunk.jfr"}, link, Replaces::kAnything)), "symbolic link"));
    CHECK(fs::is_symlink(link));
  }
  SUBCASE("the recording, when it is a chunk that is renamed") {
    CHECK_FALSE(move_chunk(directory / "chunk.jfr", plant("r.jfr", victim), Replaces::kAnything).ok());
    CHECK(read_file(directory / "chunk.jfr") == "chunk");
  }
  SUBCASE("a chunk that is copied into the recording") {
    CHECK_FALSE(assemble({plant("linked.jfr", victim)}, directory / "r.jfr", Replaces::kEmpty).ok());
    CHECK_FALSE(fs::exists(directory / "r.jfr"));
  }
  SUBCASE("the repository") {
    Repository repository(plant("repository", victims), 0, 0);
    CHECK(has(why(repository.prepare()), "symbolic link"));
    Repository dangling(plant("dangling", directory / "nothing"), 0, 0);
    CHECK(has(why(dangling.prepare()), "symbolic link"));
  }
  SUBCASE("the repository, exchanged while we record") {
    Repository repository(directory / "repository", 0, 0);
    REQUIRE(repository.prepare().ok());
    fs::rename(directory / "repository", directory / "elsewhere");
    plant("repository", victims);
    CHECK(has(why(repository.prepare()), "symbolic link"));
  }
  SUBCASE("a chunk") {
    plant("c.jfr", victim);
    CHECK_FALSE(jfr::ChunkFile::create(directory / "", "c.jfr", 1u << 20, {1, 1}).ok());
  }
  SUBCASE("a chunk's temporary") {
    plant(".c.jfr.tmp", victim);
    CHECK_FALSE(jfr::ChunkFile::create(directory / "", "c.jfr", 1u << 20, {1, 1}).ok());
  }
  SUBCASE("a spool") {
    plant("epoch-0.spool", victim);
    CHECK_FALSE(Spool::create(directory / "", 0).ok());
  }
  CHECK(read_file(victim) == "precious");
  CHECK(mode_of(victim) == kVictimMode);
  CHECK(fs::is_empty(victims));
  CHECK_FALSE(fs::exists(directory / "nothing"));
}

TEST_CASE("damage: what belongs to another user is neither used nor followed") {
  if (geteuid() != 0) {
    MESSAGE("skipped: only root can make another user's files");
    return;
  }
  const TemporaryDirectory directory;
  fs::create_directories(directory / "theirs");
  fs::create_directories(directory / "ours");
  fs::create_symlink(directory / "ours", directory / "link");
  REQUIRE(lchown((directory / "theirs").c_str(), kAnotherUser, kAnotherUser) == 0);
  REQUIRE(lchown((directory / "link").c_str(), kAnotherUser, kAnotherUser) == 0);

  CHECK(has(why(base::check_recording_name(directory / "theirs/r.jfr")), "belongs to user"));
  CHECK(has(why(Repository(directory / "theirs/repository", 0, 0).prepare()), "belongs to user"));
  CHECK(has(why(Repository(directory / "theirs", 0, 0).prepare()), "belongs to user"));
  CHECK(has(why(base::check_recording_name(directory / "link/r.jfr")), "symbolic link of user"));
  CHECK(has(why(Repository(directory / "link/repository", 0, 0).prepare()), "symbolic link of user"));
  CHECK(fs::is_empty(directory / "theirs"));
  CHECK(fs::is_empty(directory / "ours"));

  // Sticky or not: its owner may rename what is in it.
  fs::permissions(directory / "theirs", fs::perms::all | fs::perms::sticky_bit);
  CHECK(has(why(Repository(directory / "theirs/repository", 0, 0).prepare()), "belongs to user"));
}

TEST_CASE("damage: a directory where others could exchange our files is refused") {
  const TemporaryDirectory directory;
  fs::create_directories(directory / "shared");
  const std::string repository = directory / "shared/repository", recording = directory / "shared/r.jfr";
  const auto allowed = [&](mode_t mode) {
    REQUIRE(chmod((directory / "shared").c_str(), mode) == 0);
    const bool name = base::check_recording_name(recording).ok();
    CHECK(name == Repository(repository, 0, 0).prepare().ok());
    fs::remove_all(repository);
    return name;
  };
  const auto allowed_to_user = [&](mode_t mode) {  // who is not root, and owns the directory
    const bool root = geteuid() == 0;
    if (root) REQUIRE(lchown((directory / "").c_str(), kAnotherUser, 0) == 0);
    if (root) REQUIRE(lchown((directory / "shared").c_str(), kAnotherUser, 0) == 0);
    if (root) REQUIRE(seteuid(kAnotherUser) == 0);
    const bool result = allowed(mode);
    if (root) REQUIRE(seteuid(0) == 0);
    return result;
  };
  CHECK(allowed(0700));
  CHECK(allowed(0755));
  CHECK(allowed(01777));
  if (geteuid() == 0) CHECK(allowed(0777));  // root's: a volume that was mounted for everybody
  CHECK_FALSE(allowed_to_user(0777));
  CHECK_FALSE(allowed_to_user(0707));
  CHECK(allowed_to_user(0770));  // our own group is trusted
  if (geteuid() != 0) return;
  REQUIRE(lchown((directory / "shared").c_str(), kAnotherUser, kAnotherUser) == 0);
  REQUIRE(chmod((directory / "shared").c_str(), 0770) == 0);
  REQUIRE(seteuid(kAnotherUser) == 0);
  CHECK_FALSE(base::check_recording_name(recording).ok());
  REQUIRE(seteuid(0) == 0);
}

TEST_CASE("links of this user or root are followed on the way, and missing directories made") {
  const TemporaryDirectory directory;
  fs::create_directories(directory / "real/data");
  fs::create_symlink("real", directory / "relative");
  fs::create_symlink(directory / "relative/../real", directory / "absolute");
  CHECK(why(assemble({(write_file(directory / "c", "bytes"), directory / "c")}, directory / "absolute/data/a.jfr",
                     Replaces::kEmpty)) == "");
  CHECK(fs::exists(directory / "real/data/a.jfr"));
  CHECK(why(base::check_recording_name(directory / "absolute/./data//new/r.jfr")) == "");
  CHECK(mode_of(directory / "real/data/new") == 0700);
  fs::create_symlink("b", directory / "a");
  fs::create_symlink("a", directory / "b");
  CHECK_FALSE(base::check_recording_name(directory / "a/r.jfr").ok());
}

TEST_CASE("damage: a name that no recording can have is refused at the start") {
  const TemporaryDirectory directory;
  fs::create_directories(directory / "d");
  REQUIRE(mkfifo((directory / "fifo").c_str(), 0600) == 0);
  write_file(directory / "plain", "old");
  CHECK(has(why(base::check_recording_name(directory / "d")), "is a directory"));
  CHECK(has(why(base::check_recording_name(directory / "fifo")), "not a plain file"));
  CHECK(has(why(base::check_recording_name("/dev/null")), "not a plain file"));
  CHECK(has(why(base::check_recording_name(directory / "plain/r.jfr")), "Not a directory"));
  CHECK_FALSE(base::check_recording_name("/proc/r.jfr").ok());
  CHECK_FALSE(base::check_recording_name("").ok());
  CHECK_FALSE(base::check_recording_name(directory / "..").ok());
  CHECK_FALSE(base::check_recording_name(directory / std::string(300, 'x')).ok());
  CHECK(why(base::check_recording_name(directory / "plain")) == "");
  CHECK(has(why(base::check_recording_place(directory / "fifo")), "not a plain file"));
  CHECK(why(base::check_recording_place(directory / "plain")) == "");
  CHECK(read_file(directory / "plain") == "old");
}

TEST_CASE("a recording replaces the file that was there at one instant") {
  const TemporaryDirectory directory;
  write_file(directory / "r.jfr", "old");
  write_file(directory / "1", std::string(100, 'a'));
  const int old = open((directory / "r.jfr").c_str(), O_RDONLY | O_CLOEXEC);
  CHECK(why(assemble({directory / "1", directory / "1"}, directory / "r.jfr", Replaces::kAnything)) == "");
  char bytes[4] = {};
  CHECK(read(old, bytes, 3) == 3);
  close(old);
  CHECK(std::string(bytes) == "old");  // who was reading it still has it whole
  CHECK(fs::file_size(directory / "r.jfr") == 200);
  CHECK(entries(directory / "") == Paths{"1", "r.jfr"});
}

}  // namespace rec::test
