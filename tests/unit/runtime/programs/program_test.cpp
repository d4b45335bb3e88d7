// Refusals of a program and its parts before a run, and addresses of allocators.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::program_test {
namespace {

const CoreCoord kCore{1, 1};
const CoreRangeSet kCores = CoreRange({0, 0}, {1, 1});

CircularBufferConfig buffer_of(std::uint32_t bytes, std::uint8_t index) {
  return CircularBufferConfig(bytes, {{index, DataFormat::Float16_b}});
}

TEST(ProgramTest, KernelsRunSomewhereOfTheProgram) {
  Program program = CreateProgram();
  EXPECT_REFUSED(CreateKernel(program, "k.cpp", CoreRangeSet(), ComputeConfig{}),
                 "k.cpp: is to run on no core");
  const auto kernel = CreateKernel(program, "k.cpp", kCores, ComputeConfig{});
  EXPECT_REFUSED(SetRuntimeArgs(program, kernel, CoreCoord{2, 0}, {1}),
                 "does not run on core (2, 0)");
  EXPECT_REFUSED(SetRuntimeArgs(program, kernel + 1, kCore, {1}), "kernel 1: is not one of this");
  EXPECT_REFUSED(SetRuntimeArgs(program, kernel, kCore, std::vector<std::uint32_t>(16381)),
                 "16381 runtime arguments; the arguments of a core's kernels have 65520 bytes");
  EXPECT_REFUSED(SetCommonRuntimeArgs(program, kernel, std::vector<std::uint32_t>(16381)),
                 "16381 runtime arguments; the arguments of a core's kernels have 65520 bytes");
  SetRuntimeArgs(program, kernel, kCores, std::vector<std::uint32_t>(16380, 5));
  EXPECT_EQ(GetRuntimeArgs(program, kernel, kCore).at(16379), 5U);
}

TEST(ProgramTest, ConfigurationsAreWhatHardwareHas) {
  Program program = CreateProgram();
  const auto move = [&](const DataMovementConfig& config) {
    CreateKernel(program, "k.cpp", kCore, config);
  };
  const auto compute = [&](unsigned fidelity) {
    CreateKernel(program, "k.cpp", kCore,
                 ComputeConfig{.math_fidelity = static_cast<MathFidelity>(fidelity)});
  };
  EXPECT_REFUSED(move({.processor = static_cast<DataMovementProcessor>(2)}),
                 "k.cpp: a data movement processor that is neither");
  EXPECT_REFUSED(move({.noc = static_cast<NOC>(2)}), "k.cpp: expected NOC_0 or NOC_1");
  EXPECT_REFUSED(move({.noc_mode = static_cast<NOC_MODE>(2)}), "k.cpp: a mode of NoCs");
  EXPECT_REFUSED(move({.opt_level = static_cast<KernelBuildOptLevel>(7)}),
                 "k.cpp: expected a level of optimization");
  EXPECT_REFUSED(move({.compiler_include_paths = {"/no/such/folder"}}),
                 "k.cpp: the include path '/no/such/folder' is no folder");
  EXPECT_REFUSED(
      CreateKernel(program, "k.cpp", CoreCoord{0, 0}, EthernetConfig{.noc = static_cast<NOC>(2)}),
      "k.cpp: expected NOC_0 or NOC_1");
  for (const unsigned fidelity : {1U, 5U}) {
    EXPECT_REFUSED(compute(fidelity), "k.cpp: expected a fidelity of");
  }
  for (const unsigned fidelity : {0U, 2U, 3U, 4U}) compute(fidelity);
  move({.processor = DataMovementProcessor::RISCV_1,
        .noc = NOC::NOC_1,
        .noc_mode = NOC_MODE::DM_DYNAMIC_NOC,
        .opt_level = KernelBuildOptLevel::Oz});
}

TEST(ProgramTest, NamesOfDefinesAndArgumentsAreNames) {
  Program program = CreateProgram();
  const auto define = [&](const std::string& name) {
    CreateKernel(program, "k.cpp", kCore, ComputeConfig{.defines = {{name, "1"}}});
  };
  const auto argument = [&](const std::string& name) {
    CreateKernel(program, "k.cpp", kCore, ComputeConfig{.named_compile_args = {{name, 1}}});
  };
  for (const char* name : {"", "A B", "9A", "A-B", "A\nB", "A(x", "(x)", "A=1"}) {
    EXPECT_REFUSED(define(name), "k.cpp: the define '" + std::string(name) + "'");
  }
  for (const char* name : {"_a9", "ADD(x, y)", "Z"}) define(name);
  for (const char* name : {"a\"b", "a\\b", "a\nb"}) {
    EXPECT_REFUSED(argument(name), "k.cpp: the named argument '" + std::string(name) + "'");
  }
  argument("cb in-0.first");
}

TEST(ProgramTest, RangesOfCoresEndBehindTheirBegin) {
  EXPECT_REFUSED(CoreRangeSet(CoreRange({3, 3}, {1, 4})).cores(),
                 "core range (3, 3) to (1, 4): ends before it begins");
  EXPECT_REFUSED(CoreRangeSet(CoreRange({3, 3}, {4, 2})).cores(), "ends before it begins");
  for (const CoreCoord end : {CoreCoord{63, 64}, CoreCoord{4096, 0}, CoreCoord{0, 4096},
                              CoreCoord{0xFFFFFFFF, 0xFFFFFFFF}}) {
    EXPECT_REFUSED(CoreRangeSet(CoreRange({0, 0}, end)).cores(), "has more cores than any chip");
  }
  EXPECT_EQ(CoreRangeSet(CoreRange({0, 0}, {31, 63})).num_cores(), 2048U);
  const CoreRangeSet last = CoreRange({0xFFFFFFFF, 0xFFFFFFFE}, {0xFFFFFFFF, 0xFFFFFFFF});
  const std::vector<CoreCoord> both{{0xFFFFFFFF, 0xFFFFFFFE}, {0xFFFFFFFF, 0xFFFFFFFF}};
  EXPECT_EQ(last.cores(), both);
  EXPECT_EQ(corerange_to_cores(last), both);
}

TEST(ProgramTest, TilesHaveShapesThatHardwareHas) {
  for (const Tile tile : {Tile{0, 0}, Tile{0, 32}, Tile{5, 16}, Tile{64, 32}, Tile{32, 0},
                          Tile{32, 8}, Tile{32, 64}}) {
    EXPECT_REFUSED(buffer_of(2048, 3).set_tile_dims(3, tile), "expected 1, 2, 4, 8, 16 or 32 rows");
    EXPECT_REFUSED(CircularBufferConfig(2048).index(3).set_tile_dims(tile),
                   std::to_string(tile.height) + " x " + std::to_string(tile.width) + "; expected");
  }
  for (std::uint32_t rows = 1; rows <= 32; rows *= 2) {
    for (const std::uint32_t columns : {16U, 32U}) {
      buffer_of(2048, 3).set_tile_dims(3, {rows, columns});
    }
  }
}

TEST(ProgramTest, CircularBuffersOfACoreDiffer) {
  Program program = CreateProgram();
  CreateCircularBuffer(program, kCores, buffer_of(4096, 3));
  EXPECT_REFUSED(CreateCircularBuffer(program, kCore, buffer_of(2048, 3)),
                 "circular buffer 3: is there already on some of its cores");
  CreateCircularBuffer(program, CoreCoord{2, 2}, buffer_of(2048, 3));
  CreateCircularBuffer(program, kCore, buffer_of(2048, 4));
  EXPECT_REFUSED(CreateCircularBuffer(program, kCore, buffer_of(3000, 5)),
                 "pages of 2048 bytes do not divide the total of 3000");
  EXPECT_REFUSED(buffer_of(2048, 32), "circular buffer 32: indices are 0 to 31");
  EXPECT_REFUSED(CircularBufferConfig(2048, {}), "needs an index and its format");
  EXPECT_REFUSED(buffer_of(2048, 3).set_page_size(4, 1024), "4: is not an index of this");
  EXPECT_REFUSED(buffer_of(2048, 3).set_page_size(3, 1022),
                 "1022 does not divide the total of 2048");
  EXPECT_REFUSED(buffer_of(2048, 3).set_page_size(3, 0), "page size 0 is not positive");
  EXPECT_EQ(buffer_of(2048, 3).set_page_size(3, 1).page_bytes(3), 1U);
  EXPECT_REFUSED(buffer_of(2048, 3).set_page_size(3, 1000),
                 "1000 does not divide the total of 2048");
  EXPECT_REFUSED(buffer_of(2048, 3).set_address(0x100008), "is not a multiple of 16");
}

TEST(ProgramTest, PagesOfACircularBufferCanBeCounted) {
  Program program;
  const CoreRangeSet core = CoreCoord{0, 0};
  const auto pages = [&](std::uint32_t count) {
    return program.add_circular_buffer(
        core, CircularBufferConfig(count, {{3, DataFormat::UInt8}}).set_page_size(3, 1));
  };
  EXPECT_REFUSED(pages(65536), "65536 pages of 1 bytes; expected at most 65535");
  EXPECT_REFUSED(pages(0xFFFFFFFF), "4294967295 pages of 1 bytes; expected at most 65535");
  EXPECT_NO_THROW(pages(65535));
}

TEST(ProgramTest, ACoreHasSixteenSemaphores) {
  Program program = CreateProgram();
  for (std::uint32_t number = 0; number < contract::kSemaphores; ++number)
    EXPECT_EQ(CreateSemaphore(program, kCores, 0), number);
  EXPECT_REFUSED(CreateSemaphore(program, kCore, 0), "a core has no more than 16");
  EXPECT_EQ(CreateSemaphore(program, CoreCoord{5, 5}, 0), 0U) << "another core";
}

TEST(BankManagerTest, GivesTheFirstGapThatFits) {
  BankManager up("up", 0x1000, 0x1400, 32, false);
  EXPECT_EQ(up.allocate(0x100), 0x1000U);
  EXPECT_EQ(up.allocate(1), 0x1100U);
  EXPECT_EQ(up.allocate(0x100), 0x1120U);
  EXPECT_TRUE(up.release(0x1000));
  EXPECT_FALSE(up.release(0x1000));
  EXPECT_EQ(up.allocate(0x120), 0x1220U) << "the gap is too small";
  EXPECT_EQ(up.allocate(0x80), 0x1000U);
  EXPECT_REFUSED(up.allocate(0x200), "up: no room for 512 bytes");
  EXPECT_REFUSED(up.allocate(0), "a buffer of no bytes");

  BankManager down("down", 0x1000, 0x1400, 32, true);
  EXPECT_FALSE(down.in_use());
  EXPECT_EQ(down.lowest(), 0x1400U);
  EXPECT_EQ(down.allocate(0x100), 0x1300U);
  EXPECT_EQ(down.allocate(0x80), 0x1280U);
  EXPECT_EQ(down.lowest(), 0x1280U);
  EXPECT_REFUSED(down.set_base(0x12A0), "down: is to begin at 4768, but has a buffer at 4736");
  down.set_base(0x1280);
  EXPECT_REFUSED(down.allocate(32), "no room");
  down.set_base(0x1000);
  EXPECT_EQ(down.allocate(32), 0x1260U);
}

/// A mesh that has memory but no chips.
class BufferTest : public testing::Test {
 protected:
  BufferTest() : library_(test::FakeLibrary::functions(), "fake") {
    MeshDevice::Options options;
    options.cache = folder_.string();
    mesh_.emplace(library_, options);
  }
  ~BufferTest() override {
    mesh_.reset();
    std::filesystem::remove_all(folder_);
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tvp_program_" + std::to_string(getpid()));
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  std::optional<MeshDevice> mesh_;
};

TEST_F(BufferTest, RefusesWhatDoesNotFit) {
  EXPECT_REFUSED(CreateBuffer(*mesh_, InterleavedBufferConfig{.size = 1000, .page_size = 64}),
                 "1000 bytes is not a multiple of the page size 64");
  EXPECT_REFUSED(CreateBuffer(*mesh_, InterleavedBufferConfig{.size = 64, .page_size = 0}),
                 "the page size 0");
  EXPECT_REFUSED(
      CreateBuffer(*mesh_, InterleavedBufferConfig{.size = 64ULL << 30, .page_size = 1 << 20}),
      "DRAM: no room for");
  EXPECT_REFUSED(CreateBuffer(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = 2 << 20}),
                 "L1: no room for");
  const auto pages = CreateBuffer(*mesh_, InterleavedBufferConfig{.size = 128, .page_size = 64});
  EXPECT_REFUSED(pages->write(0, std::vector<std::uint8_t>(192)),
                 "takes at most 128 bytes, not 192");
  EXPECT_REFUSED(pages->read_shard(0, kCore), "an interleaved buffer has no shards");
  EXPECT_REFUSED(pages->shard_layout(), "an interleaved buffer has no shards");
  EXPECT_REFUSED(pages->shard_cores(), "an interleaved buffer has no shards");
  EXPECT_REFUSED(pages->shard_noc_coordinates(), "an interleaved buffer has no shards");
  const auto shard = CreateBuffer(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = 64});
  EXPECT_REFUSED(shard->write_shard(0, kCore, std::vector<std::uint8_t>(32), 48),
                 "32 bytes at offset 48 exceed a shard of 64");
  EXPECT_REFUSED(shard->read_shard(0, {0, 0}), "has no shard on core (0, 0)");
  EXPECT_REFUSED(buffer_of(64, 0).set_globally_allocated_address(*pages),
                 "only a buffer in L1 can be aliased");
}

TEST_F(BufferTest, AProgramNeedsKernels) {
  EXPECT_REFUSED(mesh_->enqueue(0, CreateProgram()), "program: has no kernels");
}

}  // namespace
}  // namespace tvp::runtime::program_test
