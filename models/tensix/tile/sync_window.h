#pragma once

#include "models/support/mmio.h"
#include "models/tensix/coprocessor/coprocessor.h"
#include "models/tensix/tile/pc_buffers.h"

namespace tvp::tensix {

/// The windows from PC_BUF_BASE on: PCBufs for B; PCBuf, TTSync and semaphores for the T cores (ISA
/// BabyRISCV/README.md, memory map). Uses the low 24 bits of the address.
class SyncWindow : public support::MmioDevice {
 public:
  SyncWindow(PcBuffers& pc_buffers, coprocessor::Coprocessor& coprocessor)
      : pc_buffers_(pc_buffers), coprocessor_(coprocessor) {}

  void access(support::MmioAccess& access) override;

 private:
  PcBuffers& pc_buffers_;
  coprocessor::Coprocessor& coprocessor_;
};

}  // namespace tvp::tensix
