#include "models/pim/unit/barrier.h"

#include <algorithm>
#include <utility>

#include "foundation/regs/pim.h"
#include "models/support/tile_scheduler.h"

namespace tvp::pim {

namespace barrier_regs = regs::pim::barrier;
using support::Cycle;
using support::Watch;

namespace {
constexpr Watch kBarrierWatch = Watch::kSemaphore;
}

Barrier::Barrier(const PimConfig& config, ChannelArray& channels, support::Calendar& calendar,
                 ddr::ExternalBarrier* external)
    : config_(config),
      channels_(channels),
      calendar_(calendar),
      to_dram_(dram::Period::of_mhz(config.clock_mhz), channels.preset().timing.tck),
      to_logic_(channels.preset().timing.tck, dram::Period::of_mhz(config.clock_mhz)),
      external_(external),
      wires_(config.barrier == "fixed"),
      scheme_(config.barrier_scheme == "broadcasts" ? ddr::BarrierScheme::kBroadcasts
                                                    : ddr::BarrierScheme::kController) {}

void Barrier::connect(unsigned unit, BarrierPort& port) {
  if (ports_.size() <= unit) ports_.resize(unit + 1);
  ports_[unit] = &port;
  if (group_of_.size() <= unit) group_of_.resize(unit + 1);
  group_of_[unit] = groups_.size();
  groups_.emplace_back().units = {unit};
  arrange(groups_.back());
}

void Barrier::make_group(std::span<const unsigned> units) {
  for (const unsigned unit : units) {
    Group& before = groups_[group_of_[unit]];
    std::erase(before.units, unit);
    arrange(before);
    group_of_[unit] = groups_.size();
  }
  groups_.emplace_back().units = {units.begin(), units.end()};
  arrange(groups_.back());
  if (external_ != nullptr && groups_.back().wired.size() > 1) begin_external(groups_.size() - 1);
}

void Barrier::begin_external(std::size_t number) {
  for (std::size_t i = 0; i < number; ++i) {
    if (groups_[i].wired.size() < 2) continue;
    throw foundation::Fault(
        foundation::FaultKind::kDescription, "pim.ca_barrier",
        "rtl has barriers of one group of ranks at a time, and units of several "
        "ranks were started in another one before: expected tlm");
  }
  external_->begin(groups_[number].channels.front().ranks.ranks);
}

/// Sorts the units of a group by rank and channel.
void Barrier::arrange(Group& group) {
  group.wired.clear();
  group.channels.clear();
  group.levels = 0;
  for (const unsigned unit : group.units) {
    const unsigned rank = rank_of(unit);
    auto wired = std::ranges::find(group.wired, rank, &Wired::rank);
    if (wired == group.wired.end()) wired = group.wired.insert(wired, {rank, 0, 0});
    ++wired->units;
    const unsigned number = rank / channels_.ranks_of_channel();
    auto channel = std::ranges::find(group.channels, number, &Channel::number);
    if (channel == group.channels.end()) channel = group.channels.insert(channel, {number, {}, {}});
    channel->ranks.ranks |= 1U << rank % channels_.ranks_of_channel();
    channel->units.push_back(unit);
    group.levels = std::max(group.levels, channels_.levels_between(unit, group.units.front()));
  }
}

/// The arrivals meet at the rank's counter as late as possible, so that the time back to the units
/// remains.
void Barrier::arrive(unsigned unit, Cycle now) {
  const Cycle way_back = lookahead(config_).event_to_tile;
  calendar_.post(now + config_.barrier_cycles - way_back,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kOther),
                  .block = static_cast<std::uint16_t>(unit),
                  .port = 2,
                  .source = static_cast<std::uint16_t>(unit)},
                 *this, std::uint64_t{unit} << 8 | static_cast<std::uint64_t>(Step::kArrive));
}

void Barrier::fire(Cycle now, std::uint64_t token) {
  if (static_cast<Step>(token & 0xFF) == Step::kRelease) {
    const Group& group = groups_[token >> 32];
    return release(group.channels[token >> 8 & 0xFFFFFF].units, now);
  }
  if (static_cast<Step>(token & 0xFF) == Step::kEdge) return external_->rethrow();
  const auto unit = static_cast<unsigned>(token >> 8);
  const std::size_t number = group_of_[unit];
  Group& group = groups_[number];
  Wired& wired = *std::ranges::find(group.wired, rank_of(unit), &Wired::rank);
  if (++wired.arrived < wired.units) return;
  wired.arrived = 0;
  if (group.wired.size() > 1) return gathered(number, wired.rank, now);
  ++passed_;
  release(group.units, now);
}

