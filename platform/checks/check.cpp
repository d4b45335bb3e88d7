#include "platform/checks/check.h"

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::checks {

void Check::report(TileContext::Waits reaction, const std::string& where,
                   const std::string& text) const {
  const foundation::Fault fault(foundation::FaultKind::kFirmware, where, text);
  if (reaction == TileContext::Waits::kWarn) {
    tile_.warnings.warn(fault);
  } else {
    tile_.faults.raise(fault);
  }
}

void Check::warn(BusMaster core, const std::string& text) const {
  const TileContext::Core* const known = tile_.core(core);
  tile_.warnings.warn(foundation::Fault(foundation::FaultKind::kFirmware,
                                        known == nullptr ? tile_.where : known->where, text));
}

std::string Check::at(BusMaster core, std::uint32_t pc) const {
  const TileContext::Core* const known = tile_.core(core);
  const std::string line =
      known == nullptr ? std::string() : tile_.names.describe(tile_.owner(*known), pc);
  return line.empty() ? "\n  at pc " + foundation::hex(pc) : "\n  in " + line;
}

}  // namespace tvp::checks
