#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/dram/timing/dram_command.h"

namespace tvp::dram {

/// The next possible command of a bank, and its earliest time.
struct Candidate {
  MemCycle at = 0;          ///< earliest legal time, not before now
  std::uint64_t order = 0;  ///< of arrival of the request it serves
  unsigned bank = 0;
  unsigned slot = 0;  ///< the request
  DramCommand command = DramCommand::kActivate;
  bool column = false;  ///< a row hit
};

/// Which request goes first.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// True if a request to the open row may pass the oldest one of its bank, which `passed` others
  /// have passed before.
  virtual bool hit_may_pass(unsigned passed) const = 0;
  /// Index of the candidate to issue; `candidates` is not empty.
  virtual std::size_t pick(std::span<const Candidate> candidates) const = 0;
};

}  // namespace tvp::dram
