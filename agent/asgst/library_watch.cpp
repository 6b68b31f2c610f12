// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/library_watch.h"

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/process/housekeeper.h"

namespace rec::agent::asgst {
namespace {

constexpr int64_t kLookNs = 250'000'000;  // between two looks

}  // namespace

bool start_library_watch(NativeModules& modules) {
  static Housekeeper& keeper = *new Housekeeper;  // never destroyed: it may be running when the process ends
  return keeper.start([&modules](Housekeeper::Pause& pause) {
    while (pause.wait_for(kLookNs)) {
      modules.refresh();
      fault_handler_ready();  // else it goes in front again
    }
  });
}

}  // namespace rec::agent::asgst
