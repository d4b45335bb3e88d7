#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::workloads::pim {

/// Vectors of one type, one for each node, and what a reduction of them must give.
///
/// Integers are exact, with wrap-around. Of fp32, MAX and MIN are exact; SUM and PROD are evaluated
/// in double, and any order of N - 1 operations in fp32 must come within gamma = (N - 1) u / (1 -
/// (N - 1) u), u = 2^-24, of the sum of the absolute values, or of the absolute value of the
/// product (Higham, Accuracy and Stability of Numerical Algorithms, 3.1 and 4.2).
class Reduction {
 public:
  /// `type` is fp32, int32 or int64; `op` is sum, max, min or prod.
  Reduction(const std::string& type, const std::string& op, unsigned nodes, std::uint64_t bytes,
            std::uint64_t seed);

  const std::vector<std::uint8_t>& input(unsigned node) const { return inputs_[node]; }

  struct Verdict {
    std::uint64_t wrong = 0;  ///< elements outside the bound
    std::uint64_t first_wrong = 0;
    double max_abs_error = 0;
    double max_rel_error = 0;  ///< relative to what the bound is relative to
  };
  /// Of one node's result.
  Verdict judge(const std::vector<std::uint8_t>& result) const;
  /// 0 where results must be exact.
  double bound() const { return bound_; }
  unsigned element_bytes() const { return type_ == "int64" ? 8 : 4; }

  /// For the compiler of the program of the units.
  std::string cpp_type() const;
  std::string cpp_op() const;

 private:
  template <typename T>
  Verdict judge_integers(const std::vector<std::uint8_t>& result) const;
  Verdict judge_floats(const std::vector<std::uint8_t>& result) const;

  std::string type_;
  std::string op_;
  std::vector<std::vector<std::uint8_t>> inputs_;
  double bound_ = 0;
};

}  // namespace tvp::workloads::pim
