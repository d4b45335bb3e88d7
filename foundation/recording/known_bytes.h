#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>

namespace tvp::foundation {

/// The bytes of a memory whose values are known.
class KnownBytes {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  /// Limit on the memory that a file can make its reader allocate.
  static constexpr std::size_t kMostPages = 1U << 18;

  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes);
  /// Reads bytes; unknown ones are 0. False if any is unknown.
  bool read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) const;
  /// True if all of these bytes are known and equal `data`.
  bool holds(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) const;
  /// Number of pages of kPageBytes with at least one known byte.
  std::size_t pages() const { return pages_.size(); }

 private:
  struct Page {
    std::array<std::uint8_t, kPageBytes> bytes{};
    std::bitset<kPageBytes> known;
  };
  std::unordered_map<std::uint64_t, Page> pages_;
};

}  // namespace tvp::foundation
