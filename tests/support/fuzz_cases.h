#pragma once

#include <cstdint>
#include <cstdlib>

namespace tvp::test {

inline std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Number of cases of a random test: $TVP_FUZZ_CASES, or else `otherwise`.
inline std::uint64_t fuzz_cases(std::uint64_t otherwise) {
  return number_of("TVP_FUZZ_CASES", otherwise);
}
/// The first seed: $TVP_FUZZ_SEED, or else 1.
inline std::uint64_t fuzz_seed() { return number_of("TVP_FUZZ_SEED", 1); }

}  // namespace tvp::test
