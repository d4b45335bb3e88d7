#include "platform/checks/firmware_guard.h"

#include <string>

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

FirmwareGuard::FirmwareGuard(const TileContext& tile) : Check(tile) {
  if (tile.looks_at_l1()) tile.record->l1.set_guard(this);
}

void FirmwareGuard::trespassed(const LastWriters::Write& write, std::uint32_t address,
                               std::uint32_t bytes) {
  guarded([&] { report(write, address, bytes); });
}

void FirmwareGuard::report(const LastWriters::Write& write, std::uint32_t address,
                           std::uint32_t bytes) {
  if (write.agent == BusMaster::kDebug) return;  // the host
  if (!told_.insert({write.x, write.y, write.core, write.pc}).second) return;
  const WriterText text(tile_.chip, tile_.names, false);
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where,
      std::to_string(bytes) + " bytes are written at " + foundation::hex(address) +
          " of L1, where the tile's firmware and its mailboxes are: " +
          text.written(tile_.x, tile_.y, write)));
}

}  // namespace tvp::checks
