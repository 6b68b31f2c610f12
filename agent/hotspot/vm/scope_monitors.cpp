// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/scope_monitors.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/scopes.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMaxMonitors = 64;
constexpr int kNumbersBefore = 5;  // sender, method, bci, locals, expressions; then the monitors' offset

// How a ScopeValue begins.
constexpr uint32_t kLocation = 0, kConstantOop = 2, kObjectId = 6;

// A Location: its type in four bits, whether it is a register, and where in units of four bytes, or which.
constexpr uint32_t kTypeBits = 0xf, kInRegister = 0x10, kOffsetShift = 5, kBytesOfUnit = 4;
constexpr uint32_t kNarrowOop = 9;

class Stream {
 public:
  Stream(const Layout& layout, uint64_t at) : at_(at), excess_(layout.unsigned5_excess) {}
  bool number(uint32_t& value) { return read_unsigned5(at_, excess_, value); }
  bool flag(bool& value) {
    uint8_t byte = 0;
    if (!load8(at_++, byte)) return false;
    value = byte != 0;
    return true;
  }

 private:
  uint64_t at_;
  uint32_t excess_;
};

bool read_owner(Stream& stream, ScopeMonitor& monitor) {
  using Where = ScopeMonitor::Where;
  uint32_t kind = 0, value = 0;
  if (!stream.number(kind) || !stream.number(value)) return false;
  switch (kind) {
    case kLocation:
      monitor.where = (value & kInRegister) != 0 ? Where::kRegister : Where::kStack;
      monitor.at = value >> kOffsetShift;
      if (monitor.where == Where::kStack) monitor.at *= kBytesOfUnit;
      monitor.narrow = (value & kTypeBits) == kNarrowOop;
      return true;
    case kConstantOop:
      monitor.where = Where::kConstant;
      monitor.at = value;
      return true;
    case kObjectId: return monitor.where = Where::kReplaced, true;
    default: return false;
  }
}

}  // namespace

std::vector<ScopeMonitor> read_scope_monitors(const Layout& layout, uint64_t scopes, uint64_t description) {
  std::vector<ScopeMonitor> all;
  Stream head(layout, description);
  uint32_t number = 0;
  for (int i = 0; i < kNumbersBefore; ++i)
    if (!head.number(number)) return all;
  if (!head.number(number) || number == 0) return all;  // no monitors
  Stream stream(layout, scopes + number);
  uint32_t count = 0, basic_lock = 0;
  if (!stream.number(count) || count > kMaxMonitors) return all;
  for (ScopeMonitor monitor; count > 0; --count) {
    if (!stream.number(basic_lock) || !read_owner(stream, monitor) || !stream.flag(monitor.eliminated)) return all;
    all.push_back(monitor);
  }
  return all;
}

}  // namespace rec::agent
