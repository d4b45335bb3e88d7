#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/support/time.h"

namespace tvp::host {

/// The ARC tile as the host sees it: the shared memory of its CPU, and the reset unit with the
/// scratch registers for messages. Sources: ISA ARCTile/README.md, ResetUnit.md; message codes of
/// tt-umd wormhole_implementation.hpp. The ARC CPU itself is not modelled; the messages listed in
/// kMessages are answered at once.
class ArcRegisters {
 public:
  static constexpr std::uint32_t kCsmBytes = 512 * 1024;
  static constexpr std::uint32_t kApbBytes = 1024 * 1024;
  static constexpr std::uint32_t kResetUnit = 0x30000;  ///< within the APB window
  static constexpr std::uint32_t kScratch = 0x60;
  static constexpr std::uint32_t kScratchCount = 6;
  static constexpr std::uint32_t kRefclkLow = 0xE0;
  static constexpr std::uint32_t kRefclkHigh = 0xE4;
  static constexpr std::uint32_t kMiscControl = 0x100;
  static constexpr std::uint32_t kMiscControlIrq = 1U << 16;

  /// `aiclk_mhz` is the answer to GET_AICLK.
  ArcRegisters(std::string where, unsigned aiclk_mhz, unsigned refclk_mhz,
               foundation::FaultPolicy& faults);

  std::uint8_t* csm() { return csm_.data(); }
  /// Aligned 32-bit access of the APB window.
  std::uint32_t read_apb(std::uint32_t offset, std::uint64_t now_ps);
  void write_apb(std::uint32_t offset, std::uint32_t value);

 private:
  void handle_message();
  void unmodelled(const char* what, std::uint32_t offset);

  std::string where_;
  unsigned aiclk_mhz_;
  std::uint64_t refclk_mhz_;
  foundation::FaultPolicy& faults_;
  std::vector<std::uint8_t> csm_;
  std::array<std::uint32_t, kScratchCount> scratch_{};
  std::uint32_t misc_control_ = 0;
};

}  // namespace tvp::host
