// SPDX-License-Identifier: Apache-2.0
// Sample: one execution sample with every constant that it needs, under ids that differ from sample to sample.
#pragma once

#include <cstdint>
#include <string>

#include "format/writer/checkpoint_builder.h"

namespace sample {

inline constexpr int64_t kStart = 3'000'000'000'000;  // ticks; as a machine has them that is up for an hour

inline void constants(jfr::CheckpointBuilder& to, uint64_t id) {
  using jfr::TypeId;
  const uint64_t method = id << 16 | 1, name = id * 4, descriptor = name + 1, type = name + 2;
  to.pool(TypeId::kSymbol).entry(name).text("run" + std::to_string(id));
  to.pool(TypeId::kSymbol).entry(descriptor).text("(I)V");
  to.pool(TypeId::kSymbol).entry(type).text("shop/Cart" + std::to_string(id));
  auto& java_class = to.pool(TypeId::kClass).entry(id);
  for (uint64_t field : {uint64_t{0}, type, uint64_t{0}, uint64_t{1}}) java_class.leb(field);
  java_class.boolean(false);
  auto& java_method = to.pool(TypeId::kMethod).entry(method);
  for (uint64_t field : {id, name, descriptor, uint64_t{9}}) java_method.leb(field);
  java_method.boolean(false);
  auto& thread = to.pool(TypeId::kThread).entry(id);
  thread.text("os-main");
  thread.leb(4711);
  thread.text("main");
  thread.leb(1);
  thread.leb(0);
  thread.boolean(false);
  auto& stack = to.pool(TypeId::kStackTrace).entry(id);
  stack.boolean(false);
  stack.leb(1);
  stack.leb(method);
  stack.leb_i32(17);
  stack.leb_i32(-1);
  stack.leb(1);
}

inline void event(jfr::ByteSink& to, uint64_t id, int64_t ticks) {
  const size_t at = to.reserve_size();
  to.leb(static_cast<uint64_t>(jfr::TypeId::kExecutionSample));
  to.leb_i64(ticks);
  for (uint64_t field : {id, id, uint64_t{5}}) to.leb(field);
  to.patch_size(at, static_cast<uint32_t>(to.size() - at));
}

}  // namespace sample
