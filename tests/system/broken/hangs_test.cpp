// Tests the first line of the report about a program that hangs: who did not do what for whom.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sw/runtime/errors.h"
#include "tests/system/benches/operation_bench.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;

std::string written(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(TVP_KERNEL_FOLDER) / (name + ".cpp");
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "#include \"api/dataflow/dataflow_api.h\"\nvoid kernel_main() {\n"
                      << text << "}\n";
  return path.string();
}

/// The error of a run that hangs.
template <typename Run>
std::string hang_of(Run&& run) {
  try {
    run();
  } catch (const runtime::HangError& hang) {
    return hang.what();
  }
  return "finished";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

void expect_parts(const std::string& line, const std::vector<std::string>& parts,
                  const std::string& report) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t found = line.find(part, at);
    EXPECT_NE(found, std::string::npos) << "no '" << part << "' in the first line of\n" << report;
    if (found != std::string::npos) at = found;
  }
}

// Line 3 is the first line of a kernel's text.
const std::string kSemaphore =
    "volatile uint32_t* s = reinterpret_cast<volatile uint32_t*>(get_semaphore(0));\n";
const std::string kSignal =
    "noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), "
    "get_semaphore(0)), 1);\nnoc_async_atomic_barrier();\n";

class Hangs : public testing::Test {
 protected:
  /// Three cores signal semaphore 0 of the waiting core.
  std::string signalled(const std::string& name, const std::string& waits,
                        const std::string& signals, unsigned senders) {
    const CoreCoord receiver{0, 0};
    const CoreRange others(CoreCoord{1, 0}, CoreCoord{senders, 0});
    const CoreCoord to = bench_.noc(receiver);
    Operation operation(bench_);
    operation.on(CoreRange(receiver, CoreCoord{senders, 0})).semaphore(0);
    operation.on(receiver).reader(written("hang_" + name, kSemaphore + waits), {});
    operation.on(others).reader(
        written("hang_" + name + "_signals", signals),
        {.run = {static_cast<std::uint32_t>(to.x), static_cast<std::uint32_t>(to.y)}});
    return hang_of([&] { operation.run(); });
  }

  OperationBench bench_;
};

TEST_F(Hangs, NameAPassedSemaphore) {
  const std::string report =
      signalled("passed", "riscv_wait(2000);\nnoc_semaphore_wait(s, 2);\n", kSignal, 3);
  expect_parts(
      first_line(report),
      {"nothing moves any more: chip0.tensix(1,1).NCRISC in kernel_main (", "hang_passed.cpp:5)",
       " waits for semaphore 0 to be 2 (noc_semaphore_wait); it is 3 and has passed it"},
      report);
  EXPECT_NE(report.find("the program on chip0.tensix(1,1) has not finished"), std::string::npos)
      << report;
  EXPECT_EQ(report.find("for a launch"), std::string::npos) << report;
}

TEST_F(Hangs, NameTheEndedSignaller) {
  const std::string report =
      signalled("unsignalled", "noc_semaphore_wait_min(s, 2);\n", kSignal, 1);
  expect_parts(
      first_line(report),
      {"chip0.tensix(1,1).NCRISC in kernel_main (", "hang_unsignalled.cpp:4)",
       "waits for semaphore 0 to be at least 2", "it is 1",
       "chip0.tensix(2,1).NCRISC (hang_unsignalled_signals.cpp) has ended after signalling it",
       " once in kernel_main (", "hang_unsignalled_signals.cpp:3)"},
      report);
}

TEST_F(Hangs, SayThatNobodySignals) {
  const std::string report =
      signalled("silent", "noc_semaphore_wait_min(s, 1);\n", "noc_async_atomic_barrier();\n", 2);
  expect_parts(first_line(report),
               {"hang_silent.cpp:4)", "waits for semaphore 0 to be at least 1", "it is 0",
                "no core of another tile has signalled it"},
               report);
}

TEST_F(Hangs, NameASignalToATileWithoutAKernel) {
  const CoreCoord receiver{0, 0}, sender{1, 0}, wrong{3, 0};
  const CoreCoord to = bench_.noc(wrong);
  Operation operation(bench_);
  operation.on(CoreRange(receiver, sender)).semaphore(0);
  operation.on(receiver).reader(
      written("hang_unreached", kSemaphore + "noc_semaphore_wait_min(s, 1);\n"), {});
  operation.on(sender).reader(
      written("hang_strays", kSignal),
      {.run = {static_cast<std::uint32_t>(to.x), static_cast<std::uint32_t>(to.y)}});
  const std::string report = hang_of([&] { operation.run(); });
  expect_parts(first_line(report),
               {"hang_unreached.cpp:4)", "waits for semaphore 0 to be at least 1", "it is 0",
                "no core of another tile has signalled it", "instead chip0.tensix(2,1).NCRISC",
                "hang_strays.cpp) has signalled this address of tile (4,1), which runs no kernel,",
                "hang_strays.cpp:3)", "Warned before: chip0.tensix(4,1).",
                "which nothing has initialized", "hang_strays.cpp:3)"},
               report);
  EXPECT_NE(report.find("the program on chip0.tensix(1,1) has not finished"), std::string::npos)
      << report;
}

