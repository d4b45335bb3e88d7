#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firmware/kernels/sdpa/exchange.h"
#include "foundation/fault.h"
#include "sw/workloads/sdpa/device_ring.h"
#include "tests/support/fault_of.h"

namespace tvp::workloads::sdpa {
namespace {

namespace kernel = kernels::sdpa;

TEST(SdpaExchange, TakesTheDocumentsPartnersOnFourDevices) {
  const unsigned round1[] = {1, 0, 3, 2};
  const unsigned round2[] = {3, 2, 1, 0};
  for (unsigned device = 0; device < 4; ++device) {
    EXPECT_EQ(kernel::partner(4, device, 1), round1[device]);
    EXPECT_EQ(kernel::partner(4, device, 2), round2[device]);
    EXPECT_EQ(kernel::local_first(4, device, 1), device % 2 == 0);
    EXPECT_EQ(kernel::local_first(4, device, 2), device < 2);
  }
}

/// All devices merge all operands, each once and in one order.
TEST(SdpaExchange, AllDevicesMergeInOneOrder) {
  for (unsigned devices = 2; devices <= kernel::kMaxDevices; devices *= 2) {
    SCOPED_TRACE(std::to_string(devices) + " devices");
    std::vector<std::string> merged(devices);
    for (unsigned device = 0; device < devices; ++device)
      merged[device] = std::to_string(device) + ".";
    for (unsigned round = 1; round <= kernel::rounds_of(devices); ++round) {
      EXPECT_LE(kernel::hops(devices, round), devices / 2);
      std::vector<std::string> next(devices);
      for (unsigned device = 0; device < devices; ++device) {
        const unsigned other = kernel::partner(devices, device, round);
        ASSERT_EQ(kernel::partner(devices, other, round), device);
        // Partners send to each other over the same links, in turns forward and backward.
        EXPECT_NE(kernel::sends_to_next(device, round), kernel::sends_to_next(other, round));
        EXPECT_NE(kernel::sends_to_next(device, round), kernel::sends_to_next(device, round + 1));
        ASSERT_NE(kernel::local_first(devices, device, round),
                  kernel::local_first(devices, other, round));
        const bool first = kernel::local_first(devices, device, round);
        next[device] = "(" + merged[first ? device : other] + merged[first ? other : device] + ")";
      }
      merged = next;
    }
    for (unsigned device = 0; device < devices; ++device) {
      EXPECT_EQ(merged[device], merged[0]);
      const std::string name = std::to_string(device) + ".";
      std::size_t found = 0;
      for (std::size_t at = merged[0].find(name); at != std::string::npos;
           at = merged[0].find(name, at + 1))
        if (at == 0 || !std::isdigit(static_cast<unsigned char>(merged[0][at - 1]))) ++found;
      EXPECT_EQ(found, 1u) << name;
    }
  }
}

/// A mesh of chips with `links` links on every edge, numbered row by row.
std::string mesh(unsigned rows, unsigned columns, unsigned links = 2) {
  nlohmann::json system = {{"name", "test"}, {"links", nlohmann::json::array()}};
  const auto join = [&](unsigned a, unsigned b) {
    for (unsigned i = 0; i < links; ++i)
      system["links"].push_back(
          {{"a", {{"chip", a}, {"channel", i}}}, {"b", {{"chip", b}, {"channel", i}}}});
  };
  for (unsigned chip = 0; chip < rows * columns; ++chip) {
    system["devices"].push_back(chip);
    if (chip % columns + 1 < columns) join(chip, chip + 1);
    if (chip / columns + 1 < rows) join(chip, chip + columns);
  }
  return system.dump();
}

void expect_ring(const std::vector<unsigned>& chips, unsigned columns) {
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const unsigned a = std::min(chips[i], chips[(i + 1) % chips.size()]);
    const unsigned b = std::max(chips[i], chips[(i + 1) % chips.size()]);
    EXPECT_TRUE(b == a + columns || (b == a + 1 && b % columns != 0)) << a << " " << b;
    EXPECT_EQ(std::count(chips.begin(), chips.end(), chips[i]), 1);
  }
}

TEST(SdpaDeviceRing, FindsRingsOfEverySizeInAMesh) {
  const DeviceRing galaxy(mesh(4, 8, 4), 2);
  for (const unsigned size : {2u, 4u, 8u, 16u, 32u}) {
    SCOPED_TRACE(size);
    const auto chips = galaxy.select(std::to_string(size));
    ASSERT_EQ(chips.size(), size);
    expect_ring(chips, 8);
  }
  EXPECT_EQ(galaxy.select("").size(), 32u);
  const DeviceRing t3000(mesh(2, 4), 2);
  expect_ring(t3000.select("8"), 4);
  EXPECT_EQ(t3000.select("2"), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(t3000.select("5,6,2,1"), (std::vector<unsigned>{5, 6, 2, 1}));
}

std::string refusal(const DeviceRing& ring, const std::string& value) {
  return test::fault_of([&] { ring.select(value); }, foundation::FaultKind::kDescription,
                        "sdpa.devices");
}

TEST(SdpaDeviceRing, NamesWhatIsNoRing) {
  const DeviceRing ring(mesh(2, 4), 2);
  EXPECT_NE(refusal(ring, "0,1,2,3")
                .find("chips 3 and 0 are neighbors on the ring, but system "
                      "test joins them by 0 links: expected 2"),
            std::string::npos);
  EXPECT_NE(refusal(ring, "0,1,2,3").find("no order of these chips is a ring"), std::string::npos);
  EXPECT_NE(refusal(ring, "0,1,4,5").find("in the order 0,1,5,4"), std::string::npos);
  EXPECT_NE(refusal(ring, "0,1,5,8").find("chip 8: system test has devices 0,1,2"),
            std::string::npos);
  EXPECT_NE(refusal(ring, "0,1,0,4").find("names a chip twice"), std::string::npos);
  EXPECT_NE(refusal(ring, "16").find("no ring of 16 devices: system test has 8"),
            std::string::npos);
  for (const char* size : {"0", "1", "3", "6", "64", "0,1,5"})
    EXPECT_NE(refusal(ring, size).find("expected 2, 4, 8, 16 or 32"), std::string::npos) << size;
  for (const char* text : {"all", "2,", "0,,1", "-2", " 2", "0;1"})
    EXPECT_NE(refusal(ring, text).find("expected a count (2, 4, 8, 16 or 32), chips"),
              std::string::npos)
        << text;
  EXPECT_NE(refusal(DeviceRing(mesh(1, 4), 2), "4").find("no ring of 4 devices"),
            std::string::npos);
  EXPECT_NE(refusal(DeviceRing(mesh(2, 4, 1), 2), "").find("need 2 links"), std::string::npos);
  EXPECT_NE(refusal(DeviceRing(mesh(1, 3), 2), "").find("system test has 3 devices"),
            std::string::npos);
}

TEST(SdpaDeviceRing, EndsItsSearchWhereThereIsNone) {
  // Chips of a chessboard without two squares of one color have no ring through all of them.
  nlohmann::json system = nlohmann::json::parse(mesh(6, 6));
  system["devices"].erase(35);
  system["devices"].erase(21);
  system["devices"].erase(14);
  system["devices"].erase(0);
  EXPECT_NE(refusal(DeviceRing(system.dump(), 2), "32").find("no ring of 32"), std::string::npos);
  EXPECT_NE(
      test::fault_of([] { DeviceRing("", 2); }, foundation::FaultKind::kDescription, "sdpa.devices")
          .find("does not describe"),
      std::string::npos);
}

}  // namespace
}  // namespace tvp::workloads::sdpa
