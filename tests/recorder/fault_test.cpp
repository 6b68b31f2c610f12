// SPDX-License-Identifier: Apache-2.0
// What the recorder does when the disk, the user or the system takes something away from it.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "recorder/engine/engine.h"
#include "recorder/spool/spool.h"
#include "recorder/spool/spool_directory.h"
#include "tests/recorder/faults.h"
#include "tests/recover/spools.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using jfr::TypeId;

constexpr int64_t kShortNs = 20'000'000;

TEST_CASE("fault: a disk that does not answer holds neither dump, stop nor status, and in the end all is written") {
  Faults faults;
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  Emitter emitter;
  faults.hold();
  emitter.emit(10);
  REQUIRE(comes([&] { return faults.somebody_waits(); }));

  const Status dumped = engine->dump(directory / "dump.jfr", kShortNs);
  REQUIRE_FALSE(dumped.ok());
  CHECK(dumped.error().code == ErrorCode::kLimit);
  emitter.emit(10);
  CHECK(engine->status().samples == 20);
  const Status stopped = engine->stop(kShortNs);
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().code == ErrorCode::kLimit);
  CHECK_FALSE(engine->finished());
  CHECK(spools_below(directory).size() == 2);  // for recovery, if the process ended now
  CHECK(engine->dump(directory / "dump.jfr", kShortNs).error().code == ErrorCode::kUsage);

  faults.let_go();
  REQUIRE(comes([&] { return engine->finished(); }));
  CHECK_FALSE(fs::exists(directory / "dump.jfr"));  // it was withdrawn
  CHECK(spools_below(directory).empty());
  check_nothing_lost(directory / "recording.jfr", emitter);
}

TEST_CASE("fault: a second stop waits for the end of the first") {
  Faults faults;
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  faults.hold();
  REQUIRE(engine->stop(kShortNs).error().code == ErrorCode::kLimit);
  faults.let_go();
  CHECK(engine->stop().ok());
  CHECK(engine->finished());
  CHECK(fs::exists(directory / "recording.jfr"));
  CHECK(engine->stop().error().code == ErrorCode::kUsage);
}

TEST_CASE("fault: an engine that is destroyed while the disk holds its recorder leaves it to itself") {
  Faults faults;
  const TemporaryDirectory directory;
  const EngineConfig config = test_config(directory);
  {
    const auto engine = start(config);
    faults.hold();
    REQUIRE(engine->stop(kShortNs).error().code == ErrorCode::kLimit);
  }
  CHECK(Engine::start(config, {}).error().code == ErrorCode::kUsage);
  faults.let_go();
  std::unique_ptr<Engine> next;
  REQUIRE(comes([&] {
    auto started = Engine::start(config, {});
    if (started) next = std::move(*started);
    return next != nullptr;
  }));
  CHECK(bool(EpochPin()));  // the end of the first does not shut the gate of the second
  CHECK(fs::exists(directory / "recording.jfr"));
  CHECK(next->stop().ok());
}

TEST_CASE("fault: whatever error the disk gives for a while, recording goes on and nothing is lost") {
  for (const int error : {ENOSPC, EIO, EDQUOT, EROFS, EMFILE, ENFILE, ENOMEM}) {
    const bool usual = error == ENOSPC || error == EIO;
    for (const char* call : {"", "pwrite", "fallocate", "rename"}) {
      if (!usual && *call != 0) continue;
      CAPTURE(error);
      CAPTURE(call);
      Faults faults;
      const TemporaryDirectory directory;
      const auto engine = start(test_config(directory));
      Emitter emitter;
      emitter.emit(100);
      REQUIRE(engine->rotate().ok());
      emitter.emit(100);
      faults.fail(error, call);
      (void)engine->rotate();  // so that each kind of call is tried
      emitter.emit(100);
      (void)engine->rotate();
      // Room that is not there beforehand may be there in the end; and an open chunk needs no new name.
      const bool sparse = error == ENOSPC && call == std::string("fallocate");
      const bool fails =
          sparse || comes([&] { return !engine->status().trouble.empty(); }) || call == std::string("rename");
      CHECK(fails);
      emitter.emit(100);
      faults.fail(0);
      REQUIRE(comes([&] { return engine->status().trouble.empty(); }));
      emitter.emit(100);
      REQUIRE(engine->stop().ok());
      check_nothing_lost(directory / "recording.jfr", emitter);
      CHECK(FileReader::read(directory / "recording.jfr").filler_bytes < 4096);  // chunks that failed were trimmed
      CHECK(lines_with(std::strerror(error)) <= 1);
      CHECK(lines_with("recording goes on; nothing was lost") == lines_with(std::strerror(error)));
      CHECK(files_in(directory / "repository").empty());
    }
  }
}

