// The NoC part of the kernel API. A kernel runs each family of calls over both NoCs.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kBytes = 20000;  // three packets of at most 8192 bytes
constexpr CoreCoord kSelf{1, 1};
constexpr CoreCoord kOther{6, 4};

class NocApi : public test::SystemSuite<testing::TestWithParam<int>> {
 protected:
  static void SetUpTestSuite() {
    open("system=single_chip", "noc_api");
    source_ =
        MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = both(), .shard_bytes = 20480});
    target_ =
        MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = both(), .shard_bytes = 20480});
  }
  static void TearDownTestSuite() {
    source_.reset();
    target_.reset();
    SystemSuite::TearDownTestSuite();
  }
  static CoreRangeSet both() {
    return CoreRangeSet(std::vector<CoreRange>{CoreRange(kSelf), CoreRange(kOther)});
  }

  // Source and target of both cores hold known bytes before each run.
  void SetUp() override {
    std::vector<std::uint8_t> bytes(source_->size());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(i);
    source_->write(0, bytes);
    target_->write(0, std::vector<std::uint8_t>(target_->size(), 0xEE));
  }
  static std::uint8_t pattern(std::size_t i) { return static_cast<std::uint8_t>(i * 7 + i / 256); }

  /// Arguments of `body`: source, target, x and y of the other core, then `more`.
  void run(const std::string& name, const std::string& body,
           const std::vector<std::uint32_t>& more = {}) {
    const fs::path path = folder_ / (name + ".cpp");
    std::ofstream(path)
        << "void kernel_main() {\n"
           "  uint32_t source = get_arg_val<uint32_t>(0);\n"
           "  uint32_t target = get_arg_val<uint32_t>(1);\n"
           "  uint32_t x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);\n" +
               body + "}\n";
    Program program;
    DataMovementConfig config;
    config.noc = GetParam() == 0 ? NOC::NOC_0 : NOC::NOC_1;
    const auto kernel = CreateKernel(program, path.string(), kSelf, config);
    CreateSemaphore(program, both(), 0);
    const CoreCoord other = mesh_->device(0).worker_core_from_logical_core(kOther);
    std::vector<std::uint32_t> args = {static_cast<std::uint32_t>(source_->address()),
                                       static_cast<std::uint32_t>(target_->address()), other.x,
                                       other.y};
    args.insert(args.end(), more.begin(), more.end());
    SetRuntimeArgs(program, kernel, kSelf, args);
    mesh_->run(0, program);
  }
  static std::vector<std::uint8_t> target(CoreCoord core) { return target_->read_shard(0, core); }
  static std::uint32_t word(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  }
  /// Checks that `bytes` bytes of the target from `at` equal the pattern from `from`.
  static void expect_source(const std::vector<std::uint8_t>& got, std::size_t at, std::size_t from,
                            std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(got[at + i], pattern(from + i)) << "byte " << at + i;
  }

  static inline std::shared_ptr<MeshBuffer> source_;
  static inline std::shared_ptr<MeshBuffer> target_;
};

constexpr std::size_t kOthers = 20480;  // offset of the other core's source in the pattern

TEST_P(NocApi, ReadOfAnyLength) {
  run("read_any",
      "noc_async_read(get_noc_addr(x, y, source), target, 20000);\n"
      "noc_async_read_barrier();\n");
  const auto got = target(kSelf);
  expect_source(got, 0, kOthers, kBytes);
  EXPECT_EQ(got[kBytes], 0xEE);
}

TEST_P(NocApi, ReadsWithState) {
  run("read_state",
      "noc_async_read_one_packet_set_state(get_noc_addr(x, y, source), 64);\n"
      "for (uint32_t i = 0; i < 8; ++i)\n"
      "  noc_async_read_one_packet_with_state(source + 128 * i, target + 64 * i);\n"
      "noc_async_read_barrier();\n"
      "noc_async_read_set_state(get_noc_addr(x, y, source));\n"
      "noc_async_read_with_state(source, target + 1024, 9000);\n"
      "noc_async_read_barrier();\n");
  const auto got = target(kSelf);
  for (std::size_t i = 0; i < 8; ++i) expect_source(got, 64 * i, kOthers + 128 * i, 64);
  expect_source(got, 1024, kOthers, 9000);
}

