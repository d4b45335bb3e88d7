#include "tests/fuzz/mutator.h"

#include <algorithm>

namespace tvp::test {

namespace {

constexpr std::uint64_t kEnds[] = {0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   7,
                                   8,
                                   16,
                                   0x7F,
                                   0x80,
                                   0xFF,
                                   0x100,
                                   0x7FFF,
                                   0x8000,
                                   0xFFFF,
                                   0x10000,
                                   0x7FFFFFFF,
                                   0x80000000,
                                   0xFFFFFFF0,
                                   0xFFFFFFFC,
                                   0xFFFFFFFF,
                                   0x100000000,
                                   0x7FFFFFFFFFFFFFFF,
                                   0x8000000000000000,
                                   0xFFFFFFFFFFFFFFFF};

}  // namespace

std::string Mutator::mutated(std::string text) {
  const unsigned changes = 1 + random_.below(12);
  for (unsigned i = 0; i < changes; ++i) change(text);
  return text;
}

/// A piece to insert.
std::string Mutator::piece(const std::string& text) {
  const unsigned kind = random_.below(3);
  if (kind == 0 && !words_.empty()) return words_[random_.below(words_.size())];
  if (kind == 1 && !text.empty()) {
    const std::size_t from = random_.below(text.size());
    return text.substr(from, 1 + random_.below(64));
  }
  const std::uint64_t number = kEnds[random_.below(std::size(kEnds))];
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i));
  bytes.resize(std::size_t{1} << random_.below(4));
  return random_.below(2) == 0 ? bytes : std::to_string(number);
}

void Mutator::change(std::string& text) {
  const std::size_t at = text.empty() ? 0 : random_.below(text.size());
  const auto count = [&] { return std::min<std::size_t>(1 + random_.below(32), text.size() - at); };
  switch (random_.below(8)) {
    case 0:
      if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << random_.below(8)));
      break;
    case 1:
      if (!text.empty()) text[at] = static_cast<char>(random_.below(256));
      break;
    case 2:
      text.erase(at, count());
      break;
    case 3:
      text.insert(at, piece(text));
      break;
    case 4:
      if (random_.below(4) == 0) text.resize(at);
      break;
    default: {
      // Most data are aligned fields.
      const std::size_t field = random_.below(2) == 0 ? at & ~std::size_t{3} : at;
      const std::string value = piece(text);
      for (std::size_t i = 0; i < value.size() && field + i < text.size(); ++i) {
        text[field + i] = value[i];
      }
    }
  }
}

}  // namespace tvp::test
