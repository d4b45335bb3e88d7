#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/random.h"
#include "tests/support/fuzz_cases.h"

namespace tvp::test {

/// Changes bytes of a file at random. Equal seeds give equal changes on every machine.
class Mutator {
 public:
  /// `words`: texts to insert, besides numbers at the limits of ranges.
  Mutator(std::uint64_t seed, std::vector<std::string> words)
      : random_(seed), words_(std::move(words)) {}

  /// Returns the text with 1 to 12 changes.
  std::string mutated(std::string text);
  foundation::Random& random() { return random_; }

 private:
  void change(std::string& text);
  std::string piece(const std::string& text);

  foundation::Random random_;
  std::vector<std::string> words_;
};

}  // namespace tvp::test
