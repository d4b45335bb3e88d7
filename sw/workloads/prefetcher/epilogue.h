#pragma once

#include <string>

namespace tvp::workloads::prefetcher {

/// Fused operations of a multiplication in Dst: a bias, with which the sums begin, and a function
/// of each datum.
class Epilogue {
 public:
  /// `function` is none, relu, silu or gelu.
  Epilogue(bool bias, const std::string& function);

  bool bias() const { return bias_; }
  bool is_nothing() const { return !bias_ && number_ == 0; }
  /// Number of the function in firmware/kernels/prefetcher/arguments.h.
  unsigned number() const { return number_; }

  double value(double sum) const;
  /// Largest error of a correct machine relative to value(sum), whose own sum has an error of up to
  /// `error`. It includes the steepest slope of the function, the bound of its approximation
  /// (tests/firmware/functions_test.cpp) and the rounding of the packers.
  double bound(double sum, double error) const;

 private:
  bool bias_;
  unsigned number_;
};

}  // namespace tvp::workloads::prefetcher
