// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_identity.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <tuple>

#include "jrec/view/cell_reader.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

constexpr size_t kMostFacts = 4096;  // variables and properties; a JVM has some hundred

std::string text_or_none(const Cell& cell) { return cell.kind == Cell::Kind::kText ? cell.text : ""; }

// Two fields of each event of a type.
class TwoFields {
 public:
  TwoFields(Chunk& chunk, CellReader& reader, std::string_view type, std::string_view first, std::string_view second)
      : reader_(reader), type_(chunk.metadata().find(type)) {
    if (type_ != nullptr && !type_->decodable()) type_ = nullptr;
    if (type_ == nullptr) return;
    first_ = reader.bind(first, *type_);
    second_ = reader.bind(second, *type_);
  }
  std::optional<std::pair<std::string, std::string>> of(const Event& event) {
    if (type_ == nullptr || event.type_id != type_->id) return std::nullopt;
    return std::pair{text_or_none(reader_.read(event, *type_, first_)),
                     text_or_none(reader_.read(event, *type_, second_))};
  }

 private:
  CellReader& reader_;
  const Type* type_;
  FieldPath first_, second_;
};

std::string first_said(std::initializer_list<std::string> values) {
  for (const std::string& value : values)
    if (!value.empty()) return value;
  return {};
}

std::string label_of_fleet(const FleetLabels& labels, const std::string& key) {
  const auto found = labels.find(key);
  return found == labels.end() ? "" : found->second;
}

}  // namespace

void ProcessFacts::read(Chunk& chunk) {
  CellReader reader(chunk, chunk.clock());
  TwoFields variables(chunk, reader, "jdk.InitialEnvironmentVariable", "key", "value");
  TwoFields properties(chunk, reader, "jdk.InitialSystemProperty", "key", "value");
  TwoFields jvm(chunk, reader, "jdk.JVMInformation", "javaArguments", "jvmVersion");
  auto walk = chunk.events_again();
  for (Event event; walk.next(event);) {
    for (TwoFields* pairs : {&variables, &properties})
      if (auto pair = pairs->of(event); pair && values_.size() < kMostFacts)
        values_.emplace(std::move(pair->first), std::move(pair->second));
    if (auto pair = jvm.of(event)) std::tie(arguments_, java_) = *pair;
  }
}

std::string ProcessFacts::first_of(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names)
    if (const auto found = values_.find(name); found != values_.end() && !found->second.empty()) return found->second;
  return {};
}

// service.name=shop,service.version=1.4
std::string ProcessFacts::resource(std::string_view key) const {
  const std::string all = first_of({"OTEL_RESOURCE_ATTRIBUTES", "otel.resource.attributes"});
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find(',', at), all.size());
    const std::string_view pair = std::string_view(all).substr(at, end - at);
    if (pair.starts_with(key) && pair.size() > key.size() && pair[key.size()] == '=')
      return std::string(pair.substr(key.size() + 1));
    at = end + 1;
  }
  return {};
}

StartedProgram started_program(std::string_view arguments) {
  std::string_view word = arguments.substr(0, arguments.find(' '));
  word = word.substr(word.rfind('/') + 1);  // of a path, or of module/class
  if (!word.ends_with(".jar")) return {std::string(word), {}};
  word.remove_suffix(4);
  for (size_t dash = word.find('-'); dash != word.npos; dash = word.find('-', dash + 1))
    if (dash > 0 && dash + 1 < word.size() && std::isdigit(static_cast<unsigned char>(word[dash + 1])) != 0)
      return {std::string(word.substr(0, dash)), std::string(word.substr(dash + 1))};
  return {std::string(word), {}};
}

FleetIdentity identity_of(const SaidOfFleet& said, const std::vector<std::string>& archive_labels,
                          const ProcessFacts& facts) {
  FleetIdentity identity;
  identity.labels = said.labels;
  for (const std::string& label : archive_labels)
    if (const size_t equals = label.find('='); equals != label.npos)
      identity.labels.emplace(label.substr(0, equals), label.substr(equals + 1));
  const auto label = [&](const char* key) { return label_of_fleet(identity.labels, key); };
  const StartedProgram program = started_program(facts.arguments());
  identity.service = first_said(
      {said.service, label("service"), facts.first_of({"OTEL_SERVICE_NAME"}), facts.resource("service.name"),
       facts.first_of({"otel.service.name", "DD_SERVICE", "spring.application.name"}), program.name, "none"});
  identity.host = first_said({said.host, label("host"), facts.first_of({"HOSTNAME"}), facts.resource("host.name"),
                              facts.first_of({"COMPUTERNAME"}), "none"});
  identity.version = first_said(
      {label("version"), facts.resource("service.version"), facts.first_of({"DD_VERSION"}), program.version});
  identity.java = facts.java();
  return identity;
}

}  // namespace jrec
