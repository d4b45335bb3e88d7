#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <tlm>

namespace tensix_vp {

/// The bytes of a transaction in one word of RTL's data pins. Byte enables select them.
template <typename Word>
class WordOfPayload {
 public:
  WordOfPayload(tlm::tlm_generic_payload& payload, std::uint64_t address) {
    const std::uint64_t first = payload.get_address();
    const std::uint8_t* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < sizeof(Word); ++i) {
      const std::uint64_t offset = address + i - first;
      if (address + i < first || offset >= payload.get_data_length()) continue;
      if (enables != nullptr &&
          enables[offset % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) {
        continue;
      }
      bytes_[i] = payload.get_data_ptr() + offset;
      strobes_ |= 1U << i;
    }
  }

  /// A bit for each byte that belongs to the transaction.
  unsigned strobes() const { return strobes_; }
  /// The bytes of the payload; others are 0.
  Word data() const {
    std::array<std::uint8_t, sizeof(Word)> data{};
    for (unsigned i = 0; i < sizeof(Word); ++i) data[i] = bytes_[i] != nullptr ? *bytes_[i] : 0;
    Word word;
    std::memcpy(&word, data.data(), sizeof word);
    return word;
  }
  /// Stores a word that was read in the payload.
  void store(Word word) const {
    std::array<std::uint8_t, sizeof(Word)> data;
    std::memcpy(data.data(), &word, sizeof word);
    for (unsigned i = 0; i < sizeof(Word); ++i) {
      if (bytes_[i] != nullptr) *bytes_[i] = data[i];
    }
  }

 private:
  std::array<std::uint8_t*, sizeof(Word)> bytes_{};
  unsigned strobes_ = 0;
};

}  // namespace tensix_vp
