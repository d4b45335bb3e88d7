#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tvp::runtime {

/// Hands out addresses of a memory in lock-step: an allocation takes the same range in each bank.
/// First fit from one end.
class BankManager {
 public:
  BankManager(std::string name, std::uint64_t base, std::uint64_t end, std::uint64_t alignment,
              bool top_down);

  /// Throws Fault(kDescription) when there is no room.
  std::uint64_t allocate(std::uint64_t bytes);
  /// False when nothing is allocated there. For destructors, too.
  bool release(std::uint64_t address) noexcept { return used_.erase(address) != 0; }

  std::uint64_t base() const { return base_; }
  /// Hands out from `base` on, a multiple of the alignment. Throws Fault(kDescription) when
  /// something is allocated below.
  void set_base(std::uint64_t base);
  std::uint64_t end() const { return end_; }
  std::uint64_t alignment() const { return alignment_; }
  bool in_use() const { return !used_.empty(); }
  /// Lowest address in use; end() when nothing is.
  std::uint64_t lowest() const;
  /// Bytes in use, and the largest range that is not.
  std::uint64_t used() const;
  std::uint64_t largest_room() const;

 private:
  std::string name_;
  std::uint64_t base_;
  std::uint64_t end_;
  std::uint64_t alignment_;
  bool top_down_;
  std::map<std::uint64_t, std::uint64_t> used_;  ///< address to size
};

}  // namespace tvp::runtime
