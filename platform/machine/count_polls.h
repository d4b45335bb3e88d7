#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/riscv/decode/decoder.h"
#include "platform/checks/poll_reader.h"

namespace tvp::riscv {
class Core;
}

namespace tvp::platform {

/// The polls of a tile's cores in which they wait for pages. Follows the instructions from the load
/// of a count to the branch that compares it, with the core's registers, and finds the count at
/// which the branch leaves the loop.
class CountPolls : public checks::PollReader {
 public:
  /// `core` outlives this.
  void add(riscv::Core& core) { cores_.push_back(&core); }
  std::uint32_t awaited(const checks::ProbeEvent& read) override;
  void forget() override { paths_ = {}; }

 private:
  static constexpr unsigned kMostSteps = 24;  ///< from the load to the branch
  static constexpr unsigned kPaths = 64;
  /// The code behind a load.
  struct Path {
    std::uint32_t pc = 1;  ///< 1: none
    const riscv::Core* core = nullptr;
    std::vector<riscv::Op> steps{};  ///< from the load to the branch; empty: this is no poll
    bool loops_if_taken = false;
  };
  /// A register: its value, and how it depends on the loaded count.
  struct Value {
    enum class By : std::uint8_t { kNothing, kCount, kMinusCount, kComparison, kUnknown };
    std::uint32_t now = 0;
    By by = By::kNothing;
    std::uint32_t shifted = 0;  ///< left by so many bits, to clear the upper bits by another shift
  };
  /// True if `left` is less than `right`.
  struct Comparison {
    Value left{}, right{};
  };
  class Turn;

  riscv::Core* core_of(checks::BusMaster master) const;
  const Path& path_of(riscv::Core& core, std::uint32_t pc);
  static Path follow(riscv::Core& core, std::uint32_t pc);
  static std::optional<bool> loops_if_taken(riscv::Core& core, std::uint32_t begin,
                                            std::uint32_t branch, const riscv::Op& op);

  std::vector<riscv::Core*> cores_;
  std::array<Path, kPaths> paths_{};
};

}  // namespace tvp::platform
