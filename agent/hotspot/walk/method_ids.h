// SPDX-License-Identifier: Apache-2.0
// From a method to its jmethodID and back, by the table in which a class keeps the ids that were made
// (InstanceKlass::_methods_jmethod_ids). Makes none. features_of() says what works. Signal-safe.
#pragma once

#include "agent/hotspot/walk/method_view.h"

namespace rec::agent {

uint64_t find_method_id(const Layout& layout, const MethodView& view);  // 0: nobody has made one

// The Method* of an id, or 0. By the id alone, where it leads back; or by the class that has the method.
uint64_t follow_method_id(const Layout& layout, uint64_t id);
uint64_t look_up_method_id(const Layout& layout, uint64_t klass, uint64_t id);

}  // namespace rec::agent
