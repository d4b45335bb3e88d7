#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tvp::collectives {

/// The contents of a chunk: the contributions of ranks to one input chunk, each of them once; or
/// nothing; or contents that are wrong everywhere, with the reason.
class Symbol {
 public:
  Symbol() = default;  ///< a chunk that no step has written
  static Symbol contribution(std::uint32_t rank, std::uint32_t chunk);
  static Symbol wrong(std::string reason);

  bool is_nothing() const { return !reason_ && ranks_.empty(); }
  bool is_wrong() const { return reason_ != nullptr; }

  Symbol combined_with(const Symbol& other) const;
  /// Returns the symbol divided by the number of ranks, `total`.
  Symbol scaled(std::uint32_t total) const;
  void add_contributor(std::uint32_t rank);

  bool operator==(const Symbol& other) const;
  /// E.g. "input chunk 3 of ranks 0, 1, 5".
  std::string text() const;

 private:
  std::uint32_t contributors() const;
  std::uint32_t chunk_ = 0;
  bool scaled_ = false;
  std::vector<std::uint64_t> ranks_;  ///< a bit a rank; no zeros at the end
  std::shared_ptr<const std::string> reason_;
};

}  // namespace tvp::collectives
