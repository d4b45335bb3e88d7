#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// Instructions issued, by thread and opcode, and number of active cycles.
class IssueCounters {
 public:
  void count(unsigned thread, std::uint32_t instruction) { ++issued_[thread][instruction >> 24]; }
  void active(std::uint64_t cycles = 1) { active_cycles_ += cycles; }

  std::uint64_t issued(unsigned thread, std::uint8_t opcode) const {
    return issued_[thread][opcode];
  }
  std::uint64_t issued(unsigned thread) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : issued_[thread]) sum += count;
    return sum;
  }
  /// Instructions of one opcode by all threads.
  std::uint64_t of_opcode(std::uint8_t opcode) const {
    std::uint64_t sum = 0;
    for (const auto& of_thread : issued_) sum += of_thread[opcode];
    return sum;
  }
  std::uint64_t active_cycles() const { return active_cycles_; }

 private:
  std::array<std::array<std::uint64_t, 256>, kThreads> issued_{};
  std::uint64_t active_cycles_ = 0;
};

}  // namespace tvp::tensix::coprocessor
