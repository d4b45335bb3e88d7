#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/collectives/arguments.h"
#include "sw/collectives/pim/bank_contents.h"
#include "sw/collectives/pim/pim_plan.h"

namespace tvp::collectives {

/// One collective on a PIM system: places the operands in the banks, runs the units' programs (or
/// HostPath moves the bytes), and compares every rank's result with the expected one.
class PimRun {
 public:
  struct Outcome {
    BankVectors::Verdict verdict;
    std::string reason;  ///< empty if all results are right
    // Cycles of the units' clock.
    std::uint64_t begin = 0;   ///< the first unit leaves the barrier before the collective
    std::uint64_t middle = 0;  ///< the last unit ends the reduce-scatter of an all-reduce
    std::uint64_t end = 0;     ///< the last result is in its bank
    std::uint64_t instructions = 0;
  };

  PimRun(const PimRun&) = delete;
  PimRun& operator=(const PimRun&) = delete;
  /// Throws Fault(kDescription) if the request does not fit the system.
  PimRun(runtime::PimSystem& system, const PimRequest& request);

  const PimPlan& plan() const { return plan_; }
  const BankVectors& vectors() const { return vectors_; }
  /// Bank addresses of operands and results, alike on all ranks.
  std::uint32_t input_address() const { return 0; }
  std::uint32_t output_address() const { return area_bytes_; }
  const BankContents& contents() const { return contents_; }

  void place_operands();
  void run_units(Outcome& outcome);
  /// Hands all banks to the host, reads the results and judges them.
  void judge(Outcome& outcome);

 private:
  firmware::collectives::Arguments arguments() const;
  /// Sets the rank's part of the plan's phases.
  void set_phases(unsigned rank, firmware::collectives::Arguments& arguments) const;

  runtime::PimSystem& system_;
  const PimRequest request_;
  PimPlan plan_;
  std::uint32_t area_bytes_;
  BankVectors vectors_;
  BankContents contents_;
  std::vector<unsigned> units_;
};

}  // namespace tvp::collectives
