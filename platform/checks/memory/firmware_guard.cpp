#include "platform/checks/memory/firmware_guard.h"

#include <string>

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

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
