// Tests the warnings about kernels that write over code and mailboxes, and about multicasts with a
// wrong number of tiles. Silicon reports nothing, and the failure appears on another core.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sw/runtime/errors.h"
#include "tests/system/benches/operation_bench.h"

namespace tvp::test {
namespace {

struct Way {
  const char* name;
  const char* body;
  std::vector<std::string> reported;  ///< parts of the warnings and the error; none: no warning
};

class WrongAddresses : public testing::TestWithParam<Way> {
 protected:
  static std::string written(const std::string& file, const std::string& body) {
    const std::filesystem::path folder = TVP_KERNEL_FOLDER;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / file) << "void kernel_main() {\n" << body << "\n}\n";
    return (folder / file).string();
  }
  /// Error and warnings of a kernel. Its arguments are the coordinates of core (1, 0), on which
  /// another kernel only waits.
  static std::string reported(const std::string& name, const std::string& body,
                              bool watcher = false) {
    OperationBench bench(watcher);
    const runtime::CoreCoord other = bench.noc({1, 0});
    Operation operation(bench);
    operation.buffer(0, 2);
    operation.reader(written("writes_" + name + ".cpp", body), {.run = {other.x, other.y}});
    operation.on(runtime::CoreRangeSet(runtime::CoreCoord{1, 0}));
    operation.buffer(0, 2).writer(written("waits.cpp", "riscv_wait(20000);"), {});
    std::string text;
    try {
      operation.run();
    } catch (const std::exception& error) {
      text = error.what();
    }
    const auto report = nlohmann::json::parse(bench.mesh().library().report());
    for (const auto& warning : report.at("warnings")) text += "\n" + warning.get<std::string>();
    return text;
  }
};

TEST_P(WrongAddresses, AreReported) {
  const Way& way = GetParam();
  const std::string text = reported(way.name, way.body);
  if (way.reported.empty()) {
    EXPECT_EQ(text, "");
  }
  for (const std::string& part : way.reported)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

const std::string kFirmware = " of L1, over the tile's firmware and its mailboxes. ",
                  kRead = "chip0.tensix(1,1).NCRISC has read it from elsewhere, and it came in ",
                  kSent = "chip0.tensix(1,1).NCRISC has sent it, and it came in cycle ";

INSTANTIATE_TEST_SUITE_P(
    Ways, WrongAddresses,
    testing::Values(
        Way{"nothing",
            "noc_async_write(0x80000, get_noc_addr(get_arg_val<uint32_t>(0), "
            "get_arg_val<uint32_t>(1), 0x90000), 64); noc_async_write_barrier();",
            {}},
        Way{"null",
            "volatile uint32_t p = 0; *reinterpret_cast<volatile uint32_t*>(p) = 5;",
            {"chip0.tensix(1,1): a kernel has overwritten L1 at 0x0, the jump by which BRISC comes "
             "out of reset. ",
             "A core of this tile stored there. Run with --set keep_stores=true to see which "
             "one."}},
        Way{"call_of_null",
            "void (*volatile f)() = nullptr;\nf();",
            {"chip0.tensix(1,1).NCRISC: jump to 0x00000000, which a null pointer is, pc 0x",
             "\n  in kernel_main (", "writes_call_of_null.cpp:3)"}},
        Way{"call_of_nothing",
            "void (*volatile f)() = reinterpret_cast<void (*)()>(0x140000);\nf();",
            {"code memory is zero there, nothing is loaded, reached by the jump at pc 0x",
             "is in kernel_main (", "writes_call_of_nothing.cpp:3)"}},
        Way{"code_of_another_core",
            "*reinterpret_cast<volatile uint32_t*>(0x4000) = 0;",
            {"chip0.tensix(1,1): a kernel has overwritten L1 at 0x400",
             ", code of chip0.tensix(1,1).BRISC, "}},
        Way{"mailboxes",
            "noc_async_read(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), "
            "0x80020), 0x20, 2048); noc_async_read_barrier();",
            {"chip0.tensix(1,1).NCRISC: reads 2048 bytes to 0x20" + kFirmware,
             "Check the address.\n", "writes_mailboxes.cpp:2)"}},
        Way{"firmware_elsewhere",
            "noc_async_write(0x80000, get_noc_addr(get_arg_val<uint32_t>(0), "
            "get_arg_val<uint32_t>(1), 0x4000), 2048); noc_async_write_barrier();",
            {"chip0.tensix(2,1): 2048 bytes are written at 0x4000" + kFirmware, kSent,
             "writes_firmware_elsewhere.cpp:2)"}},
        Way{"kernel_elsewhere",
            "noc_async_write(0x80000, get_noc_addr(get_arg_val<uint32_t>(0), "
            "get_arg_val<uint32_t>(1), 0xa000), 2048); noc_async_write_barrier();",
            {"chip0.tensix(2,1): a kernel has overwritten L1 at 0xa000, code of "
             "chip0.tensix(2,1).BRISC",
             kSent, "writes_kernel_elsewhere.cpp:2)"}},
        Way{"semaphore_beyond",
            "noc_semaphore_set(reinterpret_cast<volatile uint32_t*>(get_semaphore(19)), 1);",
            {"chip0.tensix(1,1): a kernel has overwritten L1 at 0x",
             ", behind its 16 semaphores, the entry of circular buffer 3. ",
             "A core of this tile stored there."}},
        Way{"semaphore_beyond_elsewhere",
            "noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), "
            "get_semaphore(16)), 1); noc_async_atomic_barrier();",
            {"chip0.tensix(2,1): a kernel has overwritten L1 at 0x",
             ", behind its 16 semaphores, the entry of circular buffer 0. ",
             "writes_semaphore_beyond_elsewhere.cpp:2)"}},
        Way{"own_arguments", "*reinterpret_cast<volatile uint32_t*>(get_arg_addr(1)) = 77;", {}},
        Way{"arguments_by_noc",
            "noc_async_read(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), "
            "0x80000 + get_arg_addr(0) % 32), get_arg_addr(0), 4); noc_async_read_barrier();",
            {"chip0.tensix(1,1): a kernel has overwritten L1 at 0x", ", the arguments of ",
             "writes_arguments_by_noc.cpp. ", kRead}},
        Way{"from_the_stack",
            "uint32_t word[8] = {1};\nnoc_async_write(reinterpret_cast<uint32_t>(word), "
            "get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), 0x90000), 32);\n"
            "noc_async_write_barrier();",
            {"the source is in the local memory of a core, as a variable or on its stack, which no "
             "NIU reaches: TARG_ADDR 0xffb0",
             "writes_from_the_stack.cpp:3)"}},
        Way{"to_the_stack",
            "uint32_t word[8];\nnoc_async_read(get_noc_addr(get_arg_val<uint32_t>(0), "
            "get_arg_val<uint32_t>(1), 0x90000), reinterpret_cast<uint32_t>(word), 32);\n"
            "noc_async_read_barrier();",
            {"the destination is in the local memory of a core, as a variable or on its stack, "
             "which no NIU reaches: ",
             "writes_to_the_stack.cpp:3)"}},
        Way{"increments_dram",
            "noc_semaphore_inc(get_noc_addr(0, 11, 0x20000), 1);\nnoc_async_atomic_barrier();",
            {"niu0: atomic on an address that is not L1: TARG_ADDR 0x20000, ",
             "; TARG_ADDR_MID names node (0,11) of NoC 0, DRAM", "writes_increments_dram.cpp:2)"}},
        Way{"increments_ethernet",  // Ethernet tiles have L1
            "const uint64_t at = get_noc_addr(9, 0, 0x20000);\nnoc_inline_dw_write(at, 5);\n"
            "noc_async_write_barrier();\nnoc_semaphore_inc(at, 3);\nnoc_async_atomic_barrier();\n"
            "noc_async_read(at, 0x90000, 4);\nnoc_async_read_barrier();\n"
            "if (*reinterpret_cast<volatile uint32_t*>(0x90000) != 8) asm volatile(\"ebreak\");",
            {}},
        Way{"multicast_to_eight",
            "noc_async_write_multicast(0x80000, get_noc_multicast_addr(18, 18, 21, 19, 0x90000), "
            "64, 7); noc_async_write_barrier();",
            {}},
        Way{"multicast_to_more",
            "noc_async_write_multicast(0x80000, get_noc_multicast_addr(18, 18, 21, 19, 0x90000), "
            "64, 3); noc_async_write_barrier();",
            {"chip0.tensix(1,1).NCRISC: its kernel has counted 4 fewer answers to its writes on "
             "NoC 0 than the NIU has received",
             "The number of destinations of a multicast is too small"}},
        Way{"multicast_to_fewer",
            "noc_async_write_multicast(0x80000, get_noc_multicast_addr(18, 18, 21, 19, 0x90000), "
            "64, 8); noc_async_write_barrier();",
            {"nothing moves any more", "writes_multicast_to_fewer.cpp:2)",
             "chip0.tensix(1,1).NCRISC: its kernel has counted 1 more answers to its writes on "
             "NoC 0 than the NIU has received",
             "The number of destinations of a multicast is too large"}}),
    [](const auto& way) { return std::string(way.param.name); });

// With keep_stores=true the platform records the last core that stored there and reports its line.
TEST_F(WrongAddresses, StoresAreReportedByTheirLines) {
  setenv("TENSIX_VP_CONFIGURE", "keep_stores=true", 1);
  const std::string text =
      reported("null", "volatile uint32_t p = 0; *reinterpret_cast<volatile uint32_t*>(p) = 5;");
  unsetenv("TENSIX_VP_CONFIGURE");
  for (const char* part :
       {"chip0.tensix(1,1).NCRISC has stored it in cycle ", "writes_null.cpp:2)"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(WrongAddresses, SemaphoresThatNoCoreHasAreReportedWithTheWatcher) {
  const std::string text = reported("semaphore",
                                    "noc_semaphore_set(reinterpret_cast<volatile uint32_t*>("
                                    "get_semaphore(16)), 1);",
                                    true);
  for (const char* part : {"processor 1 uses semaphore 16, and a core has 0 to 15, in kernel",
                           "writes_semaphore.cpp:2)"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

// The library prints the warning to a program that asks for no report.
TEST_F(WrongAddresses, WarningsBeforeAHangArePrinted) {
  testing::internal::CaptureStderr();
  {
    OperationBench bench;
    Operation operation(bench);
    operation.semaphore(0);
    operation.reader(
        written("hangs.cpp",
                "noc_semaphore_inc(get_noc_addr(20, 20, get_semaphore(0)), 1);\n"
                "noc_async_atomic_barrier();\n"
                "noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);"),
        {});
    EXPECT_THROW(operation.run(), runtime::HangError);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(
      said.find("libtensix_vp: warning: chip0.tensix(3,3).niu0: an atomic changes the word at 0x"),
      std::string::npos)
      << said;
}

// No unit knows the instruction: the kernel replays an entry of REPLAY's buffer that was never
// recorded.
TEST_F(WrongAddresses, InstructionsThatAreNoneAreReportedWithTheirLine) {
  const std::filesystem::path folder = TVP_KERNEL_FOLDER;
  std::filesystem::create_directories(folder);
  const std::string kernel = (folder / "replays.cpp").string();
  std::ofstream(kernel) << "#include \"api/compute/compute_kernel_api.h\"\n"
                           "void kernel_main() {\n"
                           "  MATH(TTI_REPLAY(31, 1, 0, 0);)\n"
                           "}\n";
  OperationBench bench;
  Operation operation(bench);
  operation.buffer(0, 2).compute(kernel, {});
  try {
    operation.run();
    FAIL() << "finished";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    for (const char* part :
         {"chip0.tensix(1,1).coprocessor.T1: instruction ", "at the wait gate", "replays.cpp:3)"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tvp::test
