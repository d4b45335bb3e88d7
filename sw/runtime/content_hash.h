#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tvp::runtime {

/// FNV-1a of 128 bits: names entries of the kernel cache by what they were made from.
class ContentHash {
 public:
  ContentHash& add(std::string_view text) {
    for (const char c : text) {
      value_ ^= static_cast<std::uint8_t>(c);
      value_ *= kPrime;
    }
    value_ ^= 0x100;  // not a byte: keeps "ab","c" apart from "a","bc"
    value_ *= kPrime;
    return *this;
  }
  std::string hex() const {
    std::string text;
    for (int shift = 124; shift >= 0; shift -= 4)
      text += "0123456789abcdef"[static_cast<unsigned>(value_ >> shift) & 15U];
    return text;
  }

 private:
  using Word = unsigned __int128;
  static constexpr Word kPrime = (Word{1} << 88) + 0x13B;
  Word value_ = (Word{0x6C62272E07BB0142} << 64) + 0x62B821756295C58D;
};

}  // namespace tvp::runtime
