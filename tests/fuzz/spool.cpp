// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: recovery of a spool whose bytes are anything. The input is a list of patches over a small valid
// spool, which the target makes itself, so that it gets past the header; whatever comes out must be a chunk that the
// reader finds whole.   TMPDIR=/dev/shm fuzz_spool -max_len=512 -len_control=0 -rss_limit_mb=1024
//
//   patch: part (u8) | place (u16) | width (u8) | value (u64, as far as there are bytes)
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/waker.h"
#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "recorder/epoch/epoch.h"
#include "recorder/epoch/epoch_gate.h"
#include "recorder/spool/header_edit.h"
#include "tests/recover/spools.h"

namespace {

using namespace rec;
namespace fs = std::filesystem;

// The parts of the spool that patches go to, and what of each is in use.
struct Part {
  uint64_t offset;
  uint64_t bytes;
};
constexpr Part kParts[] = {
    {0, sizeof(SpoolHeader)}, {kSpoolLogOffset, 16 * sizeof(EventSlot)}, {kSpoolArenaOffset, 4096}};

// Once the spool is made: blocks for chunks are most of the time that an input takes.
bool chunks_are_sparse = false;

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "fuzz_spool: %s\n", what);
  std::abort();
}

TextView view(const char* text) { return {text, static_cast<uint16_t>(std::strlen(text))}; }

// A loader, a class, two methods, a thread, and events of each kind, as an epoch writes them.
void fill(Epoch& epoch, ThreadTag& thread_tag) {
  static const uint8_t kLines[] = {1, 8 << 3 | 3, 0, 0};
  const auto loader_type = epoch.tag_class({.id = ClassId{11}, .modifiers = 1, .name = view("a/Loader")});
  const auto loader = epoch.tag_loader({.id = LoaderId{2}, .name = view("app"), .type = loader_type});
  const auto klass = epoch.tag_class({.id = ClassId{500},
                                      .loader = loader,
                                      .modifiers = 0x21,
                                      .method_count = 2,
                                      .name = view("a/B"),
                                      .module_name = view("m"),
                                      .module_version = view("1")});
  std::array<Frame, 4> frames{};
  for (uint16_t i = 0; i < frames.size(); ++i) {
    const auto method = epoch.tag_method({.holder = klass,
                                          .idnum = i,
                                          .version = {.const_method = 0x1000u + i, .code_size = 16},
                                          .modifiers = 9,
                                          .name = view("run"),
                                          .descriptor = view("()V"),
                                          .lines = kLines,
                                          .lines_size = sizeof kLines});
    frames[i] = {method, i, FrameType::kJit, 0};
  }
  const auto thread = epoch.tag_thread(thread_tag, {.id = ThreadId{7},
                                                    .os_thread_id = 77,
                                                    .java_thread_id = 7,
                                                    .os_name = view("os"),
                                                    .java_name = view("java"),
                                                    .group_name = view("main")});
  const auto stack = epoch.intern_stack(frames, false);
  const EventKind kinds[] = {EventKind::kThreadStart, EventKind::kSample,       EventKind::kSample,
                             EventKind::kClassUnload, EventKind::kGc,           EventKind::kSample,
                             EventKind::kThreadEnd,   EventKind::kShutdown,     EventKind::kAllocation,
                             EventKind::kLiveObject,  EventKind::kMonitorEnter, EventKind::kThreadPark,
                             EventKind::kException,   EventKind::kThreadSleep,  EventKind::kThreadPinned};
  const uint32_t detail =
      epoch.copy_detail({.klass = klass, .thread = thread, .stack = stack, .numbers = {1, 2, 3}}).unit;
  const auto other_of = [&](EventKind kind) {
    if (kind == EventKind::kLiveObject || is_wait(kind)) return detail;
    return kind == EventKind::kClassUnload || kind == EventKind::kAllocation || kind == EventKind::kException
               ? klass.unit
               : 0;
  };
  int64_t ticks = 1'000'000'000;
  epoch.put_live(1,
                 {.kind = EventKind::kLiveObject, .ticks = ticks, .thread = thread, .stack = stack, .other = detail});
  for (const EventKind kind : kinds)
    epoch.commit({.kind = kind,
                  .ticks = ++ticks,
                  .thread = thread,
                  .stack = stack,
                  .other = other_of(kind),
                  .value = 5ull << 32 | 1});
}

class Workplace {
 public:
  Workplace() {
    directory_ = fs::temp_directory_path() / "fuzz-spool-XXXXXX";
    if (mkdtemp(directory_.data()) == nullptr) give_up("no directory");
    spools_ = directory_ + "/rec-1-0";
    fs::create_directory(spools_);
    fs::create_directory(chunks());
    make_spool();
    chunks_are_sparse = true;
  }
  ~Workplace() { fs::remove_all(directory_); }

