// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/tally.h"

namespace jrec {
namespace {

bool is_quantile(Aggregate aggregate) { return aggregate >= Aggregate::kMedian && aggregate <= Aggregate::kP999; }

double share_of(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::kP90: return 0.90;
    case Aggregate::kP95: return 0.95;
    case Aggregate::kP99: return 0.99;
    case Aggregate::kP999: return 0.999;
    default: return 0.50;
  }
}

}  // namespace

void Tally::add(Aggregate aggregate, const Cell& cell, int64_t at_ns, uint32_t jvm) {
  if (cell.null()) {
    // The newest word is "nothing": a value that is no longer there is not shown as if it was.
    if ((aggregate == Aggregate::kLast || aggregate == Aggregate::kShareOfLast) && at_ns >= last_ns_)
      cell_ = cell, last_ns_ = at_ns;
    return;
  }
  const bool none_yet = count_++ == 0;
  if (is_quantile(aggregate)) {
    if (!values_) values_ = std::make_unique<Quantiles>(), cell_ = cell;
    return values_->add(cell.as_real());
  }
  switch (aggregate) {
    case Aggregate::kKey:
    case Aggregate::kValue: cell_ = cell; break;
    case Aggregate::kMin:
      if (none_yet || cell < cell_) cell_ = cell;
      break;
    case Aggregate::kMax:
      if (none_yet || cell_ < cell) cell_ = cell;
      break;
    case Aggregate::kFirst:
      if (none_yet || at_ns < first_ns_) cell_ = cell, first_ns_ = at_ns;
      break;
    case Aggregate::kLast:
    case Aggregate::kShareOfLast:
      if (none_yet || at_ns >= last_ns_) cell_ = cell, last_ns_ = at_ns;
      break;
    case Aggregate::kDiff:
      cell_ = cell;
      add_look(cell, at_ns, jvm);
      break;
    case Aggregate::kUnique:
      if (!met_) met_ = std::make_unique<std::set<std::string>>();
      met_->insert(cell.identity());
      break;
    default: add_sum(cell);
  }
}

void Tally::add_sum(const Cell& cell) {
  if (cell_.null() || cell.kind == Cell::Kind::kReal) cell_.kind = cell.kind;
  cell_.content = cell.content;
  if (cell.kind == Cell::Kind::kReal)
    real_ += cell.real;
  else
    whole_ += cell.integer;
}

// Of times the span is wanted, whichever of the events ended last and in whichever JVM.
void Tally::add_look(const Cell& cell, int64_t at_ns, uint32_t jvm) {
  if (cell.content == Content::kTime) at_ns = static_cast<int64_t>(cell.integer), jvm = 0;
  if (!growths_) growths_ = std::make_unique<std::map<uint32_t, Growth>>();
  Growth& growth = (*growths_)[jvm];
  const bool none_yet = growth.looks++ == 0;
  if (none_yet || at_ns >= growth.last_ns) growth.last = cell, growth.last_ns = at_ns;
  if (none_yet || at_ns < growth.first_ns) growth.first = cell, growth.first_ns = at_ns;
}

Cell Tally::sum() const {
  if (!cell_.number()) return {};
  if (cell_.kind != Cell::Kind::kReal) return Cell::of(whole_, cell_.content);
  return Cell::of_real(static_cast<double>(real_ + static_cast<WideReal>(whole_)), cell_.content);
}

Cell Tally::average() const {
  if (!cell_.number() || count_ == 0) return {};
  const WideReal sum = real_ + static_cast<WideReal>(whole_);
  return Cell::of_real(static_cast<double>(sum / static_cast<WideReal>(count_)), cell_.content);
}

Cell Tally::difference() const {
  if (!growths_ || !cell_.number()) return {};
  bool any = false;
  Whole whole = 0;
  WideReal real = 0;
  for (const auto& [jvm, growth] : *growths_) {
    if (growth.looks < 2) continue;
    any = true;
    if (cell_.kind == Cell::Kind::kReal)
      real += growth.last.as_real() - growth.first.as_real();
    else
      whole += growth.last.integer - growth.first.integer;
  }
  if (!any) return {};
  if (cell_.kind == Cell::Kind::kReal) return Cell::of_real(static_cast<double>(real), cell_.content);
  return Cell::of(whole, cell_.content == Content::kTime ? Content::kSpan : cell_.content);
}

Cell Tally::quantile(double share) const {
  if (!values_) return {};
  const WideReal value = values_->at(share);
  if (cell_.kind == Cell::Kind::kReal) return Cell::of_real(static_cast<double>(value), cell_.content);
  return Cell::of(static_cast<Whole>(value), cell_.content);  // cut, not rounded, as the JDK does
}

Cell Tally::result(Aggregate aggregate) const {
  if (is_quantile(aggregate)) return quantile(share_of(aggregate));
  switch (aggregate) {
    case Aggregate::kCount:
    case Aggregate::kShareOfCount: return Cell::of(static_cast<int64_t>(count_));
    case Aggregate::kUnique: return Cell::of(met_ ? static_cast<int64_t>(met_->size()) : 0);
    case Aggregate::kSum:
    case Aggregate::kShareOfSum: return sum();
    case Aggregate::kAverage: return average();
    case Aggregate::kDiff: return difference();
    default: return cell_;
  }
}

}  // namespace jrec