TEST_F(Hangs, NameTheHelperAndItsCaller) {
  const std::string report = signalled(
      "helper", "const auto wait = [&] {\nnoc_semaphore_wait_min(s, 2); };\nwait();\n", kSignal, 1);
  expect_parts(first_line(report),
               {"NCRISC in operator() (", "hang_helper.cpp:5), called in kernel_main (",
                "hang_helper.cpp:6) waits for semaphore 0 to be at least 2"},
               report);
}

// Without optimization the library's functions are not inlined.
TEST_F(Hangs, NameTheKernelsLinesWithoutOptimization) {
  const CoreCoord receiver{0, 0}, sender{1, 0}, wrong{3, 0};
  const CoreCoord to = bench_.noc(wrong);
  Operation operation(bench_);
  operation.on(CoreRange(receiver, sender)).semaphore(0);
  operation.on(receiver).reader(
      written("hang_slow", kSemaphore + "noc_semaphore_wait_min(s, 1);\n"),
      {.optimization = runtime::KernelBuildOptLevel::O0});
  operation.on(sender).reader(
      written("hang_slow_signals", kSignal),
      {.run = {static_cast<std::uint32_t>(to.x), static_cast<std::uint32_t>(to.y)},
       .optimization = runtime::KernelBuildOptLevel::O0});
  const std::string report = hang_of([&] { operation.run(); });
  expect_parts(
      first_line(report),
      {"NCRISC in kernel_main (", "hang_slow.cpp:4)", "waits for semaphore 0",
       "Warned before: chip0.tensix(4,1).", "in kernel_main (", "hang_slow_signals.cpp:3)"},
      report);
}

// The address of the awaited word is a product of two variables.
TEST_F(Hangs, NameAWordWhoseAddressIsMultiplied) {
  const std::string report = signalled(
      "product", "volatile uint32_t two = 2;\nwhile (s[two * two] < 2) {\n}\n", kSignal, 1);
  expect_parts(first_line(report),
               {"hang_product.cpp:5)", "waits for semaphore 1", "to be at least 2; it is 0"},
               report);
}

TEST_F(Hangs, NameTheKernelThatHasTheAddress) {
  auto& mesh = bench_.mesh();
  const CoreCoord receiver{0, 0}, sender{1, 0};
  const auto word = CreateGlobalSemaphore(mesh, CoreRange(receiver, sender), 0);
  const auto address = static_cast<std::uint32_t>(word.address());
  Operation operation(bench_);
  operation.on(receiver).reader(
      written("hang_owner",
              "noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)), "
              "1);\n"),
      {.run = {address}});
  operation.on(sender).reader(
      written("hang_forgets",
              "noc_async_read(get_noc_addr(get_arg_val<uint32_t>(0)), get_arg_val<uint32_t>(1), "
              "16);\nnoc_async_read_barrier();\n"),
      {.run = {address, 0x80000}});
  const std::string report = hang_of([&] { operation.run(); });
  expect_parts(first_line(report),
               {"hang_owner.cpp:3)", "waits for global semaphore", "it is 0",
                "no core of another tile has signalled it",
                "its address is argument 0 of "
                "chip0.tensix(2,1).NCRISC (hang_forgets.cpp), which has ended; either it did not "
                "send the signal, or the signal went elsewhere; its last command to a NIU was in "
                "kernel_main (",
                "hang_forgets.cpp:3)"},
               report);
}

