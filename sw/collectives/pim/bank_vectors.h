#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::collectives {

/// The operand of each rank, of one type, and the expected reduction over all ranks.
///
/// Integers are exact: sums and products wrap modulo 2^32 or 2^64. MAX and MIN of fp32 are exact.
/// SUM and PROD of fp32 are computed in double. N - 1 operations in fp32 may come in any order.
/// With u = 2^-24, their error must be at most gamma = (N - 1) u / (1 - (N - 1) u). It is relative
/// to the sum of the absolute values or to the absolute value of the product (Higham, Accuracy and
/// Stability of Numerical Algorithms, 3.1, 4.2).
class BankVectors {
 public:
  /// `type` is fp32, int32 or int64. Throws Fault(kDescription) naming `where` when the type lacks
  /// the operation. The vector is padded with zeroes to 8 bytes, where DMA engines are aligned.
  BankVectors(const std::string& where, const std::string& type, const std::string& op,
              unsigned ranks, std::uint64_t bytes, std::uint64_t seed);

  unsigned ranks() const { return static_cast<unsigned>(inputs_.size()); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t padded_bytes() const { return inputs_[0].size(); }
  unsigned element_bytes() const { return type_ == "int64" ? 8 : 4; }
  std::uint64_t elements() const { return bytes_ / element_bytes(); }
  const std::vector<std::uint8_t>& input(unsigned rank) const { return inputs_[rank]; }

  /// Bytes [begin, end) of the vector that belong to a rank after a scatter. Words of 8 bytes are
  /// distributed evenly, in order, and the first ranks have one more.
  struct Chunk {
    std::uint64_t begin;
    std::uint64_t end;
  };
  Chunk chunk(unsigned rank) const;

  struct Verdict {
    std::uint64_t wrong = 0;  ///< elements outside the bound
    std::uint64_t first_wrong = 0;
    double max_abs_error = 0;
    double max_rel_error = 0;  ///< relative to the reference of the bound
    void add(const Verdict& other);
  };
  /// Compares `found` with the reduction of the elements from byte `begin` of the vector on.
  Verdict judge_reduced(const std::vector<std::uint8_t>& found, std::uint64_t begin) const;
  /// Compares `found` with the same bytes of a rank's operand.
  Verdict judge_copied(const std::vector<std::uint8_t>& found, unsigned rank,
                       std::uint64_t begin) const;
  /// 0 if results must be exact.
  double bound() const { return bound_; }

  /// Reduces operands on the host, in the order of ranks and in the arithmetic of the type.
  std::vector<std::uint8_t> reduce(const std::vector<std::vector<std::uint8_t>>& operands) const;

  /// The wrong result of the document's algorithm for element `index` at a rank. Each step of its
  /// ring reduces the whole accumulator, so the contribution of rank i counts C(N-1, k) times. The
  /// closed form includes the wrap-around of the type. Only for integers and SUM or PROD.
  std::int64_t as_written(unsigned rank, std::uint64_t index) const;
  std::int64_t integer(const std::vector<std::uint8_t>& bytes, std::uint64_t index) const;
  /// Returns an element as text.
  std::string text(const std::vector<std::uint8_t>& bytes, std::uint64_t index) const;

  /// Macros for the compiler of the units' program.
  std::string cpp_type() const;
  std::string cpp_op() const;

 private:
  enum class Op : std::uint8_t { kSum, kMax, kMin, kProd, kBand, kBor, kBxor };
  /// The expected reduction over all ranks, element by element: computed once, compared at every
  /// rank.
  struct Golden {
    std::vector<std::int64_t> integers;
    std::vector<double> floats;
    std::vector<double> scales;  ///< the bound of a float is relative to this
  };
  const Golden& golden() const;
  static Op op_of(const std::string& name);
  template <typename T>
  T combine(T a, T b) const;
  template <typename T>
  void reduce_integers(Golden& golden) const;
  void reduce_floats(Golden& golden) const;
  template <typename T>
  Verdict judge_integers(const std::vector<std::uint8_t>& found, std::uint64_t begin) const;
  Verdict judge_floats(const std::vector<std::uint8_t>& found, std::uint64_t begin) const;
  void draw(std::vector<std::uint8_t>& input, std::uint64_t index, std::uint64_t bits) const;

  std::string type_;
  std::string op_;
  Op operation_;
  std::uint64_t bytes_;
  std::vector<std::vector<std::uint8_t>> inputs_;
  double bound_ = 0;
  mutable Golden golden_;
};

}  // namespace tvp::collectives
