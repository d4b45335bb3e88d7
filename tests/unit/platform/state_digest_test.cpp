#include "platform/machine/report/state_digest.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace tvp::platform {
namespace {

struct Free {
  void operator()(std::uint8_t* p) const { std::free(p); }
};
using Memory = std::unique_ptr<std::uint8_t[], Free>;
constexpr std::size_t kBytes = 1464 * 1024 + 12;

Memory make() { return Memory(static_cast<std::uint8_t*>(std::calloc(kBytes, 1))); }
std::uint64_t digest(const Memory& m) {
  StateDigest d;
  d.add_memory(3, m.get(), kBytes);
  return d.value();
}

TEST(StateDigest, TouchedZerosAreStillZeros) {
  const Memory untouched = make();
  const Memory touched = make();
  for (std::size_t i = 0; i < kBytes; i += 100) touched[i] = 1;
  EXPECT_NE(digest(untouched), digest(touched));
  for (std::size_t i = 0; i < kBytes; i += 100) touched[i] = 0;
  EXPECT_EQ(digest(untouched), digest(touched));
}

TEST(StateDigest, EveryByteAndItsPlaceCount) {
  const Memory base = make();
  const std::uint64_t zero = digest(base);
  std::vector<std::uint64_t> seen{zero};
  for (const std::size_t at : {std::size_t{0}, std::size_t{7}, std::size_t{4096}, kBytes - 1}) {
    base[at] = 0x80;
    seen.push_back(digest(base));
    base[at] = 0;
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(seen[i], seen[j]);
  }
  EXPECT_EQ(digest(base), zero);
}

}  // namespace
}  // namespace tvp::platform
