#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/support/time.h"

namespace tvp::platform {

/// Finds the times of kernels and of the firmware around them, as the device profiler of tt-metal
/// marks them. It gets each instruction of a core.
///
/// A kernel lasts from its first instruction to the first one of the firmware behind it. The
/// longest wait of the firmware between two kernels is its wait for the next program. The
/// firmware's zone lies between two of these waits.
class ZoneMeter {
 public:
  enum class Code : std::uint8_t { kUnknown, kFirmware, kKernel };
  struct Zone {
    bool is_kernel = false;
    std::uint32_t pc = 0;  ///< first instruction
    unsigned run = 0;      ///< number of the kernel on this core, from 1 on
    support::Cycle begin = 0;
    support::Cycle end = 0;
  };

  explicit ZoneMeter(std::function<Code(std::uint32_t pc)> code_at)
      : code_at_(std::move(code_at)) {}

  /// The instruction at `pc` follows at `when`, after `waited` cycles.
  void at(std::uint32_t pc, support::Cycle when, support::Cycle waited);
  /// Other code comes to the same addresses.
  void forget_code() { known_.fill({}); }
  /// The zones that have ended at `now`.
  std::vector<Zone> until(support::Cycle now) const;

 private:
  struct Known {
    std::uint32_t pc = ~0U;
    Code code = Code::kUnknown;
  };
  struct Wait {
    std::uint32_t pc = 0;
    support::Cycle begin = 0;
    support::Cycle end = 0;
    support::Cycle length() const { return end - begin; }
  };
  Code code_at(std::uint32_t pc);

  const std::function<Code(std::uint32_t pc)> code_at_;
  std::array<Known, 1024> known_;
  std::vector<Zone> zones_;
  Zone firmware_;  ///< the current zone of the firmware
  Zone kernel_;    ///< the current or last kernel
  Wait longest_;   ///< wait of the firmware since that
  support::Cycle last_ = 0;
  bool in_kernel_ = false;
};

}  // namespace tvp::platform
