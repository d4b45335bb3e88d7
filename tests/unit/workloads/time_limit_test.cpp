#include <gtest/gtest.h>

#include "sw/workloads/dram_loopback/dram_loopback.h"
#include "sw/workloads/microbenchmarks/ethernet_bandwidth.h"
#include "sw/workloads/noc_exchange/noc_exchange.h"

namespace tvp::workloads {
namespace {

// Several times of what a page, a round and a message of each size take.
TEST(TimeLimit, GrowsWithWhatIsAskedFor) {
  DramLoopback pages;
  const double usual = pages.default_max_time_ns();
  pages.settings().set("dram_loopback.pages", "65536", "test");
  const double many = pages.default_max_time_ns();
  EXPECT_GT(many, usual + 65536 * 1000.0);
  pages.settings().set("dram_loopback.page_bytes", "65536", "test");
  EXPECT_GT(pages.default_max_time_ns(), many + 65536 * 65536 * 0.5);

  NocExchange rounds;
  rounds.settings().set("noc_exchange.rounds", "1000000", "test");
  EXPECT_GT(rounds.default_max_time_ns(), 1e6 * 2000.0);

  microbenchmarks::EthernetBandwidth messages;
  messages.settings().set("ethernet_bandwidth.messages", "65536", "test");
  EXPECT_GT(messages.default_max_time_ns(), 65536 * 20000.0);
}

}  // namespace
}  // namespace tvp::workloads
