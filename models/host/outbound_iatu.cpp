#include "models/host/outbound_iatu.h"

#include <algorithm>
#include <cstdio>

namespace tvp::host {

using foundation::Fault;
using foundation::FaultKind;

std::uint32_t OutboundIatu::register_at(std::uint32_t offset, const char* what) const {
  const std::uint32_t at = offset % kRegionBytes;
  if (at <= kTargetHigh) return at / 4;
  char text[96];
  std::snprintf(text, sizeof text, "%s of iATU region %u, %s register 0x%X, is not modelled", what,
                offset / kRegionBytes, at >= kInbound ? "inbound" : "outbound", at % kInbound);
  throw Fault(FaultKind::kUnmodelled, where_, text);
}

std::uint32_t OutboundIatu::read(std::uint32_t offset) const {
  const std::uint32_t index = register_at(offset, "read");
  return regions_[offset / kRegionBytes].words[index];
}

void OutboundIatu::write(std::uint32_t offset, std::uint32_t value) {
  const std::uint32_t index = register_at(offset, "write");
  // The registers also select other access types and functions of a region; only plain memory is
  // supported.
  const bool plain = index == kControl1 / 4   ? value == 0
                     : index == kControl2 / 4 ? (value & ~kEnable) == 0
                                              : true;
  if (!plain) {
    char text[96];
    std::snprintf(text, sizeof text,
                  "0x%X in control register %u of iATU region %u is not modelled", value, index + 1,
                  offset / kRegionBytes);
    throw Fault(FaultKind::kUnmodelled, where_, text);
  }
  regions_[offset / kRegionBytes].words[index] = value;
}

OutboundIatu::Target OutboundIatu::translate(std::uint64_t address, std::uint32_t bytes) const {
  std::uint64_t end = address + bytes;  // end of the range with the same translation
  for (const Region& region : regions_) {
    if (!region.enabled()) continue;
    if (address >= region.base() && address <= region.last()) {
      end = std::min(end, region.last() + 1);
      return {region.target() + (address - region.base()),
              static_cast<std::uint32_t>(end - address)};
    }
    if (address < region.base()) end = std::min(end, region.base());
  }
  return {address, static_cast<std::uint32_t>(end - address)};
}

}  // namespace tvp::host
