// Dynamic NoC mode: both data-movement cores of a tile read, write and increment over both NoCs at
// the same time. Checks the data, the counters in L1, and that dedicated mode works afterwards.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime::dynamic_noc_test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr CoreCoord kSelf{1, 1};
constexpr CoreCoord kOther{6, 4};
constexpr std::uint32_t kTurns = 40;
constexpr std::uint32_t kPiece = 64;
// Source and target of each core have one part for BRISC and one for NCRISC.
constexpr std::uint32_t kPart = kTurns * kPiece;
constexpr std::uint32_t kInline = 2 * kPart;  // words after the parts
constexpr std::uint32_t kCounter = kInline + 1024;
constexpr std::uint32_t kSize = 8192;

class DynamicNoc : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() {
    open("system=single_chip", "dynamic_noc");
    const CoreRangeSet both(std::vector<CoreRange>{CoreRange(kSelf), CoreRange(kOther)});
    source_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = both, .shard_bytes = kSize});
    target_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = both, .shard_bytes = kSize});
  }
  static void TearDownTestSuite() {
    source_.reset();
    target_.reset();
    SystemSuite::TearDownTestSuite();
  }
  void SetUp() override {
    Bytes bytes(source_->size());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(i);
    source_->write(0, bytes);
    target_->write(0, Bytes(target_->size()));
  }
  static std::uint8_t pattern(std::size_t i) {
    return static_cast<std::uint8_t>(i * 3 + i / 253 + 1);
  }

  static std::string write_kernel(const std::string& name, const std::string& body) {
    const fs::path path = folder_ / (name + ".cpp");
    std::ofstream(path) << "void kernel_main() {\n"
                           "  const uint32_t source = get_arg_val<uint32_t>(0);\n"
                           "  const uint32_t target = get_arg_val<uint32_t>(1);\n"
                           "  const uint32_t x = get_arg_val<uint32_t>(2);\n"
                           "  const uint32_t y = get_arg_val<uint32_t>(3);\n" +
                               body + "}\n";
    return path.string();
  }
  /// Reads from the other tile, writes and increments there, over both NoCs in turn.
  static std::string mover(bool ncrisc) {
    const std::string part = std::to_string(ncrisc ? kPart : 0);
    return write_kernel(
        ncrisc ? "ncrisc" : "brisc",
        "constexpr uint32_t part = " + part + ", first = " + (ncrisc ? "1" : "0") +
            ";\n"
            "for (uint32_t i = 0; i < 40; ++i) {\n"
            "  const uint8_t noc = (i + first) % 2;\n"
            "  const uint32_t at = part + 64 * i;\n"
            "  noc_async_read(get_noc_addr(x, y, source + at, noc), target + at, 64, noc);\n"
            "  noc_async_write(source + at, get_noc_addr(x, y, target + at, noc), 64, noc);\n"
            "  noc_inline_dw_write(get_noc_addr(x, y, target + 5120 + 512 * first + 4 * i, noc),\n"
            "                      7 * i + first, 0xF, noc);\n"
            "  noc_semaphore_inc(get_noc_addr(x, y, target + 6144, noc), 1, noc);\n"
            "  if (i % 8 == 7) {\n"
            "    noc_async_read_barrier(noc);\n"
            "    noc_async_write_barrier(noc);\n"
            "  }\n"
            "}\n"
            "noc_async_full_barrier(0);\n"
            "noc_async_full_barrier(1);\n");
  }
  static void add(Program& program, const std::string& kernel, bool ncrisc, NOC_MODE mode) {
    DataMovementConfig config;
    config.processor = ncrisc ? DataMovementProcessor::RISCV_1 : DataMovementProcessor::RISCV_0;
    config.noc = ncrisc ? NOC::NOC_1 : NOC::NOC_0;
    config.noc_mode = mode;
    const auto handle = CreateKernel(program, kernel, kSelf, config);
    const CoreCoord other = mesh_->device(0).worker_core_from_logical_core(kOther);
    SetRuntimeArgs(program, handle, kSelf,
                   {static_cast<std::uint32_t>(source_->address()),
                    static_cast<std::uint32_t>(target_->address()), other.x, other.y});
  }
  static std::uint32_t word(const Bytes& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  }
  /// Checks the data that this core has moved.
  static void expect_moved(bool ncrisc) {
    const Bytes here = target_->read_shard(0, kSelf);
    const Bytes there = target_->read_shard(0, kOther);
    const std::uint32_t part = ncrisc ? kPart : 0;
    for (std::uint32_t i = part; i < part + kPart; ++i) {
      ASSERT_EQ(here[i], pattern(kSize + i)) << i;
      ASSERT_EQ(there[i], pattern(i)) << i;
    }
    const std::uint32_t first = ncrisc ? 1 : 0;
    for (std::uint32_t i = 0; i < kTurns; ++i)
      EXPECT_EQ(word(there, kInline + 512 * first + 4 * i), 7 * i + first);
  }
  /// Runs a kernel in dedicated mode, which reads and writes over NoC 0. Returns NCRISC's counters
  /// of both NoCs, and whether the counters of both cores add up to the NIU's.
  static std::vector<std::uint32_t> counters_behind() {
    Program program;
    add(program,
        write_kernel("behind",
                     "auto* out = reinterpret_cast<volatile uint32_t*>(source);\n"
                     "constexpr uint32_t status[] = {NIU_MST_RD_RESP_RECEIVED,\n"
                     "    NIU_MST_NONPOSTED_WR_REQ_SENT, NIU_MST_WR_ACK_RECEIVED,\n"
                     "    NIU_MST_ATOMIC_RESP_RECEIVED, NIU_MST_POSTED_WR_REQ_SENT};\n"
                     "for (uint32_t noc = 0; noc < 2; ++noc)\n"
                     "  for (uint32_t type = 0; type < 5; ++type) {\n"
                     "    const auto t = static_cast<NocBarrierType>(type);\n"
                     "    const uint32_t ncrisc = *tvp::noc::shared_counter(noc, 1, t);\n"
                     "    *out++ = ncrisc;\n"
                     "    *out++ = *tvp::noc::shared_counter(noc, 0, t) + ncrisc ==\n"
                     "             NOC_STATUS_READ_REG(noc, status[type]);\n"
                     "  }\n"
                     "noc_async_read(get_noc_addr(x, y, source + 4096), source + 4096, 64);\n"
                     "noc_async_read_barrier();\n"
                     "noc_async_write(source + 4096, get_noc_addr(x, y, target + 7168), 64);\n"
                     "noc_async_write_barrier();\n"),
        false, NOC_MODE::DM_DEDICATED_NOC);
    mesh_->run(0, program);
    const Bytes there = target_->read_shard(0, kOther);
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(there[7168 + i], pattern(kSize + 4096 + i));
    const Bytes here = source_->read_shard(0, kSelf);
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < 20; ++i) words.push_back(word(here, 4 * i));
    return words;
  }

  static inline std::shared_ptr<MeshBuffer> source_;
  static inline std::shared_ptr<MeshBuffer> target_;
};

