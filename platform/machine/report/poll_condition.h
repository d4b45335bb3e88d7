#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::riscv {
class Core;
}

namespace tvp::platform {

/// A comparison in the poll loop of a sleeping core: the value of some loads, and the value with
/// which the loop ends.
struct PollCondition {
  enum class Relation : std::uint8_t { kEqual, kNotEqual, kAtLeast, kAtMost };
  struct Load {
    std::uint32_t address = 0;
    std::uint32_t value = 0;
    int sign = 1;  ///< the compared value is the sum of the loads, with these signs, and a constant
  };

  std::vector<Load> loads;
  Relation relation = Relation::kEqual;
  /// If false, the loop changes the loads before it compares them in a way that is not known, and
  /// `now` and `awaited` say nothing.
  bool is_sum = true;
  std::uint32_t now = 0;
  std::uint32_t awaited = 0;
};

/// " to be at least 3".
std::string relation_text(const PollCondition& condition);
/// The condition for the sum of its loads, without a constant, and with a positive first load.
PollCondition by_loads(PollCondition condition);

/// Executes one turn of the loop in which the core sleeps, on copies of its registers, and returns
/// the conditions of the branches that would leave it. Empty if the loop is not recognized.
std::vector<PollCondition> poll_conditions(riscv::Core& core);

}  // namespace tvp::platform
