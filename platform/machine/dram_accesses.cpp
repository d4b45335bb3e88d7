#include "platform/machine/dram_accesses.h"

#include <algorithm>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::platform {

void DramAccesses::started(support::BusMaster core, const Access& access) {
  const std::string beyond = buffers_.beyond(access.noc0, access.address, access.bytes);
  if (beyond.empty()) return;
  for (const KnownCore& known : cores_)
    if (known.core->master() == core) return warn(known, access, beyond);
}

void DramAccesses::warn(const KnownCore& of, const Access& access, const std::string& beyond) {
  const std::uint32_t pc = *of.core->pc_of_access();
  if (told_at_ != buffers_.changes()) told_.clear();
  told_at_ = buffers_.changes();
  const auto place = std::make_pair(of.core, pc);
  if (std::find(told_.begin(), told_.end(), place) != told_.end()) return;
  told_.push_back(place);
  const std::string at = symbols_.describe(tile_.chip, tile_.x, tile_.y, of.kind, pc);
  warnings_.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, of.core->where(),
      (access.is_read ? "reads " : "writes ") + std::to_string(access.bytes) + " bytes at " +
          beyond + (at.empty() ? ", at pc " + foundation::hex(pc) : "\n  in " + at)));
}

}  // namespace tvp::platform
