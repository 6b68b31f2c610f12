// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/rotation.h"

#include <cassert>

#include "recorder/spool/spool_directory.h"

namespace rec {

using base::Done;
using base::Status;
using Drain = ChunkWriter::Drain;

Rotation::Rotation(const EngineConfig& config, ProcessFacts facts, EpochGate& gate, base::Waker& waker,
                   const ChunkWriter::Surroundings& around)
    : config_(config),
      around_(around),
      epochs_(gate,
              {config.copy,
               &around.losses,
               &waker,
               config.sample_event,
               config.sample_period_ns,
               {},
               nullptr,
               config.live_slots},
              config.quiesce_limit_ns),
      settings_{facts.settings, config.sample_period_ns, config.live_slots},
      writer_(config, std::move(facts), around),
      faulted_loads_(config.faulted_loads ? config.faulted_loads() : 0) {}

Status Rotation::prepare() {
  around_.spares.take();
  const Repository& home = around_.recordings.home().repository;
  if (Status ready = around_.recordings.prepare(); !ready) return ready;
  auto place = make_spool_directory(config_.spool_directory, home.directory(), home.home().identity.id);
  if (!place) return place.error();
  if (!place->remark.empty() && config_.log) config_.log(place->remark.c_str());
  budget_ = SpoolBudget(config_.max_spool_bytes ? config_.max_spool_bytes : place->budget_bytes);
  epochs_.set_home(home.home());
  if (Status made = epochs_.create(place->directory, budget_); !made) return made;
  return writer_.open();
}

void Rotation::open() {
  writer_.save_counters(epochs_.current()->spool());
  epochs_.open();
}

void Rotation::undo_start() {
  epochs_.shut();
  epochs_.quiesce();
  (void)writer_.close(true);
  release();
}

void Rotation::count_faulted_loads() {
  if (!config_.faulted_loads) return;
  const uint64_t now = config_.faulted_loads();
  around_.losses.note(Note::kFaultedLoads, now - faulted_loads_);
  faulted_loads_ = now;
}

Status Rotation::flush() {
  count_faulted_loads();
  Spool& current = epochs_.current()->spool();
  epochs_.hold();
  around_.recordings.hold();
  current.extend();
  writer_.save_counters(current);
  if (Status rescued = writer_.rescue(false); !rescued) return rescued;
  if (Status closing = write_closing(); !closing) return closing;
  if (Status written = writer_.write_events(current, Drain::kCurrent, current); !written) return written;
  epochs_.set_home(around_.recordings.home().repository.home());
  current.extend();
  writer_.save_counters(current);
  return Done{};
}

// Of a rotation that the disk has interrupted, too.
Status Rotation::write_closing() {
  if (!epochs_.closing()) return Done{};
  if (Status written = writer_.write_events(epochs_.closing()->spool(), Drain::kClosed, epochs_.current()->spool());
      !written)
    return written;
  epochs_.drop_closing();
  return Done{};
}

bool Rotation::due() {
  Epoch& current = *epochs_.current();
  const bool cramped = current.spool().cramped() && epochs_.can_flip();
  return writer_.full() || writer_.old() || writer_.clock_jumped() || current.nearly_full() || cramped;
}

Status Rotation::flip() {
  assert(!epochs_.closing() && "what is closing is written first, or its events would come after newer ones");
  if (!epochs_.can_flip()) return Done{};
  if (config_.heir != nullptr) config_.heir->epoch_ends();
  Spool& closing = epochs_.current()->spool();
  writer_.save_counters(epochs_.next()->spool());
  epochs_.flip();
  LossReport::clear(closing.header());
  epochs_.quiesce();
  hand_on();
  return write_closing();
}

void Rotation::hand_on() {
  if (config_.heir == nullptr) return;
  Carrier carrier(*epochs_.closing(), *epochs_.current());
  config_.heir->inherit(carrier);
  epochs_.closing()->spool().header().live_unit.store(0);
}

Status Rotation::end_chunk() {
  count_faulted_loads();
  if (Status before = write_closing(); !before) return before;
  if (Status flipped = flip(); !flipped) return flipped;
  return writer_.close(false);
}

Status Rotation::rotate() {
  if (Status ended = end_chunk(); !ended) return ended;
  return writer_.open();
}

Status Rotation::rotate(const std::function<void()>& between) {
  if (Status ended = end_chunk(); !ended) return ended;
  between();
  epochs_.set_home(around_.recordings.home().repository.home());
  (void)writer_.open();  // else the next flush does, and says why it could not
  return Done{};
}

// What was committed before the flip is encoded by the settings that it was sampled by.
Status Rotation::change(const ChunkSettings& settings) {
  epochs_.change(settings.sample_period_ns, settings.live_slots);
  Status changed = rotate([&] {
    settings_ = settings;
    writer_.change(settings_);
  });
  if (!changed) epochs_.change(settings_.sample_period_ns, settings_.live_slots);
  return changed;
}

Status Rotation::write_rest() {
  if (Status rescued = writer_.rescue(false); !rescued) return rescued;
  if (Status closing = write_closing(); !closing) return closing;
  epochs_.quiesce();
  Spool& current = epochs_.current()->spool();
  if (Status rest = writer_.write_events(current, Drain::kClosed, current); !rest) return rest;
  return writer_.close(true);
}

Status Rotation::finish() {
  count_faulted_loads();
  epochs_.shut();
  Status written = write_rest();
  if (!written) {
    epochs_.keep_spools();
    (void)writer_.close(true);
  }
  writer_.abandon();
  return written;
}

void Rotation::release() {
  writer_.abandon();
  epochs_.release();
}

}  // namespace rec
