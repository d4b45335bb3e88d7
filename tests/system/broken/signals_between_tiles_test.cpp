// Tests the warnings about kernels that send data between tiles without the signal that announces
// it, or in an order that the NoC does not keep. Silicon reports nothing, and most runs succeed.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/system/benches/operation_bench.h"

namespace tvp::test {
namespace {

// Core (0, 0) reads pages from DRAM and sends each to core (1, 0) when that core has room. Core
// (1, 0) writes the pages to DRAM.
const char* const kSends = R"(
void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  const uint32_t x = get_arg_val<uint32_t>(1), y = get_arg_val<uint32_t>(2);
  volatile uint32_t* room = reinterpret_cast<volatile uint32_t*>(get_semaphore(0));
  for (uint32_t i = 0; i < 8; ++i) {
    noc_async_read_page(i, from, get_write_ptr(0));
    noc_async_read_barrier();
    noc_semaphore_wait(room, 1);
    noc_semaphore_set(room, 0);
    noc_async_write(get_write_ptr(0), get_noc_addr(x, y, get_write_ptr(0) + i % 2 * 2048), 2048);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(1)), 1);
    noc_async_atomic_barrier();
  }
}
)";
const char* const kReceives = R"(
void kernel_main() {
  const uint32_t x = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  volatile uint32_t* filled = reinterpret_cast<volatile uint32_t*>(get_semaphore(1));
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    cb_reserve_back(0, 1);
    volatile uint32_t* words = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1);
    noc_semaphore_wait(filled, 1);
    noc_semaphore_set(filled, 0);
    cb_push_back(0, 1);
  }
  noc_async_atomic_barrier();
}
)";
const char* const kStores = R"(
void kernel_main() {
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < 8; ++i) {
    cb_wait_front(0, 1);
    noc_async_write_page(i, to, get_read_ptr(0));
    noc_async_write_barrier();
    cb_pop_front(0, 1);
  }
}
)";

struct SignalEdit {
  int kernel;  ///< kSender, kReceiver or kStorer
  std::string original, changed;
};
struct SignalWay {
  const char* name;
  std::vector<SignalEdit> edits;
  std::vector<std::string> reported;  ///< parts of one warning; none if the kernels are right
};
constexpr int kSender = 0, kReceiver = 1, kStorer = 2;

