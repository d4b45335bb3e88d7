#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/random.h"

namespace tvp::test {

/// Changes bytes of a file at random, the same on every machine for a seed.
class Mutator {
 public:
  /// `words`: what is put in besides numbers at the ends of ranges.
  Mutator(std::uint64_t seed, std::vector<std::string> words)
      : random_(seed), words_(std::move(words)) {}

  /// One to a dozen changes.
  std::string mutated(std::string text);
  foundation::Random& random() { return random_; }

 private:
  void change(std::string& text);
  std::string piece(const std::string& text);

  foundation::Random random_;
  std::vector<std::string> words_;
};

/// How many cases a fuzz test runs: $TVP_FUZZ_CASES, else so many.
std::uint64_t fuzz_cases(std::uint64_t otherwise);
/// The first seed: $TVP_FUZZ_SEED, else 1.
std::uint64_t fuzz_seed();

}  // namespace tvp::test
