#include "platform/checks/memory/dma_waits.h"

#include <algorithm>
#include <string>

#include "foundation/hex.h"

namespace tvp::checks {

using foundation::hex;
using Kind = ProbeEvent::Kind;

namespace {

/// Limit of descriptors in the list, above the number that a program has under way between waits.
constexpr std::size_t kMost = 64;

}  // namespace

DmaWaits::DmaWaits(const TileContext& tile) : Check(tile) {
  if (tile.kind != TileContext::Kind::kPimUnit) return;
  in_flight_ = std::make_unique<L1InFlight>(*tile.probe);
  in_flight_->set_listener(this);
}

Probe::Kinds DmaWaits::kinds() const {
  if (in_flight_ == nullptr) return 0;
  Probe::Kinds kinds = 0;
  for (const Kind kind : {Kind::kCommand, Kind::kAnswer, Kind::kCounterRead, Kind::kRead,
                          Kind::kWritten, Kind::kReset})
    kinds |= Probe::bit(kind);
  return kinds;
}

void DmaWaits::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kCommand:
      return started(event);
    case Kind::kAnswer:
      return done();
    case Kind::kCounterRead:
      while (!unseen_.empty() && unseen_.front().done) forget_first(event.cycle);
      return;
    case Kind::kReset:
      while (!unseen_.empty()) forget_first(event.cycle);
      return reported_.clear();
    default:
      return accessed(event);
  }
}

void DmaWaits::started(const ProbeEvent& event) {
  if (unseen_.size() == kMost) forget_first(event.cycle);
  const auto address = static_cast<std::uint32_t>(event.address);
  const bool to_bank = event.request == ProbeEvent::Request::kWrite;
  unseen_.push_back({.address = address, .bytes = event.bytes, .pc = event.pc, .to_bank = to_bank});
  in_flight_->note_pc(event.core, event.pc);
  in_flight_->command_started(event.agent, event.core, address, event.bytes, !to_bank, event.cycle);
}

/// The engine has finished the oldest descriptor that was not done.
void DmaWaits::done() {
  const auto first = std::find_if(unseen_.begin(), unseen_.end(),
                                  [](const Descriptor& each) { return !each.done; });
  if (first != unseen_.end()) first->done = true;
}

/// An access by the core, or by the stop for a message that the core sends.
void DmaWaits::accessed(const ProbeEvent& event) {
  if (event.agent == BusMaster::kPimStop && unseen_.empty()) return;
  in_flight_->note_pc(event.core, event.pc);
  in_flight_->core_accesses(event.core, static_cast<std::uint32_t>(event.address), event.bytes,
                            event.kind == Kind::kWritten, event.cycle);
}

void DmaWaits::forget_first(Cycle now) {
  const Descriptor first = unseen_.front();
  unseen_.pop_front();
  if (first.to_bank) {
    in_flight_->command_sent(BusMaster::kPimDma, first.address, first.bytes, now);
    in_flight_->counters_read(BusMaster::kPimDma);
  } else {
    in_flight_->command_received(BusMaster::kPimDma, first.address, first.bytes);
  }
}

bool DmaWaits::is_done(const L1InFlight::Transfer& command) const {
  return std::any_of(unseen_.begin(), unseen_.end(), [&](const Descriptor& each) {
    return each.done && each.pc == command.pc && each.address == command.access.address;
  });
}

void DmaWaits::too_early(const L1InFlight::Transfer& first, const L1InFlight::Transfer& second) {
  if (second.is_command) return;
  const std::uint32_t pc = in_flight_->pc_of(BusMaster::kB);
  const auto places = std::make_pair(first.pc, pc);
  if (std::find(reported_.begin(), reported_.end(), places) != reported_.end()) return;
  reported_.push_back(places);
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where,
      std::string(second.is_write ? "stores to" : "reads") + " WRAM " + hex(second.access.address) +
          " at pc " + hex(pc) + ", " +
          (first.is_write ? "to which a DMA brings " : "from which a DMA takes ") +
          std::to_string(first.access.bytes) + " bytes that it started at pc " + hex(first.pc) +
          (is_done(first) ? ". The DMA was over in time only by luck. "
                          : ". The DMA is not over. ") +
          "Expected a dma_wait between the two. Add one."));
}

}  // namespace tvp::checks
