#include "models/pim/barrier.h"

#include <utility>

#include "models/regs/pim.h"

namespace tvp::pim {

namespace regs = tvp::regs::pim::barrier;
using support::Cycle;
using support::Watch;

namespace {
constexpr Watch kWatch = Watch::kSemaphore;
}

void Barrier::connect(unsigned unit, BarrierPort& port) {
  if (ports_.size() <= unit) ports_.resize(unit + 1);
  ports_[unit] = &port;
  if (group_of_.size() <= unit) group_of_.resize(unit + 1);
  group_of_[unit] = groups_.size();
  groups_.push_back({{unit}, 0});
}

void Barrier::make_group(std::span<const unsigned> units) {
  for (const unsigned unit : units) {
    std::erase(groups_[group_of_[unit]].units, unit);
    group_of_[unit] = groups_.size();
  }
  groups_.push_back({{units.begin(), units.end()}, 0});
}

/// The arrivals meet at the counter at the latest moment that leaves the way back to the units.
void Barrier::arrive(unsigned unit, Cycle now) {
  const Cycle way_back = lookahead(config_).event_to_tile;
  calendar_.post(now + config_.barrier_cycles - way_back,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kOther),
                  .block = static_cast<std::uint16_t>(unit),
                  .port = 2,
                  .source = static_cast<std::uint16_t>(unit)},
                 *this, unit);
}

void Barrier::fire(Cycle now, std::uint64_t unit) {
  Group& group = groups_[group_of_[unit]];
  if (++group.arrived < group.units.size()) return;
  group.arrived = 0;
  ++passed_;
  for (const unsigned member : group.units) {
    ports_[member]->release(now + lookahead(config_).event_to_tile);
  }
}

BarrierPort::BarrierPort(std::string where, unsigned unit, Barrier& barrier,
                         support::Calendar& calendar, unsigned calendar_index,
                         support::WatchHub& watch_hub, support::FaultPolicy& faults)
    : where_(std::move(where)),
      unit_(unit),
      barrier_(barrier),
      calendar_(calendar),
      calendar_index_(calendar_index),
      watch_hub_(watch_hub),
      faults_(faults) {
  barrier_.connect(unit, *this);
}

void BarrierPort::reset() {
  generation_ = 0;
  arrived_ = false;
}

void BarrierPort::release(Cycle when) {
  scheduler().wake(*this, when);
  calendar_.tile_woken(calendar_index_);
}

void BarrierPort::access(support::MmioAccess& access) {
  access.watch = kWatch;
  if (access.offset == regs::kGeneration && !access.write) {
    access.data = generation_;
  } else if (access.offset == regs::kArrive && access.write) {
    if (arrived_) {
      faults_.raise(
          {support::FaultKind::kFirmware, where_, "arrives at a barrier where it already waits"});
      return;
    }
    arrived_ = true;
    barrier_.arrive(unit_, access.now);
  } else {
    access.unmapped = true;
  }
}

void BarrierPort::run() {
  const Cycle now = next();
  ++generation_;
  arrived_ = false;
  set_next(support::kNever);
  watch_hub_.changed(kWatch, now, order());
}

}  // namespace tvp::pim
