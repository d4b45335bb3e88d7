#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/dram/timing/dram_command.h"

namespace tvp::dram {

/// The next possible command of a bank, and its earliest time.
struct Candidate {
  MemCycle at = 0;          ///< earliest legal time, at least now
  std::uint64_t order = 0;  ///< arrival order of the request
  unsigned bank = 0;
  unsigned slot = 0;  ///< slot of the request
  DramCommand command = DramCommand::kActivate;
  bool column = false;  ///< true for a row hit
};

/// Selects the next request.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// True if a request to the open row may pass the oldest request of its bank, which `passed`
  /// others have already passed.
  virtual bool hit_may_pass(unsigned passed) const = 0;
  /// Index of the candidate to issue; `candidates` is not empty.
  virtual std::size_t pick(std::span<const Candidate> candidates) const = 0;
};

}  // namespace tvp::dram
