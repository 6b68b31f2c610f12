// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/carrier.h"

#include "recorder/epoch/lease.h"

namespace rec {
namespace {

constexpr uint32_t kRoomEach = 64;  // events; the spool gets room ahead of them

TextView view(std::string_view text) { return {text.data(), static_cast<uint16_t>(text.size())}; }

}  // namespace

template <typename Fact, typename Copy>
Ref<Fact> Carrier::once(std::unordered_map<uint32_t, uint32_t>& known, Ref<Fact> ref, Copy copy) {
  if (facts_.get(ref) == nullptr) return {};
  const auto [at, is_new] = known.try_emplace(ref.unit, 0);
  if (is_new) at->second = copy().unit;
  return {at->second};
}

Ref<ThreadFact> Carrier::thread(Ref<ThreadFact> ref) {
  return once(threads_, ref, [&] {
    ThreadFact& fact = *facts_.get(ref);
    return to_.copy_thread({.id = static_cast<ThreadId>(fact.id),
                            .os_thread_id = fact.os_thread_id,
                            .java_thread_id = fact.java_thread_id,
                            .is_virtual = fact.is_virtual,
                            .os_name = view(FactReader::text(fact, 0)),
                            .java_name = view(FactReader::text(fact, 1)),
                            .group_name = view(FactReader::text(fact, 2))});
  });
}

Ref<ClassFact> Carrier::klass(Ref<ClassFact> ref) {
  return once(classes_, ref, [&] {
    Lease lease;
    lease.take_class(from_, ref);
    return lease.retag_class(to_);
  });
}

Ref<StackFact> Carrier::stack(Ref<StackFact> ref) {
  return once(stacks_, ref, [&] {
    Lease lease;
    lease.take_stack(from_, ref);
    return lease.retag_stack(to_, 0);
  });
}

bool Carrier::carry(Event& event) {
  if (carried_++ % kRoomEach == 0) to_.spool().extend();
  const DetailFact* const detail = facts_.get(Ref<DetailFact>{event.other});
  if (detail == nullptr) return false;
  DetailShape shape = detail->shape;
  shape.klass = klass(shape.klass);
  shape.thread = thread(shape.thread);
  shape.stack = stack(shape.stack);
  event.thread = thread(event.thread);
  event.stack = stack(event.stack);
  event.other = to_.copy_detail(shape).unit;
  return event.other != 0;
}

}  // namespace rec
