#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::workloads::pim {

/// The operands of one of the programs in firmware/kernels/prim on each unit, and its results.
class PrimProblem {
 public:
  struct Sizes {
    std::string program;  ///< one of names()
    unsigned units = 1;
    std::uint32_t elements = 0;  ///< elements of a unit
    std::uint32_t columns = 1;   ///< elements of a matrix's row
    unsigned element_bytes = 4;
    std::uint64_t seed = 1;
  };
  using Bytes = std::vector<std::uint8_t>;

  /// "vector_add", …
  static std::vector<std::string> names();

  explicit PrimProblem(const Sizes& sizes);

  /// Source file of the program.
  std::string source() const { return "firmware/kernels/prim/" + sizes_.program + ".cpp"; }
  /// Operations on elements are of 64 bits if the user has not chosen a type.
  static bool is_long(const std::string& program);
  /// A scan of several units adds the sums of the units before in a second pass.
  bool has_second_pass() const { return sizes_.program == "scan"; }
  /// The second argument of the program (Arguments::columns).
  std::uint32_t columns() const;

  const Bytes& first(unsigned unit) const { return first_[unit]; }
  const Bytes& second(unsigned unit) const { return second_[unit]; }  ///< empty: none
  const Bytes& output(unsigned unit) const { return output_[unit]; }  ///< expected; empty: none
  /// Expected Results::value of the first pass.
  std::int64_t value(unsigned unit) const { return values_[unit]; }

 private:
  using Numbers = std::vector<std::int64_t>;
  void solve(const Numbers& first, const Numbers& second);
  std::int64_t wrapped(std::uint64_t value) const;
  Bytes packed(const Numbers& numbers, unsigned element_bytes) const;

  const Sizes sizes_;
  std::vector<Bytes> first_;
  std::vector<Bytes> second_;
  std::vector<Bytes> output_;
  std::vector<std::int64_t> values_;
  std::uint64_t before_ = 0;  ///< sum of the units before, of a scan
};

}  // namespace tvp::workloads::pim
