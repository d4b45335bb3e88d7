#include "platform/machine/dram_accesses.h"

#include <algorithm>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::platform {

bool DramAccesses::give(unsigned kind, std::span<const std::uint32_t> words) {
  for (KnownCore& known : cores_) {
    if (known.kind != kind) continue;
    known.given.assign(words.begin(), words.end());
    std::sort(known.given.begin(), known.given.end());
    for (const std::uint32_t word : known.given) buffers_.given(word, known.core->where());
    return true;
  }
  return false;
}

/// Kernels may get addresses in other ways, too: only what goes on behind a buffer whose address is
/// given is told.
std::string DramAccesses::not_given(const KnownCore& by, const DramBuffers::Found& found) {
  const auto has = [&](std::uint64_t address) {
    return std::binary_search(by.given.begin(), by.given.end(), address);
  };
  if (!found.before || !has(*found.before) || has(found.buffer)) return {};
  return "address " + foundation::hex(found.address) + " of DRAM bank " +
         std::to_string(found.bank) + ", in the buffer at " + foundation::hex(found.buffer) +
         ", whose address is not among the arguments of its kernel; that of the buffer before it "
         "is, " +
         foundation::hex(*found.before);
}

void DramAccesses::started(support::BusMaster core, const Access& access) {
  if (!access.is_read)
    buffers_.written(access.noc0, access.address, access.bytes,
                     access.of_nothing ? sender_of_nothing(core, access) : std::string());
  const DramBuffers::Found found = buffers_.look_up(access.noc0, access.address, access.bytes);
  if (found.beyond.empty() && !found.before) return;
  for (const KnownCore& known : cores_) {
    if (known.core->master() != core) continue;
    const std::string wrong = found.beyond.empty() ? not_given(known, found) : found.beyond;
    if (!wrong.empty()) warn(known, access, wrong);
    return;
  }
}

/// What is told if the host ever reads it.
std::string DramAccesses::sender_of_nothing(support::BusMaster core, const Access& access) const {
  for (const KnownCore& known : cores_) {
    if (known.core->master() != core) continue;
    const std::uint32_t pc = *known.core->pc_of_access();
    const std::string at = symbols_.describe(tile_.chip, tile_.x, tile_.y, known.kind, pc);
    return known.core->where() + " has sent " + std::to_string(access.bytes) +
           " bytes of its L1 from " + foundation::hex(access.from) +
           " on, where nobody has ever written anything" +
           (at.empty() ? ", at pc " + foundation::hex(pc) : "\n  in " + at);
  }
  return {};
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
