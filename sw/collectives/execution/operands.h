#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// The data of a collective's run.
struct Demand {
  std::string where = "collective";  ///< names the settings in messages
  /// Bytes of the whole vector, M, which nccl-tests call size. If ranks have shares of it, it is
  /// rounded up to whole chunks.
  std::uint64_t bytes = 0;
  std::string type = "fp32";  ///< fp32, bf16, int32
  std::string redop = "sum";  ///< sum, max, min, prod, avg; for integers also band, bor, bxor
  std::uint64_t seed = 1;
  std::uint32_t slots = 2;  ///< chunks in a connection with which the schedule was proved
  /// The whole input of each rank; empty for random numbers.
  std::vector<std::vector<std::uint8_t>> content = {};
};

/// Throws Fault(kDescription) naming the setting if the type or the operation is unknown, or if the
/// type lacks the operation.
void require_redop(const Demand& demand);
/// The same if the bytes are no whole elements.
void require_bytes(const Demand& demand);

/// Operands of all ranks, given or random, and the expected output of each rank.
///
/// Copies, maxima and minima are exact, and so are sums and products of integers, which wrap. Sums
/// and products of floats are evaluated in double. N - 1 operations that round to nearest may come
/// in any order. With unit roundoff u, their error is at most gamma = (N - 1) u / (1 - (N - 1) u).
/// It is relative to the sum of absolute values or to the absolute value of the product (Higham,
/// Accuracy and Stability of Numerical Algorithms, 3.1, 4.2). An average has two more roundings, of
/// 1/N and of the quotient.
class Operands {
 public:
  /// Chunks are multiples of `alignment` bytes. Throws Fault(kDescription) for an unknown type or
  /// operation.
  Operands(const Schedule& schedule, const Demand& demand, std::uint32_t alignment);

  std::uint32_t chunk_bytes() const { return chunk_bytes_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint32_t element_bytes() const { return element_bytes_; }
  std::uint64_t elements() const { return bytes_ / element_bytes_; }
  std::uint64_t input_bytes() const {
    return std::uint64_t{chunk_bytes_} * schedule_.input_chunks();
  }
  std::uint64_t output_bytes() const {
    return std::uint64_t{chunk_bytes_} * schedule_.output_chunks();
  }
  std::uint64_t scratch_bytes() const { return std::uint64_t{chunk_bytes_} * schedule_.scratch; }
  /// Returns whole chunks; bytes after the end of the vector are zero.
  std::vector<std::uint8_t> input(std::uint32_t rank) const;
  /// True if the primitive defines the rank's output.
  bool has_output(std::uint32_t rank) const;

  struct Verdict {
    std::uint64_t wrong = 0;
    std::uint64_t first_wrong = 0;
    std::string first;  ///< "is 3, expected 4"
    double max_abs_error = 0;
    double max_rel_error = 0;  ///< relative to the reference of the bound
  };
  /// `found` is the whole output of the rank.
  Verdict judge(std::uint32_t rank, const std::vector<std::uint8_t>& found) const;
  double bound() const { return bound_; }

 private:
  enum class Type : std::uint8_t { kFp32, kBf16, kInt32 };
  enum class Op : std::uint8_t { kSum, kMax, kMin, kProd, kBand, kBor, kBxor };
  struct Expected {
    double value = 0;
    double scale = 0;  ///< the bound is relative to this
  };

  void check_content(const Demand& demand) const;
  /// Bits of element `index` of a rank's input.
  std::uint32_t draw(std::uint32_t rank, std::uint64_t index) const;
  double value(std::uint32_t bits) const;
  /// The reduction of each element over all ranks, computed once.
  const std::vector<Expected>& reduction() const;
  Expected reduced(std::uint64_t index) const;
  std::uint32_t combine(std::uint32_t a, std::uint32_t b) const;
  /// The rank and the element of its input that an element of a copied output comes from.
  std::pair<std::uint32_t, std::uint64_t> origin(std::uint32_t rank, std::uint64_t index) const;
  /// Number of elements of an output that are compared.
  std::uint64_t valid_elements() const;

  Schedule schedule_;  ///< without the programs
  Type type_;
  Op op_;
  std::uint64_t seed_;
  std::vector<std::vector<std::uint8_t>> content_;
  std::uint32_t element_bytes_;
  std::uint32_t chunk_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  double bound_ = 0;
  mutable std::vector<Expected> reduction_;
};

}  // namespace tvp::collectives
