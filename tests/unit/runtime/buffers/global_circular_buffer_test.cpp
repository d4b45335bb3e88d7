// L1 contents of each core of a global circular buffer before the first kernel, and refused uses of
// the host. tests/system/api/global_circular_buffer_test.cpp tests kernels.

#include "sw/runtime/buffers/global_circular_buffer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "foundation/contract/global_circular_buffer.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::global_circular_buffer_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kSize = 4096;
const CoreCoord kOne{0, 0}, kOther{3, 1};
const std::vector<CoreCoord> kOfOne{{1, 0}, {2, 0}}, kOfOther{{1, 2}, {4, 4}, {5, 4}};

class GlobalCircularBufferTest : public testing::Test {
 protected:
  GlobalCircularBufferTest()
      : folder_(fs::temp_directory_path() / ("tvp_global_cb_" + std::to_string(getpid()))),
        library_(test::FakeLibrary::functions(), "fake"),
        mesh_(library_, options(folder_)) {}
  ~GlobalCircularBufferTest() override { fs::remove_all(folder_); }

  static MeshDevice::Options options(const fs::path& folder) {
    MeshDevice::Options options;
    options.cache = (folder / "cache").string();
    return options;
  }
  std::uint32_t word(unsigned device, CoreCoord core, std::uint32_t address) {
    Device& of = mesh_.device(device);
    return of.tiles().read32(of.worker(core).noc0, address);
  }
  std::uint32_t config(unsigned device, CoreCoord core, const GlobalCircularBuffer& buffer,
                       std::uint32_t word_index) {
    return word(device, core, buffer.config_address() + 4 * word_index);
  }
  /// The coordinates after the configuration must be those of `others` in order.
  void expect_coordinates(unsigned device, CoreCoord core, const GlobalCircularBuffer& buffer,
                          const std::vector<CoreCoord>& others) {
    std::uint32_t at = config(device, core, buffer, contract::kRemoteCbCoordinates);
    for (const CoreCoord other : others) {
      const CoreCoord noc = mesh_.device(device).worker_core_from_logical_core(other);
      EXPECT_EQ(word(device, core, at), noc.x) << core.str();
      EXPECT_EQ(word(device, core, at + 4), noc.y) << core.str();
      at += 8;
    }
  }
  void expect_empty(unsigned device, CoreCoord core, const GlobalCircularBuffer& buffer) {
    for (const std::uint32_t w : {contract::kRemoteCbFifoStart, contract::kRemoteCbFifoPointer})
      EXPECT_EQ(config(device, core, buffer, w), buffer.buffer_address()) << core.str();
    EXPECT_EQ(config(device, core, buffer, contract::kRemoteCbFifoSize), kSize) << core.str();
  }

  fs::path folder_;
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  MeshDevice mesh_;
};

TEST_F(GlobalCircularBufferTest, EveryCoreFindsItsOthersAndCountersOfZero) {
  const GlobalCircularBuffer::Mapping mapping = {{kOne, CoreRangeSet(kOfOne)},
                                                 {kOther, CoreRangeSet(kOfOther)}};
  std::uint32_t before = 0;
  {
    // The next buffer takes the same memory and ignores old content.
    const GlobalCircularBuffer used(mesh_, mapping, kSize);
    before = used.config_address();
    for (unsigned device = 0; device < 2; ++device)
      for (const CoreCoord core : used.all_cores().cores())
        for (std::uint32_t at = 0; at < 256; at += 4)
          mesh_.device(device).tiles().write32(mesh_.device(device).worker(core).noc0, before + at,
                                               0xFFFFFFFF);
  }
  const GlobalCircularBuffer buffer(mesh_, mapping, kSize);
  ASSERT_EQ(buffer.config_address(), before);
  for (unsigned device = 0; device < 2; ++device) {
    for (const auto& [sender, its] : mapping) {
      const std::vector<CoreCoord> receivers = its.cores();
      expect_empty(device, sender, buffer);
      EXPECT_NE(config(device, sender, buffer, contract::kRemoteCbIsSender), 0U);
      EXPECT_EQ(config(device, sender, buffer, contract::kRemoteCbReceivers), receivers.size());
      expect_coordinates(device, sender, buffer, receivers);
      const std::uint32_t first = config(device, sender, buffer, contract::kRemoteCbPagesSent);
      EXPECT_EQ(first % 16, 0U) << "counters are written over the NoC";
      const std::uint32_t coordinates =
          config(device, sender, buffer, contract::kRemoteCbCoordinates);
      EXPECT_GE(first, coordinates + 8 * receivers.size());
      std::uint32_t counter = first;
      for (const CoreCoord receiver : receivers) {
        expect_empty(device, receiver, buffer);
        EXPECT_EQ(config(device, receiver, buffer, contract::kRemoteCbIsSender), 0U);
        expect_coordinates(device, receiver, buffer, {sender});
        EXPECT_EQ(config(device, receiver, buffer, contract::kRemoteCbPagesSent), counter);
        for (const CoreCoord core : {sender, receiver})
          for (std::uint32_t i = 0; i < 2; ++i)
            EXPECT_EQ(word(device, core, counter + i * contract::kRemoteCbCounterStride), 0U);
        counter += 2 * contract::kRemoteCbCounterStride;
      }
    }
  }
}

TEST_F(GlobalCircularBufferTest, RefusesMappingsThatAreNone) {
  const auto refusal = [&](const GlobalCircularBuffer::Mapping& mapping, std::uint32_t size,
                           BufferType type = BufferType::L1) {
    try {
      const GlobalCircularBuffer buffer(mesh_, mapping, size, type);
    } catch (const foundation::Fault& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  const CoreRangeSet of_one(kOfOne), of_other(kOfOther);
  const auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  EXPECT_EQ(refusal({{kOne, of_one}, {kOther, of_other}}, 16), "");
  expect(refusal({{kOne, of_one}, {kOne, of_other}}, kSize), "is in its mapping twice");
  expect(refusal({{kOne, of_one}, {kOther, of_one}}, kSize), "a receiver has one sender");
  expect(refusal({{kOne, of_one}, {kOfOne[0], of_other}}, kSize), "is in its mapping twice");
  expect(refusal({{kOne, CoreRangeSet(std::vector<CoreCoord>{kOne})}}, kSize), "twice");
  expect(refusal({{kOne, CoreRangeSet()}}, kSize), "has no receiver");
  expect(refusal({}, kSize), "has no sender");
  expect(refusal({{kOne, of_one}}, 0), "expected a positive multiple of 16");
  expect(refusal({{kOne, of_one}}, 24), "expected a positive multiple of 16");
  expect(refusal({{kOne, of_one}}, kSize, BufferType::DRAM), "expected L1");
}

}  // namespace
}  // namespace tvp::runtime::global_circular_buffer_test
