// SPDX-License-Identifier: Apache-2.0
// A ClassLease remembers one class for its jdk.ClassUnload: made when the class is prepared, without tagging anything,
// and used when the class is gone. There is one for each class that was loaded, so it is small: a fixed part of 48
// bytes and one block with the texts.
//
// Ordinary threads only: it allocates.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "recorder/epoch/lease.h"

namespace rec {

class ClassLease {
 public:
  // shape's texts are readable; its `loader` is not used, but `loader` is: a lease of the loader, shared by its
  // classes; null: the boot loader.
  ClassLease(const ClassShape& shape, std::shared_ptr<const Lease> loader);
  Ref<ClassFact> retag(Epoch& epoch) const;  // of the current epoch, which is pinned
  ClassId id() const { return id_; }

 private:
  ClassId id_;
  uint32_t modifiers_;
  uint16_t method_count_;
  bool hidden_;
  std::array<uint16_t, 4> text_sizes_;
  std::unique_ptr<char[]> texts_;  // name, module name, module version, module location
  std::shared_ptr<const Lease> loader_;
};

}  // namespace rec
