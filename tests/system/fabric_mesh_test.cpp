// The fabric on meshes and tori of chips: packets from every chip to every other one, multicasts,
// buffers of the smallest sizes, both links of an edge, and what is refused.

#include "sw/runtime/fabric_mesh.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/runtime/host_api.h"

namespace tvp::runtime::fabric_mesh_test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr CoreCoord kCore{1, 1};
constexpr unsigned kMost = 4;  ///< connections of a kernel
const fs::path kFolder = TVP_KERNEL_FOLDER;

/// A description in a file of the test's, of small chips with a link in each direction.
std::string small_chips(const std::string& kind, unsigned rows, unsigned columns) {
  fs::create_directories(kFolder);
  const std::string name =
      kind + "_" + std::to_string(rows) + "x" + std::to_string(columns) + ".toml";
  std::ofstream(kFolder / name) << "schema = 1\nname = \"" << kind << "\"\n[topology]\nkind = \""
                                << kind << "\"\nshape = [" << rows << ", " << columns
                                << "]\ndescription = \"small\"\n";
  return (kFolder / name).string();
}

struct Setup {
  std::string name;
  std::string system;
  MeshShape shape;
  FabricMesh::Options options;
};

/// A system with its fabric running.
class Chips {
 public:
  explicit Chips(const Setup& setup) : library_(DeviceLibrary::open(TVP_LIBRARY)) {
    library_->configure("system=" + setup.system);
    mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
    fabric_ = std::make_unique<FabricMesh>(*mesh_, setup.shape, setup.options);
    fabric_->start();
  }
  MeshDevice& mesh() { return *mesh_; }
  const FabricMesh& fabric() const { return *fabric_; }
  unsigned devices() const { return mesh_->num_devices(); }
  void stop() { fabric_->stop(); }

  /// A kernel of `body` on every device that `arguments` has some for. Its first arguments are the
  /// number of connections and each with its direction as a tag, then those given.
  void run(const std::string& name, const std::string& body,
           const std::vector<std::vector<std::uint32_t>>& arguments, unsigned plane = 0) {
    const fs::path path = kFolder / (name + ".cpp");
    fs::create_directories(kFolder);
    std::ofstream(path)
        << "#include \"tt_metal/fabric/hw/inc/edm_fabric/routing_plane_connection_manager.hpp\"\n"
           "#include \"tt_metal/fabric/hw/inc/packet_header_pool.h\"\n"
           "#include \"tt_metal/fabric/hw/inc/tt_fabric_api.h\"\n"
           "#include \"fabric/noc_addr.h\"\n"
           "using namespace tt::tt_fabric;\n"
           "void kernel_main() {\n"
           "  size_t next = 1;\n"
           "  auto connections = RoutingPlaneConnectionManager::build_from_args<\n"
           "      RoutingPlaneConnectionManager::BUILD_AND_OPEN_CONNECTION>(\n"
           "      next, get_arg_val<uint32_t>(0));\n"
           "  const auto arg = [&](uint32_t i) { return get_arg_val<uint32_t>(next + i); };\n"
           "  auto* header = PacketHeaderPool::allocate_header();\n"
           "  const auto send = [&](uint32_t direction, uint32_t source, uint32_t bytes) {\n"
           "    connections.for_each_with_tag(direction, [&](auto& to, uint32_t, uint32_t) {\n"
           "      to.wait_for_empty_write_slot();\n"
           "      if (bytes != 0)\n"
           "        to.send_payload_without_header_non_blocking_from_address(source, bytes);\n"
           "      to.send_payload_flush_blocking_from_address((uint32_t)header, sizeof(*header));\n"
           "    });\n"
           "  };\n"
        << body
        << "  connections.close();\n"
           "  noc_async_full_barrier();\n"
           "}\n";
    std::vector<Program> programs(devices());
    for (unsigned device = 0; device < devices(); ++device) {
      if (arguments[device].empty()) continue;
      Program& program = programs[device];
      for (unsigned i = 0; i < 3 * kMost; ++i) CreateSemaphore(program, kCore, 0);
      const auto kernel = CreateKernel(program, path.string(), kCore,
                                       DataMovementConfig{.defines = FabricMesh::defines()});
      std::vector<std::uint32_t> args{0};
      for (unsigned d = 0; d < contract::fabric::kDirections; ++d) {
        const auto direction = static_cast<Direction>(d);
        if (!fabric_->has_router(device, direction)) continue;
        args.push_back(d);
        const auto words = fabric_->connection(device, direction, 3 * args[0], plane);
        args.insert(args.end(), words.begin(), words.end());
        ++args[0];
      }
      args.insert(args.end(), arguments[device].begin(), arguments[device].end());
      SetRuntimeArgs(program, kernel, kCore, args);
    }
    mesh_->enqueue_all(programs);
    mesh_->finish_workers();
  }

