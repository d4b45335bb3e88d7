#include "sw/runtime/mesh/mesh_device.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::mesh_device_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGo = contract::kMailboxBase + offsetof(contract::Mailboxes, go_messages);
constexpr std::uint64_t kDprint = contract::kMailboxBase + offsetof(contract::Mailboxes, dprint);

class MeshDeviceTest : public testing::Test {
 protected:
  MeshDeviceTest()
      : folder_(fs::temp_directory_path() / ("tvp_mesh_" + std::to_string(getpid()))),
        library_(test::FakeLibrary::functions(), "fake") {
    fs::create_directories(folder_);
    kernel_ = (folder_ / "k.cpp").string();
    std::ofstream(kernel_) << "void kernel_main() {}\n";
    options_.cache = (folder_ / "cache").string();
    options_.print = [this](const std::string& line) { printed_.push_back(line); };
    // Firmware that finishes everything at once.
    fake_.on_clock = [this] {
      if (finishes_) fake_.byte(0, 0, 0, 0) = 0;
      for (unsigned x = 1; x < 10 && finishes_; ++x)
        for (unsigned y = 0; y < 12; ++y)
          for (unsigned d = 0; d < 2; ++d) fake_.byte(d, x, y, kGo + 3) = 0;
    };
  }
  ~MeshDeviceTest() override { fs::remove_all(folder_); }

  fs::path folder_;
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  MeshDevice::Options options_;
  std::string kernel_;
  std::vector<std::string> printed_;
  bool finishes_ = true;
};

TEST_F(MeshDeviceTest, DevicesComeInTheSystemsOrder) {
  MeshDevice mesh(library_, options_);
  ASSERT_EQ(mesh.num_devices(), 2U);
  EXPECT_EQ(mesh.device(0).chip(), 1U);
  ASSERT_EQ(mesh.links().size(), 1U);
  EXPECT_EQ(mesh.links()[0].device_a, 1U);  // chip 0
  EXPECT_EQ(mesh.links()[0].channel_b, 15U);
  EXPECT_THROW(mesh.device(2), foundation::Fault);
  EXPECT_EQ(mesh.device(0).ethernet(14).logical, (CoreCoord{0, 14}));
  EXPECT_EQ(mesh.device(0).ethernet(14).noc0, (CoreCoord{6, 6}));
  EXPECT_TRUE(mesh.device(0).ethernet(14).ethernet);
  EXPECT_EQ(mesh.l1_banks(), 64U);
}

// A recording marks reads as times within the given range only.
TEST_F(MeshDeviceTest, ReadsGiveTimesForAsLongAsIsSaid) {
  {
    const ReadsTimes some(library_, 16, 4, 8);
    EXPECT_EQ(fake_.times, (std::vector<std::uint32_t>{16, 4, 8}));
  }
  EXPECT_EQ(fake_.times.back(), 0U);  // no bytes
  {
    const ReadsTimes all(library_);
    EXPECT_EQ(fake_.times, (std::vector<std::uint32_t>{1, 0, 1}));
  }
  EXPECT_EQ(fake_.times.back(), 0U);
}

TEST_F(MeshDeviceTest, EnvironmentTurnsPrintsOn) {
  EXPECT_FALSE(MeshDevice::Options{}.dprint);
  setenv("TT_METAL_DPRINT_CORES", "all", 1);
  EXPECT_TRUE(MeshDevice::Options{}.dprint);
  setenv("TT_METAL_DPRINT_CORES", "0", 1);
  EXPECT_FALSE(MeshDevice::Options{}.dprint);
  unsetenv("TT_METAL_DPRINT_CORES");
}

/// RISC-V unprivileged ISA, 2.5: J-type immediates are scrambled as imm[20|10:1|11|19:12].
void expect_jump(std::uint32_t word, std::uint32_t offset) {
  EXPECT_EQ(word & 0xFFF, 0x6FU) << "jal x0";
  std::uint32_t decoded = 0;
  const unsigned places[] = {12, 13, 14, 15, 16, 17, 18, 19, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20};
  for (unsigned i = 0; i < 20; ++i) decoded |= (word >> (12 + i) & 1) << places[i];
  EXPECT_EQ(decoded, offset);
}

