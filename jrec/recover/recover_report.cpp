// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/recover_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/escape.h"
#include "jrec/base/plural.h"
#include "jrec/base/quiet.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

using rec::grouped;

constexpr size_t kMostDamage = 200;  // lines of one report

}  // namespace

void RecoverReport::add_damage(const std::string& file, const base::Error& error) {
  if (damage.size() > kMostDamage) return;
  if (damage.size() == kMostDamage) {
    damage.push_back("more of this kind");
    return complain(file, base::Error{base::ErrorCode::kUsage, 0, "there is more of this kind"});
  }
  damage.push_back(fmt::format("{}: at {:#x}: {}", file, error.offset, error.what));
  complain(file, error);
}

ExitCode RecoverReport::code() const {
  if (kept + repaired + from_spools == 0) return kNothingReadable;
  return damage.empty() && dropped == 0 ? kDone : kDamaged;
}

void RecoverReport::print(Output& out, bool json) const {
  std::string& text = out.text();
  if (json) {
    text += "{\"input\":";
    append_json_string(input, text);
    text += ",\"output\":";
    if (output.empty())
      text += "null";
    else
      append_json_string(output, text);
    text += fmt::format(
        ",\"kept\":{},\"repaired\":{},\"dropped\":{},\"fromSpools\":{},\"spoolSamples\":{},\"lost\":{},\"bytes\":{},"
        "\"samples\":{},\"damage\":[",
        kept, repaired, dropped, from_spools, spool_samples, lost, bytes, samples);
    for (const std::string& one : damage) {
      if (&one != &damage.front()) text += ',';
      append_json_string(one, text);
    }
    text += "],\"spools\":[";
    for (const std::string& one : spools) {
      if (&one != &spools.front()) text += ',';
      append_json_string(one, text);
    }
    text += "]";
    if (!remark.empty()) {
      text += ",\"remark\":";
      append_json_string(remark, text);
    }
    text += "}\n";
    return;
  }
  if (quiet() && code() == kDone && !output.empty() && remark.empty()) return;
  text += fmt::format("{}: {} kept, {} repaired, {} dropped", plain(input), plural(kept, "chunk"), repaired, dropped);
  if (from_spools + spool_samples > 0)
    text += fmt::format(", {} from spools ({} sample{})", from_spools, grouped(spool_samples), ending(spool_samples));
  text += fmt::format("; {} byte{}; {} sample{}", grouped(bytes), ending(bytes), grouped(samples), ending(samples));
  for (const std::string& one : spools) text += (&one == &spools.front() ? "; spools in " : ", ") + plain(one);
  if (lost > 0) text += fmt::format("; {} were lost", grouped(lost));
  text += output.empty() ? "" : " -> " + plain(output);
  text += remark.empty() ? "\n" : "; " + plain(remark) + "\n";
}

ExitCode worse(ExitCode a, ExitCode b) { return std::max(a, b); }

}  // namespace jrec
