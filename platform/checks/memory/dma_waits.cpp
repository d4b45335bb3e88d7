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
      return done(engine_of(event.agent));
    case Kind::kCounterRead:
      return counted(event);
    case Kind::kReset:
      for (Engine* engine : {&dma_, &stop_}) {
        while (!engine->unseen.empty()) forget_first(*engine, event.cycle);
        engine->started = 0;
      }
      return reported_.clear();
    default:
      return accessed(event);
  }
}

void DmaWaits::started(const ProbeEvent& event) {
  if (event.thread != 0) return;  // its tasklet waits
  forget_left(event.cycle);
  Engine& engine = engine_of(event.agent);
  if (engine.unseen.size() == kMost) forget_first(engine, event.cycle);
  const auto address = static_cast<std::uint32_t>(event.address);
  const bool reads = event.request == ProbeEvent::Request::kWrite;
  engine.unseen.push_back({.address = address,
                           .bytes = event.bytes,
                           .pc = event.pc,
                           .reads = reads,
                           .number = ++engine.started});
  in_flight_->note_pc(event.core, event.pc);
  in_flight_->command_started(event.agent, event.core, address, event.bytes, !reads, event.cycle);
}

void DmaWaits::counted(const ProbeEvent& event) {
  if (static_cast<std::int32_t>(event.value - event.pushed) < 0) return;  // it waits on
  if (event.index != 0) return forget_left(event.cycle);
  Engine& engine = engine_of(event.agent);
  while (!engine.unseen.empty() &&
         static_cast<std::int32_t>(event.pushed - engine.unseen.front().number) >= 0)
    forget_first(engine, event.cycle);
}

/// Messages that have left WRAM, as others have shown.
void DmaWaits::forget_left(Cycle now) {
  if (tile_.order == nullptr || stop_.unseen.empty() || learned_ == tile_.order->learned()) return;
  learned_ = tile_.order->learned();
  while (!stop_.unseen.empty() &&
         tile_.order->has_left(tile_.order->number_of(stop_.unseen.front().number)))
    forget_first(stop_, now);
}

/// The engine has finished the oldest transfer that was not done.
void DmaWaits::done(Engine& engine) {
  const auto first = std::find_if(engine.unseen.begin(), engine.unseen.end(),
                                  [](const Descriptor& each) { return !each.done; });
  if (first != engine.unseen.end()) first->done = true;
}

/// An access by the core, or by the stop for a message that the core sends.
void DmaWaits::accessed(const ProbeEvent& event) {
  if (event.agent == BusMaster::kPimStop && dma_.unseen.empty()) return;
  forget_left(event.cycle);
  in_flight_->note_pc(event.core, event.pc);
  in_flight_->core_accesses(event.core, static_cast<std::uint32_t>(event.address), event.bytes,
                            event.kind == Kind::kWritten, event.cycle);
}

void DmaWaits::forget_first(Engine& engine, Cycle now) {
  const Descriptor first = engine.unseen.front();
  engine.unseen.pop_front();
  if (first.bytes == 0) return;  // a signal
  if (first.reads) {
    in_flight_->command_sent(engine.agent, first.address, first.bytes, now);
    in_flight_->counters_read(engine.agent);
  } else {
    in_flight_->command_received(engine.agent, first.address, first.bytes);
  }
}

bool DmaWaits::is_done(const L1InFlight::Transfer& command) {
  const Engine& engine = engine_of(command.access.agent);
  return std::any_of(engine.unseen.begin(), engine.unseen.end(), [&](const Descriptor& each) {
    return each.done && each.pc == command.pc && each.address == command.access.address;
  });
}

void DmaWaits::too_early(const L1InFlight::Transfer& first, const L1InFlight::Transfer& second) {
  // The DMA engine executes its own commands in their order.
  const bool is_of_both = first.access.agent == BusMaster::kPimStop &&
                          second.access.agent == BusMaster::kPimDma && second.is_write;
  if (second.is_command && !is_of_both) return;
  const std::uint32_t pc = in_flight_->pc_of(BusMaster::kB);
  const auto places = std::make_pair(first.pc, pc);
  if (std::find(reported_.begin(), reported_.end(), places) != reported_.end()) return;
  reported_.push_back(places);
  const bool is_message = first.access.agent == BusMaster::kPimStop;
  const std::string what = is_message ? "message" : "DMA";
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where,
      std::string(second.is_command ? "starts a DMA into"
                  : second.is_write ? "stores to"
                                    : "reads") +
          " WRAM " + hex(second.access.address) + " at pc " + hex(pc) + ", " +
          (first.is_write ? "to which a " : "from which a ") + what +
          (first.is_write ? " brings " : " takes ") + std::to_string(first.access.bytes) +
          " bytes that it started at pc " + hex(first.pc) + ". The " + what +
          (is_done(first) ? " was over in time only by luck. " : " is not over. ") + "Expected a " +
          (is_message ? "send_wait" : "dma_wait") + " between the two. Add one."));
}

}  // namespace tvp::checks
