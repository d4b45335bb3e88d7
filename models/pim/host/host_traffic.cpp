#include "models/pim/host/host_traffic.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::pim {

using dram::kNeverMem;
using dram::MemCycle;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {

dram::Preset with_ranks(const dram::Preset& preset, unsigned ranks) {
  dram::Preset result = preset;
  result.organization.ranks = ranks;
  return result;
}

dram::PatternSource::Options pattern_options(const HostTrafficConfig& config,
                                             const dram::Preset& preset, unsigned channel) {
  const unsigned burst = preset.organization.burst_bytes();
  dram::PatternSource::Options o;
  o.kind = config.pattern == "random"    ? dram::PatternSource::Kind::kRandom
           : config.pattern == "strided" ? dram::PatternSource::Kind::kStrided
                                         : dram::PatternSource::Kind::kStream;
  o.requests = ~std::uint64_t{0};
  o.working_set_bytes = std::max<std::uint64_t>(config.working_set_bytes / burst, 1) * burst;
  o.stride_bytes = config.stride_bursts * burst;
  o.burst_bytes = burst;
  o.read_share = config.read_share;
  o.rate = config.rate_per_ns * preset.timing.tck.ns();
  // Distance between the seeds of two channels, so that their random sequences differ.
  constexpr std::uint64_t kApart = 0x632BE59BD9B4E019;
  o.seed = config.seed + channel * kApart;
  return o;
}

}  // namespace

HostTraffic::Player::Player(const dram::Preset& preset, const dram::ChannelOptions& options,
                            const dram::PatternSource::Options& pattern, MemoryChannel& memory,
                            unsigned outstanding)
    : pins(memory), channel(preset, options), source(pattern), open(outstanding) {
  channel.set_pins(&pins);
  for (unsigned i = outstanding; i-- > 0;) free.push_back(i);
  source.next(next);
}

HostTraffic::HostTraffic(const HostTrafficConfig& config, const PimConfig& pim,
                         ChannelArray& channels, support::Calendar& calendar,
                         const Activity& activity)
    : config_(config),
      memory_(channels),
      calendar_(calendar),
      activity_(activity),
      to_dram_(dram::Period::of_mhz(pim.clock_mhz), channels.preset().timing.tck),
      to_logic_(channels.preset().timing.tck, dram::Period::of_mhz(pim.clock_mhz)),
      preset_(with_ranks(channels.preset(),
                         channels.ranks_of_channel() +
                             (config.target == "side_ranks" ? config.side_ranks.value() : 0U))) {
  if (config.pattern == "off") return;
  for (unsigned channel = 0; channel < channels.count(); ++channel) {
    players_.push_back(std::make_unique<Player>(preset_, dram::ChannelOptions{},
                                                pattern_options(config, preset_, channel),
                                                channels[channel], config.outstanding));
  }
}

/// Bank groups are the fastest index, so that a stream alternates between them.
void HostTraffic::find_banks(unsigned channel) {
  const dram::Organization& o = preset_.organization;
  Player& player = *players_[channel];
  player.banks.clear();
  const unsigned pim_ranks = memory_.ranks_of_channel();
  for (unsigned rank = 0; rank < o.ranks; ++rank) {
    if ((config_.target == "side_ranks") != (rank >= pim_ranks)) continue;
    for (unsigned i = 0; i < o.banks_per_rank(); ++i) {
      const unsigned bank = i % o.bank_groups * o.banks_per_group + i / o.bank_groups;
      if (rank < pim_ranks && !activity_.host_owns(channel * pim_ranks + rank, bank)) continue;
      player.banks.push_back(rank * o.banks_per_rank() + bank);
    }
  }
  if (!player.banks.empty()) return;
  throw Fault(FaultKind::kDescription, "",
              "host_traffic.target: host_banks needs a bank that the host owns in every chip of a "
              "rank, and channel " +
                  std::to_string(channel) +
                  " has none: expected side_ranks, or fewer units that run programs");
}

