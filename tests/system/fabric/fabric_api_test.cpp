// The fabric's client API with tt-metal's names on a line of four chips. Every command runs with
// and without state, with one connection and with a manager of two. Checks the data on each chip.
// Routers write over NoC 0, or over NoC 1 if TVP_FABRIC_NOC is 1.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime::fabric_api_test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr CoreCoord kCore{1, 2};
constexpr std::uint32_t kSize = 4096;
constexpr std::uint8_t kUntouched = 0xEE;

class FabricApi : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() {
    open("system=quad_ring", "fabric_api");
    const char* noc = std::getenv("TVP_FABRIC_NOC");
    line_ = std::make_unique<FabricLine>(
        *mesh_, 4, contract::fabric::kDefaultMaxPayloadBytes,
        noc != nullptr && std::string(noc) == "1" ? NOC::NOC_1 : NOC::NOC_0);
    line_->start();
    source_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = kSize});
    target_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = kSize});
  }
  static void TearDownTestSuite() {
    line_->stop();
    source_.reset();
    target_.reset();
    line_.reset();
    SystemSuite::TearDownTestSuite();
  }
  void SetUp() override {
    Bytes bytes(kSize);
    for (std::size_t i = 0; i < kSize; ++i) bytes[i] = pattern(i);
    for (unsigned device = 0; device < 4; ++device) {
      source_->write_shard(device, kCore, bytes);
      Bytes clean(kSize, kUntouched);
      std::fill(clean.begin(), clean.begin() + 64, 0);  // counters
      target_->write_shard(device, kCore, clean);
    }
  }
  static std::uint8_t pattern(std::size_t i) {
    return static_cast<std::uint8_t>(i * 5 + i / 251 + 1);
  }

  /// Runs `body` on a device. Its arguments are those of its connection, then source, target, x and
  /// y of the core, which are equal everywhere. Returns the targets of all devices.
  static std::vector<Bytes> run(const std::string& name, unsigned device,
                                const std::vector<std::uint32_t>& connections,
                                const std::string& body) {
    const fs::path path = folder_ / (name + ".cpp");
    std::ofstream(path)
        << "#include \"tt_metal/fabric/hw/inc/edm_fabric/fabric_connection_manager.hpp\"\n"
           "#include \"tt_metal/fabric/hw/inc/linear/api.h\"\n"
           "#include \"tt_metal/fabric/hw/inc/linear/addrgen_api.h\"\n"
           "#include \"tt_metal/fabric/hw/inc/packet_header_pool.h\"\n"
           "using namespace tt::tt_fabric;\n"
           "using namespace tt::tt_fabric::linear::experimental;\n"
           "constexpr uint32_t kConnectionArgs = "
        << connections.size()
        << ";\n"
           "void kernel_main() {\n"
           "  size_t next = 0;\n"
           "  size_t other = kConnectionArgs;\n"
           "  const uint32_t source = get_arg_val<uint32_t>(other);\n"
           "  const uint32_t target = get_arg_val<uint32_t>(other + 1);\n"
           "  const uint64_t there = safe_get_noc_addr(get_arg_val<uint32_t>(other + 2),\n"
           "                                           get_arg_val<uint32_t>(other + 3), target, "
           "0);\n"
        << body << "}\n";
    std::vector<Program> programs(mesh_->num_devices());
    Program& program = programs[device];
    for (unsigned i = 0; i < 6; ++i) CreateSemaphore(program, kCore, 0);
    const auto kernel = CreateKernel(program, path.string(), kCore, DataMovementConfig{});
    std::vector<std::uint32_t> args = connections;
    const CoreCoord at = mesh_->device(0).worker_core_from_logical_core(kCore);
    args.insert(args.end(), {static_cast<std::uint32_t>(source_->address()),
                             static_cast<std::uint32_t>(target_->address()), at.x, at.y});
    SetRuntimeArgs(program, kernel, kCore, args);
    mesh_->enqueue_all(programs);
    mesh_->finish_workers();
    library_->clock(100'000);  // packets are still in flight after their sender has ended
    std::vector<Bytes> targets;
    for (unsigned i = 0; i < 4; ++i) targets.push_back(target_->read_shard(i, kCore));
    return targets;
  }
  static std::vector<std::uint32_t> connection(unsigned device, bool up, unsigned semaphores) {
    return line_->connection(device, up, semaphores);
  }

  static void put(Bytes& to, std::uint32_t at, std::uint32_t from, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i) to[at + i] = pattern(from + i);
  }
  static void put_word(Bytes& to, std::uint32_t at, std::uint32_t value) {
    std::memcpy(to.data() + at, &value, 4);
  }
  static std::vector<Bytes> untouched() {
    Bytes clean(kSize, kUntouched);
    std::fill(clean.begin(), clean.begin() + 64, 0);
    return {clean, clean, clean, clean};
  }

  static inline std::unique_ptr<FabricLine> line_;
  static inline std::shared_ptr<MeshBuffer> source_;
  static inline std::shared_ptr<MeshBuffer> target_;
};

