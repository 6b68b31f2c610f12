// SPDX-License-Identifier: Apache-2.0
// What a repository does with its lock and its limits.
#include "recorder/repository/repository.h"

#include <doctest/doctest.h>
#include <sys/wait.h>

#include "base/open_files.h"
#include "recorder/repository/chunk_hook.h"
#include "tests/recorder/places.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

std::string add(Repository& repository, int64_t end_ticks, size_t size) {
  const std::string path = repository.directory() + "/" + repository.next_name(end_ticks);
  write_file(path, std::string(size, 'x'));
  repository.add(path, end_ticks);
  return path;
}

}  // namespace

TEST_CASE("a repository is locked while we record, and another recording takes a fresh one") {
  const TemporaryDirectory directory;
  const std::string wished = directory / "r.jfr.chunks";
  Repository first(wished, 0, 0);
  REQUIRE(first.prepare().ok());
  CHECK(first.directory() == wished);
  CHECK(is_locked(wished));

  Repository second(wished, 0, 0);
  REQUIRE(second.prepare().ok());
  CHECK(second.directory().starts_with(wished + "-"));
  CHECK(second.directory().size() == wished.size() + 17);
  CHECK(is_locked(second.directory()));
  second.remove();
  CHECK(entries(directory / "") == Paths{"r.jfr.chunks"});
  first.remove();
  CHECK(entries(directory / "") == Paths{});
}

TEST_CASE("what a dead process left is moved aside whole") {
  const TemporaryDirectory directory;
  const std::string wished = directory / "r.jfr.chunks";
  fs::create_directory(wished);
  write_file(wished + "/old.jfr", "chunk");
  Repository repository(wished, 0, 0);
  REQUIRE(repository.prepare().ok());
  CHECK(repository.directory() == wished);
  CHECK(entries(wished) == Paths{".rec-id"});
  const Paths there = entries(directory / "");
  REQUIRE(there.size() == 2);
  CHECK(there[1].starts_with("r.jfr.chunks.dead-"));
  CHECK(there[1].size() == std::string("r.jfr.chunks.dead-").size() + 16);
  CHECK(read_file(directory / (there[1] + "/old.jfr")) == "chunk");
  CHECK_FALSE(is_locked(directory / there[1]));

  SUBCASE("and an empty one is removed") {
    repository.remove();
    fs::create_directory(wished);
    Repository next(wished, 0, 0);
    REQUIRE(next.prepare().ok());
    CHECK(entries(directory / "").size() == 2);
  }
}

TEST_CASE("a repository that is removed while we record is made and locked anew") {
  const TemporaryDirectory directory;
  Lines::clear();
  Repository repository(directory / "repository", 0, 0, Lines::add);
  REQUIRE(repository.prepare().ok());
  add(repository, 1, 10);
  add(repository, 2, 10);
  fs::remove_all(directory / "repository");
  REQUIRE(repository.prepare().ok());
  CHECK(is_locked(directory / "repository"));
  CHECK(repository.count() == 0);
  CHECK(repository.total_size() == 0);
  CHECK(Lines::all() ==
        Paths{"somebody has removed 2 finished chunks of the recording from " + directory / "repository"});
  const std::string kept = add(repository, 3, 10), lost = add(repository, 4, 10);
  fs::remove(lost);
  CHECK(repository.chunks() == Paths{kept});
}

