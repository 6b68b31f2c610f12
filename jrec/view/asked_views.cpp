// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/asked_views.h"

#include <algorithm>
#include <utility>

#include "jrec/select/glob.h"
#include "jrec/view/type_view.h"
#include "jrec/view/view_list.h"

namespace jrec {

using jfr::read::Type;

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  for (const View& view : all_views())
    if (names.empty() || names.back() != view.name) names.push_back(view.name);
  return names;
}

AskedViews::AskedViews(const std::vector<std::string>& names, Change change) : change_(std::move(change)) {
  for (const std::string& text : names) {
    Name name{text};
    const bool all = text == "all-views";
    every_event_type_ |= text == "all-events";
    name.met = all || text == "all-events";
    for (const View& view : all_views())
      if (all || glob_matches(text, view.name)) add_view(view), name.met = true;
    names_.push_back(std::move(name));
  }
}

void AskedViews::add_view(const View& view) {
  View changed = view;
  change_(changed);
  views_.push_back(std::make_unique<ViewRows>(changed));
}

// jdk.CPULoad is asked for as jdk.CPULoad, CPULoad, CPU*.
bool AskedViews::asks_for(const std::string& full_name) {
  const std::string short_name = full_name.substr(full_name.rfind('.') + 1);
  bool asked = every_event_type_;
  for (Name& name : names_)
    if (glob_matches(name.text, full_name) || glob_matches(name.text, short_name)) asked = name.met = true;
  return asked;
}

void AskedViews::begin(const CellReader& cells, jfr::read::Chunk& chunk, std::optional<uint32_t> known_jvm) {
  for (const Type& type : chunk.metadata().types()) {
    if (!type.event) continue;
    const std::string name(type.name);
    event_types_.insert(name);
    if (types_.contains(name) || !asks_for(name)) continue;
    types_.insert(name);
    add_view(type_view(chunk.metadata(), type));
  }
  const size_t types = chunk.metadata().types().size();
  wanted_.assign(types, false);
  const bool asks = std::ranges::any_of(views_, [](const auto& view) { return view->asks_for_jvm(); });
  const std::optional<WriterProcess> writer = asks ? writer_of(chunk) : std::nullopt;
  const uint32_t jvm = known_jvm ? *known_jvm : asks ? jvms_.of(writer) : 0;
  for (const auto& view : views_) {
    view->begin(cells, chunk, jvm, writer);
    for (uint32_t i = 0; i < types; ++i)
      if (view->wants(i)) wanted_[i] = true;
  }
}

void AskedViews::add(CellReader& cells, const jfr::read::Event& event, uint32_t type) {
  for (const auto& view : views_)
    if (view->wants(type)) view->add(cells, event, type);
}

std::vector<std::unique_ptr<ViewRows>> AskedViews::take() {
  std::vector<std::unique_ptr<ViewRows>> taken;
  for (auto& view : views_) {
    const bool alternative = !taken.empty() && taken.back()->view().name == view->view().name;
    if (!alternative)
      taken.push_back(std::move(view));
    else if (!taken.back()->has_events() && view->has_events())
      taken.back() = std::move(view);
  }
  views_.clear();
  return taken;
}

std::vector<std::string> AskedViews::unknown() const {
  std::vector<std::string> names;
  for (const Name& name : names_)
    if (!name.met) names.push_back(name.text);
  return names;
}

}  // namespace jrec