// Room for some ten thousand samples.
constexpr uint64_t kSmallSpoolBytes = 6u << 20;

TEST_CASE("fault: what finds no room while the disk is full is counted, and said when it is over") {
  Faults faults;
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.max_spool_bytes = kSmallSpoolBytes;
  const auto engine = start(config);
  Emitter emitter;
  faults.fail(ENOSPC);
  REQUIRE(comes([&] {
    emitter.emit(1);
    return !engine->status().trouble.empty();
  }));
  const uint64_t lost_before = engine->status().lost;
  while (engine->status().lost < lost_before + 1000) emitter.emit(1000);
  faults.fail(0);
  REQUIRE(comes([&] { return engine->status().trouble.empty(); }));
  CHECK(lines_with("samples were lost meanwhile") == 1);
  emitter.emit(1000);
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.counters.at("logFull") >= 1000);
  CHECK(file.count(TypeId::kDataLoss) >= 1);
  check_exact(directory / "recording.jfr", emitter);
}

TEST_CASE("fault: where spools have little room they are emptied more often, and what does not fit is counted") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.max_spool_bytes = kSmallSpoolBytes;
  const auto engine = start(config);
  Emitter emitter;
  REQUIRE(comes([&] {
    emitter.emit_in_new_classes(1000);
    return engine->status().chunks > 2;
  }));
  REQUIRE(engine->stop().ok());
  check_exact(directory / "recording.jfr", emitter);
  CHECK(lines_said().empty());
}

TEST_CASE("fault: a stop on a disk that refuses keeps chunks and spools, and says where they are") {
  Faults faults;
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  Emitter emitter;
  emitter.emit(100);
  REQUIRE(engine->rotate().ok());
  faults.fail(EIO);
  emitter.emit(100);
  const Status stopped = engine->stop();
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().what.find("'jrec recover " + (directory / "repository") + "'") != std::string::npos);
  CHECK(lines_with("what could not be written is in") == 1);
  faults.fail(0);

  const std::vector<std::string> spools = spools_below(directory);
  REQUIRE(spools.size() == 2);
  CHECK_FALSE(files_in(directory / "repository").empty());
  const std::string into = directory / "recovered";
  fs::create_directory(into);
  const auto recovered = recover_spools(fs::path(spools[0]).parent_path(), into);
  REQUIRE(recovered.ok());
  CHECK(FileReader::read(directory / "recording.jfr").samples.size() + recovered.value().samples == emitter.emitted());
}

TEST_CASE("fault: a repository that is removed, or moved away, is made again and the open chunk saved") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  Emitter emitter;
  const std::string repository = directory / "repository";
  const uint64_t empty_bytes = engine->status().bytes;
  emitter.emit(100);
  REQUIRE(comes([&] { return engine->status().bytes > empty_bytes + 1000; }));  // they are in the chunk
  SUBCASE("removed") { fs::remove_all(repository); }
  SUBCASE("moved") { fs::rename(repository, directory / "elsewhere"); }
  SUBCASE("the chunk alone") {
    for (const std::string& file : files_in(repository)) fs::remove(file);
  }
  SUBCASE("replaced") {
    for (const std::string& file : files_in(repository)) {
      fs::copy_file(file, directory / "copy");
      fs::rename(directory / "copy", file);
    }
  }
  REQUIRE(comes([&] { return lines_with("its content is in") == 1; }));
  emitter.emit(100);
  REQUIRE(engine->rotate().ok());
  struct stat st {};
  REQUIRE(stat(engine->status().repository.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0700);
  emitter.emit(100);
  REQUIRE(engine->stop().ok());
  check_nothing_lost(directory / "recording.jfr", emitter);
}

TEST_CASE("fault: finished chunks that somebody removed are missing from the recording, which is made all the same") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  Emitter emitter;
  emitter.emit(100);
  REQUIRE(engine->rotate().ok());
  fs::remove(files_in(directory / "repository").front());
  emitter.emit(50);
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 50);
  CHECK(lines_said().size() == 1);
}