TEST_P(NocApi, ReadsByTransactionId) {
  run("read_trid",
      "noc_async_read_one_packet_set_state(get_noc_addr(x, y, source), 256);\n"
      "for (uint32_t i = 0; i < 12; ++i) {\n"
      "  uint32_t trid = 1 + i % 3;\n"
      "  if (i >= 3) noc_async_read_barrier_with_trid(trid);\n"
      "  noc_async_read_set_trid(trid);\n"
      "  noc_async_read_one_packet_with_state_with_trid(source, 256 * i, target + 256 * i, trid);\n"
      "}\n"
      "for (uint32_t trid = 1; trid < 4; ++trid) noc_async_read_barrier_with_trid(trid);\n"
      "noc_async_read_set_trid(0);\n"
      "noc_async_read_barrier();\n");
  expect_source(target(kSelf), 0, kOthers, 12 * 256);
}

TEST_P(NocApi, WritesOfEveryKind) {
  run("writes",
      "noc_async_write(source, get_noc_addr(x, y, target), 10000);\n"
      "noc_async_writes_flushed();\n"
      "noc_async_write_barrier();\n"
      "noc_async_write<8193, true, true>(source + 10000, get_noc_addr(x, y, target + 10000), "
      "512);\n"
      "noc_async_posted_writes_flushed();\n"
      "noc_async_write_one_packet_set_state(get_noc_addr(x, y, target), 32);\n"
      "for (uint32_t i = 0; i < 4; ++i)\n"
      "  noc_async_write_one_packet_with_state(source + 11008 + 32 * i, target + 11008 + 32 * i);\n"
      "noc_async_write_barrier();\n"
      "for (uint32_t i = 0; i < 4; ++i)\n"
      "  noc_async_write_one_packet_with_trid(source + 12000 + 64 * i,\n"
      "      get_noc_addr(x, y, target + 12000 + 64 * i), 64, 5);\n"
      "noc_async_write_flushed_with_trid(5);\n"
      "noc_async_write_barrier_with_trid(5);\n"
      "noc_async_write_set_trid(0);\n"
      "noc_async_read_one_packet(get_noc_addr(x, y, target), target, 16);\n"  // after posted
      "noc_async_full_barrier();\n");
  const auto got = target(kOther);
  expect_source(got, 0, 0, 10512);
  expect_source(got, 11008, 11008, 128);
  expect_source(got, 12000, 12000, 256);
  EXPECT_EQ(got[10512], 0xEE);
  EXPECT_EQ(got[11136], 0xEE);
}

TEST_P(NocApi, InlineWritesTouchTheirBytesOnly) {
  run("inline",
      "noc_inline_dw_write(get_noc_addr(x, y, target + 4), 0x11223344);\n"
      "noc_inline_dw_write(get_noc_addr(x, y, target + 24), 0xAABBCCDD, 0x6);\n"
      "noc_inline_dw_write_set_state(get_noc_addr(x, y, target + 32), 77);\n"
      "noc_inline_dw_write_with_state<false, true, false, false, true>(78);\n"
      "noc_inline_dw_write_with_state<true, true, false, false, true>(79, target + 48);\n"
      "noc_async_write_barrier();\n");
  const auto got = target(kOther);
  EXPECT_EQ(word(got, 0), 0xEEEEEEEEU);
  EXPECT_EQ(word(got, 4), 0x11223344U);
  EXPECT_EQ(word(got, 8), 0xEEEEEEEEU);
  EXPECT_EQ(word(got, 24), 0xEEBBCCEEU);
  EXPECT_EQ(word(got, 32), 78U);
  EXPECT_EQ(word(got, 48), 79U);
}

TEST_P(NocApi, AtomicsAndSemaphoreWrites) {
  run("atomics",
      "auto* own = reinterpret_cast<volatile uint32_t*>(target);\n"
      "own[0] = 5;\n"
      "noc_semaphore_set_remote(target, get_noc_addr(x, y, target + 16));\n"
      "noc_async_write_barrier();\n"
      "for (uint32_t i = 0; i < 10; ++i) noc_semaphore_inc(get_noc_addr(x, y, target + 16), 3);\n"
      "noc_async_atomic_barrier();\n"
      "noc_semaphore_inc<true>(get_noc_addr(x, y, target + 16), 100);\n"
      "noc_semaphore_inc(get_noc_addr(x, y, target + 16), 0);\n"
      "noc_async_atomic_barrier();\n");
  EXPECT_EQ(word(target(kOther), 16), 135U);
}