 private:
  std::unique_ptr<DeviceLibrary> library_;
  std::unique_ptr<MeshDevice> mesh_;
  std::unique_ptr<FabricMesh> fabric_;
};

const Setup kT3000{"t3000", "t3000", {2, 4}, {}};

// --- every chip to every chip
// ---------------------------------------------------------------------

constexpr std::uint32_t kMostBytes = 2048;  ///< of a packet
constexpr std::uint32_t kCounters = 512;    ///< one for each sender

std::uint8_t content(unsigned device, std::uint32_t i) {
  return static_cast<std::uint8_t>(i * 7 + i / 253 + device * 37 + 1);
}
/// Bytes of packet `i` from one device to another, as in the kernel.
std::uint32_t bytes_of(unsigned from, unsigned to, std::uint32_t i) {
  return 16 +
         16 * ((from * 2654435761U + to * 40503U + i * 2246822519U) >> 8) % kMostBytes / 16 * 16;
}

/// Packets of all sizes from each device to each other one, in an order of its own, at once. All
/// that arrives is held to what was sent, and counted.
void all_to_all(Chips& chips, std::uint32_t packets) {
  const unsigned devices = chips.devices();
  const std::uint32_t pair_bytes = packets * kMostBytes;
  const auto source = MeshBuffer::create(
      chips.mesh(), ShardedBufferConfig{kCore, kMostBytes + 16 * devices * packets});
  const auto target = MeshBuffer::create(
      chips.mesh(), ShardedBufferConfig{kCore, kCounters + devices * pair_bytes});
  const Bytes clean(kCounters + devices * pair_bytes, 0);
  const CoreCoord at = chips.mesh().device(0).worker_core_from_logical_core(kCore);
  std::vector<std::vector<std::uint32_t>> args(devices);
  for (unsigned device = 0; device < devices; ++device) {
    Bytes bytes(kMostBytes + 16 * devices * packets);
    for (std::uint32_t i = 0; i < bytes.size(); ++i) bytes[i] = content(device, i);
    source->write_shard(device, kCore, bytes);
    target->write_shard(device, kCore, clean);
    args[device] = {device,
                    devices,
                    packets,
                    static_cast<std::uint32_t>(source->address()),
                    static_cast<std::uint32_t>(target->address()),
                    at.x,
                    at.y};
  }
  chips.run(
      "all_to_all",
      "const uint32_t me = arg(0), devices = arg(1), packets = arg(2);\n"
      "const uint64_t there = safe_get_noc_addr(arg(5), arg(6), arg(4), 0);\n"
      "for (uint32_t i = 0; i < packets * devices; ++i) {\n"
      // An order that differs from device to device.
      "  const uint32_t steps[] = {1, 7, 11};  // no divisors of the numbers of devices here\n"
      "  const uint32_t to = (me + i * steps[me % 3] + i / devices) % devices;\n"
      "  const uint32_t packet = i / devices;\n"
      "  if (to == me) continue;\n"
      "  const uint32_t bytes = 16 + 16 * ((me * 2654435761u + to * 40503u +\n"
      "      packet * 2246822519u) >> 8) % 2048 / 16 * 16;\n"
      "  fabric_set_unicast_route(header, to, 0);\n"
      "  header->to_noc_fused_unicast_write_atomic_inc({there + 512 + (me * packets + packet) "
      "* 2048,\n"
      "      there + 16 * me, 1, packet % 2 == 0}, bytes);\n"
      "  send(get_next_hop_router_direction(0, to), arg(3) + 16 * (to * packets + packet), "
      "bytes);\n"
      "}\n",
      args);
  // Senders have gone when their packets have left their router.
  chips.mesh().library().clock(200'000);
  chips.stop();
  for (unsigned to = 0; to < devices; ++to) {
    Bytes expected = clean;
    for (unsigned from = 0; from < devices; ++from) {
      if (from == to) continue;
      std::memcpy(expected.data() + 16 * from, &packets, 4);
      for (std::uint32_t i = 0; i < packets; ++i)
        for (std::uint32_t b = 0; b < bytes_of(from, to, i); ++b)
          expected[kCounters + (from * packets + i) * kMostBytes + b] =
              content(from, 16 * (to * packets + i) + b);
    }
    EXPECT_EQ(target->read_shard(to, kCore), expected) << "device " << to;
  }
}

TEST(FabricMesh, OnePacketTurnsOnItsWay) {
  Chips chips(kT3000);
  const auto source = MeshBuffer::create(chips.mesh(), ShardedBufferConfig{kCore, 64});
  const auto target = MeshBuffer::create(chips.mesh(), ShardedBufferConfig{kCore, 64});
  Bytes bytes(64);
  for (std::uint32_t i = 0; i < 64; ++i) bytes[i] = content(0, i);
  for (unsigned device = 0; device < 8; ++device) {
    source->write_shard(device, kCore, bytes);
    target->write_shard(device, kCore, Bytes(64, 0xEE));
  }
  const CoreCoord at = chips.mesh().device(0).worker_core_from_logical_core(kCore);
  std::vector<std::vector<std::uint32_t>> args(8);
  // South to device 4, then east to device 7.
  args[0] = {static_cast<std::uint32_t>(source->address()),
             static_cast<std::uint32_t>(target->address()), at.x, at.y};
  chips.run("turn",
            "fabric_set_unicast_route(header, 7, 0);\n"
            "header->to_noc_unicast_write({safe_get_noc_addr(arg(2), arg(3), arg(1), 0)}, 64);\n"
            "send(get_next_hop_router_direction(0, 7), arg(0), 64);\n",
            args);
  chips.mesh().library().clock(20'000);
  chips.stop();
  for (unsigned device = 0; device < 8; ++device)
    EXPECT_EQ(target->read_shard(device, kCore), device == 7 ? bytes : Bytes(64, 0xEE)) << device;
}

class FabricTraffic : public testing::TestWithParam<Setup> {};

TEST_P(FabricTraffic, ReachesEveryChipFromEveryChip) {
  Chips chips(GetParam());
  all_to_all(chips, chips.devices() > 16 ? 2 : 4);
}

INSTANTIATE_TEST_SUITE_P(
    Systems, FabricTraffic,
    testing::Values(
        kT3000,
        Setup{"t3000_least_slots", "t3000", {2, 4}, {.sender_slots = 1, .receiver_slots = 1}},
        Setup{"torus_4x4",
              small_chips("torus", 4, 4),
              {4, 4},
              {.wraps = {.rows = true, .columns = true}}},
        Setup{"torus_4x4_least_slots",
              small_chips("torus", 4, 4),
              {4, 4},
              {.wraps = {.rows = true, .columns = true}, .sender_slots = 1, .receiver_slots = 1}},
        Setup{"torus_3x5",
              small_chips("torus", 3, 5),
              {3, 5},
              {.wraps = {.rows = true, .columns = true}, .sender_slots = 1, .receiver_slots = 2}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tvp::runtime::fabric_mesh_test
