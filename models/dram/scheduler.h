#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "models/dram/command.h"

namespace tvp::dram {

/// What a bank could do next, and when.
struct Candidate {
  MemCycle at = 0;          ///< earliest legal time, not before now
  std::uint64_t order = 0;  ///< of arrival of the request it serves
  unsigned bank = 0;
  unsigned slot = 0;  ///< the request
  Command command = Command::kActivate;
  bool column = false;  ///< a row hit
};

/// Which request goes first.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// Whether a request to the open row may pass the oldest one of its bank, which `passed` others
  /// have passed before.
  virtual bool hit_may_pass(unsigned passed) const = 0;
  /// Index of the candidate to issue; `candidates` is not empty.
  virtual std::size_t pick(std::span<const Candidate> candidates) const = 0;
};

/// First come, first served: one request after the other, over all banks.
class Fcfs : public Scheduler {
 public:
  bool hit_may_pass(unsigned) const override { return false; }
  std::size_t pick(std::span<const Candidate> candidates) const override;
};

/// First ready, first come, first served: of the commands that are legal first, column commands
/// before others, then the oldest. `cap` row hits may pass an older request of their bank.
class FrFcfs : public Scheduler {
 public:
  explicit FrFcfs(unsigned cap) : cap_(cap) {}
  bool hit_may_pass(unsigned passed) const override { return passed < cap_; }
  std::size_t pick(std::span<const Candidate> candidates) const override;

 private:
  const unsigned cap_;
};

/// "fcfs" or "fr_fcfs".
std::unique_ptr<Scheduler> make_scheduler(std::string_view name, unsigned cap);

}  // namespace tvp::dram
