// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/frame_shares.h"

#include <array>
#include <span>

#include "jrec/values/java_names.h"

namespace jrec {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kRegexCompile[] = {"java.util.regex.Pattern.compile", "java.util.regex.Pattern.<init>"};
constexpr std::string_view kFormat[] = {"java.lang.String.format", "java.util.Formatter."};
constexpr std::string_view kStackTraces[] = {"java.lang.Throwable.fillInStackTrace"};
constexpr std::string_view kLogging[] = {"org.apache.logging.", "ch.qos.logback.",   "org.slf4j.",
                                         "java.util.logging.",  "org.apache.log4j.", "org.apache.commons.logging.",
                                         "org.jboss.log",       "org.apache.juli.",  "org.tinylog."};
constexpr std::string_view kReflection[] = {"java.lang.reflect.",
                                            "jdk.internal.reflect.",
                                            "sun.reflect.",
                                            "java.lang.Class.getMethod",
                                            "java.lang.Class.getDeclared",
                                            "java.lang.Class.getField",
                                            "java.lang.Class.getConstructor",
                                            "java.lang.Class.privateGet"};
constexpr std::string_view kClassLoading[] = {"java.lang.ClassLoader.", "jdk.internal.loader."};
constexpr std::string_view kSerialization[] = {"java.io.ObjectOutputStream.", "java.io.ObjectInputStream."};
constexpr std::string_view kJitCompilers[] = {"CompileBroker::"};

struct Known {
  Words frames;
  std::string_view pattern;
  bool anywhere = false;  // in the name, not in front of it
};
constexpr std::array<Known, kWorkKinds> kKnown = {{
    {kRegexCompile, "^java\\.util\\.regex\\.Pattern\\.(compile|<init>)"},
    {kFormat, "^java\\.(lang\\.String\\.format|util\\.Formatter)"},
    {kStackTraces, "^java\\.lang\\.Throwable\\.fillInStackTrace"},
    {kLogging,
     "^(org\\.apache\\.(logging|log4j|commons\\.logging|juli)|ch\\.qos\\.logback|org\\.slf4j|java\\.util\\.logging|"
     "org\\.jboss\\.log|org\\.tinylog)"},
    {kReflection,
     "^(java\\.lang\\.reflect|jdk\\.internal\\.reflect|sun\\.reflect|java\\.lang\\.Class\\.(get|privateGet))"},
    {kClassLoading, "^(java\\.lang\\.ClassLoader|jdk\\.internal\\.loader)\\."},
    {kSerialization, "^java\\.io\\.Object(In|Out)putStream\\."},
    {kJitCompilers, "CompileBroker::", true},
}};

// What reflection itself is made of: a method of the JDK that is called by it is not its doing.
constexpr std::string_view kOfReflection[] = {"java.lang.invoke.", "java.lang.Class.", "sun.invoke.",
                                              "jdk.internal.misc."};

uint32_t bit(WorkKind kind) { return 1U << static_cast<uint32_t>(kind); }

// What serialization does by reflection is not the program's reflection.
uint32_t own_kinds(uint32_t kinds, uint32_t of_caller) {
  const bool is_serialization = (of_caller & bit(WorkKind::kSerialization)) != 0;
  return is_serialization ? kinds & ~bit(WorkKind::kReflection) : kinds;
}

bool begins_with_one(std::string_view name, Words words) {
  for (const std::string_view word : words)
    if (name.starts_with(word)) return true;
  return false;
}

// What is true of a frame by its name alone.
struct NameTraits {
  uint32_t kinds = 0;  // bits of WorkKind
  bool jdk = false, of_reflection = false;
};

NameTraits traits_of(std::string_view name) {
  NameTraits traits;
  for (size_t i = 0; i < kWorkKinds; ++i) {
    const Known& known = kKnown[i];
    if (known.anywhere ? name.find(known.frames[0]) != std::string_view::npos : begins_with_one(name, known.frames))
      traits.kinds |= 1U << i;
  }
  traits.jdk = of_the_jdk(name);
  traits.of_reflection = begins_with_one(name, kOfReflection);
  return traits;
}

bool is_native(FrameKind kind) { return kind == FrameKind::kCpp || kind == FrameKind::kKernel; }

}  // namespace

std::string_view pattern_of(WorkKind kind) { return kKnown[static_cast<size_t>(kind)].pattern; }

// Nodes come behind their parents: what is true of a node follows from what is true of its parent.
FrameShares::FrameShares(const SampledFacts& samples) : tree_(samples.tree) {
  const StackTree& tree = samples.tree;
  std::vector<NameTraits> traits;
  for (const std::string& name : tree.names()) traits.push_back(traits_of(name));
  const auto& nodes = tree.nodes();
  std::vector<uint32_t> kinds(nodes.size());
  callers_.assign(nodes.size(), kNobody);
  for (size_t i = 1; i < nodes.size(); ++i) {
    const StackTree::Node& node = nodes[i];
    const NameTraits& is = traits[node.name];
    const bool native = is_native(node.kind), application = !is.jdk && !native && is.kinds == 0;
    uint32_t inherited = application ? 0 : kinds[node.parent];
    if (!native && !is.of_reflection) inherited &= ~bit(WorkKind::kReflection);
    kinds[i] = inherited | own_kinds(is.kinds, inherited);
    callers_[i] = application ? node.name : callers_[node.parent];
    for (size_t kind = 0; kinds[i] != 0 && tree.self(i) != 0 && kind < kWorkKinds; ++kind) {
      if ((kinds[i] >> kind & 1) == 0) continue;
      shares_[kind].weight += tree.self(i);
      shares_[kind].worth.add(samples.worth_at(i));
      shares_[kind].by_caller[callers_[i]] += tree.self(i);
    }
  }
}

FrameShares::Caller FrameShares::main_of(const Weights& by_caller) const {
  Caller best;
  for (const auto& [name, weight] : by_caller) {
    if (name == kNobody) continue;
    const std::string& text = tree_.names()[name];
    if (weight > best.weight || (weight == best.weight && text < best.name)) best = {text, weight};
  }
  return best;
}

FrameShares::Caller FrameShares::main_caller(WorkKind kind) const {
  return main_of(shares_[static_cast<size_t>(kind)].by_caller);
}

FrameShares::Caller FrameShares::caller_of_native(uint32_t function) const {
  Weights by_caller;
  uint64_t native = 0, all = 0;
  const auto& nodes = tree_.nodes();
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].name != function) continue;
    all += tree_.self(i);
    if (!is_native(nodes[i].kind)) continue;
    native += tree_.self(i);
    by_caller[callers_[i]] += tree_.self(i);
  }
  const Caller caller = main_of(by_caller);
  return native == all && caller.weight * 2 > all ? caller : Caller{};
}

}  // namespace jrec
