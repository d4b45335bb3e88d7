// The host's descriptions of tensors, how kernels read them, and defaults of kernels and fabric.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "sw/runtime/compiler/kernel_compiler.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::accessor_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

class AccessorTest : public testing::Test {
 protected:
  AccessorTest()
      : folder_(fs::temp_directory_path() / ("tvp_accessor_" + std::to_string(getpid()))),
        library_(test::FakeLibrary::functions(), "fake") {
    fs::create_directories(folder_);
    MeshDevice::Options options;
    options.cache = (folder_ / "cache").string();
    mesh_ = std::make_unique<MeshDevice>(library_, options);
  }
  ~AccessorTest() override {
    mesh_.reset();
    fs::remove_all(folder_);
  }

  std::shared_ptr<MeshBuffer> interleaved(BufferType type, std::uint64_t page) {
    return MeshBuffer::create(
        *mesh_, InterleavedBufferConfig{.size = page * 3, .page_size = page, .buffer_type = type});
  }

  /// The compiler's output, or "" on success: `checks` holds static assertions.
  std::string compile(const std::string& checks, const Words& args,
                      const std::string& headers = "") {
    const std::string path = (folder_ / "kernel.cpp").string();
    std::ofstream(path) << "#include \"dataflow_api.h\"\n"
                        << headers << "void kernel_main() {\n"
                        << checks << "}\n";
    KernelRequest request;
    request.processor = contract::kNcrisc;
    request.source = path;
    request.compile_args = args;
    try {
      mesh_->compiler().kernels({request}, {});
    } catch (const CompileError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  std::unique_ptr<MeshDevice> mesh_;
};

TEST_F(AccessorTest, WordsOfABuffer) {
  EXPECT_EQ(TensorAccessorArgs(*interleaved(BufferType::DRAM, 2048)).get_compile_time_args(),
            (Words{2 | 2 << 8 | 2048 / 16 << 10}));
  EXPECT_EQ(TensorAccessorArgs(*interleaved(BufferType::DRAM, 33)).get_compile_time_args(),
            (Words{2 | 2 << 8 | 64 / 16 << 10}));
  EXPECT_EQ(TensorAccessorArgs(*interleaved(BufferType::L1, 33)).get_compile_time_args(),
            (Words{2 << 8 | 48 / 16 << 10}));
  EXPECT_EQ(TensorAccessorArgs::create_dram_interleaved().get_compile_time_args(), Words{2});
  EXPECT_EQ(TensorAccessorArgs::create_l1_interleaved().get_compile_time_args(), Words{0});
}

TEST_F(AccessorTest, WordsOfAShardedBufferNameItsBanks) {
  const CoreRangeSet cores(CoreRange(CoreCoord{0, 0}, CoreCoord{2, 0}));
  const auto buffer =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = 1024});
  const auto at = [&](std::uint32_t x) {
    const CoreCoord core = mesh_->device(0).worker_core_from_logical_core({x, 0});
    return core.x << 8 | core.y;
  };
  EXPECT_EQ(TensorAccessorArgs(*buffer).get_compile_time_args(),
            (Words{1 | 2 << 8 | 1024 / 16 << 10, 1, 3, 3, 1, at(0) | at(1) << 16, at(2)}));
}

TEST_F(AccessorTest, ArgumentsBehindAnAccessorAreNoPageSize) {
  Words args{7};
  TensorAccessorArgs::create_dram_interleaved().append_to(args);
  args.push_back(4096);
  EXPECT_EQ(compile("constexpr auto t = TensorAccessorArgs<1>();\n"
                    "static_assert(t.is_dram && !t.has_page_size);\n"
                    "static_assert(t.next_compile_time_args_offset() == 2);\n"
                    "static_assert(get_compile_time_arg_val(2) == 4096);\n",
                    args),
            "");
}

