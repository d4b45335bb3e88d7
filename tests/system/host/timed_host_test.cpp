// host.timed=true: sharded tensors that the host writes and reads take the time of PCI Express, and
// of ethernet for chips behind another one.

#include <gtest/gtest.h>

#include <numeric>

#include "sw/runtime/host_api.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime::sharding {
namespace {

constexpr std::uint64_t kRows = 256, kColumns = 512;  // sides of the tensor, which has eight shards

class TimedHost : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() {
    open("system=t3000\nhost.timed=true\n", "timed_host");
    mesh_->reshape({2, 4});
  }
  static double nanoseconds(const std::function<void()>& work) {
    const std::uint64_t before = library_->time_ps();
    work();
    return static_cast<double>(library_->time_ps() - before) / 1000;
  }
  /// Coordinate of a device whose chip is one of the left ones, or not.
  static MeshCoordinate device(bool left) {
    for (std::uint32_t i = 0; i < 8; ++i)
      if ((mesh_->device(i).chip() < 4) == left) return {i / 4, i % 4};
    return {0, 0};
  }
  static std::unique_ptr<DistributedBuffer> tensor() {
    DeviceLocalLayoutConfig layout;
    layout.page_size = kRows / 8 * kColumns * 2;  // one access a shard
    return DistributedBuffer::create(*mesh_, ShardTensorToMesh(*mesh_, 0), {kRows, kColumns}, 2,
                                     layout);
  }
};

TEST_F(TimedHost, AShardTakesTheTimeOfItsWay) {
  const auto buffer = tensor();
  const auto bytes = static_cast<double>(buffer->local_size());
  std::vector<std::uint8_t> shard(buffer->local_size());
  std::iota(shard.begin(), shard.end(), std::uint8_t{3});
  for (const bool left : {true, false}) {
    const MeshCoordinate at = device(left);
    const double of_link = 12.5 * 1500 / 1550, of_way = 326;  // models/ethernet: rate, latency
    const double write = nanoseconds([&] { buffer->write_shard(at, shard); });
    const double expected_write = left ? bytes / 22.65 : bytes / of_link + of_way;
    EXPECT_GE(write, expected_write);
    EXPECT_LT(write, expected_write + 0.02 * expected_write + 400) << left;
    std::vector<std::uint8_t> back;
    const double read = nanoseconds([&] { back = buffer->read_shard(at); });
    const double expected_read = 671 + bytes / 11.3 + (left ? 0 : 2 * of_way);
    EXPECT_GE(read, expected_read);
    EXPECT_LT(read, expected_read + 0.02 * expected_read + 400) << left;
    EXPECT_EQ(back, shard);
  }
}

TEST_F(TimedHost, ATensorTakesTheTimesOfItsShards) {
  const auto buffer = tensor();
  std::vector<std::uint8_t> whole(buffer->global_size());
  std::iota(whole.begin(), whole.end(), std::uint8_t{0});
  const double time = nanoseconds([&] { buffer->write(whole); });
  const double shard = static_cast<double>(buffer->local_size());
  const double expected = 4 * shard / 22.65 + 4 * (shard * 1550 / (1500 * 12.5) + 326);
  EXPECT_GE(time, expected);
  EXPECT_LT(time, expected + 8 * 350);  // at most a write for each window that moves
  EXPECT_EQ(buffer->read(), whole);
}

}  // namespace
}  // namespace tvp::runtime::sharding