/// Packets name a bank by its NoC 0 place, which differs on the routers' NoC 1.
TEST_F(FabricApi, PagesInEveryBankOfDram) {
  constexpr std::uint32_t kPage = 256;
  const std::uint32_t banks = 12;
  const auto pages = MeshBuffer::create(
      *mesh_, InterleavedBufferConfig{
                  .size = banks * kPage, .page_size = kPage, .buffer_type = BufferType::DRAM});
  const Bytes clean(banks * kPage, kUntouched);
  for (unsigned device = 0; device < 4; ++device) pages->write(device, clean);
  std::vector<std::uint32_t> args{1};
  for (const std::uint32_t word : connection(0, true, 0)) args.push_back(word);
  args.push_back(0);
  const std::string base = std::to_string(pages->address());
  run("dram", 0, args,
      "auto manager = FabricConnectionManager::build_from_args<\n"
      "    FabricConnectionManager::BUILD_AND_OPEN_CONNECTION>(next);\n"
      "auto* up = &manager.get_forward_connection();\n"
      "auto* h = PacketHeaderPool::allocate_header();\n"
      "for (uint32_t bank = 0; bank < " +
          std::to_string(banks) +
          "; ++bank) {\n"
          "  const uint64_t page = get_noc_addr_from_bank_id<true>(bank, " +
          base +
          ", 0);\n"
          "  fabric_unicast_noc_unicast_write(up, h, source + bank * 256, 256,\n"
          "                                   NocUnicastCommandHeader{page}, 2);\n"
          "  noc_async_writes_flushed();\n"
          "}\n"
          "manager.close();\n"
          "noc_async_full_barrier();\n");
  Bytes expected(banks * kPage);
  put(expected, 0, 0, banks * kPage);
  for (const unsigned device : {0U, 1U, 3U}) EXPECT_EQ(pages->read(device), clean) << device;
  EXPECT_EQ(pages->read(2), expected);
}

