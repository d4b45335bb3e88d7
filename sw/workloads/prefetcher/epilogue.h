#pragma once

#include <string>

namespace tvp::workloads::prefetcher {

/// The operations beside a multiplication in Dst: a bias, with which the sums begin, and a function
/// of each datum.
class Epilogue {
 public:
  /// `function` is none, relu, silu or gelu.
  Epilogue(bool bias, const std::string& function);

  bool bias() const { return bias_; }
  bool is_nothing() const { return !bias_ && number_ == 0; }
  /// As firmware/kernels/prefetcher/arguments.h counts them.
  unsigned number() const { return number_; }

  double value(double sum) const;
  /// How far a correct machine may be from value(sum), its own sum being up to `error` away: the
  /// steepest slope of the function, what its approximation is held to
  /// (tests/firmware/functions_test.cpp), the rounding of the packers.
  double bound(double sum, double error) const;

 private:
  bool bias_;
  unsigned number_;
};

}  // namespace tvp::workloads::prefetcher
