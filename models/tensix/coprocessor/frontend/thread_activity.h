#pragma once

#include <cstdint>
#include <string>

namespace tvp::tensix::coprocessor {

/// A thread's activity in a cycle: the instruction that it issues, or the cause of its stall.
struct ThreadActivity {
  enum class Kind : std::uint8_t {
    kIdle,
    kIssue,      ///< `detail`: opcode
    kFrontend,   ///< its instructions are still in FIFOs and expanders
    kDrain,      ///< everything is issued, but not done
    kSemwait,    ///< `detail`: semaphore mask << 2 | condition mask
    kStallwait,  ///< `detail`: conditions that do not hold yet
    kMutex,      ///< `detail`: mutex
    kUnitBusy,   ///< `detail`: unit
    kSrcA,       ///< the bank of SrcA belongs to the other side
    kSrcB,
    kRefused,  ///< unit `detail` refuses for another reason
    kHeld,     ///< the previous instruction holds the thread
  };
  Kind kind = Kind::kIdle;
  std::uint16_t detail = 0;

  std::uint64_t value() const { return static_cast<std::uint64_t>(kind) << 16 | detail; }
  /// Text of a value(): "MVMUL", "STALLWAIT SrcA for math", "packers busy".
  static std::string text(std::uint64_t value);
};

}  // namespace tvp::tensix::coprocessor