TEST_P(NocApi, MulticastWithAndWithoutTheSource) {
  // A row of four cores from kSelf on; the fifth core is outside.
  const CoreRangeSet row{CoreRange{{1, 1}, {5, 1}}};
  const auto area =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = row, .shard_bytes = 256});
  area->write(0, std::vector<std::uint8_t>(area->size(), 0));
  const Device& device = mesh_->device(0);
  CoreCoord first = device.worker_core_from_logical_core({1, 1});
  CoreCoord last = device.worker_core_from_logical_core({4, 1});
  CoreCoord second = device.worker_core_from_logical_core({2, 1});
  CoreCoord end = last;
  if (GetParam() == 1) {  // in the direction of data
    std::swap(first, last);
    std::swap(second, end);
  }
  run("multicast",
      "uint32_t area = get_arg_val<uint32_t>(4);\n"
      "noc_async_write_multicast(source, get_noc_multicast_addr(get_arg_val<uint32_t>(5),\n"
      "    get_arg_val<uint32_t>(6), get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8), area), "
      "64, 3);\n"
      "noc_async_write_multicast_loopback_src(source + 64, NOC_MULTICAST_ADDR(\n"
      "    get_arg_val<uint32_t>(9), get_arg_val<uint32_t>(10), get_arg_val<uint32_t>(11),\n"
      "    get_arg_val<uint32_t>(12), area + 64), 64, 4);\n"
      "noc_inline_mcast_dw_write(get_noc_multicast_addr(get_arg_val<uint32_t>(5),\n"
      "    get_arg_val<uint32_t>(6), get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8),\n"
      "    area + 132), 0x12345678, 0xF, noc_index, NOC_MULTICAST_WRITE_VC, 0, 3);\n"
      "noc_async_write_barrier();\n",
      {static_cast<std::uint32_t>(area->address()), second.x, second.y, end.x, end.y, first.x,
       first.y, last.x, last.y});
  for (std::uint32_t x = 1; x <= 5; ++x) {
    const auto got = area->read_shard(0, {x, 1});
    const bool in_first = x >= 2 && x <= 4;
    const bool in_second = x <= 4;
    for (std::size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(got[i], in_first ? pattern(i) : 0) << "core " << x;
      ASSERT_EQ(got[64 + i], in_second ? pattern(64 + i) : 0) << "core " << x;
    }
    ASSERT_EQ(word(got, 132), in_first ? 0x12345678 : 0) << "core " << x;
  }
}

