#pragma once

#include <array>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::riscv {

/// The control and status registers of a core of Blackhole (ISA BlackholeA0 BabyRISCV/CSRs.md).
class CsrFile {
 public:
  static constexpr std::uint32_t kCfg0 = 0x7C0;

  /// The time of an access.
  struct Now {
    support::Cycle cycle;
    std::uint64_t instructions;  ///< executed since the core was made
  };

  void reset(support::Cycle now);
  /// Returns null, or the reason for which the register cannot be read.
  const char* read(std::uint32_t number, const Now& now, std::uint32_t& value) const;
  /// The register must be readable. A read-only register keeps its value.
  void write(std::uint32_t number, const Now& now, std::uint32_t value);

  // cfg0

  bool merges_stores() const { return (words_[kCfg0Slot] >> 12 & 1U) == 0; }
  std::uint32_t merge_cycles() const { return words_[kCfg0Slot] >> 13 & 31U; }

 private:
  static constexpr unsigned kCfg0Slot = 0;
  static constexpr unsigned kSlots = 32;

  static int slot_of(std::uint32_t number);

  std::array<std::uint32_t, kSlots> words_{};
  /// Value of each counter when the cycle, or the number of instructions, was 0.
  std::uint64_t cycle_base_ = 0, instruction_base_ = 0;
};

}  // namespace tvp::riscv