TEST_CASE("race: of processes that start at once each has its own locked repository") {
  const TemporaryDirectory directory;
  constexpr int kProcesses = 8;
  int ready[2], go[2];
  REQUIRE(pipe(ready) == 0);
  REQUIRE(pipe(go) == 0);
  pid_t children[kProcesses];
  for (pid_t& child : children) {
    child = fork();
    REQUIRE(child >= 0);
    if (child > 0) continue;
    Repository repository(directory / "repository", 0, 0);
    const bool good = repository.prepare().ok();
    char byte = good ? 1 : 0;
    (void)!write(ready[1], &byte, 1);
    (void)!read(go[0], &byte, 1);
    _exit(good && is_locked(repository.directory()) ? 0 : 1);
  }
  char byte;
  for (int i = 0; i < kProcesses; ++i) CHECK((read(ready[0], &byte, 1) == 1 && byte == 1));
  CHECK(entries(directory / "").size() == kProcesses);
  for (const std::string& made : entries(directory / "")) CHECK(is_locked(directory / made));
  CHECK(write(go[1], "01234567", kProcesses) == kProcesses);
  for (const pid_t child : children) {
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  for (const std::string& made : entries(directory / "")) CHECK_FALSE(is_locked(directory / made));
  for (const int fd : {ready[0], ready[1], go[0], go[1]}) close(fd);
}

TEST_CASE("a lock is gone with its process, though a forked child lives on") {
  const TemporaryDirectory directory;
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  const pid_t parent = fork();
  REQUIRE(parent >= 0);
  if (parent == 0) {
    Repository repository(directory / "repository", 0, 0);
    if (!repository.prepare().ok()) _exit(1);
    if (fork() == 0) {
      base::OpenFiles::close_all();
      char byte;
      close(pipe_ends[1]);
      (void)!read(pipe_ends[0], &byte, 1);  // until the test ends
      _exit(0);
    }
    _exit(is_locked(directory / "repository") ? 0 : 2);
  }
  int status = 0;
  CHECK(waitpid(parent, &status, 0) == parent);
  CHECK(status == 0);
  close(pipe_ends[0]);
  // The child may take a moment to close it. It waits for the pipe then, so this ends.
  while (is_locked(directory / "repository")) usleep(1000);
  close(pipe_ends[1]);
}

TEST_CASE("a lock is not inherited over exec") {
  const TemporaryDirectory directory;
  Repository repository(directory / "repository", 0, 0);
  REQUIRE(repository.prepare().ok());
  const std::string inode = std::to_string(inode_of(directory / "repository"));
  const std::string look =
      "for f in /proc/self/fd/*; do [ \"$(stat -Lc %i $f 2>/dev/null)\" = " + inode + " ] && exit 1; done; exit 0";
  CHECK(std::system(look.c_str()) == 0);
}

TEST_CASE(
    "old chunks go when the recording is larger than asked, the open chunk counts, the newest finished one stays") {
  const TemporaryDirectory directory;
  Repository repository(directory / "size", 250, 0);
  REQUIRE(repository.prepare().ok());
  const auto first = add(repository, 1, 100), second = add(repository, 2, 100);
  repository.drop_old(3, 50);
  CHECK(repository.chunks() == Paths{first, second});
  repository.drop_old(4, 51);
  CHECK(repository.chunks() == Paths{second});
  CHECK_FALSE(fs::exists(first));
  repository.drop_old(5, 10'000);
  CHECK(repository.chunks() == Paths{second});
  const auto large = add(repository, 6, 1000);
  CHECK(repository.chunks() == Paths{large});
  CHECK(repository.total_size() == 1000);
}

TEST_CASE("old chunks go when their time has passed, also while no chunk ends") {
  const TemporaryDirectory directory;
  constexpr int64_t kSecond = 1'000'000'000;
  Repository repository(directory / "age", 0, 10 * kSecond);
  REQUIRE(repository.prepare().ok());
  const auto first = add(repository, 1 * kSecond, 1), second = add(repository, 5 * kSecond, 1),
             third = add(repository, 9 * kSecond, 1);
  repository.drop_old(11 * kSecond, 0);
  CHECK(repository.chunks() == Paths{first, second, third});
  repository.drop_old(12 * kSecond, 0);
  CHECK(repository.chunks() == Paths{second, third});
  repository.drop_old(100 * kSecond, 0);
  CHECK(repository.chunks() == Paths{third});
  CHECK(entries(repository.directory()).size() == 2);  // it, and who the directory is
}

TEST_CASE("a chunk that the hook needs is kept, until the recording has twice its size") {
  const TemporaryDirectory directory;
  Lines::clear();
  const std::string flag = directory / "flag";
  ChunkHook hook("while [ ! -e " + flag + " ]; do sleep 0.01; done #", Lines::add);
  Repository repository(directory / "repository", 250, 0, Lines::add);
  repository.set_hook(&hook);
  REQUIRE(repository.prepare().ok());
  Paths added;
  for (int i = 0; i < 5; ++i) {
    const std::string path = repository.directory() + "/" + repository.next_name(i);
    write_file(path, std::string(100, 'x'));
    hook.chunk_finished(path);
    repository.add(path, i);
    added.push_back(path);
  }
  CHECK(repository.chunks() == added);
  CHECK(Lines::all() == Paths{});
  repository.drop_old(6, 2);
  CHECK(repository.chunks() == Paths(added.begin() + 1, added.end()));
  REQUIRE(Lines::all().size() == 1);
  CHECK(has(Lines::all()[0], "twice its maxsize"));
  repository.remove();
  CHECK(entries(repository.directory()).size() == 4);  // the hook is not done with them
  write_file(flag, "");
  CHECK(hook.finish(60'000'000'000));
}

}  // namespace rec::test
