#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tvp::runtime {

/// Allocates addresses of a memory in lock-step: an allocation has the same range in each bank.
/// First fit from one end.
class BankManager {
 public:
  BankManager(std::string name, std::uint64_t base, std::uint64_t end, std::uint64_t alignment,
              bool top_down);

  /// Throws Fault(kDescription) if there is no room.
  std::uint64_t allocate(std::uint64_t bytes);
  /// Returns false if nothing is allocated there. Destructors may call it.
  bool release(std::uint64_t address) noexcept { return used_.erase(address) != 0; }

  std::uint64_t base() const { return base_; }
  /// Allocates from `base` on, a multiple of the alignment. Throws Fault(kDescription) if something
  /// is allocated below.
  void set_base(std::uint64_t base);
  std::uint64_t end() const { return end_; }
  std::uint64_t alignment() const { return alignment_; }
  bool in_use() const { return !used_.empty(); }
  /// Lowest address in use; end() if there is none.
  std::uint64_t lowest() const;
  /// Bytes in use, and the largest free range.
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
