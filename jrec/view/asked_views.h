// SPDX-License-Identifier: Apache-2.0
// AskedViews are the views that a command line asks for: it fills them in one pass, chunk after chunk.
//
//   AskedViews views(names, change);   views.unknown(): a name that is none, so it has to be an event type
//   views.begin(chunk); views.add(...)  views of event types are made when the first chunk declares the type
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/values/jvm_numbers.h"
#include "jrec/view/cell_reader.h"
#include "jrec/view/view_rows.h"

namespace jrec {

class AskedViews {
 public:
  // A view is changed before it is filled: limits, order.
  using Change = std::function<void(View&)>;

  AskedViews(const std::vector<std::string>& names, Change change);

  // jvm: whose chunk it is, where somebody knows (jvm_numbers.h).
  void begin(const CellReader& cells, jfr::read::Chunk& chunk, std::optional<uint32_t> jvm = {});
  void add(CellReader& cells, const jfr::read::Event& event, uint32_t type);
  bool wants(uint32_t type) const { return type < wanted_.size() && wanted_[type]; }

  // Alternatives that had no events are gone.
  std::vector<std::unique_ptr<ViewRows>> take();
  // Asked for by name, but neither a view nor an event type of the recording.
  std::vector<std::string> unknown() const;
  // Of the chunks so far.
  const std::set<std::string>& event_types() const { return event_types_; }

 private:
  struct Name {
    std::string text;
    bool met = false;
  };

  bool asks_for(const std::string& full_name);
  void add_view(const View& view);

  std::vector<Name> names_;
  Change change_;
  bool every_event_type_ = false;
  std::set<std::string> event_types_;  // that were declared
  std::set<std::string> types_;        // those of them that have a view
  std::vector<std::unique_ptr<ViewRows>> views_;
  std::vector<bool> wanted_;  // by index of the chunk's types
  JvmNumbers jvms_;
};

// Names of all views, each once.
std::vector<std::string> view_names();

}  // namespace jrec
