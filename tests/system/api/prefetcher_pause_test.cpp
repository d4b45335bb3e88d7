// Pause and resume of a prefetcher from other kernels: what a pause promises, and what the report
// says of wrong use.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "foundation/contract/prefetcher_control.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

constexpr std::uint32_t kSteps = 400;

/// Counts steps behind a gate, as the reader (RISCV_0) or the writer of a sender.
const char* const kSender = R"(
#include "api/dataflow/prefetcher_pause.h"
using tvp::prefetcher::PrefetcherGate;
void kernel_main() {
  const uint32_t control = get_arg_val<uint32_t>(0);
  auto* count = reinterpret_cast<volatile uint32_t*>(control + 16 + 4 * PROCESSOR_INDEX);
  PrefetcherGate gate;
  gate.begin(control, PROCESSOR_INDEX == 0 ? PrefetcherGate::End::kReader
                                           : PrefetcherGate::End::kWriter);
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); ++i) {
    if (gate.requested()) gate.wait();
    *count = *count + 1;
    riscv_wait(50);
  }
  gate.end();
}
)";

/// Pauses the sender several times. Stores the counts at the begin and the end of each pause, and
/// between the pauses.
const char* const kOther = R"(
#include "api/dataflow/prefetcher_pause.h"
void kernel_main() {
  const uint32_t x = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  const uint32_t control = get_arg_val<uint32_t>(2);
  const uint32_t counts = control + 64, scratch = control + 32;
  auto* out = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(3));
  tvp::prefetcher::PrefetcherPause sender(x, y, control, scratch);
  const auto look = [&] {
    noc_async_read(get_noc_addr(x, y, control + 16), counts, 16);
    noc_async_read_barrier();
    *out++ = *reinterpret_cast<volatile uint32_t*>(counts);
    *out++ = *reinterpret_cast<volatile uint32_t*>(counts + 4);
  };
  for (uint32_t i = 0; i < 3; ++i) {
    riscv_wait(1500);
    sender.pause();
    look();
    riscv_wait(3000);
    look();
    sender.resume();
  }
}
)";

class PrefetcherPause : public ::testing::Test {
 protected:
  PrefetcherPause() : library_(DeviceLibrary::open(TVP_LIBRARY)) {
    library_->configure("system=single_chip");
    mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
    folder_ = std::filesystem::path(TVP_KERNEL_FOLDER) / "prefetcher_pause";
    std::filesystem::create_directories(folder_);
    memory_ = MeshBuffer::create(
        *mesh_,
        ShardedBufferConfig{.cores = CoreRangeSet(CoreRange({0, 0}, {2, 0})), .shard_bytes = 256});
    memory_->write(0, std::vector<std::uint8_t>(memory_->size()));
  }
  std::uint32_t address() const { return static_cast<std::uint32_t>(memory_->address()); }
  std::string kernel(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file) << text;
    return (folder_ / file).string();
  }
  void add(Program& program, CoreCoord core, const std::string& path,
           const std::vector<std::uint32_t>& args,
           DataMovementProcessor processor = DataMovementProcessor::RISCV_0) const {
    DataMovementConfig config;
    config.processor = processor;
    config.noc = processor == DataMovementProcessor::RISCV_0 ? NOC::NOC_0 : NOC::NOC_1;
    SetRuntimeArgs(program, CreateKernel(program, path, core, config), core, args);
  }
  void add_sender(Program& program, std::uint32_t steps) const {
    const std::string path = kernel("sender.cpp", kSender);
    for (const auto processor : {DataMovementProcessor::RISCV_0, DataMovementProcessor::RISCV_1})
      add(program, {0, 0}, path, {address(), steps}, processor);
  }
  std::vector<std::uint32_t> words(CoreCoord core, std::uint32_t offset, std::size_t count) {
    std::vector<std::uint32_t> result(count);
    mesh_->device(0).read_l1(core, address() + offset, result.data(), 4 * count);
    return result;
  }
  CoreCoord sender() const { return mesh_->device(0).worker_core_from_logical_core({0, 0}); }
  std::string name_of_sender() const {
    return "the sender at (" + std::to_string(sender().x) + ", " + std::to_string(sender().y) + ")";
  }
  /// The fault of a kernel that uses a pause of the sender.
  std::string fault_of_use(const std::string& use) {
    Program program = CreateProgram();
    add_sender(program, 10);
    add(program, {1, 0},
        kernel("use.cpp",
               "#include \"api/dataflow/prefetcher_pause.h\"\n"
               "void kernel_main() {\n"
               "  const uint32_t control = get_arg_val<uint32_t>(2);\n"
               "  tvp::prefetcher::PrefetcherPause sender(get_arg_val<uint32_t>(0),\n"
               "      get_arg_val<uint32_t>(1), control, control + 32);\n" +
                   use + "}\n"),
        {sender().x, sender().y, address()});
    return test::fault_of([&] { mesh_->run(0, program); }, foundation::FaultKind::kFirmware);
  }

  std::unique_ptr<DeviceLibrary> library_;
  std::unique_ptr<MeshDevice> mesh_;
  std::filesystem::path folder_;
  std::shared_ptr<MeshBuffer> memory_;
};