class SignalsBetweenTiles : public testing::TestWithParam<SignalWay> {
 protected:
  static void SetUpTestSuite() { bench_ = std::make_unique<OperationBench>(); }
  static void TearDownTestSuite() { bench_.reset(); }
  static std::vector<std::string> warnings() {
    return nlohmann::json::parse(bench_->mesh().library().report())
        .at("warnings")
        .get<std::vector<std::string>>();
  }
  static std::string written(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(TVP_KERNEL_FOLDER) / (name + ".cpp");
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  static inline std::unique_ptr<OperationBench> bench_;
};

TEST_P(SignalsBetweenTiles, AreReported) {
  const SignalWay& way = GetParam();
  std::string texts[] = {kSends, kReceives, kStores};
  std::string names[] = {"sends", "receives", "stores"};
  for (const SignalEdit& edit : way.edits) {
    std::string& text = texts[edit.kernel];
    const std::size_t at = text.find(edit.original);
    ASSERT_NE(at, std::string::npos) << edit.original;
    text.replace(at, edit.original.size(), edit.changed);
    names[edit.kernel] = std::string(way.name) + "_" + std::to_string(edit.kernel);
  }
  const std::size_t before = warnings().size();
  const auto in = bench_->tensor(std::vector<std::uint32_t>(8 * 512, 0x3F803F80), 2048);
  const auto out = runtime::MeshBuffer::create(
      bench_->mesh(), runtime::InterleavedBufferConfig{.size = 8 * 2048, .page_size = 2048});
  const runtime::CoreCoord here{0, 0}, there{1, 0};
  const auto to = bench_->noc(there), from = bench_->noc(here);
  const auto u = [](auto value) { return static_cast<std::uint32_t>(value); };
  Operation operation(*bench_);
  operation.on(runtime::CoreRange(here, there)).buffer(0, 2);
  operation.semaphore(0);
  operation.semaphore(0);
  operation.on(here).reader(written(names[0], texts[0]),
                            {.tensors = {in}, .run = {address(in), u(to.x), u(to.y)}});
  operation.on(there)
      .reader(written(names[1], texts[1]), {.run = {u(from.x), u(from.y)}})
      .writer(written(names[2], texts[2]), {.tensors = {out}, .run = {address(out)}});
  operation.run();
  bench_->words(out);
  const std::vector<std::string> all = warnings();
  if (way.reported.empty()) {
    EXPECT_EQ(all.size(), before) << all.back();
    return;
  }
  const bool reported = std::any_of(
      all.begin() + static_cast<std::ptrdiff_t>(before), all.end(), [&](const std::string& text) {
        return std::all_of(way.reported.begin(), way.reported.end(), [&](const std::string& part) {
          return text.find(part) != std::string::npos;
        });
      });
  EXPECT_TRUE(reported) << (all.size() == before ? "no warning" : all.back());
}

const std::string kWaits = "noc_semaphore_wait(filled, 1);", kLate = "riscv_wait(20000);",
                  kSums = "for (uint32_t k = 0; k < 512; ++k) sum += words[k]; ",
                  kInc = "noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(1)), 1);",
                  kIncOtherWay =
                      "noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(1), 1 - noc_index), 1, 1 "
                      "- noc_index); noc_async_atomic_barrier(1 - noc_index);",
                  kBarrier = "noc_async_write_barrier();\n    ";

INSTANTIATE_TEST_SUITE_P(
    Ways, SignalsBetweenTiles,
    testing::Values(
        SignalWay{"right", {{kReceiver, kWaits, kWaits + kSums}}, {}},
        SignalWay{"waits_late", {{kReceiver, kWaits, kLate + kWaits}}, {}},
        SignalWay{"pushes_unannounced",
                  {{kReceiver, kWaits, kLate}},
                  {(".NCRISC: pushes pages of circular buffer 0 without a wait for their data, "
                    "2048 bytes of L1 from 0x"),
                   "which tile (1,1) of NoC 0 has written in time only by luck",
                   "perhaps of the word at 0x", "Add a noc_semaphore_wait",
                   "pushes_unannounced_1.cpp:12): "}},
        SignalWay{"loads_unannounced",
                  {{kReceiver, kWaits, kLate + kSums + kWaits}},
                  {".NCRISC: loads 4 bytes of L1 from 0x", "Add a noc_semaphore_wait",
                   "loads_unannounced_1.cpp:10)"}},
        SignalWay{"sends_unannounced",
                  {{kReceiver, kWaits,
                    kLate +
                        "noc_async_write(get_write_ptr(0), get_noc_addr(get_write_ptr(0) + "
                        "0x10000), 2048); noc_async_write_barrier(); " +
                        kWaits}},
                  {".NCRISC: sends 2048 bytes of L1 from 0x", "sends_unannounced_1.cpp:10)"}},
        SignalWay{"signals_on_another_noc",
                  {{kSender, kBarrier + kInc, kIncOtherWay + kBarrier}},
                  {".NCRISC: signals to tile (2,1) of NoC 0 on NoC 1, channel ",
                   "before the data that it has written there on NoC 0, channel ",
                   "Expected a noc_async_write_barrier", "signals_on_another_noc_0.cpp:12)",
                   "signals_on_another_noc_0.cpp:11)"}},
        SignalWay{"signals_behind_the_barrier", {{kSender, kInc, kIncOtherWay}}, {}},
        SignalWay{"signals_on_the_same_way", {{kSender, kBarrier + kInc, kInc + kBarrier}}, {}},
        SignalWay{"stores_nothing",
                  {{kStorer, "get_read_ptr(0)", "get_read_ptr(0) + 0x40000"}},
                  {"chip0: the host reads page 0 of the buffer at 0x",
                   "of DRAM, to which chip0.tensix(2,1).BRISC has sent 2048 bytes of its L1 from "
                   "0x",
                   "where nothing has ever been written", "stores_nothing_2.cpp:6)"}},
        SignalWay{"stores_zeros",
                  {{kStorer, "cb_wait_front(0, 1);",
                    "cb_wait_front(0, 1); volatile uint32_t* zeros = reinterpret_cast<volatile "
                    "uint32_t*>(get_read_ptr(0) + 0x50000); for (uint32_t k = 0; k < 512; ++k) "
                    "zeros[k] = 0;"},
                   {kStorer, "to, get_read_ptr(0)", "to, get_read_ptr(0) + 0x50000"}},
                  {}}),
    [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace tvp::test