// Until spring 2025, the flag for reserving the path came before the NoC, and the NoC after the
// size of a packet. Neither may be taken as the NoC number.
TEST_P(NocApi, ArgumentsAsOf2024) {
  const CoreRangeSet row{CoreRange{{1, 1}, {4, 1}}};
  const auto area =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = row, .shard_bytes = 256});
  area->write(0, std::vector<std::uint8_t>(area->size(), 0));
  CoreCoord second = mesh_->device(0).worker_core_from_logical_core({2, 1});
  CoreCoord end = mesh_->device(0).worker_core_from_logical_core({4, 1});
  if (GetParam() == 1) std::swap(second, end);
  run("of_2024",
      "uint32_t area = get_arg_val<uint32_t>(4);\n"
      "const auto to = [&](uint32_t at) {\n"
      "  return get_noc_multicast_addr(get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(6),\n"
      "                                get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8), at);\n"
      "};\n"
      "const uint32_t before[2] = {NOC_STATUS_READ_REG(0, NIU_MST_NONPOSTED_WR_REQ_SENT) +\n"
      "    NOC_STATUS_READ_REG(0, NIU_MST_RD_RESP_RECEIVED),\n"
      "    NOC_STATUS_READ_REG(1, NIU_MST_NONPOSTED_WR_REQ_SENT) +\n"
      "    NOC_STATUS_READ_REG(1, NIU_MST_RD_RESP_RECEIVED)};\n"
      "noc_async_write_multicast(source, to(area), 32, 3, true, true);\n"
      "noc_async_write_multicast(source + 32, to(area + 32), 32, 3, false, false);\n"
      "noc_async_write_multicast_one_packet(source + 64, to(area + 64), 32, 3, false, true);\n"
      "noc_semaphore_set_multicast(source + 96, to(area + 96), 3, false, noc_index == 0);\n"
      "noc_async_read_one_packet_set_state(get_noc_addr(x, y, source), 64, noc_index);\n"
      "noc_async_read_one_packet_with_state(source, target, noc_index);\n"
      "noc_async_read_barrier();\n"
      "noc_async_write_barrier();\n"
      "auto* sent = reinterpret_cast<volatile uint32_t*>(target + 64);\n"
      "for (uint32_t noc = 0; noc < 2; ++noc)\n"
      "  sent[noc] = NOC_STATUS_READ_REG(noc, NIU_MST_NONPOSTED_WR_REQ_SENT) +\n"
      "              NOC_STATUS_READ_REG(noc, NIU_MST_RD_RESP_RECEIVED) - before[noc];\n",
      {static_cast<std::uint32_t>(area->address()), second.x, second.y, end.x, end.y});
  for (std::uint32_t x = 2; x <= 4; ++x) {
    const auto got = area->read_shard(0, {x, 1});
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(got[i], pattern(i)) << "core " << x;
  }
  const auto got = target(kSelf);
  EXPECT_EQ(word(got, 64), GetParam() == 0 ? 5U : 0U);
  EXPECT_EQ(word(got, 68), GetParam() == 0 ? 0U : 5U);
}

TEST_P(NocApi, MulticastsOnAVirtualChannel) {
  const CoreRangeSet row{CoreRange{{1, 1}, {4, 1}}};
  const auto area =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = row, .shard_bytes = 256});
  area->write(0, std::vector<std::uint8_t>(area->size(), 0));
  CoreCoord second = mesh_->device(0).worker_core_from_logical_core({2, 1});
  CoreCoord end = mesh_->device(0).worker_core_from_logical_core({4, 1});
  if (GetParam() == 1) std::swap(second, end);
  run("multicast_channel",
      "const uint64_t to = get_noc_multicast_addr(get_arg_val<uint32_t>(5),\n"
      "    get_arg_val<uint32_t>(6), get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8),\n"
      "    get_arg_val<uint32_t>(4));\n"
      "noc_async_write_multicast(source, to, 96, 3, false, noc_index,\n"
      "                          NOC_DISPATCH_MULTICAST_WRITE_VC);\n"
      "noc_semaphore_set_multicast(source + 96, to + 96, 3, false, noc_index,\n"
      "                            NOC_DISPATCH_MULTICAST_WRITE_VC);\n"
      "noc_async_write_barrier();\n"
      "auto* channels = reinterpret_cast<volatile uint32_t*>(target);\n"
      "channels[0] = NOC_CMD_BUF_READ_REG(noc_index, write_cmd_buf, NOC_CTRL) &\n"
      "              NOC_CMD_STATIC_VC(7);\n"
      "channels[1] = NOC_CMD_BUF_READ_REG(noc_index, write_reg_cmd_buf, NOC_CTRL) &\n"
      "              NOC_CMD_STATIC_VC(7);\n"
      "channels[2] = NOC_CMD_STATIC_VC(5);\n",
      {static_cast<std::uint32_t>(area->address()), second.x, second.y, end.x, end.y});
  for (std::uint32_t x = 2; x <= 4; ++x) {
    const auto got = area->read_shard(0, {x, 1});
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(got[i], pattern(i)) << "core " << x;
  }
  const auto got = target(kSelf);
  EXPECT_EQ(word(got, 0), word(got, 8));
  EXPECT_EQ(word(got, 4), word(got, 8));
}

