// SPDX-License-Identifier: Apache-2.0
// TypeView makes a view of an event type, out of its declaration: a column for each field, a row for each event.
//
// Fields of structs are columns of their own, to kMaxTypeDepth; arrays have none.
#pragma once

#include "format/reader/metadata.h"
#include "jrec/view/view.h"

namespace jrec {

inline constexpr int kMaxTypeDepth = 3;
inline constexpr size_t kMaxTypeColumns = 256;

View type_view(const jfr::read::Metadata& metadata, const jfr::read::Type& type);

}  // namespace jrec