void HostTraffic::start(Cycle now) {
  if (!wanted()) return;
  const MemCycle at = to_dram_.up(now);
  for (unsigned channel = 0; channel < channels(); ++channel) {
    find_banks(channel);
    Player& player = *players_[channel];
    player.origin = at - std::min(at, player.next.not_before);
  }
  stepped_ = std::max(stepped_, at);
  if (!posted_) post(now);
}

void HostTraffic::post(Cycle when) {
  constexpr std::uint16_t kLast = 0xFFF;  // behind the events of units
  posted_ = true;
  calendar_.post(
      when, {.phase = static_cast<std::uint8_t>(support::Phase::kOther), .block = kLast, .port = 4},
      *this, 0);
}

void HostTraffic::fire(Cycle now, std::uint64_t) {
  posted_ = false;
  const MemCycle from = to_dram_.up(now);
  const MemCycle until = to_dram_.up(now + 1);
  const bool asks = activity_.busy(now);
  MemCycle next = kNeverMem;
  for (const auto& player : players_) {
    if (asks) player->totals.active += until - std::max(from, stepped_);
    next = std::min(next, step(*player, asks, from, until));
  }
  stepped_ = std::max(stepped_, until);
  if (asks) next = std::min(next, until);  // the next cycle checks again if programs run
  if (next != kNeverMem) post(std::max(to_logic_.down(next), now + 1));
}

/// Simulates a channel from one cycle of the units to the next. Returns the next time with work.
MemCycle HostTraffic::step(Player& player, bool asks, MemCycle from, MemCycle until) {
  retire(player, from);
  if (asks) ask(player, from, until);
  player.channel.advance(until);
  collect(player);
  MemCycle next = player.channel.next_decision();
  if (!player.done.empty()) next = std::min(next, player.done.front().at);
  return next;
}

void HostTraffic::retire(Player& player, MemCycle now) {
  while (!player.done.empty() && player.done.front().at <= now) {
    const Done done = player.done.front();
    std::ranges::pop_heap(player.done, later);
    player.done.pop_back();
    const Open& open = player.open[done.open];
    (open.write ? player.totals.write_latency : player.totals.read_latency)
        .add(done.at - open.wanted);
    player.totals.bytes += preset_.organization.burst_bytes();
    player.free.push_back(done.open);
  }
}

MemCycle HostTraffic::ask(Player& player, MemCycle from, MemCycle until) {
  const bool at_its_rate = config_.rate_per_ns > 0;
  while (!player.free.empty()) {
    const MemCycle wanted = at_its_rate ? player.origin + player.next.not_before : from;
    if (wanted >= until) return wanted;
    if (!try_ask(player, wanted, std::max(wanted, from))) break;
    player.source.next(player.next);
  }
  return kNeverMem;
}

bool HostTraffic::try_ask(Player& player, MemCycle wanted, MemCycle at) {
  const dram::Organization& o = preset_.organization;
  std::uint64_t burst = player.next.address / o.burst_bytes();
  dram::MemoryRequest request;
  request.bank = player.banks[burst % player.banks.size()];
  burst /= player.banks.size();
  request.column = static_cast<unsigned>(burst % o.bursts_per_row());
  request.row = burst / o.bursts_per_row() % o.rows;
  request.write = player.next.write;
  if (!player.channel.accepts(request.bank, request.write)) return false;
  const unsigned index = player.free.back();
  player.free.pop_back();
  player.open[index] = {wanted, request.write};
  request.tag = index;
  player.channel.enqueue(request, std::max(at, player.channel.now()));
  return true;
}

void HostTraffic::collect(Player& player) {
  for (const dram::Completion& c : player.channel.completions()) {
    player.done.push_back({c.done, static_cast<unsigned>(c.tag)});
    std::ranges::push_heap(player.done, later);
  }
  player.channel.clear_completions();
}

void HostTraffic::check_at_end() const {
  for (const auto& player : players_) {
    if (player->free.size() == player->open.size()) continue;
    throw Fault(FaultKind::kInternal, "host_traffic",
                std::to_string(player->open.size() - player->free.size()) +
                    " requests of the host were not answered");
  }
}

}  // namespace tvp::pim