TEST_F(Hangs, NameSignalsThatCameBeforeTheProgram) {
  auto& mesh = bench_.mesh();
  const CoreCoord receiver{0, 0}, sender{1, 0};
  const auto word = CreateGlobalSemaphore(mesh, CoreRange(receiver, sender), 0);
  const auto address = static_cast<std::uint32_t>(word.address());
  const CoreCoord to = bench_.noc(receiver);
  const std::string own =
      "volatile uint32_t* own = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(2));\n";
  const std::string signal =
      "noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), "
      "get_arg_val<uint32_t>(2)), 1);\n";
  const std::string signals =
      "for (int i = 0; i < 3; ++i) {\nnoc_semaphore_wait(own, 0);\n" + signal + "}\n";
  Operation first(bench_);
  first.on(sender).reader(
      written("hang_early", own + signals + "noc_async_atomic_barrier();\n"),
      {.run = {static_cast<std::uint32_t>(to.x), static_cast<std::uint32_t>(to.y), address}});
  first.run();
  Operation second(bench_);
  second.on(receiver).reader(
      written("hang_late",
              "noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)), "
              "1);\n"),
      {.run = {address}});
  const std::string report = hang_of([&] { second.run(); });
  expect_parts(first_line(report),
               {"hang_late.cpp:3)", "it is 3 and has passed it", "before this program began, ",
                "(hang_early.cpp) has signalled it 3 times, the last in kernel_main (",
                "hang_early.cpp:6)", "that kernel waits for semaphores at hang_early.cpp:5"},
               report);
}

// A kernel may count pages itself.
TEST_F(Hangs, NameTheCountOfACircularBuffer) {
  const std::string report = hang_of([&] {
    Operation operation(bench_);
    operation.buffer(2, 2);
    operation
        .reader(written("hang_pushes_one", "cb_reserve_back(2, 1);\ncb_push_back(2, 1);\n"), {})
        .writer(written("hang_counts",
                        "volatile uint32_t* pages = get_cb_tiles_received_ptr(2);\n"
                        "while (static_cast<int16_t>(*pages - 2) < 0) {\n}\ncb_pop_front(2, 1);\n"),
                {});
    operation.run();
  });
  expect_parts(first_line(report),
               {"BRISC in kernel_main (", "hang_counts.cpp:4)",
                "waits for the pages pushed to circular buffer 2 to be at least 2; there are 1",
                "hang_pushes_one.cpp) has pushed 1 page, the last", "and has ended"},
               report);
}

TEST_F(Hangs, NameTheEndedProducer) {
  const std::string report = hang_of([&] {
    Operation operation(bench_);
    operation.buffer(2, 2);
    operation
        .reader(written("hang_seven",
                        "for (uint32_t i = 0; i < 7; ++i) {\ncb_reserve_back(2, 1);\n"
                        "cb_push_back(2, 1);\n}\n"),
                {})
        .writer(written("hang_eight",
                        "for (uint32_t i = 0; i < 8; ++i) {\ncb_wait_front(2, 1);\n"
                        "cb_pop_front(2, 1);\n}\n"),
                {});
    operation.run();
  });
  expect_parts(
      first_line(report),
      {"chip0.tensix(1,1).BRISC in kernel_main (", "hang_eight.cpp:4)",
       "waits for 1 page of circular buffer 2", "0 are there", "chip0.tensix(1,1).NCRISC (",
       "hang_seven.cpp) has pushed 7 of 8 pages", "hang_seven.cpp:5), and has ended"},
      report);
}

TEST_F(Hangs, SayThatABufferIsTooSmall) {
  const std::string report = hang_of([&] {
    Operation operation(bench_);
    operation.buffer(2, 2);
    operation
        .reader(written("hang_fills",
                        "for (uint32_t i = 0; i < 4; ++i) {\ncb_reserve_back(2, 1);\n"
                        "cb_push_back(2, 1);\n}\n"),
                {})
        .writer(written("hang_too_many", "cb_wait_front(2, 3);\ncb_pop_front(2, 3);\n"), {});
    operation.run();
  });
  expect_parts(first_line(report),
               {"BRISC in kernel_main (", "hang_too_many.cpp:3)",
                "waits for 3 pages of circular buffer 2", "2 are there, and it has only 2 pages"},
               report);
  EXPECT_EQ(lines_of(report), 3U) << report;
}

// Each core waits for a page of the other one before it pushes its own.
TEST_F(Hangs, NameTheCoresOfACycle) {
  const auto exchanges = [](const std::string& own, const std::string& other) {
    return "cb_reserve_back(" + own + ", 1);\ncb_push_back(" + own + ", 1);\ncb_wait_front(" +
           other + ", 2);\ncb_push_back(" + own + ", 1);\n";
  };
  const std::string report = hang_of([&] {
    Operation operation(bench_);
    operation.buffer(2, 2).buffer(3, 2);
    operation.reader(written("hang_left", exchanges("2", "3")), {})
        .writer(written("hang_right", exchanges("3", "2")), {});
    operation.run();
  });
  expect_parts(
      first_line(report),
      {"BRISC in kernel_main (", "hang_right.cpp:5)", "waits for 2 pages of circular buffer 2",
       "NCRISC in kernel_main (", "hang_left.cpp:5)", "waits for 2 pages of circular buffer 3",
       "These 2 wait for each other"},
      report);
}

