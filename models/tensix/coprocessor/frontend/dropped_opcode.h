#pragma once

#include <cstdint>
#include <string>

#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/coprocessor_config.h"
#include "models/tensix/coprocessor/frontend/issue_counters.h"

namespace tvp::tensix::coprocessor {

/// Lets instructions of one opcode pass without effect. A test uses it to prove that it detects the
/// loss.
class DroppedOpcode {
 public:
  /// The setting for the coprocessor `where`.
  DroppedOpcode(const CoprocessorConfig& config, const std::string& where);

  /// Drops the nth one, counted from 1; 0: all.
  void set(regs::tensix::Opcode opcode, std::uint32_t nth = 0) {
    opcode_ = static_cast<int>(opcode);
    nth_ = nth;
  }
  bool any() const { return opcode_ >= 0; }
  bool takes(std::uint32_t instruction, const IssueCounters& counters) const {
    return static_cast<int>(instruction >> 24) == opcode_ && is_turn(counters);
  }

 private:
  bool is_turn(const IssueCounters& counters) const;

  int opcode_ = -1;
  std::uint32_t nth_ = 0;
};

}  // namespace tvp::tensix::coprocessor