/// All units of a rank have arrived.
void Barrier::gathered(std::size_t number, unsigned rank, Cycle now) {
  Group& group = groups_[number];
  const unsigned of_channel = channels_.ranks_of_channel();
  const auto channel = std::ranges::find(group.channels, rank / of_channel, &Channel::number);
  ddr::RankControl& control = control_of(*channel);
  const dram::MemCycle at = to_dram_.up(now);
  const unsigned in_channel = rank % of_channel;
  if (external_ != nullptr) return arrive_external(number, in_channel, at, now);
  if (group.channels.size() == 1) {
    const auto released = control.arrive(channel->ranks, in_channel, scheme_, at);
    if (!released) return;
    ++passed_;
    return post_release(number, 0, *released, now);
  }
  const auto known = control.gather(channel->ranks, in_channel, scheme_, at);
  if (!known) return;
  group.latest = std::max(group.latest, *known);
  if (++group.gathered < group.channels.size()) return;
  ++passed_;
  const dram::MemCycle met = group.latest + dram::MemCycle{group.levels} * config_.host_sync_cycles;
  group.gathered = 0;
  group.latest = 0;
  for (std::size_t i = 0; i < group.channels.size(); ++i) {
    const Channel& c = group.channels[i];
    post_release(number, i, control_of(c).release(c.ranks.ranks, met), now);
  }
}

/// The external barrier answers between this cycle and the next one, so there must be an event.
void Barrier::arrive_external(std::size_t group, unsigned rank, dram::MemCycle at, Cycle now) {
  calendar_.post(
      now + 1,
      {.phase = static_cast<std::uint8_t>(support::Phase::kLink), .port = 3, .sequence = posted_++},
      *this, static_cast<std::uint64_t>(Step::kEdge));
  external_group_ = group;
  external_arrival_ = now;
  const Channel& channel = groups_[group].channels.front();
  control_of(channel).count_arrival(channel.ranks, rank, scheme_);
  external_->arrive(rank, at, *this);
}

void Barrier::released(dram::MemCycle when) {
  ++passed_;
  const Channel& channel = groups_[external_group_].channels.front();
  control_of(channel).count_release(channel.ranks, scheme_);
  post_release(external_group_, 0, when, external_arrival_);
}

void Barrier::post_release(std::size_t group, std::size_t channel, dram::MemCycle when, Cycle now) {
  const unsigned unit = groups_[group].channels[channel].units.front();
  calendar_.post(std::max(to_logic_.up(when), now + 1),
                 {.phase = static_cast<std::uint8_t>(support::Phase::kOther),
                  .block = static_cast<std::uint16_t>(unit),
                  .port = 3,
                  .source = static_cast<std::uint16_t>(unit),
                  .sequence = posted_++},
                 *this,
                 std::uint64_t{group} << 32 | std::uint64_t{channel} << 8 |
                     static_cast<std::uint64_t>(Step::kRelease));
}

void Barrier::release(const std::vector<unsigned>& units, Cycle now) {
  for (const unsigned unit : units) ports_[unit]->release(now + lookahead(config_).event_to_tile);
}

BarrierPort::BarrierPort(std::string where, unsigned unit, Barrier& barrier,
                         support::Calendar& calendar, unsigned calendar_index,
                         support::WatchHub& watch_hub, foundation::FaultPolicy& faults)
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

void BarrierPort::report(bool arrives, Cycle now) const {
  using Event = support::ProbeEvent;
  if (probe_ == nullptr || !probe_->wants(Event::Kind::kBarrier)) return;
  probe_->report({.kind = Event::Kind::kBarrier,
                  .core = support::BusMaster::kB,
                  .pc = arrives ? probe_->pc_of(support::BusMaster::kB) : 0,
                  .index = static_cast<std::uint32_t>(barrier_.group_of(unit_)),
                  .is_written = arrives,
                  .value = generation_,
                  .cycle = now});
}

void BarrierPort::access(support::MmioAccess& access) {
  access.watch = kBarrierWatch;
  if (access.offset == barrier_regs::kGeneration && !access.write) {
    access.data = generation_;
    report(false, access.now);
  } else if (access.offset == barrier_regs::kArrive && access.write) {
    if (arrived_) {
      faults_.raise({foundation::FaultKind::kFirmware, where_,
                     "arrives at a barrier where it already waits"});
      return;
    }
    arrived_ = true;
    report(true, access.now);
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
  watch_hub_.changed(kBarrierWatch, now, order());
}

}  // namespace tvp::pim
