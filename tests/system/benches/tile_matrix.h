#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/system/benches/tile_bench.h"

namespace tvp::test {

// 32x32 tiles as numbers by row and column.

using Word = std::uint32_t;
using Words = std::vector<Word>;
using Matrix = std::array<std::array<Word, 32>, 32>;

inline float f(Word bits) { return std::bit_cast<float>(bits); }
inline Word w(float value) { return std::bit_cast<Word>(value); }
inline Word from_bf16(Word bits) { return bits << 16; }
inline Word to_bf16(float value) {
  const Word bits = w(value);
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

inline Words tile16(const Matrix& m) {
  Words words(512);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c) set_datum16(words, place_in_tile(r, c), m[r][c]);
  return words;
}
inline Words tile32(const Matrix& m) {
  Words words(1024);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c) words[place_in_tile(r, c)] = m[r][c];
  return words;
}
inline Matrix matrix(const Words& words, std::size_t tile = 0) {
  const bool wide = words.size() % 1024 == 0 && words.size() / 1024 > tile;
  Matrix m{};
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c)
      m[r][c] = wide ? words[1024 * tile + place_in_tile(r, c)]
                     : datum16(words, 1024 * tile + place_in_tile(r, c));
  return m;
}
inline Matrix each(const std::function<Word(std::size_t, std::size_t)>& value) {
  Matrix m{};
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c) m[r][c] = value(r, c);
  return m;
}

}  // namespace tvp::test