TEST_F(FabricApi, CommandsByOneConnection) {
  std::vector<std::uint32_t> args{1};  // forward only
  for (const std::uint32_t word : connection(0, true, 0)) args.push_back(word);
  args.push_back(0);
  const auto got = run(
      "one", 0, args,
      "auto manager = FabricConnectionManager::build_from_args<\n"
      "    FabricConnectionManager::BUILD_AND_OPEN_CONNECTION>(next);\n"
      "if (manager.has_backward_connection() || !manager.is_logically_connected()) return;\n"
      "auto* up = &manager.get_forward_connection();\n"
      "auto* h = PacketHeaderPool::allocate_header();\n"
      "const auto sent = [] { noc_async_writes_flushed(); };\n"
      "fabric_unicast_noc_unicast_write(up, h, source, 64, NocUnicastCommandHeader{there + 64}, "
      "2);\n"
      "sent();\n"
      "fabric_multicast_noc_unicast_write(up, h, source + 64, 64,\n"
      "    NocUnicastCommandHeader{there + 128}, 1, 3);\n"
      "sent();\n"
      "fabric_multicast_noc_unicast_atomic_inc(up, h,\n"
      "    NocUnicastAtomicIncCommandHeader{there, 5, true}, 2, 2);\n"
      "sent();\n"
      "fabric_unicast_noc_unicast_inline_write(up, h,\n"
      "    NocUnicastInlineWriteCommandHeader{there + 16, 0xABCD1234}, 3);\n"
      "sent();\n"
      "fabric_unicast_noc_scatter_write(up, h, source + 128, 128,\n"
      "    NocUnicastScatterCommandHeader({there + 192, there + 512, there + 1024}, {32, 48}), "
      "1);\n"
      "sent();\n"
      "fabric_unicast_noc_fused_unicast_with_atomic_inc(up, h, source + 256, 64,\n"
      "    NocUnicastAtomicIncFusedCommandHeader{there + 256, there, 7, true}, 3);\n"
      "sent();\n"
      "fabric_unicast_noc_fused_scatter_write_atomic_inc(up, h, source + 384, 96,\n"
      "    NocUnicastScatterAtomicIncFusedCommandHeader({there + 1536, there + 2560}, there, {32}, "
      "13),\n"
      "    3);\n"
      "sent();\n"
      "fabric_sparse_multicast_noc_unicast_write(up, h, source + 320, 64,\n"
      "    NocUnicastCommandHeader{there + 320}, 0b101);\n"
      "sent();\n"
      "manager.close();\n"
      "noc_async_full_barrier();\n");
  auto expected = untouched();
  put(expected[2], 64, 0, 64);
  for (unsigned device = 1; device < 4; ++device) put(expected[device], 128, 64, 64);
  put_word(expected[2], 0, 5);
  put_word(expected[3], 0, 5 + 7 + 13);
  put(expected[3], 1536, 384, 32);
  put(expected[3], 2560, 416, 64);
  put_word(expected[3], 16, 0xABCD1234);
  put(expected[1], 192, 128, 32);
  put(expected[1], 512, 160, 48);
  put(expected[1], 1024, 208, 48);
  put(expected[3], 256, 256, 64);
  for (const unsigned device : {1U, 3U}) put(expected[device], 320, 320, 64);
  EXPECT_EQ(got, expected);
}

/// Kernels that pass the parts of a connection separately: with a direction until autumn 2025,
/// without one since.
TEST_F(FabricApi, ConnectionsFromTheirParts) {
  const auto got = run(
      "parts", 1, connection(1, false, 0),
      "const auto part = [](int i) { return get_arg_val<uint32_t>(i); };\n"
      "const auto word = [](uint32_t semaphore) {\n"
      "  return reinterpret_cast<volatile uint32_t*>(get_semaphore(semaphore)); };\n"
      "const auto x = static_cast<uint8_t>(part(0));\n"
      "auto* h = PacketHeaderPool::allocate_header();\n"
      "const auto send = [&](WorkerToFabricEdmSender& by, uint32_t from, uint32_t bytes) {\n"
      "  by.open();\n"
      "  h->to_chip_unicast(1);\n"
      "  h->to_noc_unicast_write(NocUnicastCommandHeader{there + from}, bytes);\n"
      "  by.wait_for_empty_write_slot();\n"
      "  by.send_payload_without_header_non_blocking_from_address(source + from, bytes);\n"
      "  by.send_payload_flush_blocking_from_address((uint32_t)h, sizeof(*h));\n"
      "  by.close();\n"
      "};\n"
      "WorkerToFabricEdmSender earlier(\n"
      "    true, WEST, x, part(1), part(2), part(3), 0, part(4), part(5), part(6), part(7),\n"
      "    word(part(9)), word(part(10)), get_semaphore(part(11)),\n"
      "    WorkerToFabricEdmSender::sender_channel_0_free_slots_stream_id, StreamId{~0u});\n"
      "send(earlier, 64, 64);\n"
      "WorkerToFabricEdmSender later(\n"
      "    true, x, part(1), part(2), part(3), part(4), part(5), part(6), part(7), word(part(9)),\n"
      "    word(part(10)), get_semaphore(part(11)), part(8), StreamId{~0u});\n"
      "send(later, 256, 128);\n"
      "auto built = WorkerToFabricEdmSender::build_from_args(next);\n"
      "auto* target_words = reinterpret_cast<volatile uint32_t*>(target);\n"
      "target_words[0] = 0x100 + earlier.direction;\n"
      "target_words[1] = 0x100 + built.direction;\n"
      // Uses every slot twice, the second time with a credit only, as benchmarks do.
      "built.open();\n"
      "h->to_chip_unicast(1);\n"
      "h->to_noc_unicast_atomic_inc(NocUnicastAtomicIncCommandHeader{there, 1, true});\n"
      "const uint32_t slots = built.num_buffers_per_channel;\n"
      "for (uint32_t i = 0; i < 2 * slots; ++i) {\n"
      "  built.wait_for_empty_write_slot();\n"
      "  if (i < slots) {\n"
      "    built.send_payload_flush_blocking_from_address((uint32_t)h, sizeof(*h));\n"
      "  } else {\n"
      "    fabric_detail::update_credits_and_slots<false>(&built);\n"
      "  }\n"
      "}\n"
      "built.close();\n"
      "noc_async_full_barrier();\n");
  auto expected = untouched();
  put(expected[0], 64, 64, 64);
  put(expected[0], 256, 256, 128);
  put_word(expected[0], 0, 2 * line_->layout().slots);
  put_word(expected[1], 0, 0x100 + contract::fabric::kWest);
  put_word(expected[1], 4, 0x100 + contract::fabric::kWest);
  EXPECT_EQ(got, expected);
}

