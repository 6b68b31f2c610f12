// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/class_lease.h"

#include <cstring>

namespace rec {

ClassLease::ClassLease(const ClassShape& shape, std::shared_ptr<const Lease> loader)
    : id_(shape.id),
      modifiers_(shape.modifiers),
      method_count_(shape.method_count),
      hidden_(shape.hidden),
      text_sizes_{shape.name.size, shape.module_name.size, shape.module_version.size, shape.module_location.size},
      loader_(std::move(loader)) {
  size_t size = 0;
  for (const uint16_t part : text_sizes_) size += part;
  texts_ = std::make_unique<char[]>(size);
  char* to = texts_.get();
  for (const TextView& text : {shape.name, shape.module_name, shape.module_version, shape.module_location}) {
    if (text.size > 0) std::memcpy(to, text.address, text.size);
    to += text.size;
  }
}

Ref<ClassFact> ClassLease::retag(Epoch& epoch) const {
  if (const auto known = epoch.find_class(id_)) return known;
  ClassShape shape{.id = id_, .modifiers = modifiers_, .hidden = hidden_, .method_count = method_count_};
  if (loader_) shape.loader = loader_->retag_loader(epoch);
  const char* from = texts_.get();
  TextView* const texts[] = {&shape.name, &shape.module_name, &shape.module_version, &shape.module_location};
  for (size_t i = 0; i < text_sizes_.size(); ++i) {
    *texts[i] = {from, text_sizes_[i]};
    from += text_sizes_[i];
  }
  return epoch.tag_class(shape);
}

}  // namespace rec
