// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/kernel_chain.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "agent/hotspot/walk/raw_frame.h"
#include "agent/sampling/task_clock.h"
#include "base/descriptor.h"

using namespace rec::agent;

namespace {

constexpr int64_t kPeriodNs = 200'000;

// Some time in the kernel.
void read_zeros() {
  const base::Descriptor zeros(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  std::vector<char> room(8u << 20);
  for (int i = 0; i < 8; ++i) CHECK(read(zeros.fd(), room.data(), room.size()) > 0);
}

}  // namespace

TEST_CASE("golden: the newest tick inside the kernel tells where, once") {
  const base::Descriptor clock(open_task_clock(0, kPeriodNs, true, true));
  if (!clock) {
    MESSAGE("perf may not see the kernel here");
    return;
  }
  KernelChain chain;
  REQUIRE(chain.map(clock.fd()));
  constexpr KernelLibrary kKernel{7, true};
  std::array<uint64_t, KernelChain::kMostFrames> frames{}, others{};
  CHECK(chain.read(kKernel, frames) == 0);
  REQUIRE(ioctl(clock.fd(), PERF_EVENT_IOC_ENABLE, 0) == 0);
  size_t found = 0;
  for (int i = 0; i < 100 && found == 0; ++i) {
    read_zeros();
    found = chain.read(kKernel, frames);
  }
  size_t nameless = 0;
  for (int i = 0; i < 100 && nameless == 0; ++i) {  // a tick may come late on a busy machine
    read_zeros();
    nameless = chain.read({7, false}, others);
  }
  ioctl(clock.fd(), PERF_EVENT_IOC_DISABLE, 0);
  REQUIRE(found > 1);
  for (size_t i = 0; i < found; ++i) CHECK(native_library(frames[i]) == 7);
  CHECK(nameless == 1);
  chain.read(kKernel, frames);
  CHECK(chain.read(kKernel, frames) == 0);
  chain.unmap();
  CHECK_FALSE(chain.is_mapped());
  CHECK(chain.read(kKernel, frames) == 0);
}