/// Sends payload and header in place, as kernels of 2026 that look for free slots do.
TEST_F(FabricApi, PacketsInSlotsThatTheKernelCounts) {
  const auto got = run(
      "slots", 1, connection(1, false, 0),
      "auto c = WorkerToFabricEdmSender::build_from_args(next);\n"
      "auto* h = PacketHeaderPool::allocate_header();\n"
      "auto* words = reinterpret_cast<volatile uint32_t*>(target);\n"
      "c.open();\n"
      "words[0] = c.get_num_free_write_slots() == c.num_buffers_per_channel &&\n"
      "           c.edm_has_space_for_packet<2>();\n"
      "c.setup_stateful_send_cmd_bufs<false>();\n"
      "uint32_t free = 0;\n"
      "for (uint32_t i = 0; i < 20; ++i) {\n"
      "  while (free == 0) free = c.get_num_free_write_slots();\n"
      "  --free;\n"
      "  h->to_chip_unicast(1);\n"
      "  h->to_noc_unicast_write(NocUnicastCommandHeader{there + 64 + 32 * i}, 32);\n"
      "  if (i % 3 == 0) {\n"
      "    c.send_current_slot_non_blocking(source + 64 + 32 * i, 32, (uint32_t)h);\n"
      "  } else {\n"
      "    c.send_current_slot_stateful_non_blocking<false>(source + 64 + 32 * i, 32,\n"
      "                                                     (uint32_t)h);\n"
      "  }\n"
      "  noc_async_writes_flushed();\n"
      "}\n"
      "c.wait_for_empty_write_slot();\n"
      "h->to_chip_unicast(1);\n"
      "h->to_noc_unicast_atomic_inc(NocUnicastAtomicIncCommandHeader{there, 3, true});\n"
      "c.send_current_slot_stateful_non_blocking_from_address<false>((uint32_t)h, sizeof(*h));\n"
      "c.close();\n");
  auto expected = untouched();
  put(expected[0], 64, 64, 640);
  put_word(expected[0], 0, 3);
  put_word(expected[1], 0, 1);
  EXPECT_EQ(got, expected);
}