TEST_CASE("fault: an application that has used up its descriptors does not stop the recording") {
  const TemporaryDirectory directory;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const auto engine = start(test_config(directory));
  Emitter emitter;
  std::vector<int> taken;
  const rlimit few{64, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  for (int fd = open("/dev/null", O_RDONLY | O_CLOEXEC); fd >= 0; fd = open("/dev/null", O_RDONLY | O_CLOEXEC))
    taken.push_back(fd);
  const int none = errno;
  for (int i = 0; i < 3; ++i) {
    emitter.emit(100);
    CHECK(engine->rotate().ok());
  }
  CHECK(engine->may_go_to({directory / "recording.jfr"}).ok());
  const Status stopped = engine->stop();
  for (const int fd : taken) close(fd);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(none == EMFILE);
  REQUIRE(stopped.ok());
  check_nothing_lost(directory / "recording.jfr", emitter);
}

TEST_CASE("fault: a chunk that cannot be synced or trimmed is whole all the same") {
  for (const char* call : {"fdatasync", "copy", "rename", "punch"}) {
    CAPTURE(call);
    Faults faults;
    const TemporaryDirectory directory;
    const auto engine = start(test_config(directory));
    Emitter emitter;
    emitter.emit(100);
    faults.fail(EIO, call);
    (void)engine->rotate();
    faults.fail(0);
    emitter.emit(100);
    REQUIRE(engine->stop().ok());
    check_nothing_lost(directory / "recording.jfr", emitter);
  }
}

TEST_CASE("fault: a file size limit is an error like the others") {
  const TemporaryDirectory directory;
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto engine = start(test_config(directory));
  Emitter emitter;
  emitter.emit(100);
  const rlimit small{65536, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  (void)engine->rotate();
  CHECK(comes([&] { return !engine->status().trouble.empty(); }));
  emitter.emit(100);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  REQUIRE(comes([&] { return engine->status().trouble.empty(); }));
  REQUIRE(engine->stop().ok());
  check_nothing_lost(directory / "recording.jfr", emitter);
}

// The one whose claim reaches the mark wakes the recorder once, and that may look before anybody else has claimed.
TEST_CASE("race: a range that is half used to the slot is extended, and each mark can still be reached") {
  const TemporaryDirectory directory;
  auto spool = Spool::create(directory / "", 0);
  REQUIRE(spool.ok());
  Meter& log = spool->header().log;
  for (int round = 0; round < 4; ++round) {
    const uint32_t limit = log.limit, mark = log.wake_at;
    while (log.tail + 1 < mark) CHECK_FALSE(log.claim(1).wake);
    CHECK(log.claim(1).wake);
    spool->extend();
    CHECK(log.limit > limit);
    CHECK(log.wake_at > log.tail);
  }
}

TEST_CASE("fault: spools stay within their budget, and give back what they drop") {
  const TemporaryDirectory directory;
  SpoolBudget budget(8u << 20);
  auto spool = Spool::create(directory / "", 0, &budget);
  REQUIRE(spool.ok());
  const uint64_t least = kLogFirstBytes + kArenaFirstBytes;
  CHECK(budget.left() == (8u << 20) - least);
  Meter& meter = spool->header().log;
  while (!spool->cramped()) {
    const uint32_t room = meter.limit.load() - meter.tail.load();
    REQUIRE(room > 0);
    meter.claim(room);
    spool->extend();
  }
  CHECK(budget.left() < kSpoolLeastStepBytes);
  struct stat st {};
  REQUIRE(stat(spool->path().c_str(), &st) == 0);
  CHECK(static_cast<uint64_t>(st.st_blocks) * 512 <= (8u << 20) + (64u << 10));
  spool->drop();
  CHECK_FALSE(spool->cramped());
  CHECK(budget.left() == (8u << 20) - least);
}

TEST_CASE("fault: spools go into no directory that others may change") {
  const TemporaryDirectory directory;
  const std::string open_to_all = directory / "open", fallback = directory / "fallback";
  fs::create_directory(open_to_all);
  fs::create_directory(fallback);
  REQUIRE(chmod(open_to_all.c_str(), 0777) == 0);
  constexpr uid_t kAnotherUser = 65534;
  if (geteuid() == 0) REQUIRE(lchown(open_to_all.c_str(), kAnotherUser, 0) == 0);  // root's may be a container's volume
  auto place = make_spool_directory(open_to_all, fallback, std::string(32, '0'));
  REQUIRE(place.ok());
  CHECK(place->directory.find(open_to_all) == std::string::npos);
  CHECK(place->remark.find("could exchange what is written there") != std::string::npos);
  fs::remove(place->directory);

  REQUIRE(lchown(open_to_all.c_str(), geteuid(), static_cast<gid_t>(-1)) == 0);
  REQUIRE(chmod(open_to_all.c_str(), 01777) == 0);
  place = make_spool_directory(open_to_all, fallback, std::string(32, '0'));
  REQUIRE(place.ok());
  CHECK(fs::path(place->directory).parent_path() == open_to_all);
  CHECK(place->remark == "");
  struct stat st {};
  REQUIRE(stat(place->directory.c_str(), &st) == 0);
  CHECK((st.st_mode & 07777) == 0700);
}

}  // namespace
}  // namespace rec::test