TEST_P(NocApi, AddressGeneratorsAgreeWithTheHost) {
  constexpr std::uint32_t kPage = 96;
  constexpr std::uint32_t kPages = 150;
  for (const BufferType type : {BufferType::DRAM, BufferType::L1}) {
    const auto from = MeshBuffer::create(
        *mesh_,
        InterleavedBufferConfig{.size = kPage * kPages, .page_size = kPage, .buffer_type = type});
    const auto to = MeshBuffer::create(
        *mesh_,
        InterleavedBufferConfig{.size = kPage * kPages, .page_size = kPage, .buffer_type = type});
    std::vector<std::uint8_t> bytes(kPage * kPages);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(i + 3);
    from->write(0, bytes);
    const std::string dram = type == BufferType::DRAM ? "true" : "false";
    run("addr_gen_" + dram,
        "InterleavedAddrGen<" + dram +
            "> from{get_arg_val<uint32_t>(4), 96};\n"
            "InterleavedAddrGenFast<" +
            dram +
            "> to{get_arg_val<uint32_t>(5), 96, DataFormat::UInt32};\n"
            "for (uint32_t page = 0; page < 150; ++page) {\n"
            "  noc_async_read(get_noc_addr(page, from), target, 96);\n"
            "  noc_async_read_barrier();\n"
            "  noc_async_write_tile(page, to, target);\n"
            "  noc_async_write_barrier();\n"
            "}\n",
        {static_cast<std::uint32_t>(from->address()), static_cast<std::uint32_t>(to->address())});
    EXPECT_EQ(to->read(0), bytes) << dram;
  }
}

/// A counting store must be executed as often as the loop says. By default GCC 12 moves the plain
/// store after the loop and repeats the last of the others there (kernel_compiler.cpp).
TEST_P(NocApi, StoresOfALoopAreMadeOnce) {
  run("loop_stores",
      "struct Seen { uint32_t last; };\n"
      "static Seen seen;\n"
      "auto* update = reinterpret_cast<volatile uint32_t*>(\n"
      "    STREAM_REG_ADDR(20, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX));\n"
      "auto* credits = reinterpret_cast<volatile uint32_t*>(\n"
      "    STREAM_REG_ADDR(20, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX));\n"
      "const uint32_t before = *credits, times = get_arg_val<uint32_t>(4);\n"
      "const uint32_t one = x - x + (1 << REMOTE_DEST_BUF_WORDS_FREE_INC), two = 2 * one;\n"
      "for (uint32_t i = 0; i < times; ++i) {\n"
      "  *update = one;\n"
      "  seen.last = i;\n"
      "  *update = two;\n"
      "}\n"
      "auto* result = reinterpret_cast<volatile uint32_t*>(target);\n"
      "result[0] = *credits - before;\n"
      "result[1] = seen.last;\n",
      {7});
  EXPECT_EQ(word(target(kSelf), 0), 21U);
  EXPECT_EQ(word(target(kSelf), 4), 6U);
}

// 16-bit fill counters wrap after 65536 pages, on either data-movement core.
TEST_P(NocApi, CircularBufferCountersWrap) {
  const fs::path path = folder_ / "wrap.cpp";
  std::ofstream(path)
      << "void kernel_main() {\n"
         "  uint32_t wrong = 0;\n"
         "  for (uint32_t i = 0; i < 70000; ++i) {\n"
         "    cb_reserve_back(3, 2);\n"
         "    if (!cb_pages_reservable_at_back(3, 2)) ++wrong;\n"
         "    cb_push_back(3, 1);\n"
         "    cb_wait_front(3, 1);\n"
         "    if (cb_pages_available_at_front(3, 2)) ++wrong;\n"
         "    cb_pop_front(3, 1);\n"
         "  }\n"
         "  *reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) = wrong;\n"
         "}\n";
  Program program;
  CircularBufferConfig cb(32, {{3, DataFormat::UInt32}});
  CreateCircularBuffer(program, kSelf, cb.set_page_size(3, 16));
  const auto kernel = GetParam() == 0
                          ? CreateKernel(program, path.string(), kSelf, DataMovementConfig{})
                          : CreateKernel(program, path.string(), kSelf, ReaderDataMovementConfig{});
  SetRuntimeArgs(program, kernel, kSelf, {static_cast<std::uint32_t>(target_->address())});
  mesh_->run(0, program);
  EXPECT_EQ(word(target(kSelf), 0), 0U);
}

INSTANTIATE_TEST_SUITE_P(Nocs, NocApi, testing::Values(0, 1));

}  // namespace
}  // namespace tvp::runtime
