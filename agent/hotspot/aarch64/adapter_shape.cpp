// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/aarch64/adapter_shape.h"

#include "agent/hotspot/aarch64/code_path.h"

namespace rec::agent::aarch64 {

AdapterReturn return_in_adapter(uint64_t begin, uint64_t end, uint64_t pc) {
  CodePath path(pc, begin, end);
  path.follow_past(CodePath::kCall, CodePath::kJumpBack);  // until it goes on, or sets sp for compiled code
  if (path.base() != Instruction::kSp) return {};
  AdapterReturn found{AdapterReturn::kInRegister};
  if (path.sender_at() != CodePath::kInRegister) found.caller_above = static_cast<uint64_t>(path.sender_at());
  if (path.return_at() == CodePath::kInRegister) return path.has_return() ? found : AdapterReturn{};
  found.place = AdapterReturn::kOnStack;
  found.above = static_cast<uint64_t>(path.return_at());
  return found;
}

}  // namespace rec::agent::aarch64
