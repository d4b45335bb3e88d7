// Clients of a mux that ends with them (FabricMuxV2Sender): several share a link of two chips. Also
// a client of a mux that a signal ends, and that disconnects before the mux has seen it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/fabric/fabric_mux.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr CoreCoord kTarget{1, 2};
constexpr std::uint32_t kSize = 4096;
const fs::path kFolder = fs::path(TVP_KERNEL_FOLDER) / "fabric_mux_clients";

/// A mux on device 0 that ends with its clients, each on another core.
class MuxWithClients {
 public:
  MuxWithClients(MeshDevice& mesh, const FabricLine& line, std::vector<std::string> bodies)
      : mesh_(mesh), bodies_(std::move(bodies)), cores_(cores(bodies_.size())) {
    const auto clients = static_cast<std::uint32_t>(bodies_.size());
    layout_ =
        contract::fabric::mux_layout(0, contract::fabric::kDefaultMaxPayloadBytes, clients, kSlots);
    memory_ =
        MeshBuffer::create(mesh_, ShardedBufferConfig{.cores = kMux, .shard_bytes = layout_.end()});
    layout_.base = static_cast<std::uint32_t>(memory_->address());
    memory_->write_shard(0, kMux, Bytes(layout_.control_bytes(), 0));
    source_ = MeshBuffer::create(
        mesh_, ShardedBufferConfig{.cores = CoreRangeSet(cores_), .shard_bytes = kSize});
    const auto mux = CreateFabricMux(program_, CoreRangeSet(kMux), layout_, line.layout(),
                                     FabricMuxEnd::kWithClients);
    const CoreCoord router = mesh_.device(0).ethernet_core_from_channel(line.channel(0, true));
    SetRuntimeArgs(program_, mux, kMux, std::vector<std::uint32_t>{router.x, router.y});
  }
  static constexpr std::uint32_t kSlots = 4;

  /// `bytes` is the content of each client's source; `target` is an address on `at` of the next
  /// device.
  void run(const Bytes& bytes, std::uint32_t target, CoreCoord at) {
    const CoreCoord mux = mesh_.device(0).worker_core_from_logical_core(kMux);
    fs::create_directories(kFolder);
    for (unsigned i = 0; i < 2; ++i) CreateSemaphore(program_, CoreRangeSet(cores_), 0);
    for (unsigned i = 0; i < bodies_.size(); ++i) {
      source_->write_shard(0, cores_[i], bytes);
      const fs::path path = kFolder / ("client_" + std::to_string(i) + ".cpp");
      std::ofstream(path) << "#include \"api/dataflow/dataflow_api.h\"\n"
                             "#include \"tt_metal/fabric/hw/inc/tt_fabric_mux_v2_sender.hpp\"\n"
                             "#include \"tt_metal/fabric/hw/inc/linear/api.h\"\n"
                             "#include \"tt_metal/fabric/hw/inc/packet_header_pool.h\"\n"
                             "using namespace tt::tt_fabric;\n"
                             "using namespace tt::tt_fabric::linear::experimental;\n"
                             "void kernel_main() {\n"
                             "  size_t next = 4;\n"
                             "  const uint32_t source = get_arg_val<uint32_t>(0);\n"
                             "  const uint64_t there = safe_get_noc_addr(\n"
                             "      get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), "
                             "get_arg_val<uint32_t>(3), 0);\n"
                             "  auto* told = reinterpret_cast<volatile uint32_t*>(source);\n"
                             "  auto* h = PacketHeaderPool::allocate_header();\n"
                          << bodies_[i] << "}\n";
      std::vector<std::uint32_t> args{static_cast<std::uint32_t>(source_->address()), at.x, at.y,
                                      target};
      for (const std::uint32_t word : fabric_mux_client_args(layout_, mux, i, 0))
        args.push_back(word);
      SetRuntimeArgs(program_,
                     CreateKernel(program_, path.string(), cores_[i], DataMovementConfig{}),
                     cores_[i], args);
    }
    std::vector<Program> programs(mesh_.num_devices());
    programs[0] = std::move(program_);
    mesh_.enqueue_all(programs);
    mesh_.finish_workers();
  }
  /// Words at the start of a client's source.
  std::vector<std::uint32_t> told(unsigned client, unsigned words) const {
    std::vector<std::uint32_t> all(words);
    std::memcpy(all.data(), source_->read_shard(0, cores_[client]).data(), 4 * words);
    return all;
  }
  std::uint32_t status() const {
    std::uint32_t word = 0;
    std::memcpy(&word, memory_->read_shard(0, kMux).data() + layout_.status() - layout_.base, 4);
    return word;
  }

 private:
  static constexpr CoreCoord kMux{7, 2};
  static std::vector<CoreCoord> cores(std::size_t clients) {
    std::vector<CoreCoord> all;
    for (std::uint32_t i = 0; i < clients; ++i) all.push_back({2 + i, 3});
    return all;
  }