TEST_F(MeshDeviceTest, BootsAndLaunches) {
  MeshDevice mesh(library_, options_);
  Program program = CreateProgram();
  CreateKernel(program, kernel_, CoreCoord{0, 0}, DataMovementConfig{});
  mesh.run(1, program);  // chip 0: rows 3 and 5 are harvested
  expect_jump(fake_.word(0, 1, 1, 0), contract::firmware_base(contract::kBrisc));
  EXPECT_EQ(fake_.word(0, 1, 1, 0xFFB121B0), 0x47000U);  // all but BRISC in reset
  const auto image = mesh.compiler().firmware(contract::kTrisc1, {});
  EXPECT_EQ(fake_.byte(0, 1, 1, contract::firmware_base(contract::kTrisc1)),
            image->segments()[0].data[0]);
  // Launch message 0, field enables; the firmware has reset the go signal.
  EXPECT_EQ(fake_.word(0, 1, 1,
                       contract::kMailboxBase + offsetof(contract::Mailboxes, launch) +
                           offsetof(contract::LaunchMessage, enables)),
            1U);
  EXPECT_FALSE(mesh.running());
}

TEST_F(MeshDeviceTest, TellsWhoHangs) {
  MeshDevice mesh(library_, options_);
  Program program;
  CreateKernel(program, kernel_, CoreCoord{3, 2}, DataMovementConfig{});
  mesh.enqueue(0, program);
  EXPECT_THROW(mesh.enqueue(0, program), foundation::Fault);  // still running
  finishes_ = false;
  fake_.state = TENSIX_VP_IDLE;
  try {
    mesh.finish();
    FAIL() << "no hang";
  } catch (const HangError& hang) {
    EXPECT_NE(std::string(hang.what()).find("on chip1.tensix(4,3) has not finished"),
              std::string::npos)
        << hang.what();
    EXPECT_NE(std::string(hang.what()).find("waits for 0x1c"), std::string::npos);
  }
}

TEST_F(MeshDeviceTest, KeepsItsTimeLimit) {
  options_.max_cycles = 100000;
  MeshDevice mesh(library_, options_);
  Program program;
  CreateKernel(program, kernel_, CoreCoord{0, 0}, DataMovementConfig{});
  mesh.enqueue(0, program);
  finishes_ = false;
  EXPECT_THROW(mesh.finish(0), TimeLimitError);
  EXPECT_LT(fake_.time_ps, 400'000'000U);
}

TEST_F(MeshDeviceTest, PrintsDprintRecords) {
  options_.dprint = true;
  MeshDevice mesh(library_, options_);
  Program program;
  CreateKernel(program, kernel_, CoreCoord{1, 0}, DataMovementConfig{});
  mesh.enqueue(1, program);
  // Records as in kernel_api 7.1: type, size, payload; here of NCRISC.
  const std::uint8_t records[] = {0, 3, 'x',  ' ',  '=',  0,    1, ' ', 17, 0,
                                  5, 4, 0xEF, 0xBE, 0xAD, 0xDE, 1, 0,   19, 0,
                                  9, 4, 0xFE, 0xFF, 0xFF, 0xFF, 1, 0};
  // Types: CSTR 0, ENDL 1, UINT32 5, INT32 9, HEX 17, DEC 19.
  const std::uint64_t buffer = kDprint + sizeof(contract::DprintBuffer);
  for (std::size_t i = 0; i < sizeof(records); ++i)
    fake_.byte(0, 2, 1, buffer + 12 + i) = records[i];
  fake_.set_word(0, 2, 1, buffer, sizeof(records));
  fake_.set_word(0, 2, 1, buffer + 4, 0);
  mesh.finish();
  ASSERT_EQ(printed_.size(), 2U);
  EXPECT_EQ(printed_[0], "1:(1,0):NC: x = deadbeef");
  EXPECT_EQ(printed_[1], "1:(1,0):NC: -2");
  EXPECT_EQ(fake_.word(0, 2, 1, buffer + 4), sizeof(records));
}

// The environment enables prints but names no destination.
TEST(MeshDeviceOptions, LinesOfKernelsGoToStandardOutputUnlessSomebodyTakesThem) {
  testing::internal::CaptureStdout();
  MeshDevice::Options().print("0:(0,0):BR: hello");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "0:(0,0):BR: hello\n");
}

/// A DPRINT record in memory: type, size, payload.
template <typename Value>
void add_record(std::vector<std::uint8_t>& records, std::uint8_t type, Value value) {
  records.insert(records.end(), {type, static_cast<std::uint8_t>(sizeof value)});
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&value);
  records.insert(records.end(), bytes, bytes + sizeof value);
}

