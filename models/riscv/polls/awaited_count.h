#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tvp::riscv {

class Core;

/// The count for which a core waits. The loop only loads a free-running counter, subtracts the
/// count, and repeats while the difference is negative.
class AwaitedCount {
 public:
  /// `core` outlives this object.
  explicit AwaitedCount(Core& core) : core_(core) {}

  /// Call it while the load is in progress. No value: the load belongs to other code. Reads
  /// registers and code without time.
  std::optional<std::uint32_t> get();
  /// The core gets other code.
  void forget() { loops_ = {}; }

 private:
  /// The code behind the load at `pc`. The count is the sum of a register and a constant.
  struct Loop {
    std::uint32_t pc = 1;  ///< 1: none
    bool waits = false;
    std::uint8_t reg = 0;
    std::uint32_t constant = 0;
  };
  Loop read(std::uint32_t pc) const;

  Core& core_;
  std::array<Loop, 16> loops_{};  ///< latest ones, by pc
};

}  // namespace tvp::riscv
