#include "models/pim/unit/dma_waits.h"

#include <algorithm>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::pim {

using foundation::hex;
using support::BusMaster;
using support::Cycle;

namespace {

/// More than a program has under way that ever looks.
constexpr std::size_t kMost = 64;

}  // namespace

DmaWaits::DmaWaits(std::string where, foundation::FaultPolicy& faults)
    : where_(std::move(where)), sink_(dynamic_cast<foundation::WarningSink*>(&faults)) {
  if (sink_ != nullptr) in_flight_.set_listener(this);
}

void DmaWaits::watch(riscv::Core& core) {
  if (sink_ != nullptr) core.watch_l1(in_flight_);
}

void DmaWaits::started(std::uint32_t address, std::uint32_t bytes, bool to_bank, Cycle now) {
  if (sink_ == nullptr) return;
  if (unseen_.size() == kMost) forget_first(now);
  unseen_.push_back({.address = address,
                     .bytes = bytes,
                     .pc = in_flight_.pc_of(BusMaster::kB),
                     .to_bank = to_bank});
  in_flight_.command_started(BusMaster::kPimDma, BusMaster::kB, address, bytes, !to_bank, now);
}

void DmaWaits::done() {
  const auto first = std::find_if(unseen_.begin(), unseen_.end(),
                                  [](const Descriptor& each) { return !each.done; });
  if (first != unseen_.end()) first->done = true;
}

void DmaWaits::looked_at(Cycle now) {
  while (!unseen_.empty() && unseen_.front().done) forget_first(now);
}

void DmaWaits::forget_first(Cycle now) {
  const Descriptor first = unseen_.front();
  unseen_.pop_front();
  if (first.to_bank) {
    in_flight_.command_sent(BusMaster::kPimDma, first.address, first.bytes, now);
    in_flight_.counters_read(BusMaster::kPimDma);
  } else {
    in_flight_.command_received(BusMaster::kPimDma, first.address, first.bytes);
  }
}

void DmaWaits::reset(Cycle now) {
  while (!unseen_.empty()) forget_first(now);
  told_.clear();
}

bool DmaWaits::is_done(const support::L1InFlight::Transfer& command) const {
  return std::any_of(unseen_.begin(), unseen_.end(), [&](const Descriptor& each) {
    return each.done && each.pc == command.pc && each.address == command.access.address;
  });
}

void DmaWaits::too_early(const support::L1InFlight::Transfer& first,
                         const support::L1InFlight::Transfer& second) {
  if (second.is_command) return;
  const std::uint32_t pc = in_flight_.pc_of(BusMaster::kB);
  const auto places = std::make_pair(first.pc, pc);
  if (std::find(told_.begin(), told_.end(), places) != told_.end()) return;
  told_.push_back(places);
  warn(std::string(second.is_write ? "stores to" : "reads") + " WRAM " +
       hex(second.access.address) + " at pc " + hex(pc) + ", " +
       (first.is_write ? "to which a DMA brings " : "from which a DMA takes ") +
       std::to_string(first.access.bytes) + " bytes that it started at pc " + hex(first.pc) +
       (is_done(first) ? ", which it has not seen to be done, and which happened to be"
                       : ", which is not done") +
       ": a dma_wait is missing");
}

void DmaWaits::warn(const std::string& text) {
  sink_->warn(foundation::Fault(foundation::FaultKind::kFirmware, where_, text));
}

}  // namespace tvp::pim
