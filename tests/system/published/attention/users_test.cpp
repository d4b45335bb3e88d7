// Products in which each row has its own matrix, as queries of users with their caches.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("attention/users.toml");

constexpr Word kUsers = 32, kHeads = 2, kInner = 2, kOuter = 3;

class PublishedUsers : public PublishedTest {
 protected:
  void run(bool transposed);
};

void PublishedUsers::run(bool transposed) {
  // Each head has a row per user; each user has a matrix, possibly transposed.
  const Numbers a = random(kHeads, kInner, -1, 1);
  const Word high = transposed ? kOuter : kInner, wide = transposed ? kInner : kOuter;
  const Numbers b = random(std::size_t{kUsers} * high, wide, -1, 1);
  const auto a_in = tensor(a), b_in = tensor(b), out = result(kHeads * kOuter);
  kLaunches.run(*bench_, "run",
                TVP_VALUES(kInner, transposed, a_in, b_in, kOuter, kUsers, kHeads, out));
  check(
      read(out, kOuter), 0.03,
      [&](auto row, auto column) {
        const std::size_t user = row % kUsers;
        double sum = 0;
        for (std::size_t k = 0; k < 32 * kInner; ++k)
          sum += a(row, k) *
                 (transposed ? b(32 * high * user + column, k) : b(32 * high * user + k, column));
        return sum;
      },
      transposed ? "transposed " : "");
}

TEST_F(PublishedUsers, HaveMatricesOfTheirOwn) {
  run(false);
  run(true);
}

}  // namespace
}  // namespace tvp::test
