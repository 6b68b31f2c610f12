// SPDX-License-Identifier: Apache-2.0
// A Lease keeps what an event refers to beyond the life of its epoch: it copies the facts to the heap, and tags them
// anew in the epoch that is current when the event is at last written. So a late event is neither lost nor misfiled.
//
//   epoch 1, pinned:   Lease lease;  lease.take_stack(epoch, stack);
//                      ... epochs come and go ...
//   epoch 4, pinned:   stack = lease.retag_stack(epoch);
//
// Ordinary threads only: it allocates. One thread at a time. retag_ may refuse as tag_ does; then try later or count
// the loss.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/epoch/epoch.h"

namespace rec {

class Lease {
 public:
  // What the Ref leads to, copied. The epoch is pinned. The last take_ of a kind counts.
  void take_stack(Epoch& epoch, Ref<StackFact> stack);
  void take_loader(Epoch& epoch, Ref<LoaderFact> loader);
  void take_class(Epoch& epoch, Ref<ClassFact> klass);

  // In the epoch given, which is pinned. Nothing: nothing was taken, or there is no room.
  // samples: as in Epoch::intern_stack().
  Ref<StackFact> retag_stack(Epoch& epoch, uint32_t samples = 1) const;
  Ref<LoaderFact> retag_loader(Epoch& epoch) const;
  Ref<ClassFact> retag_class(Epoch& epoch) const;

 private:
  static constexpr size_t kNone = SIZE_MAX;
  struct OwnedLoader {
    LoaderId id;
    std::string name;
    size_t type;  // index of its class, or kNone
  };
  struct OwnedClass {
    ClassId id;
    size_t loader;  // index, or kNone for the boot loader
    uint32_t modifiers;
    bool hidden;
    uint16_t method_count;
    std::string name, module_name, module_version, module_location;
  };
  struct OwnedMethod {
    size_t holder;
    uint16_t idnum;
    MethodVersion version;
    uint32_t modifiers;
    bool hidden;
    std::string name, descriptor, line_table;
  };
  struct OwnedFrame {
    size_t method;  // index, or kNone
    Frame frame;    // its Ref is of the old epoch
  };

  size_t own_class(const FactReader& facts, Ref<ClassFact> ref);
  size_t own_loader(const FactReader& facts, Ref<LoaderFact> ref);
  size_t own_method(const FactReader& facts, Ref<MethodFact> ref);
  Ref<ClassFact> tag_class(Epoch& epoch, size_t index, unsigned depth) const;
  Ref<LoaderFact> tag_loader(Epoch& epoch, size_t index, unsigned depth) const;
  Ref<MethodFact> tag_method(Epoch& epoch, size_t index) const;

  std::vector<OwnedLoader> loaders_;
  std::vector<OwnedClass> classes_;
  std::vector<OwnedMethod> methods_;
  std::vector<OwnedFrame> frames_;
  bool has_stack_ = false;
  bool truncated_ = false;
  size_t loader_ = kNone;
  size_t class_ = kNone;
};

}  // namespace rec
