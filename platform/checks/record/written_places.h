#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tvp::checks {

/// The places of a memory that have been written since power-on, by granules.
class WrittenPlaces {
 public:
  void note(std::uint32_t address, std::uint32_t bytes) {
    if (bytes == 0) return;
    const std::uint32_t last = (address + bytes - 1) / kWordBytes;
    if (last >= words_.size()) words_.resize(last + 1);
    for (std::uint32_t word = address / kWordBytes; word <= last; ++word)
      words_[word] |= mask(word, address, bytes);
  }
  /// True if any of these bytes shares a granule with a write.
  bool any(std::uint32_t address, std::uint32_t bytes) const {
    const auto end = std::min<std::size_t>((address + bytes - 1) / kWordBytes + 1, words_.size());
    for (auto word = static_cast<std::uint32_t>(address / kWordBytes); word < end; ++word)
      if ((words_[word] & mask(word, address, bytes)) != 0) return true;
    return false;
  }

 private:
  static constexpr std::uint32_t kGranuleBytes = 16;
  static constexpr std::uint32_t kWordBytes = 64 * kGranuleBytes;

  /// Bits of the granules in this word of `words_` that the bytes touch.
  static std::uint64_t mask(std::uint32_t word, std::uint32_t address, std::uint32_t bytes) {
    const std::uint32_t begin = word * kWordBytes;
    const std::uint32_t first = address > begin ? (address - begin) / kGranuleBytes : 0;
    const std::uint32_t last = std::min((address + bytes - 1 - begin) / kGranuleBytes, 63U);
    return (~std::uint64_t{0} >> (63 - (last - first))) << first;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace tvp::checks
