#include <gtest/gtest.h>

#include "foundation/settings_registry.h"
#include "sw/workloads/dram_loopback/dram_loopback.h"
#include "sw/workloads/microbenchmarks/ethernet/ethernet_bandwidth.h"
#include "sw/workloads/noc_exchange/noc_exchange.h"

namespace tvp::workloads {
namespace {

double limit_ns(Workload& workload, const std::string& key, const std::string& value) {
  foundation::SettingsRegistry settings;
  settings.add(workload.settings());
  settings.set(workload.name() + "." + key, value, "test");
  return workload.default_max_time_ns();
}

// The limit is several times the time of a page, a round and a message of each size.
TEST(TimeLimit, GrowsWithWhatIsAskedFor) {
  DramLoopback pages;
  const double usual = pages.default_max_time_ns();
  const double many = limit_ns(pages, "pages", "65536");
  EXPECT_GT(many, usual + 65536 * 1000.0);
  EXPECT_GT(limit_ns(pages, "page_bytes", "65536"), many + 0.5 * 65536 * 65536);

  NocExchange rounds;
  EXPECT_GT(limit_ns(rounds, "rounds", "1000000"), 1e6 * 2000);

  microbenchmarks::EthernetBandwidth messages;
  EXPECT_GT(limit_ns(messages, "messages", "65536"), 65536 * 20000.0);
}

}  // namespace
}  // namespace tvp::workloads
