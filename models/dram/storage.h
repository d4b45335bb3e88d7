#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tvp::dram {

/// The bytes of one channel or bank. A page is allocated by the first write; unwritten memory reads
/// as zero.
class Storage {
 public:
  static constexpr std::uint64_t kPageBytes = 64 * 1024;
  explicit Storage(std::uint64_t bytes)
      : bytes_(bytes), pages_((bytes + kPageBytes - 1) / kPageBytes) {}
  std::uint64_t bytes() const { return bytes_; }
  /// The range [address, address + bytes) must be inside the memory.
  void read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) const;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
  /// Loads the bytes into the cache of the host.
  void prefetch(std::uint64_t address) const {
    if (const auto& page = pages_[address / kPageBytes])
      __builtin_prefetch(page->data() + address % kPageBytes);
  }
  /// The bytes of the page of `address`, which exists from then on.
  std::uint8_t* page(std::uint64_t address);
  std::size_t pages_in_use() const { return in_use_; }
  /// Calls visit(address, bytes, size) for each written page, in ascending order.
  template <typename Visit>
  void for_each_page(Visit visit) const {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      if (pages_[i]) visit(i * kPageBytes, pages_[i]->data(), pages_[i]->size());
    }
  }

 private:
  using Page = std::array<std::uint8_t, kPageBytes>;
  std::uint64_t bytes_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::size_t in_use_ = 0;
};

}  // namespace tvp::dram
