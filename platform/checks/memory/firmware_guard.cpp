#include "platform/checks/memory/firmware_guard.h"

#include <string>

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

/// A read whose answers will overwrite the firmware. It is named before its consequences are.
void FirmwareGuard::command(const ProbeEvent& event) {
  const auto address = static_cast<std::uint32_t>(event.address);
  if (!event.is_local || event.request != ProbeEvent::Request::kRead) return;
  if (address >= tile_.record->l1.guarded_below()) return;
  const TileContext::Core* const core = tile_.core(event.core);
  if (core == nullptr || tile_.names.is_of_first(tile_.owner(*core), event.pc)) return;
  constexpr auto kOwn = LastWriters::Write::kOwnTile;
  if (!reported_.insert({kOwn, kOwn, event.core, event.pc}).second) return;
  warn(event.core, "reads " + std::to_string(event.bytes) + " bytes to " +
                       foundation::hex(address) +
                       " of L1, over the tile's firmware and its mailboxes. Expected an address "
                       "behind them." +
                       (address == 0 ? " The address of a circular buffer that the program does "
                                       "not create is 0: check the buffer's index."
                                     : " Check the address.") +
                       at(event.core, event.pc));
}

void FirmwareGuard::report(const TileRecord::Trespass& found) {
  const auto& [write, address, bytes] = found;
  if (write.agent == BusMaster::kDebug) return;  // the host
  if (!reported_.insert({write.x, write.y, write.core, write.pc}).second) return;
  const WriterText text(tile_.chip, tile_.names, false);
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where,
      std::to_string(bytes) + " bytes are written at " + foundation::hex(address) +
          " of L1, over the tile's firmware and its mailboxes. Expected an address behind them. "
          "Check the address of the write: " +
          text.written(tile_.x, tile_.y, write)));
}

}  // namespace tvp::checks