  std::string chunks() const { return directory_ + "/chunks"; }
  const std::string& spools() const { return spools_; }
  std::string spool() const { return spools_ + "/epoch-0.spool"; }

  // The spool as it was made, with the input's patches over it.
  void patch(const uint8_t* data, size_t size) const {
    const int fd = open(spool().c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) give_up("no spool");
    for (size_t i = 0; i < std::size(kParts); ++i)
      if (pwrite(fd, whole_[i].data(), whole_[i].size(), static_cast<off_t>(kParts[i].offset)) < 0) give_up("no room");
    while (size >= 5) {
      const Part& part = kParts[data[0] % std::size(kParts)];
      const uint64_t place = (uint64_t{data[1]} << 8 | data[2]) % part.bytes;
      const size_t width = std::min<size_t>({size_t{1} << (data[3] % 4), size - 4, part.bytes - place});
      if (pwrite(fd, data + 4, width, static_cast<off_t>(part.offset + place)) < 0) give_up("no room");
      data += 4 + width;
      size -= 4 + width;
    }
    make_checks_true(fd);
    close(fd);
  }

 private:
  // What the checks of the header and of the slots would refuse is what the code behind them is to be tried with.
  static void make_checks_true(int fd) {
    alignas(SpoolHeader) std::array<char, sizeof(SpoolHeader)> bytes;
    std::array<EventSlot, 16> slots;
    if (pread(fd, bytes.data(), bytes.size(), 0) < 0 || pread(fd, slots.data(), sizeof slots, kSpoolLogOffset) < 0)
      give_up("cannot read");
    { const HeaderEdit edit(*reinterpret_cast<SpoolHeader*>(bytes.data())); }
    for (EventSlot& slot : slots)
      if (const uint32_t kind = slot.kind.load() & 0xff; kind != 0) slot.kind.store(checked_kind(kind, slot));
    if (pwrite(fd, bytes.data(), bytes.size(), 0) < 0 || pwrite(fd, slots.data(), sizeof slots, kSpoolLogOffset) < 0)
      give_up("no room");
  }

  // Writes it with an epoch, and copies it out from under the epoch: its own file is locked, and goes with it.
  void make_spool() {
    static LossCounters losses;
    static base::Waker waker;
    const std::string made = directory_ + "/made";
    fs::create_directory(made);
    EpochConfig config{};
    config.losses = &losses;
    config.waker = &waker;
    config.home.path = chunks();
    config.live_slots = 4;
    auto epoch = Epoch::create(made, 0, config);
    if (!epoch) give_up(epoch.error().what.c_str());
    (*epoch)->open(1);
    ThreadTag thread;
    fill(**epoch, thread);
    const int from = open((made + "/epoch-0.spool").c_str(), O_RDONLY | O_CLOEXEC);
    const int to = open(spool().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (from < 0 || to < 0 || ftruncate(to, kSpoolFileBytes) != 0) give_up("no copy of the spool");
    for (size_t i = 0; i < std::size(kParts); ++i) {
      whole_[i].resize(kParts[i].bytes);
      if (pread(from, whole_[i].data(), whole_[i].size(), static_cast<off_t>(kParts[i].offset)) < 0)
        give_up("cannot read");
    }
    close(from);
    close(to);
  }

  std::string directory_;
  std::string spools_;
  std::array<std::string, std::size(kParts)> whole_;
};

void check_chunk(const std::string& path) {
  auto file = jfr::read::MappedFile::open(path);
  if (!file) give_up("a chunk is not there");
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(file->bytes(), problems);
  const auto extent = scanner.next();
  if (!extent || !extent->whole || extent->size != file->bytes().size()) give_up("a chunk is not whole");
  jfr::read::Chunk chunk(file->bytes(), *extent, problems);
  chunk.constants();
  auto walk = chunk.events();
  for (jfr::read::Event event; walk.next(event);)
    if (event.type_id > jfr::kCheckpointType && chunk.type_of(event) == nullptr) give_up("an event has no type");
  if (!problems.empty()) give_up(problems.kept().front().what.c_str());
}

}  // namespace

// The linker takes this one before libc's.
extern "C" int fallocate(int fd, int mode, off_t offset, off_t size) {
  if (chunks_are_sparse) return errno = EOPNOTSUPP, -1;
  return static_cast<int>(syscall(SYS_fallocate, fd, mode, offset, size));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Workplace place;
  place.patch(data, size);
  const auto recovered = rec::test::recover_spools(place.spools(), place.chunks());
  if (size == 0 && (!recovered || recovered.value().samples != 3)) give_up("the whole spool has three samples");
  if (!recovered) return 0;
  for (const std::string& chunk : recovered.value().chunks) {
    check_chunk(chunk);
    unlink(chunk.c_str());
  }
  return 0;
}
