// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/thread_kind.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace rec::agent;

TEST_CASE("what a thread is for is known by its name, as the system keeps it") {
  for (const char* name : {"GC Thread#0", "G1 Conc#0", "G1 Main Marker", "G1 Refine#1", "G1 Service", "ZWorker#0",
                           "ZWorkerYoung#0", "ZDriverMajor", "ZDirector", "ZStat", "ZUncommitter", "ZUnmapper",
                           "RuntimeWorker#0", "XDriver", "Shenandoah GC T", "ParGC Thread#0"})
    CHECK_MESSAGE(kind_named(name) == ThreadKind::kCollector, name);
  for (const char* name : {"C1 CompilerThre", "C1 Comp..hread0"})
    CHECK_MESSAGE(kind_named(name) == ThreadKind::kC1, name);
  for (const char* name : {"C2 CompilerThre", "C2 Comp..hread0"})
    CHECK_MESSAGE(kind_named(name) == ThreadKind::kC2, name);
  CHECK(kind_named("VM Thread") == ThreadKind::kVmThread);
  for (const char* name :
       {"VM Periodic Tas", "VM Peri..Thread", "Service Thread", "Signal Dispatch", "Signal ..atcher", "Monitor Deflati",
        "Monitor..Thread", "Notification Th", "Sweeper thread", "JFR Recorder Th"})
    CHECK_MESSAGE(kind_named(name) == ThreadKind::kVmOther, name);
  CHECK(kind_named("rec housekeeper") == ThreadKind::kOurs);
  for (const char* name : {"java", "", "worker", "Zookeeper", "recorder", "C2", "GC"})
    CHECK_MESSAGE(kind_named(name) == ThreadKind::kNative, name);
}
