// Calls of the kernel API that start a single packet, with 0, 1, 8191, 8192 and 8193 bytes and 64
// KiB. The NIU splits more than 8192 bytes into several packets and counts each (ISA
// NoC/Counters.md), while the call counts one. The platform reports this with the source line.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sw/runtime/host_api.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

constexpr CoreCoord kSelf{1, 1};
constexpr CoreCoord kOther{2, 1};
constexpr std::uint32_t kMost = 65536;
constexpr std::uint32_t kRoom = kMost + 64;
constexpr std::uint32_t kPacket = 8192;

/// A call that counts as one packet. A write copies from the source here to the target on the
/// other core, a read from the source there to the target here.
struct Call {
  const char* name;
  const char* text;
  const char* counter;  ///< counts the finished packets
  bool is_read;
};

void PrintTo(const Call& call, std::ostream* to) { *to << call.name; }

const Call kCalls[] = {
    {"read", "noc_async_read_one_packet(get_noc_addr(x, y, source), target, size);",
     "NIU_MST_RD_RESP_RECEIVED", true},
    {"read_page_size", "noc_async_read<8192>(get_noc_addr(x, y, source), target, size);",
     "NIU_MST_RD_RESP_RECEIVED", true},
    {"read_state",
     "noc_async_read_one_packet_set_state(get_noc_addr(x, y, source), size);"
     "noc_async_read_one_packet_with_state(source, target);",
     "NIU_MST_RD_RESP_RECEIVED", true},
    {"read_trid",
     "noc_async_read_one_packet_set_state(get_noc_addr(x, y, source), size);"
     "noc_async_read_one_packet_with_state_with_trid(source, 0, target);",
     "NIU_MST_RD_RESP_RECEIVED", true},
    {"write", "noc_async_write_one_packet(source, get_noc_addr(x, y, target), size);",
     "NIU_MST_WR_ACK_RECEIVED", false},
    {"write_posted",
     "noc_async_write_one_packet<true, true>(source, get_noc_addr(x, y, target), size);"
     "noc_async_read_one_packet(get_noc_addr(x, y, source), source, 16);",  // arrives after it
     "NIU_MST_POSTED_WR_REQ_SENT", false},
    {"write_state",
     "noc_async_write_one_packet_set_state(get_noc_addr(x, y, target), size);"
     "noc_async_write_one_packet_with_state(source, target);",
     "NIU_MST_WR_ACK_RECEIVED", false},
    {"write_trid",
     "noc_async_write_one_packet_with_trid(source, get_noc_addr(x, y, target), size, 0);",
     "NIU_MST_WR_ACK_RECEIVED", false},
    {"write_trid_state",
     "noc_async_write_one_packet_with_trid_set_state(get_noc_addr(x, y, target));"
     "noc_async_write_one_packet_with_trid_with_state(source, target, size, 0);",
     "NIU_MST_WR_ACK_RECEIVED", false},
    {"multicast",
     "noc_async_write_multicast_one_packet(source, get_noc_multicast_addr(x, y, x, y, target), "
     "size, 1);",
     "NIU_MST_WR_ACK_RECEIVED", false},
    {"multicast_page_size",
     "noc_async_write_multicast<8192>(source, get_noc_multicast_addr(x, y, x, y, target), size, "
     "1);",
     "NIU_MST_WR_ACK_RECEIVED", false},
};

std::uint8_t pattern(std::size_t i) { return static_cast<std::uint8_t>(i * 7 + i / 256); }

/// The kernel waits for the number of packets that the hardware makes, unlike its barriers.
std::string kernel_of(const Call& call) {
  return std::string(
             "void kernel_main() {\n"
             "  uint32_t source = get_arg_val<uint32_t>(0), target = get_arg_val<uint32_t>(1);\n"
             "  uint32_t x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);\n"
             "  uint32_t size = get_arg_val<uint32_t>(4), packets = get_arg_val<uint32_t>(5);\n"
             "  uint32_t before = NOC_STATUS_READ_REG(noc_index, ") +
         call.counter + ");\n  " + call.text + "\n  while (NOC_STATUS_READ_REG(noc_index, " +
         call.counter +
         ") - before < packets) {}\n"
         "  while (!noc_cmd_buf_ready(noc_index, read_cmd_buf)) {}\n"
         "  uint32_t reads = NOC_STATUS_READ_REG(noc_index, NIU_MST_RD_REQ_SENT);\n"
         "  while (NOC_STATUS_READ_REG(noc_index, NIU_MST_RD_RESP_RECEIVED) != reads) {}\n"
         "}\n";
}

fs::path write_kernel(const Call& call) {
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "one_packet";
  fs::create_directories(folder);
  fs::path path = folder / (std::string(call.name) + ".cpp");
  std::ofstream(path) << kernel_of(call);
  return path;
}

