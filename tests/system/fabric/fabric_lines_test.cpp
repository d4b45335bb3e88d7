// Lines of the fabric on several links between the same chips, whose routers write over either NoC.
// Packets go to pages in DRAM, whose coordinates differ between the two NoCs.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "foundation/fault.h"
#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"

namespace tvp::runtime::fabric_lines_test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kPage = 64;
constexpr std::uint32_t kPages = 24;  // two on each bank
constexpr CoreCoord kCore{3, 2};
constexpr std::uint32_t kPayload = contract::fabric::kDefaultMaxPayloadBytes;

class FabricLines : public testing::TestWithParam<NOC> {
 protected:
  FabricLines() {
    library_->configure("system=pair");
    mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
  }
  std::unique_ptr<FabricLine> line(unsigned link) {
    return std::make_unique<FabricLine>(*mesh_, 2, kPayload, GetParam(), false, link);
  }
  std::shared_ptr<MeshBuffer> pages() {
    return MeshBuffer::create(
        *mesh_, InterleavedBufferConfig{.size = std::uint64_t{kPages} * kPage, .page_size = kPage});
  }
  static Bytes numbers(unsigned first) {
    Bytes bytes(std::size_t{kPages} * kPage);
    std::iota(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(first));
    return bytes;
  }
  /// Sends `bytes` from a core of chip 0 to pages of chip 1, with each command that carries data.
  void send(const FabricLine& line, const Bytes& bytes, const MeshBuffer& to);

  std::unique_ptr<DeviceLibrary> library_ = DeviceLibrary::open(TVP_LIBRARY);
  std::unique_ptr<MeshDevice> mesh_;
};

void FabricLines::send(const FabricLine& line, const Bytes& bytes, const MeshBuffer& to) {
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "fabric_lines";
  fs::create_directories(folder);
  std::ofstream(folder / "send.cpp") << R"(
#include "tt_metal/fabric/hw/inc/edm_fabric/fabric_connection_manager.hpp"
#include "tt_metal/fabric/hw/inc/linear/api.h"
#include "tt_metal/fabric/hw/inc/linear/addrgen_api.h"
#include "tt_metal/fabric/hw/inc/packet_header_pool.h"
using namespace tt::tt_fabric;
using namespace tt::tt_fabric::linear::experimental;
void kernel_main() {
  const uint32_t source = get_arg_val<uint32_t>(0);
  const uint32_t counter = get_arg_val<uint32_t>(1);
  const InterleavedAddrGen<true> pages = {get_arg_val<uint32_t>(2), 64};
  const uint64_t count_at = get_noc_addr(my_x[0], my_y[0], counter, 0);
  size_t next = 3;
  auto manager = FabricConnectionManager::build_from_args<
      FabricConnectionManager::BUILD_AND_OPEN_CONNECTION>(next);
  auto* up = &manager.get_forward_connection();
  auto* header = PacketHeaderPool::allocate_header();
  const auto at = [&](uint32_t page) {
    return tt::tt_fabric::linear::addrgen_detail::get_noc_address(pages, page, 0);
  };
  for (uint32_t page = 0; page < 24;) {
    const uint32_t from = source + page * 64;
    if (page % 4 == 0) {
      fabric_unicast_noc_unicast_write(up, header, from, 64, NocUnicastCommandHeader{at(page)}, 1);
      page += 1;
    } else if (page % 4 == 1) {
      fabric_unicast_noc_fused_unicast_with_atomic_inc(
          up, header, from, 64, NocUnicastAtomicIncFusedCommandHeader{at(page), count_at, 1, true},
          1);
      page += 1;
    } else {
      fabric_unicast_noc_scatter_write(
          up, header, from, 128, NocUnicastScatterCommandHeader({at(page), at(page + 1)}, {64}), 1);
      page += 2;
    }
    noc_async_writes_flushed();
  }
  manager.close();
  noc_async_full_barrier();
}
)";
  const auto source = MeshBuffer::create(
      *mesh_,
      ShardedBufferConfig{.cores = kCore, .shard_bytes = static_cast<std::uint32_t>(bytes.size())});
  const auto counter =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = 64});
  source->write_shard(0, kCore, bytes);
  counter->write_shard(1, kCore, Bytes(64, 0));
  std::vector<Program> programs(2);
  for (unsigned i = 0; i < 3; ++i) CreateSemaphore(programs[0], kCore, 0);
  const auto kernel =
      CreateKernel(programs[0], (folder / "send.cpp").string(), kCore, DataMovementConfig{});
  std::vector<std::uint32_t> args{static_cast<std::uint32_t>(source->address()),
                                  static_cast<std::uint32_t>(counter->address()),
                                  static_cast<std::uint32_t>(to.address()), 1};
  for (const std::uint32_t word : line.connection(0, true, 0)) args.push_back(word);
  args.push_back(0);
  SetRuntimeArgs(programs[0], kernel, kCore, args);
  mesh_->enqueue_all(programs);
  mesh_->finish_workers();
  library_->clock(20'000);  // packets are still in flight after their sender has ended
  EXPECT_EQ(counter->read_shard(1, kCore)[0], kPages / 4);
}

TEST_P(FabricLines, CarryPagesOfDramOnEachLink) {
  const auto first = line(0), second = line(1);
  EXPECT_NE(first->channel(0, true), second->channel(0, true));
  first->start();
  second->start();
  const auto on_first = pages(), on_second = pages();
  send(*first, numbers(1), *on_first);
  send(*second, numbers(77), *on_second);
  EXPECT_EQ(on_first->read(1), numbers(1));
  EXPECT_EQ(on_second->read(1), numbers(77));
  second->stop();  // the other line continues
  const auto later = pages();
  send(*first, numbers(200), *later);
  EXPECT_EQ(later->read(1), numbers(200));
  first->stop();
  EXPECT_FALSE(mesh_->running());
}

INSTANTIATE_TEST_SUITE_P(Nocs, FabricLines, testing::Values(NOC::NOC_0, NOC::NOC_1),
                         [](const auto& test) {
                           return std::string(test.param == NOC::NOC_0 ? "noc0" : "noc1");
                         });

TEST(FabricLinesOfAPair, NameTheLinkThatIsNotThere) {
  const auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=pair");
  MeshDevice mesh(*library, MeshDevice::Options{});
  EXPECT_TRUE(tvp::test::faults([&] { FabricLine(mesh, 2, kPayload, NOC::NOC_0, false, 2); }, {},
                                {"no link 2 joins devices 0 and 1", "they have 2"}));
}

}  // namespace
}  // namespace tvp::runtime::fabric_lines_test
