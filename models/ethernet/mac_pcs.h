#pragma once

#include <string>
#include <utility>

#include "foundation/fault.h"
#include "models/support/mmio.h"

namespace tvp::ethernet {

/// MAC and PCS registers, 0xFFBA0000..0xFFBBFFFF. The link is up from the start. Other accesses
/// raise a fault that names the register as not modelled.
class MacPcs : public support::MmioDevice {
 public:
  MacPcs(std::string where, foundation::FaultPolicy& faults)
      : where_(std::move(where)), faults_(faults) {}
  void access(support::MmioAccess& access) override;

 private:
  std::string where_;
  foundation::FaultPolicy& faults_;
};

}  // namespace tvp::ethernet
