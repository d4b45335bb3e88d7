#include "models/tensix/tile/sync_window.h"

#include "foundation/regs/tensix_tile.h"

namespace tvp::tensix {

namespace regs = tvp::regs::tensix_tile;
using support::BusMaster;
using support::MmioAccess;

void SyncWindow::access(MmioAccess& access) {
  if (access.master == BusMaster::kB) {
    pc_buffers_.access_from_b((access.offset >> 16) - ((regs::kPcBuf0 >> 16) & 0xFFU), access);
    return;
  }
  const unsigned thread =
      static_cast<unsigned>(access.master) - static_cast<unsigned>(BusMaster::kT0);
  switch (access.offset & 0xFFFFU) {
    case 0:
      return pc_buffers_.access_from_t(thread, access);
    case regs::kCoprocessorDone & 0xFFFFU:
      return pc_buffers_.access_sync(thread, 0, access);
    case regs::kMopExpanderDone & 0xFFFFU:
      return pc_buffers_.access_sync(thread, 1, access);
    default:
      break;
  }
  if ((access.offset & 0xFFFFU) < (regs::kSemaphores & 0xFFFFU)) {
    access.unmapped = true;
    return;
  }
  const unsigned semaphore = ((access.offset - regs::kSemaphores) / 4) % 8;
  coprocessor_.windows().access_semaphore(semaphore, access);
}

}  // namespace tvp::tensix