class Cores {
 public:
  explicit Cores(const std::string& settings) : library_(DeviceLibrary::open(TVP_LIBRARY)) {
    library_->configure("system=single_chip" + settings);
    mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
    const CoreRangeSet both(std::vector<CoreRange>{CoreRange(kSelf), CoreRange(kOther)});
    source_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = both, .shard_bytes = kRoom});
    target_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = both, .shard_bytes = kRoom});
  }

  /// The sources of both cores hold one pattern each, the targets 0xEE.
  void run(const Call& call, std::uint32_t bytes, std::uint32_t packets) {
    std::vector<std::uint8_t> content(source_->size());
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = pattern(i);
    source_->write(0, content);
    target_->write(0, std::vector<std::uint8_t>(target_->size(), 0xEE));
    Program program;
    const auto kernel =
        CreateKernel(program, write_kernel(call).string(), kSelf, DataMovementConfig{});
    const CoreCoord other = mesh_->device(0).worker_core_from_logical_core(kOther);
    SetRuntimeArgs(
        program, kernel, kSelf,
        {static_cast<std::uint32_t>(source_->address()),
         static_cast<std::uint32_t>(target_->address()), other.x, other.y, bytes, packets});
    mesh_->run(0, program);
  }
  std::vector<std::uint8_t> target(CoreCoord core) { return target_->read_shard(0, core); }
  std::vector<std::string> warnings() const {
    return nlohmann::json::parse(library_->report()).at("warnings");
  }

 private:
  std::unique_ptr<DeviceLibrary> library_;
  std::unique_ptr<MeshDevice> mesh_;
  std::shared_ptr<MeshBuffer> source_;
  std::shared_ptr<MeshBuffer> target_;
};

/// The run stops at the store by default and reports the line of the call, the requested bytes and
/// the limit. The test runs in a process that is forked before this one opens the library.
class OnePacketFault : public testing::TestWithParam<Call> {};

TEST_P(OnePacketFault, NamesLineAndLimit) {
  const auto run = [] {
    Cores cores("");
    try {
      cores.run(GetParam(), 20000, 3);
    } catch (const foundation::Fault& fault) {
      std::fprintf(stderr, "%s\n", fault.what());
      std::_Exit(fault.kind() == foundation::FaultKind::kFirmware ? 3 : 70);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(3),
              "a call that counts one packet requests 20000 bytes, which the NIU splits into 3 "
              "packets(.|\n)*kernel_main \\([^)]*" +
                  std::string(GetParam().name) + ".cpp:6\\)");
}

INSTANTIATE_TEST_SUITE_P(Calls, OnePacketFault,
                         testing::Values(kCalls[0], kCalls[6], kCalls[7], kCalls[9]),
                         [](const auto& call) { return std::string(call.param.name); });

/// With `faults=warn` all bytes arrive, as on silicon, and a warning describes the mistake.
class OnePacket : public testing::TestWithParam<Call> {
 protected:
  static void SetUpTestSuite() { cores_ = std::make_unique<Cores>("\nfaults=warn"); }
  static void TearDownTestSuite() { cores_.reset(); }

  /// True if a warning names this length; each run has a different length.
  static bool told(const std::string& text) {
    const auto warnings = cores_->warnings();
    return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& each) {
      return each.find(text) != std::string::npos;
    });
  }
  static void expect_moved(const Call& call, std::uint32_t bytes) {
    const auto got = cores_->target(call.is_read ? kSelf : kOther);
    const std::size_t from = call.is_read ? kRoom : 0;  // the source of the reading core
    for (std::size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(got[i], pattern(from + i)) << "byte " << i << " of " << bytes;
    for (std::size_t i = bytes; i < kRoom; ++i)
      ASSERT_EQ(got[i], 0xEE) << "byte " << i << " behind " << bytes;
  }
  static inline std::unique_ptr<Cores> cores_;
};

TEST_P(OnePacket, HoldsUpTo8192Bytes) {
  for (const std::uint32_t bytes : {1U, 8191U, 8192U}) {
    cores_->run(GetParam(), bytes, 1);
    expect_moved(GetParam(), bytes);
    EXPECT_FALSE(told("request of " + std::to_string(bytes) + " bytes")) << bytes;
  }
}

TEST_P(OnePacket, BecomesSeveralBeyondWhichIsTold) {
  for (const std::uint32_t bytes : {8193U, kMost}) {
    cores_->run(GetParam(), bytes, (bytes + kPacket - 1) / kPacket);
    expect_moved(GetParam(), bytes);
    EXPECT_TRUE(told("a call that counts one packet requests " + std::to_string(bytes) + " bytes"));
  }
}

TEST_P(OnePacket, OfNothingIsToldToo) {
  cores_->run(GetParam(), 0, 1);
  expect_moved(GetParam(), 0);
  EXPECT_TRUE(told("request of 0 bytes"));
}

INSTANTIATE_TEST_SUITE_P(Calls, OnePacket, testing::ValuesIn(kCalls),
                         [](const auto& call) { return std::string(call.param.name); });

}  // namespace
}  // namespace tvp::runtime