TEST_F(DynamicNoc, BothCoresUseBothNocs) {
  Program program;
  add(program, mover(false), false, NOC_MODE::DM_DYNAMIC_NOC);
  add(program, mover(true), true, NOC_MODE::DM_DYNAMIC_NOC);
  mesh_->run(0, program);
  expect_moved(false);
  expect_moved(true);
  EXPECT_EQ(word(target_->read_shard(0, kOther), kCounter), 2 * kTurns);
  // Counts of each NoC: reads, writes and inline writes, their acknowledgements, increments, posted
  // writes.
  const std::uint32_t half = kTurns / 2;
  const std::vector<std::uint32_t> of_a_noc{half, 1, 2 * half, 1, 2 * half, 1, half, 1, 0, 1};
  std::vector<std::uint32_t> expected = of_a_noc;
  expected.insert(expected.end(), of_a_noc.begin(), of_a_noc.end());
  EXPECT_EQ(counters_behind(), expected);
}

TEST_F(DynamicNoc, OneCoreAloneUsesBothNocs) {
  for (const bool ncrisc : {false, true, false}) {
    SetUp();
    Program program;
    add(program, mover(ncrisc), ncrisc, NOC_MODE::DM_DYNAMIC_NOC);
    mesh_->run(0, program);
    expect_moved(ncrisc);
    EXPECT_EQ(word(target_->read_shard(0, kOther), kCounter), kTurns);
    const std::vector<std::uint32_t> behind = counters_behind();
    for (std::size_t i = 0; i < behind.size(); i += 2) EXPECT_EQ(behind[i + 1], 1U) << i;
  }
}

TEST_F(DynamicNoc, CoresOfATileAgreeOnTheMode) {
  Program program;
  add(program, mover(false), false, NOC_MODE::DM_DYNAMIC_NOC);
  add(program, mover(true), true, NOC_MODE::DM_DEDICATED_NOC);
  try {
    mesh_->run(0, program);
    FAIL() << "ran";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("both data-movement kernels of core"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tvp::runtime::dynamic_noc_test
