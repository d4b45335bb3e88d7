#pragma once

#include <cstdint>
#include <string>

#include "models/support/mmio.h"

namespace tvp::pim {

/// Receives the call to stop the core of a unit.
class ExitClient {
 public:
  virtual ~ExitClient() = default;
  virtual void exited(std::uint32_t status, support::Cycle now) = 0;
};

/// Registers with the number of the unit and the time, and registers for its output and exit
/// (foundation/regs/pim.h).
class UnitControl : public support::MmioDevice {
 public:
  UnitControl(unsigned unit, unsigned units, std::uint32_t print_bytes, ExitClient& client)
      : unit_(unit), units_(units), print_bytes_(print_bytes), client_(client) {}

  void access(support::MmioAccess& access) override;
  const std::string& output() const { return output_; }
  void clear_output() { output_.clear(); }

 private:
  const unsigned unit_;
  const unsigned units_;
  const std::uint32_t print_bytes_;
  ExitClient& client_;
  std::uint32_t timer_high_ = 0;
  std::string output_;
};

}  // namespace tvp::pim
