// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "jrec/findings/deadlock_text.h"
#include "jrec/findings/gather.h"

namespace jrec {
namespace {

// The last words of the VM's name for an operation of a collector: G1CollectFull, ZMarkStart, ParallelGCFailedAllocation.
bool of_a_collector(std::string_view operation) {
  for (const std::string_view part : {"G1", "GC_", "GenCollect", "ParallelGC", "CollectFor", "Shenandoah", "XMark",
                                      "ZMark", "XRelocate", "ZRelocate", "XVerify", "ZVerify", "SerialGC", "CGC_"})
    if (operation.find(part) != std::string_view::npos) return true;
  return operation.starts_with("Z") || operation.starts_with("XOp");
}

void take_operation(EventCells& event, Facts& facts) {
  const std::string operation = event.text("operation");
  if (event.integer("safepoint") == 0 || of_a_collector(operation)) return;
  facts.vm.operations.add({operation, event.text("caller")}, event.start_ns(), event.length_ns());
}

// rec tells more of late ones, by events of its own.
void take_reached(EventCells& event, Facts& facts) {
  if (!facts.is_of_rec) facts.vm.reached.add(event.start_ns(), event.length_ns());
}

void take_deoptimization(EventCells& event, Facts& facts) {
  facts.vm.deoptimized.add({event.text("method"), event.text("reason")}, event.start_ns(), 1);
}

void take_revocation(EventCells& event, Facts& facts) {
  facts.vm.biased.add({event.text("lockClass")}, event.start_ns(), event.length_ns());
}
void take_class_revocation(EventCells& event, Facts& facts) {
  facts.vm.biased.add({event.text("revokedClass")}, event.start_ns(), event.length_ns());
}

void take_compile_failure(EventCells& event, Facts& facts) {
  facts.vm.compile_failures.add({event.text("failureMessage")}, event.start_ns(), 1);
}

void take_full_code_cache(EventCells& event, Facts& facts) {
  if (facts.vm.code_cache_full.count == 0) facts.vm.code_cache = event.text("codeBlobType");
  facts.vm.code_cache_full.add(event.start_ns(), 1);
}

void take_classes(EventCells& event, Facts& facts) {
  std::map<uint32_t, Course>& classes = facts.vm.classes;
  if (!classes.contains(facts.jvm) && classes.size() == kMostHeaps) return;
  classes[facts.jvm].add(event.start_ns(), event.number("loadedClassCount") - event.number("unloadedClassCount"));
}

void take_full_metaspace(EventCells& event, Facts& facts) { facts.vm.metaspace_full.add(event.start_ns(), 1); }

void take_exception_statistics(EventCells& event, Facts& facts) {
  facts.vm.throwables.look(facts.jvm, event.start_ns(), event.integer("throwables", -1));
}

void add_fatal(EventCells& event, const std::string& what, Facts& facts, Ranking FatalErrors::*of_type) {
  if (what != "java.lang.OutOfMemoryError" && what != "java.lang.StackOverflowError") return;
  std::map<uint32_t, FatalErrors>& fatal = facts.vm.fatal;
  if (!fatal.contains(facts.jvm) && fatal.size() == kMostHeaps) return;
  (fatal[facts.jvm].*of_type)
      .add({what, event.text("stackTrace.@throw_site"), event.text("eventThread")}, event.start_ns(), 1);
}

bool is_for_its_stack(const std::string& what, const std::string& maker) {
  return what == "java.lang.Throwable" || maker.starts_with("java.lang.Thread.getStackTrace");
}

void take_exception(EventCells& event, Facts& facts) {
  const std::string what = event.text("thrownClass");
  const double told = event.number("weight", 1), weight = told > 0 ? told : 1;
  facts.vm.thrown.add({what, event.text("stackTrace.@throw_site")}, event.start_ns(), weight);
  if (is_for_its_stack(what, event.text("stackTrace.@thrower"))) facts.vm.made_for_stacks += weight;
  add_fatal(event, what, facts, &FatalErrors::exceptions);
}

// JFR writes an error as an exception, too. Where errors alone are recorded, they say nothing of exceptions.
void take_error(EventCells& event, Facts& facts) {
  add_fatal(event, event.text("thrownClass"), facts, &FatalErrors::errors);
}

void take_thread_dump(EventCells& event, Facts& facts) {
  ++facts.vm.dumps;
  const std::string dump = event.whole_text("result");
  const std::string_view deadlock = deadlock_text(dump);
  if (deadlock.empty()) return;
  constexpr size_t kMostWords = 2000;
  if (facts.vm.deadlocks.count == 0) facts.vm.deadlock = deadlock.substr(0, kMostWords);
  facts.vm.deadlocks.add(event.start_ns(), 1);
}

constexpr Gatherer kVmGatherers[] = {
    {"jdk.ExecuteVMOperation", take_operation},
    {"jdk.SafepointBegin", take_reached},
    {"jdk.Deoptimization", take_deoptimization},
    {"jdk.BiasedLockRevocation", take_revocation},
    {"jdk.BiasedLockSelfRevocation", take_revocation},
    {"jdk.BiasedLockClassRevocation", take_class_revocation},
    {"jdk.CompilationFailure", take_compile_failure},
    {"jdk.CodeCacheFull", take_full_code_cache},
    {"jdk.ClassLoadingStatistics", take_classes},
    {"jdk.MetaspaceAllocationFailure", take_full_metaspace},
    {"jdk.MetaspaceOOM", take_full_metaspace},
    {"jdk.ExceptionStatistics", take_exception_statistics},
    {"jdk.JavaExceptionThrow", take_exception},
    {"jdk.JavaErrorThrow", take_error},
    {"jdk.ThreadDump", take_thread_dump},
};

}  // namespace

std::span<const Gatherer> vm_gatherers() { return kVmGatherers; }

}  // namespace jrec