/// A device number selects the route, the default of tt-metal's functions.
TEST_F(FabricApi, RoutesByTheNumberOfADevice) {
  std::vector<std::uint32_t> args{1};
  for (const std::uint32_t word : connection(1, true, 0)) args.push_back(word);
  args.push_back(1);
  for (const std::uint32_t word : connection(1, false, 3)) args.push_back(word);
  const auto got = run(
      "by_device", 1, args,
      "auto manager = FabricConnectionManager::build_from_args<\n"
      "    FabricConnectionManager::BUILD_AND_OPEN_CONNECTION>(next);\n"
      "auto* h = PacketHeaderPool::allocate_header();\n"
      "uint32_t known = 0;\n"
      "const auto send = [&](uint32_t value) {\n"
      "  h->to_noc_unicast_inline_write(NocUnicastInlineWriteCommandHeader{there + 16, value});\n"
      "};\n"
      "for (uint16_t device = 0; device < 4; ++device) {\n"
      "  const bool there_is = fabric_set_unicast_route(h, device);\n"
      "  known |= there_is << device;\n"
      "  if (!there_is) continue;\n"
      "  auto& by = get_next_hop_router_direction(0, device) == EAST\n"
      "      ? manager.get_forward_connection() : manager.get_backward_connection();\n"
      "  send(100 + device);\n"
      "  by.wait_for_empty_write_slot();\n"
      "  by.send_payload_flush_blocking_from_address((uint32_t)h, sizeof(*h));\n"
      "}\n"
      "fabric_set_unicast_route<false>(h, 1);\n"
      "send(7);\n"
      "manager.get_forward_connection().wait_for_empty_write_slot();\n"
      "manager.get_forward_connection().send_payload_flush_blocking_from_address(\n"
      "    (uint32_t)h, sizeof(*h));\n"
      "manager.close();\n"
      "*reinterpret_cast<volatile uint32_t*>(target) = known;\n"
      "const auto* info = reinterpret_cast<tt_l1_ptr routing_l1_info_t*>(\n"
      "    MEM_TENSIX_ROUTING_TABLE_BASE);\n"
      "*reinterpret_cast<volatile uint32_t*>(target + 4) = 10 + info->my_device_id;\n"
      "*reinterpret_cast<volatile uint32_t*>(target + 8) = 20 + info->my_mesh_id;\n"
      "noc_async_full_barrier();\n");
  auto expected = untouched();
  put_word(expected[0], 16, 100);
  put_word(expected[1], 0, 0b1101);
  put_word(expected[1], 4, 11);
  put_word(expected[1], 8, 20);
  put_word(expected[2], 16, 7);
  put_word(expected[3], 16, 103);
  EXPECT_EQ(got, expected);
}

/// A client disconnects before the router has seen its connection.
TEST_F(FabricApi, ConnectionsThatAreClosedAtOnce) {
  std::vector<std::uint32_t> args{1};
  for (const std::uint32_t word : connection(0, true, 0)) args.push_back(word);
  args.push_back(0);
  const auto got = run(
      "at_once", 0, args,
      "auto manager = FabricConnectionManager::build_from_args(next);\n"
      "auto* up = &manager.get_forward_connection();\n"
      "auto* h = PacketHeaderPool::allocate_header();\n"
      "for (uint32_t i = 0; i < 20; ++i) {\n"
      "  manager.open();\n"
      "  if (i == 10) fabric_unicast_noc_unicast_write(up, h, source, 64,\n"
      "                                                NocUnicastCommandHeader{there + 64}, 1);\n"
      "  manager.close();\n"
      "}\n");
  auto expected = untouched();
  put(expected[1], 64, 0, 64);
  EXPECT_EQ(got, expected);
}