  MeshDevice& mesh_;
  std::vector<std::string> bodies_;
  std::vector<CoreCoord> cores_;
  contract::fabric::MuxLayout layout_{};
  std::shared_ptr<MeshBuffer> memory_, source_;
  Program program_;
};

/// Clients that wait for the mux, fill slots before they notify it, poll for it meanwhile, or send
/// nothing.
TEST(FabricMuxClients, OfAMuxThatEndsWithThem) {
  const auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=quad_ring");
  MeshDevice mesh(*library, MeshDevice::Options{});
  FabricLine line(mesh, 2, contract::fabric::kDefaultMaxPayloadBytes);
  line.start();
  const auto target =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kTarget, .shard_bytes = kSize});
  for (unsigned device = 0; device < 2; ++device)
    target->write_shard(device, kTarget, Bytes(kSize, 0));
  MuxWithClients mux(
      mesh, line,
      {"auto mux = FabricMuxV2Sender<>::build_from_args(next);\n"
       "mux.open();\n"
       "for (uint32_t i = 0; i < 6; ++i) {\n"
       "  fabric_unicast_noc_unicast_write(&mux, h, source + 64 * i, 64,\n"
       "                                   NocUnicastCommandHeader{there + 64 + 64 * i}, 1);\n"
       "  noc_async_writes_flushed();\n"
       "}\n"
       "fabric_unicast_noc_unicast_atomic_inc(&mux, h,\n"
       "    NocUnicastAtomicIncCommandHeader{there, 5, true}, 1);\n"
       "mux.close();\n",

       // Four of seven packets are in slots before the mux is notified.
       "auto mux = FabricMuxV2Sender<true>::build_from_args(next);\n"
       "mux.open();\n"
       "mux.setup_stateful_send_cmd_bufs();\n"
       "h->to_chip_unicast(1);\n"
       "uint32_t full = 0;\n"
       "for (uint32_t i = 0; i < 7; ++i) {\n"
       "  full |= mux.is_staging_ring_full() << i;\n"
       "  mux.wait_for_empty_write_slot();\n"
       "  h->to_noc_unicast_write(NocUnicastCommandHeader{there + 512 + 64 * i}, 64);\n"
       "  mux.send_current_slot_stateful_non_blocking(source + 512 + 64 * i, 64, (uint32_t)h);\n"
       "  noc_async_writes_flushed();\n"
       "}\n"
       "mux.close();\n"
       "told[0] = full;\n",

       // Header and payload in one, while reads of the status show if the mux is ready.
       "auto mux = FabricMuxV2Sender<true, 4>::build_from_args(next);\n"
       "mux.open(5);\n"
       "h->to_chip_unicast(1)->to_noc_unicast_write(NocUnicastCommandHeader{there + 1024}, 64);\n"
       "mux.wait_for_empty_write_slot();\n"
       "mux.send_payload_without_header_non_blocking_from_address(source + 1024, 64);\n"
       "mux.send_payload_flush_non_blocking_from_address((uint32_t)h, sizeof(*h));\n"
       "uint32_t looked = 1;\n"
       "while (!mux.flush<false>()) ++looked;\n"
       "told[0] = looked;\n"
       "told[1] = mux.is_staging_ring_full();\n"
       "mux.close();\n",

       "auto mux = FabricMuxV2Sender<4>::build_from_args(next);\n"
       "mux.open();\n"
       "mux.close();\n"});
  Bytes bytes(kSize);
  for (std::size_t i = 0; i < kSize; ++i) bytes[i] = static_cast<std::uint8_t>(i * 5 + i / 251 + 1);
  mux.run(bytes, static_cast<std::uint32_t>(target->address()),
          mesh.device(0).worker_core_from_logical_core(kTarget));
  library->clock(100'000);
  line.stop();
  Bytes expected(kSize, 0);
  expected[0] = 5;
  const auto put = [&](std::size_t from, std::size_t count, std::size_t to) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), count,
                expected.begin() + static_cast<std::ptrdiff_t>(to));
  };
  put(0, 6 * 64, 64);
  put(512, 7 * 64, 512);
  put(1024, 64, 1024);
  EXPECT_EQ(target->read_shard(1, kTarget), expected);
  EXPECT_EQ(target->read_shard(0, kTarget), Bytes(kSize, 0));
  EXPECT_EQ(mux.told(1, 1)[0], 1U << MuxWithClients::kSlots);
  EXPECT_GT(mux.told(2, 1)[0], 1U);
  EXPECT_EQ(mux.told(2, 2)[1], 0U);
  EXPECT_EQ(mux.status(), contract::fabric::kStatusTerminated);
}

