#include "platform/checks/noc/early_signals.h"

#include <algorithm>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"
#include "foundation/regs/noc.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

std::string tile_text(unsigned x, unsigned y) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + ")";
}

std::string place_text(const SignalledWrites::Place& place) {
  if (place.y0 == SignalledWrites::Place::kDram) return "DRAM bank " + std::to_string(place.x0);
  const std::string end = tile_text(place.x1, place.y1);
  if (place.x0 == place.x1 && place.y0 == place.y1) return "tile " + end;
  return "tiles " + tile_text(place.x0, place.y0) + " to " + end;
}

}  // namespace

EarlySignals::EarlySignals(const TileContext& tile) : Check(tile) {
  if (tile.is_tensix() && tile.signals != nullptr) writes_ = &tile.signals->add(tile);
}

Probe::Kinds EarlySignals::kinds() const {
  if (writes_ == nullptr) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kCounterRead) | Probe::bit(Kind::kRequest) |
         Probe::bit(Kind::kProgramEnds);
}

void EarlySignals::on(const ProbeEvent& event) {
  namespace noc = regs::noc;
  switch (event.kind) {
    case Kind::kCommand:
      if (const auto found = writes_->command(event); found) report(*found, event);
      return;
    case Kind::kCounterRead:
      if (event.index == noc::kMstWrAckReceived ||
          (event.index >= noc::kMstReqsOutstandingId && event.index < noc::kMstWriteReqsOutgoingId))
        writes_->answered(event.agent);
      return;
    case Kind::kRequest:
      return writes_->requested(event);
    default:  // kProgramEnds
      return writes_->program_ends();
  }
}

/// Warns once for each pair of write and signal in the code.
void EarlySignals::report(const SignalledWrites::Found& found, const ProbeEvent& read) {
  const auto& [sender, write, signal] = found;
  const std::pair place{write.pc, signal.pc};
  if (std::find(reported_.begin(), reported_.end(), place) != reported_.end()) return;
  reported_.push_back(place);
  const WriterText text(tile_.chip, tile_.names, false);
  const auto line = [&](const TileContext& tile, BusMaster core, std::uint32_t pc, Cycle cycle) {
    return text.at(tile.x, tile.y, core, pc, cycle);
  };
  const TileContext::Core* const core = sender->core(signal.core);
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, core == nullptr ? sender->where : core->where,
      "signals to tile " + tile_text(tile_.x, tile_.y) + " before its write of " +
          std::to_string(write.place.bytes) + " bytes to " + place_text(write.place) +
          " at address " + foundation::hex(write.place.address) + " is acknowledged, and tile " +
          tile_text(tile_.x, tile_.y) +
          " reads this data, which may not have arrived. Expected a noc_async_write_barrier "
          "between the write and the signal; a flush waits only for the source. Add one." +
          line(*sender, signal.core, signal.pc, signal.cycle) +
          "\n  The write:" + line(*sender, write.core, write.pc, write.cycle) +
          "\n  The read:" + line(tile_, read.core, read.pc, read.cycle)));
}

}  // namespace tvp::checks