TEST_F(FabricApi, StatesChangeWhatTheMaskNames) {
  std::vector<std::uint32_t> args{0, 1};  // backward only
  for (const std::uint32_t word : connection(3, false, 0)) args.push_back(word);
  const auto got = run(
      "states", 3, args,
      "auto manager = FabricConnectionManager::build_from_args(next);\n"
      "manager.open();\n"
      "auto* down = &manager.get_backward_connection();\n"
      "auto* h = PacketHeaderPool::allocate_header();\n"
      "fabric_unicast_noc_unicast_write_set_state<UnicastWriteUpdateMask::PayloadSize>(\n"
      "    h, 2, nullptr, 32);\n"
      "for (uint32_t i = 0; i < 3; ++i) {\n"
      "  fabric_unicast_noc_unicast_write_with_state<UnicastWriteUpdateMask::DstAddr>(\n"
      "      down, h, source + 64 * i, NocUnicastCommandHeader{there + 64 + 32 * i});\n"
      "  noc_async_writes_flushed();\n"
      "}\n"
      "fabric_multicast_noc_unicast_atomic_inc_set_state<UnicastAtomicIncUpdateMask::Val |\n"
      "    UnicastAtomicIncUpdateMask::Flush>(h, 1, 2,\n"
      "    NocUnicastAtomicIncCommandHeader{0, 3, false});\n"
      "for (uint32_t i = 0; i < 2; ++i) {\n"
      "  fabric_multicast_noc_unicast_atomic_inc_with_state<UnicastAtomicIncUpdateMask::DstAddr>(\n"
      "      down, h, NocUnicastAtomicIncCommandHeader{there + 16 * i, 100, true});\n"
      "  noc_async_writes_flushed();\n"
      "}\n"
      "fabric_unicast_noc_fused_unicast_with_atomic_inc_set_state<\n"
      "    UnicastFusedAtomicIncUpdateMask::All>(h, 3,\n"
      "    NocUnicastAtomicIncFusedCommandHeader{there + 512, there + 32, 9, true}, 48);\n"
      "fabric_unicast_noc_fused_unicast_with_atomic_inc_with_state<>(down, h, source + 512);\n"
      "noc_async_writes_flushed();\n"
      "fabric_unicast_noc_fused_unicast_with_atomic_inc_with_state<\n"
      "    UnicastFusedAtomicIncUpdateMask::WriteDstAddr | UnicastFusedAtomicIncUpdateMask::Val>(\n"
      "    down, h, source + 560,\n"
      "    NocUnicastAtomicIncFusedCommandHeader{there + 768, 0, 11, false});\n"
      "noc_async_writes_flushed();\n"
      "fabric_unicast_noc_scatter_write_set_state<UnicastScatterWriteUpdateMask::ChunkSizes |\n"
      "    UnicastScatterWriteUpdateMask::PayloadSize>(h, 1,\n"
      "    NocUnicastScatterCommandHeader({0, 0}, {16}), 48);\n"
      "fabric_unicast_noc_scatter_write_with_state<UnicastScatterWriteUpdateMask::DstAddrs>(down, "
      "h,\n"
      "    source + 1024, NocUnicastScatterCommandHeader({there + 1024, there + 2048}));\n"
      "noc_async_writes_flushed();\n"
      "using Fused = UnicastFusedScatterWriteAtomicIncUpdateMask;\n"
      "fabric_multicast_noc_fused_scatter_write_atomic_inc_set_state<Fused::All>(h, 1, 2,\n"
      "    NocUnicastScatterAtomicIncFusedCommandHeader({0, 0}, there + 56, {16}, 4, false), 64);\n"
      "fabric_multicast_noc_fused_scatter_write_atomic_inc_with_state<Fused::WriteDstAddrs>(\n"
      "    down, h, source + 1536, NocUnicastScatterAtomicIncFusedCommandHeader(\n"
      "    {there + 1280, there + 1536}, 0, {0}, 0));\n"
      "noc_async_writes_flushed();\n"
      "fabric_unicast_noc_unicast_inline_write_set_state<UnicastInlineWriteUpdateMask::DstAddr>(h, "
      "2,\n"
      "    NocUnicastInlineWriteCommandHeader{there + 48, 0});\n"
      "fabric_unicast_noc_unicast_inline_write_with_state<UnicastInlineWriteUpdateMask::Value>(\n"
      "    down, h, NocUnicastInlineWriteCommandHeader{0, 0x55AA});\n"
      "noc_async_writes_flushed();\n"
      "manager.close();\n"
      "noc_async_full_barrier();\n");
  auto expected = untouched();
  for (std::uint32_t i = 0; i < 3; ++i) put(expected[1], 64 + 32 * i, 64 * i, 32);
  for (const unsigned device : {2U, 1U}) {
    put_word(expected[device], 0, 3);
    put_word(expected[device], 16, 3);
  }
  put(expected[0], 512, 512, 48);
  put(expected[0], 768, 560, 48);
  put_word(expected[0], 32, 9 + 11);
  put(expected[2], 1024, 1024, 16);
  put(expected[2], 2048, 1040, 32);
  for (const unsigned device : {2U, 1U}) {
    put(expected[device], 1280, 1536, 16);
    put(expected[device], 1536, 1552, 48);
    put_word(expected[device], 56, 4);
  }
  put_word(expected[1], 48, 0x55AA);
  EXPECT_EQ(got, expected);
}