// The first of 16 cores waits for what cannot come. The others wait for its second signal.
TEST_F(Hangs, FoldVictimsOfOneCause) {
  const CoreCoord sender{0, 0};
  const CoreRange others(CoreCoord{0, 1}, CoreCoord{7, 2});
  const auto first = bench_.noc(others.start_coord), last = bench_.noc(others.end_coord);
  const auto u = [](auto value) { return static_cast<std::uint32_t>(value); };
  const std::string multicast =
      "noc_semaphore_inc_multicast(get_noc_multicast_addr(get_arg_val<uint32_t>(0), "
      "get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), "
      "get_semaphore(0)), 1, 16);\nnoc_async_atomic_barrier();\n";
  const std::string report = hang_of([&] {
    Operation operation(bench_);
    operation.on(CoreRange(sender, others.end_coord)).semaphore(0);
    operation.on(CoreRangeSet(sender)).buffer(2, 2);
    operation.on(sender).reader(
        written("hang_multicasts", multicast + "cb_wait_front(2, 3);\n" + multicast),
        {.run = {u(first.x), u(first.y), u(last.x), u(last.y)}, .noc = runtime::NOC::NOC_0});
    operation.on(others).reader(
        written("hang_victim", kSemaphore + "noc_semaphore_wait_min(s, 2);\n"), {});
    operation.run();
  });
  expect_parts(first_line(report),
               {"chip0.tensix(1,1).NCRISC in kernel_main (", "hang_multicasts.cpp:5)",
                "waits for 3 pages of circular buffer 2", "it has only 2 pages"},
               report);
  EXPECT_EQ(lines_of(report), 3U) << report;
  expect_parts(
      report.substr(report.find('\n')),
      {"NCRISC in kernel_main (", "hang_victim.cpp:4)", "waits for semaphore 0 to be at least 2",
       "it is 1", "chip0.tensix(1,1).NCRISC (hang_multicasts.cpp) has signalled it once",
       ". 15 more wait there: "},
      report);
}

TEST_F(Hangs, NameARemoteCircularBuffer) {
  const CoreCoord sender{0, 0}, receiver{1, 0};
  auto& mesh = bench_.mesh();
  runtime::GlobalCircularBuffer buffer(mesh, {{sender, CoreRangeSet(receiver)}}, 4096);
  runtime::Program program;
  runtime::CircularBufferConfig config(4096);
  config.remote_index(31).set_page_size(1024).set_data_format(runtime::DataFormat::UInt32);
  runtime::experimental::CreateCircularBuffer(program, buffer.all_cores(), config, buffer);
  const std::string include = "#include \"api/remote_circular_buffer.h\"\n";
  const auto file = [&](const std::string& name, const std::string& text) {
    std::string path = written(name, text);
    std::ifstream in(path);
    const std::string body((std::istreambuf_iterator<char>(in)), {});
    in.close();
    std::ofstream(path) << include << body;
    return path;
  };
  CreateKernel(program,
               file("hang_sends_two",
                    "for (uint32_t i = 0; i < 2; ++i) {\n"
                    "experimental::remote_cb_reserve_back(31, 1);\n"
                    "experimental::remote_cb_push_back_and_write_pages(31, "
                    "0x80000, 1, 1, 1, 1024, noc_index);\n}\n"
                    "noc_async_write_barrier();\nnoc_async_atomic_barrier();\n"),
               sender, runtime::DataMovementConfig{});
  CreateKernel(program,
               file("hang_awaits_three",
                    "for (uint32_t i = 0; i < 3; ++i) {\n"
                    "experimental::remote_cb_wait_front(31, 1);\n"
                    "experimental::remote_cb_pop_front(31, 1);\n}\n"
                    "noc_async_atomic_barrier();\n"),
               receiver, runtime::DataMovementConfig{});
  const std::string report = hang_of([&] { mesh.run(0, program); });
  expect_parts(first_line(report),
               {"chip0.tensix(2,1).", " in kernel_main (", "hang_awaits_three.cpp:5)",
                "the pages sent (2) of remote circular buffer 31",
                "the pages acknowledged (2) of remote circular buffer 31", "chip0.tensix(1,1).",
                "has ended after signalling it", "hang_sends_two.cpp:6)"},
               report);
}

}  // namespace
}  // namespace tvp::test
