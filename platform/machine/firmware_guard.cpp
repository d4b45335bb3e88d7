#include "platform/machine/firmware_guard.h"

#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"
#include "platform/machine/provenance.h"

namespace tvp::platform {

FirmwareGuard::FirmwareGuard(Chip& chip, tensix::TensixTile& tile, const SymbolTable& symbols,
                             foundation::WarningSink& warnings)
    : chip_(chip), tile_(tile), symbols_(symbols), warnings_(warnings) {
  tile.l1().in_flight().set_guard(this);
}

void FirmwareGuard::trespassed(const support::LastWriters::Write& write, std::uint32_t address,
                               std::uint32_t bytes) {
  if (write.agent == support::BusMaster::kDebug) return;  // the host
  if (!told_.insert({write.x, write.y, write.core, write.pc}).second) return;
  warnings_.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where(),
      std::to_string(bytes) + " bytes are written at " + foundation::hex(address) +
          " of L1, where the tile's firmware and its mailboxes are: " +
          Provenance(chip_, symbols_, false).written(tile_.x(), tile_.y(), write)));
}

}  // namespace tvp::platform
