#include "models/ethernet/mac_pcs.h"

#include <cstdio>

#include "foundation/regs/ethernet.h"

namespace tvp::ethernet {

void MacPcs::access(support::MmioAccess& access) {
  char text[80];
  std::snprintf(text, sizeof text, "%s of ethernet MAC or PCS register 0x%08X",
                access.write ? "write" : "read", regs::ethernet::kMac + access.offset);
  faults_.raise(foundation::Fault(foundation::FaultKind::kUnmodelled, where_, text));
}

}  // namespace tvp::ethernet
