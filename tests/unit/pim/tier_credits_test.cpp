// Order of credits between chips and ranks, checked after every event: no agent gets a credit for
// which another one has waited longer.

#include "models/pim/network/tier_credits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace tvp::pim {
namespace {

constexpr TierGeometry kGeometry{.banks = 2, .chips_of_rank = 2, .ranks_of_channel = 2};
constexpr unsigned kChips = 6;
constexpr unsigned kRanks = 3;

/// Searches all requests, as the rule says.
class Oracle {
 public:
  Oracle(std::uint32_t of_chip, std::uint32_t of_rank)
      : in(kChips, of_chip), buffers(kRanks, of_rank) {}

  void grant(std::vector<std::uint32_t>& granted) {
    for (std::size_t i = 0; i < waiting.size();) {
      const TierCredits::Request request = waiting[i];
      if (!can_have(i)) {
        ++i;
        continue;
      }
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
      for (const unsigned chip : request.chips) --in[chip];
      if (request.buffer != TierCredits::kNoBuffer) --buffers[request.buffer];
      granted.push_back(request.number);
    }
  }

  std::vector<std::uint32_t> in;
  std::vector<std::uint32_t> buffers;
  std::vector<TierCredits::Request> waiting;

 private:
  bool can_have(std::size_t number) const {
    const TierCredits::Request& request = waiting[number];
    const auto earlier = std::span(waiting).first(number);
    const bool enters = std::ranges::all_of(request.chips, [&](unsigned chip) {
      return std::ranges::count_if(earlier, [&](const TierCredits::Request& r) {
               return std::ranges::count(r.chips, chip) != 0;
             }) < in[chip];
    });
    if (!enters || request.buffer == TierCredits::kNoBuffer) return enters;
    return std::ranges::count(earlier, request.buffer, &TierCredits::Request::buffer) <
           buffers[request.buffer];
  }
};

class Granted : public TierCredits::Client {
 public:
  void granted(const TierCredits::Request& request, support::Cycle) override {
    numbers.push_back(request.number);
  }
  void may_inject_again(unsigned, support::Cycle) override {}

  std::vector<std::uint32_t> numbers;
};

using Random = std::minstd_rand;

unsigned below(Random& random, unsigned end) { return static_cast<unsigned>(random() % end); }

TierCredits::Request random_request(Random& random, std::uint32_t number) {
  TierCredits::Request request{.number = number};
  for (unsigned chip = 0; chip < kChips; ++chip) {
    if (below(random, 4) == 0) request.chips.push_back(chip);
  }
  if (below(random, 2) == 0) request.buffer = below(random, kRanks);
  return request;
}

TEST(TierCredits, GoToWhoHasWaitedLongest) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random{seed + 1};
    PimConfig config;
    config.gateway_packets.set(std::to_string(1 + below(random, 4)));
    config.buffer_packets.set(std::to_string(1 + below(random, 4)));
    Granted granted;
    TierCredits credits{config, kGeometry, kChips * kGeometry.banks, granted};
    Oracle oracle{config.gateway_packets, config.buffer_packets};
    std::vector<std::uint32_t> expected;
    for (std::uint32_t step = 0; step < 300; ++step) {
      if (below(random, 2) == 0) {
        const TierCredits::Request request = random_request(random, step);
        oracle.waiting.push_back(request);
        credits.ask(request, step);
      } else if (below(random, 3) != 0) {
        const unsigned chip = below(random, kChips);
        const unsigned count = 1 + below(random, 3);
        oracle.in[chip] += count;
        credits.return_in(chip, count, step);
      } else {
        const unsigned rank = below(random, kRanks);
        ++oracle.buffers[rank];
        credits.return_buffer(rank, step);
      }
      oracle.grant(expected);
      ASSERT_EQ(granted.numbers, expected) << "seed " << seed << ", step " << step;
    }
    EXPECT_GT(expected.size(), 50U);
    EXPECT_FALSE(oracle.waiting.empty());
  }
}

}  // namespace
}  // namespace tvp::pim