// The first time while the mux waits for its router; then with a packet.
constexpr const char* kHastyClient = R"(
#include "api/dataflow/dataflow_api.h"
#include "tt_metal/fabric/hw/inc/tt_fabric_mux_interface.hpp"
#include "tt_metal/fabric/hw/inc/packet_header_pool.h"
using namespace tt::tt_fabric;
void kernel_main() {
  const uint32_t words = get_arg_val<uint32_t>(0);
  const auto x = static_cast<uint8_t>(get_arg_val<uint32_t>(1));
  const auto y = static_cast<uint8_t>(get_arg_val<uint32_t>(2));
  const uint64_t there = safe_get_noc_addr(get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4),
                                           get_arg_val<uint32_t>(5), 0);
  auto mux = build_connection_to_fabric_endpoint<0>(
      x, y, 0, get_arg_val<uint32_t>(6), get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8),
      get_arg_val<uint32_t>(9), get_arg_val<uint32_t>(10), 0, get_arg_val<uint32_t>(11), words,
      words + 16, words + 32);
  auto* seen = reinterpret_cast<volatile uint32_t*>(words + 48);
  noc_async_read(get_noc_addr(x, y, get_arg_val<uint32_t>(12)), words + 48, 4);
  noc_async_read_barrier();
  seen[1] = seen[0];  // not ready yet
  fabric_client_connect(mux);
  fabric_client_disconnect(mux);
  wait_for_fabric_endpoint_ready(x, y, get_arg_val<uint32_t>(12), words + 48);
  fabric_client_connect(mux);
  auto* h = PacketHeaderPool::allocate_header();
  h->to_chip_unicast(1)->to_noc_unicast_write(NocUnicastCommandHeader{there}, 64);
  fabric_async_write(mux, h, words + 64, 64);
  fabric_client_disconnect(mux);
  fabric_endpoint_terminate(x, y, get_arg_val<uint32_t>(13));
}
)";

TEST(FabricMuxClients, OneThatIsGoneBeforeTheMuxHasLooked) {
  constexpr CoreCoord kMux{7, 2}, kClient{2, 3};
  const auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=quad_ring");
  MeshDevice mesh(*library, MeshDevice::Options{});
  FabricLine line(mesh, 2, contract::fabric::kDefaultMaxPayloadBytes);
  const auto target =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kTarget, .shard_bytes = 64});
  target->write_shard(1, kTarget, Bytes(64, 0));
  auto layout = contract::fabric::mux_layout(0, contract::fabric::kDefaultMaxPayloadBytes, 1, 4);
  const auto memory =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kMux, .shard_bytes = layout.end()});
  layout.base = static_cast<std::uint32_t>(memory->address());
  memory->write_shard(0, kMux, Bytes(layout.control_bytes(), 0));
  const auto words =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kClient, .shard_bytes = 128});
  Bytes bytes(128, 0);
  for (std::size_t i = 64; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 5 + 1);
  words->write_shard(0, kClient, bytes);

  std::vector<Program> programs(mesh.num_devices());
  const auto mux = CreateFabricMux(programs[0], CoreRangeSet(kMux), layout, line.layout());
  const CoreCoord router = mesh.device(0).ethernet_core_from_channel(line.channel(0, true));
  SetRuntimeArgs(programs[0], mux, kMux, std::vector<std::uint32_t>{router.x, router.y});
  fs::create_directories(kFolder);
  const fs::path path = kFolder / "hasty_client.cpp";
  std::ofstream(path) << kHastyClient;
  const CoreCoord at = mesh.device(0).worker_core_from_logical_core(kMux);
  const CoreCoord to = mesh.device(0).worker_core_from_logical_core(kTarget);
  const auto client = CreateKernel(programs[0], path.string(), kClient, DataMovementConfig{});
  SetRuntimeArgs(
      programs[0], client, kClient,
      std::vector<std::uint32_t>{
          static_cast<std::uint32_t>(words->address()), at.x, at.y, to.x, to.y,
          static_cast<std::uint32_t>(target->address()), layout.slots, layout.bytes_per_slot,
          layout.channel_base(0), layout.connection_info(0), layout.connection_handshake(0),
          layout.buffer_index(0), layout.status(), layout.termination_signal()});
  mesh.enqueue_all(programs);
  library->clock(20'000);  // the client has asked to close, and the router is not ready
  std::uint32_t handshake = 0;
  mesh.device(0).read_l1(kMux, layout.connection_handshake(0), &handshake, 4);
  EXPECT_EQ(handshake, contract::fabric::kConnectionCloseRequest);
  line.start();
  mesh.finish_workers();
  library->clock(100'000);
  line.stop();
  EXPECT_EQ(target->read_shard(1, kTarget), Bytes(bytes.begin() + 64, bytes.end()));
}

}  // namespace
}  // namespace tvp::runtime