TEST_F(FabricApi, RoutesOfSeveralConnections) {
  std::vector<std::uint32_t> args;
  for (const bool up : {true, false}) {
    args.push_back(up ? 7 : 8);  // tags
    for (const std::uint32_t word : connection(1, up, up ? 0 : 3)) args.push_back(word);
  }
  const auto got = run(
      "routes", 1, args,
      "RoutingPlaneConnectionManager connections;\n"
      "open_connections(connections, 2, next);\n"
      "if (connections.get_tag(0) != 7 || connections.get_tag(1) != 8) return;\n"
      "const uint8_t write = PacketHeaderPool::allocate_header_n(2);\n"
      "const uint8_t increment = PacketHeaderPool::allocate_header_n(2);\n"
      "uint8_t starts[] = {1, 1}, ranges[] = {2, 1}, hops[] = {2, 1};\n"
      "fabric_multicast_noc_unicast_write_set_state<UnicastWriteUpdateMask::PayloadSize>(\n"
      "    connections, write, starts, ranges, nullptr, 96);\n"
      "for (uint32_t i = 0; i < 2; ++i) {\n"
      "  fabric_multicast_noc_unicast_write_with_state<UnicastWriteUpdateMask::DstAddr>(\n"
      "      connections, write, source + 96 * i, NocUnicastCommandHeader{there + 64 + 96 * i});\n"
      "  noc_async_writes_flushed();\n"
      "}\n"
      "fabric_unicast_noc_unicast_atomic_inc(connections, increment,\n"
      "    NocUnicastAtomicIncCommandHeader{there, 2, true}, hops);\n"
      "noc_async_writes_flushed();\n"
      // A page of an interleaved tensor in L1 is in the core that the generator names.
      "connections.for_each_with_tag(8, [&](auto& sender, uint32_t, uint32_t) {\n"
      "  auto* h = PacketHeaderPool::allocate_header();\n"
      "  h->to_chip_unicast(1);\n"
      "  struct { uint64_t base; uint32_t page_size;\n"
      "    uint64_t get_noc_addr(uint32_t id, uint32_t offset, uint8_t) const {\n"
      "      return base + id * page_size + offset; } } pages{there, 512};\n"
      "  tt::tt_fabric::linear::to_noc_unicast_scatter_write(h, 2, 4, pages, 16, 32);\n"
      "  sender.wait_for_empty_write_slot();\n"
      "  sender.send_payload_without_header_non_blocking_from_address(source + 256, 1024);\n"
      "  sender.send_payload_flush_blocking_from_address((uint32_t)h, "
      "sizeof(PACKET_HEADER_TYPE));\n"
      "});\n"
      "close_connections(connections);\n"
      "noc_async_full_barrier();\n");
  auto expected = untouched();
  for (const unsigned device : {0U, 2U, 3U}) {
    put(expected[device], 64, 0, 96);
    put(expected[device], 160, 96, 96);
  }
  put_word(expected[3], 0, 2);
  put_word(expected[0], 0, 2);
  put(expected[0], 1024 + 16, 256, 512);
  put(expected[0], 2048 + 32, 768, 512);
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace tvp::runtime::fabric_api_test