// kernel_api 7.1: a value of every type with its bytes in memory.
TEST_F(MeshDeviceTest, PrintsEveryTypeOfDprintRecord) {
  options_.dprint = true;
  MeshDevice mesh(library_, options_);
  Program program;
  CreateKernel(program, kernel_, CoreCoord{1, 0}, DataMovementConfig{});
  mesh.enqueue(1, program);
  std::vector<std::uint8_t> records;
  std::vector<std::string> expected;
  const auto print = [&](std::uint8_t type, auto value, const char* text) {
    add_record(records, type, value);
    add_record(records, contract::kDprintEndl, '\0');
    expected.push_back(std::string("1:(1,0):NC: ") + text);
  };
  print(contract::kDprintUint8, std::uint8_t{200}, "200");
  print(contract::kDprintUint16, std::uint16_t{0xFEDC}, "65244");
  print(contract::kDprintUint32, std::uint32_t{0xFEDCBA98}, "4275878552");
  print(contract::kDprintUint64, std::uint64_t{0xFEDCBA9876543210}, "18364758544493064720");
  print(contract::kDprintInt8, std::int8_t{-100}, "-100");
  print(contract::kDprintInt16, std::int16_t{-30000}, "-30000");
  print(contract::kDprintInt32, std::int32_t{-2'000'000'000}, "-2000000000");
  print(contract::kDprintInt64, std::int64_t{-9'000'000'000'000'000'000}, "-9000000000000000000");
  print(contract::kDprintFloat32, -1.5F, "-1.5");
  print(contract::kDprintChar, 'c', "c");
  print(contract::kDprintBfloat16, std::uint16_t{0x3FC0}, "1.5");  // the high half of FP32
  print(contract::kDprintBfloat16, std::uint16_t{0xC2F7}, "-123.5");
  print(contract::kDprintU32Array, std::array<std::uint32_t, 3>{1, 0xFFFFFFFF, 3},
        "1 4294967295 3");
  ASSERT_LE(records.size(), contract::kDprintDataSize);
  const std::uint64_t buffer = kDprint + sizeof(contract::DprintBuffer);
  for (std::size_t i = 0; i < records.size(); ++i)
    fake_.byte(0, 2, 1, buffer + 12 + i) = records[i];
  fake_.set_word(0, 2, 1, buffer, static_cast<std::uint32_t>(records.size()));
  fake_.set_word(0, 2, 1, buffer + 4, 0);
  mesh.finish();
  EXPECT_EQ(printed_, expected);
}

TEST_F(MeshDeviceTest, PrintsALineThatAKernelDoesNotEnd) {
  options_.dprint = true;
  MeshDevice mesh(library_, options_);
  Program program;
  CreateKernel(program, kernel_, CoreCoord{1, 0}, DataMovementConfig{});
  mesh.enqueue(1, program);
  std::vector<std::uint8_t> records;
  add_record(records, contract::kDprintChar, 'n');
  add_record(records, contract::kDprintUint32, std::uint32_t{7});
  const std::uint64_t buffer = kDprint + sizeof(contract::DprintBuffer);
  for (std::size_t i = 0; i < records.size(); ++i)
    fake_.byte(0, 2, 1, buffer + 12 + i) = records[i];
  fake_.set_word(0, 2, 1, buffer, static_cast<std::uint32_t>(records.size()));
  fake_.set_word(0, 2, 1, buffer + 4, 0);
  mesh.finish();
  EXPECT_EQ(printed_, std::vector<std::string>{"1:(1,0):NC: n7"});
}

TEST_F(MeshDeviceTest, MeshBuffersHaveOneAddressOnAllDevices) {
  MeshDevice mesh(library_, options_);
  const CoreRangeSet cores{CoreRange{{0, 0}, {1, 0}}};
  auto buffer = MeshBuffer::create(mesh, ShardedBufferConfig{.cores = cores, .shard_bytes = 64});
  std::vector<std::uint8_t> content(128);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<std::uint8_t>(i);
  buffer->write(1, content);
  EXPECT_EQ(fake_.byte(0, 2, 1, buffer->address()), 64);  // second shard: logical (1, 0)
  EXPECT_EQ(buffer->read(1), content);
  EXPECT_EQ(buffer->read_shard(1, {1, 0}).front(), 64);
  EXPECT_THROW(buffer->read_shard(1, {2, 0}), foundation::Fault);
  CircularBufferConfig aliased(32, {{0, DataFormat::Float16_b}});
  aliased.set_page_size(0, 32).set_globally_allocated_address(*buffer, 32);
  EXPECT_EQ(aliased.address(), buffer->address() + 32);
  EXPECT_THROW(aliased.set_globally_allocated_address(*buffer, 48), foundation::Fault);

  auto dram = MeshBuffer::create(
      mesh,
      InterleavedBufferConfig{.size = 13 * 96, .page_size = 96, .buffer_type = BufferType::DRAM});
  std::vector<std::uint8_t> pages(13 * 96);
  pages[12 * 96] = 77;  // page 12: bank 0, second row
  dram->write(0, pages);
  EXPECT_EQ(fake_.byte(1, 0, 11, dram->address() + 96), 77);
  EXPECT_EQ(dram->read(0), pages);
}

}  // namespace
}  // namespace tvp::runtime::mesh_device_test
