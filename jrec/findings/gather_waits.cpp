// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/gather.h"

namespace jrec {
namespace {

void take_monitor(EventCells& event, Facts& facts) {
  facts.waits.monitors.add({event.text("monitorClass"), event.text("stackTrace.@site"), event.text("previousOwner")},
                           event.start_ns(), event.length_ns());
}

void take_pinned(EventCells& event, Facts& facts) {
  facts.waits.pinned.add({event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

void take_file(EventCells& event, Facts& facts) {
  facts.waits.files.add({event.text("path"), event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

constexpr Gatherer kWaitingGatherers[] = {
    {"jdk.JavaMonitorEnter", take_monitor},
    {"jdk.VirtualThreadPinned", take_pinned},
    {"jdk.FileRead", take_file},
    {"jdk.FileWrite", take_file},
    {"jdk.FileForce", take_file},
};

}  // namespace

std::span<const Gatherer> waiting_gatherers() { return kWaitingGatherers; }

}  // namespace jrec