TEST_F(AccessorTest, AccessorsOfBuffersFollowEachOther) {
  const CoreRangeSet cores(CoreRange(CoreCoord{0, 0}, CoreCoord{2, 0}));
  Words args;
  TensorAccessorArgs(*interleaved(BufferType::DRAM, 33)).append_to(args);
  TensorAccessorArgs(
      *MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = 1024}))
      .append_to(args);
  TensorAccessorArgs::create_l1_interleaved().append_to(args);
  args.push_back(16);
  EXPECT_EQ(compile("constexpr auto a = TensorAccessorArgs<0>();\n"
                    "constexpr auto b = TensorAccessorArgs<a.next_compile_time_args_offset()>();\n"
                    "constexpr auto c = TensorAccessorArgs<b.next_compile_time_args_offset()>();\n"
                    "static_assert(a.get_aligned_page_size() == 64 && a.is_dram);\n"
                    "static_assert(b.get_aligned_page_size() == 1024 && b.is_sharded);\n"
                    "static_assert(b.rank == 1 && b.num_banks == 3);\n"
                    "static_assert(!c.is_dram && !c.is_sharded);\n"
                    "static_assert(get_compile_time_arg_val(c.next_compile_time_args_offset())\n"
                    "              == 16);\n",
                    args),
            "");
}

/// Kernels of spring 2026 read the page size from a separate word. So do all kernels if
/// $TT_METAL_HOME is a tree of that time.
TEST_F(AccessorTest, WordsAreAsManyAsKernelsOfTheTreeCount) {
  const fs::path tree = folder_ / "tree/tt_metal/hw/inc/api/tensor";
  fs::create_directories(tree);
  const char* const before = std::getenv("TT_METAL_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TT_METAL_HOME", (folder_ / "tree").c_str(), 1);
  const auto buffer = interleaved(BufferType::DRAM, 2048);
  Words args;
  for (const char* header : {"RankCTAOffset = CTA_OFFSET + 1", "AlignedPageSize, RankCTAOffset"}) {
    std::ofstream(tree / "tensor_accessor_args.h") << header;
    TensorAccessorArgs(*buffer).append_to(args);
  }
  if (before == nullptr) {
    unsetenv("TT_METAL_HOME");
  } else {
    setenv("TT_METAL_HOME", kept.c_str(), 1);
  }
  EXPECT_EQ(args, (Words{2 | 2 << 8 | 128 << 10, 0x82, 2048}));
  EXPECT_EQ(compile("constexpr auto a = TensorAccessorArgs<0>();\n"
                    "constexpr auto b = TensorAccessorArgs<1>();\n"
                    "static_assert(a.next_compile_time_args_offset() == 1);\n"
                    "static_assert(b.next_compile_time_args_offset() == 3);\n"
                    "static_assert(a.get_aligned_page_size() == 2048);\n"
                    "static_assert(b.get_aligned_page_size() == 2048);\n",
                    args),
            "");
}

TEST_F(AccessorTest, APageTooLargeForTheFlagsHasAWordOfItsOwn) {
  constexpr std::uint32_t kBytes = 64 << 20;
  const auto words =
      TensorAccessorArgs(*interleaved(BufferType::DRAM, kBytes)).get_compile_time_args();
  EXPECT_EQ(words, (Words{0x82, kBytes}));
}

TEST_F(AccessorTest, TellsWhoseWordsAreMissing) {
  const std::string no_flags = compile("constexpr auto t = TensorAccessorArgs<0>();\n", {2048});
  EXPECT_NE(no_flags.find("no flags of a TensorAccessor"), std::string::npos) << no_flags;
  const std::string runtime_rank = compile("constexpr auto t = TensorAccessorArgs<0>();\n", {5});
  EXPECT_NE(runtime_rank.find("with the rank, the shapes are runtime arguments"), std::string::npos)
      << runtime_rank;
}

TEST_F(AccessorTest, ErrorsNameWhatIsMissingAndWhereTheNamesAre) {
  const std::string function = compile("noc_async_teleport(1);\n", {});
  EXPECT_NE(function.find("'noc_async_teleport' was not declared"), std::string::npos) << function;
  EXPECT_NE(function.find("firmware/api/README.md"), std::string::npos) << function;
  const std::string syntax = compile("const int;\n", {});
  EXPECT_EQ(syntax.find("firmware/api/README.md"), std::string::npos) << syntax;
}

