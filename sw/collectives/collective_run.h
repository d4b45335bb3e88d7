#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/collective.h"

namespace tvp::collectives {

/// One collective on a system: operands into the banks, programs or the host path, results of every
/// rank against the golden ones.
class CollectiveRun {
 public:
  struct Outcome {
    Vectors::Verdict verdict;
    std::string reason;        ///< empty when everything is right
    std::uint64_t begin = 0;   ///< cycles of the units' clock: all have passed the first barrier
    std::uint64_t middle = 0;  ///< end of the reduce-scatter of an all-reduce at the last unit
    std::uint64_t end = 0;     ///< the last result is in its bank
    std::uint64_t instructions = 0;
  };

  /// Throws Fault(kDescription) when the request makes no sense.
  CollectiveRun(runtime::PimSystem& system, const Request& request);

  const Plan& plan() const { return plan_; }
  const Vectors& vectors() const { return vectors_; }
  /// Bytes of a bank where operands and results begin.
  std::uint32_t input_address() const { return 0; }
  std::uint32_t output_address() const { return area_bytes_; }
  /// Operand as it is in a bank.
  Bytes operand(unsigned rank) const {
    return request_.collective->operand(request_, vectors_, rank);
  }

  void place_operands();
  void run_units(Outcome& outcome);
  /// Hands all banks to the host, reads the results and judges them.
  void judge(Outcome& outcome);

 private:
  firmware::collectives::Arguments arguments() const;
  /// Its part of the schedule.
  void set_phases(unsigned rank, firmware::collectives::Arguments& arguments) const;

  runtime::PimSystem& system_;
  Request request_;
  Plan plan_;
  std::uint32_t area_bytes_;
  Vectors vectors_;
  std::vector<unsigned> units_;
};

}  // namespace tvp::collectives