/// Two kernels pause one sender. It stands still in each of their pauses and loses no step.
TEST_F(PrefetcherPause, ASenderStandsStillUntilTheLastKernelResumesIt) {
  Program program = CreateProgram();
  add_sender(program, kSteps);
  const std::string other = kernel("other.cpp", kOther);
  for (const CoreCoord core : {CoreCoord{1, 0}, CoreCoord{2, 0}})
    add(program, core, other, {sender().x, sender().y, address(), address() + 128});
  mesh_->run(0, program);
  EXPECT_EQ(words({0, 0}, 16, 2), std::vector<std::uint32_t>(2, kSteps));
  EXPECT_EQ(words({0, 0}, 0, 3), (std::vector<std::uint32_t>{0, 1, 1}));
  for (const CoreCoord core : {CoreCoord{1, 0}, CoreCoord{2, 0}}) {
    const std::vector<std::uint32_t> seen = words(core, 128, 12);
    for (std::size_t pause = 0; pause < 3; ++pause)
      for (std::size_t kernel = 0; kernel < 2; ++kernel)
        EXPECT_EQ(seen[4 * pause + kernel], seen[4 * pause + 2 + kernel]) << core.str();
    EXPECT_GT(seen[8], seen[0]);  // it has moved on between the first and the last pause
    EXPECT_LT(seen[10], kSteps);
  }
}

/// A sender that has ended, and one that has not begun, count as stopped and as running.
TEST_F(PrefetcherPause, AnEndedSenderCountsAsStopped) {
  Program program = CreateProgram();
  add_sender(program, 1);
  add(program, {1, 0}, kernel("other.cpp", kOther),
      {sender().x, sender().y, address(), address() + 128});
  mesh_->run(0, program);
  EXPECT_EQ(words({1, 0}, 128, 2), (std::vector<std::uint32_t>{1, 1}));
}

TEST_F(PrefetcherPause, TwoPausesOfOneKernelAreReported) {
  const std::string text = fault_of_use("  sender.pause();\n  sender.pause();\n");
  EXPECT_NE(text.find("pauses the prefetcher of " + name_of_sender() +
                      " twice; expected PrefetcherPause::resume() before the second pause()"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("use.cpp"), std::string::npos) << text;
}

TEST_F(PrefetcherPause, AResumeWithoutAPauseIsReported) {
  const std::string text = fault_of_use("  sender.resume();\n");
  EXPECT_NE(text.find("resumes the prefetcher of " + name_of_sender() +
                      " without a pause; expected PrefetcherPause::pause() before"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("use.cpp"), std::string::npos) << text;
}

/// A kernel that decrements the word itself is noticed by the sender.
TEST_F(PrefetcherPause, ASenderReportsMoreResumesThanPauses) {
  const std::string text = fault_of_use(
      "  noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), "
      "control), 0xFFFFFFFF);\n  noc_async_atomic_barrier();\n");
  EXPECT_NE(text.find("without a pause"), std::string::npos) << text;
  EXPECT_NE(text.find("sender.cpp"), std::string::npos) << text;
}

}  // namespace
}  // namespace tvp::runtime