TEST_F(AccessorTest, NumbersAsBitPatternsCompareAsTheirFormatsDo) {
  EXPECT_EQ(compile("static_assert(bfloat16_greater(0x3F80, 0x3F00));  // 1 > 0.5\n"
                    "static_assert(!bfloat16_greater(0xBF80, 0xBF00));  // -1 > -0.5\n"
                    "static_assert(bfloat16_greater(0x0000, 0x8000));\n"
                    "static_assert(float32_greater(0x3F800000, 0xBF800000));\n"
                    "static_assert(!float32_greater(0, 0x80000000));  // zeros are equal\n"
                    "static_assert(!float32_greater(NAN_FLOAT32, NEG_INF_FLOAT32));\n"
                    "static_assert(float32_greater(POS_INF_FLOAT32, 0x7F7FFFFF));\n"
                    "static_assert(int32_greater(-1, NEG_INF_INT32));\n"
                    "static_assert(align(33, 32) == 64 && align_power_of_2(32, 32) == 32);\n"
                    "static_assert(umodsi3_const_divisor<12>(100) == 4);\n",
                    {},
                    "#include \"api/numeric/bfloat16.h\"\n#include \"api/numeric/float32.h\"\n"
                    "#include \"api/numeric/int32.h\"\n"),
            "");
}

TEST_F(AccessorTest, AddressGeneratorsAreTypesOfTheirOwn) {
  EXPECT_EQ(
      compile("struct Which {\n"
              "  static constexpr int of(const InterleavedPow2AddrGen<true>&) { return 1; }\n"
              "  static constexpr int of(const InterleavedPow2AddrGenFast<true>&) { return 2; }\n"
              "  static constexpr int of(const InterleavedAddrGen<true>&) { return 3; }\n"
              "  static constexpr int of(const InterleavedAddrGenFast<true>&) { return 4; }\n"
              "};\n"
              "constexpr InterleavedPow2AddrGen<true> a{.bank_base_address = 64,\n"
              "                                         .log_base_2_of_page_size = 11};\n"
              "constexpr InterleavedPow2AddrGenFast<true> b{.bank_base_address = 64,\n"
              "                                             .log_base_2_of_page_size = 4};\n"
              "static_assert(Which::of(a) == 1 && Which::of(b) == 2);\n"
              "static_assert(b.aligned_log_base_2_of_page_size == 5);\n",
              {}),
      "");
}

TEST(DataMovementConfigs, ReadersUseNoc0AndWritersNoc1) {
  const ReaderDataMovementConfig reader({1, 2}, {{"A", "1"}});
  EXPECT_EQ(reader.processor, DataMovementProcessor::RISCV_1);
  EXPECT_EQ(reader.noc, NOC::NOC_0);
  EXPECT_EQ(reader.compile_args, (Words{1, 2}));
  EXPECT_EQ(reader.defines.at("A"), "1");
  const WriterDataMovementConfig writer;
  EXPECT_EQ(writer.processor, DataMovementProcessor::RISCV_0);
  EXPECT_EQ(writer.noc, NOC::NOC_1);
}

TEST_F(AccessorTest, FabricRefusesSlotsThatDoNotFit) {
  constexpr std::uint32_t kLargest = 8192 - contract::fabric::kPacketHeaderBytes;
  for (const std::uint32_t bytes : {1U, 3000U, 4352U, kLargest})
    EXPECT_NO_THROW(FabricLine(*mesh_, 2, bytes)) << bytes;
  for (const std::uint32_t bytes : {0U, kLargest + 1, 100'000U, 0x23000U, 0x7FFF'FFFFU,
                                    std::numeric_limits<std::uint32_t>::max()}) {
    EXPECT_TRUE(tvp::test::faults([&] { FabricLine(*mesh_, 2, bytes); }, {},
                                  {"payloads of " + std::to_string(bytes)}))
        << bytes;
  }
}

}  // namespace
}  // namespace tvp::runtime::accessor_test
