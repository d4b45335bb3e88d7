// Tests the warnings about kernels that use pages of circular buffers and tensors that they do not
// own: silicon reports nothing, and results are wrong or right by luck.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/system/benches/operation_bench.h"

namespace tvp::test {
namespace {

constexpr std::uint32_t kPages = 8;

// The kernels copy pages. The reader also reads each page a second time into buffer 1, which goes
// directly to the writer.
const char* const kReads = R"(
void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < 8; ++i) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read_page(i, from, get_write_ptr(0));
    noc_async_read_page(i, from, get_write_ptr(1));
    noc_async_read_barrier();
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
}
)";
const char* const kComputes = R"(
#include "api/compute/compute_kernel_api.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  for (uint32_t i = 0; i < 8; ++i) {
    cb_wait_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
    cb_pop_front(0, 1);
  }
}
)";
const char* const kWrites = R"(
void kernel_main() {
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < 8; ++i) {
    cb_wait_front(16, 1);
    noc_async_write_page(i, to, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
    cb_wait_front(1, 1);
    cb_pop_front(1, 1);
  }
}
)";

struct Edit {
  int kernel;  ///< kReader, kCompute or kWriter
  std::string original, changed;
};
struct Way {
  const char* name;
  std::vector<Edit> edits;
  std::vector<std::string> reported;  ///< parts of one warning; none if the kernels are right
};
constexpr int kReader = 0, kCompute = 1, kWriter = 2;

class StrayedPages : public testing::TestWithParam<Way> {
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
  static std::array<std::string, 3> kernels(const Way& way) {
    std::array<std::string, 3> texts = {kReads, kComputes, kWrites};
    std::array<std::string, 3> names = {"reads", "computes", "writes"};
    for (const Edit& edit : way.edits) {
      std::string& text = texts.at(static_cast<std::size_t>(edit.kernel));
      const std::size_t at = text.find(edit.original);
      EXPECT_NE(at, std::string::npos) << edit.original;
      if (at != std::string::npos) text.replace(at, edit.original.size(), edit.changed);
      std::string& name = names.at(static_cast<std::size_t>(edit.kernel));
      if (name.find(way.name) == std::string::npos) name += std::string("_") + way.name;
    }
    for (std::size_t i = 0; i < 3; ++i) names.at(i) = written(names.at(i), texts.at(i));
    return names;
  }

  void check();

  static inline std::unique_ptr<OperationBench> bench_;
};

void StrayedPages::check() {
  const Way& way = GetParam();
  const std::size_t before = warnings().size();
  const auto in = bench_->tensor(std::vector<std::uint32_t>(kPages * 512, 0x3F803F80), 2048),
             behind = bench_->result(12, 2048), out = bench_->result(kPages, 2048);
  const auto [reader, compute, writer] = kernels(way);
  Operation operation(*bench_);
  operation.buffer(0, 2).buffer(1, 2).buffer(16, 2).buffer(17, 2);
  operation.reader(reader, {.tensors = {in}, .run = {address(in)}})
      .compute(compute, {})
      .writer(writer, {.tensors = {out}, .run = {address(out), address(behind)}})
      .run();
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

TEST_P(StrayedPages, AreReported) { check(); }

// No core of the device reads a result that stays in L1.
TEST_F(StrayedPages, PagesOfATensorThatPackPushesEmptyAreReported) {
  const std::string pack = "pack_tile(0, 16);";
  for (const bool packs : {true, false}) {
    std::string compute = kComputes, writer = kWrites;
    if (!packs) compute.replace(compute.find(pack), pack.size(), "");
    const std::string send =
        "noc_async_write_page(i, to, get_read_ptr(16));\n    noc_async_write_barrier();";
    writer.replace(writer.find(send), send.size(), "");
    const std::string name = packs ? "computes_a_tensor" : "computes_no_tensor";
    const std::size_t before = warnings().size();
    const auto in = bench_->tensor(std::vector<std::uint32_t>(kPages * 512, 0x3F803F80), 2048),
               out = bench_->local(std::vector<std::uint32_t>(kPages * 512));
    Operation operation(*bench_);
    operation.buffer(0, 2).buffer(1, 2).buffer(16, out, runtime::DataFormat::Float16_b, 2048);
    operation.reader(written("reads", kReads), {.tensors = {in}, .run = {address(in)}})
        .compute(written(name, compute), {})
        .writer(written("writes_a_tensor", writer), {.tensors = {in}, .run = {address(in)}})
        .run();
    const std::vector<std::string> all = warnings();
    ASSERT_EQ(all.size(), before + (packs ? 0 : 1)) << all.back();
    if (packs) continue;
    for (const char* part :
         {".TRISC2: pushes page 0 of circular buffer 16 in a tensor",
          "packs nothing into it before the program ends", "computes_no_tensor.cpp:14): "})
      EXPECT_NE(all.back().find(part), std::string::npos) << all.back();
  }
}

// The reader's arguments contain the first tensor's address as a number, but it reads the second
// tensor.
TEST_F(StrayedPages, TensorsWhoseAddressTheKernelHasOtherwiseAreNotReported) {
  struct Case {
    const char* name;
    const char* address;  ///< C++ expression of the tensor's address in the kernel
    bool reported;
  };
  for (const Case& each :
       {Case{"from_a_table", "*reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(1))",
             false},
        Case{"inside", "get_arg_val<uint32_t>(2)", false},
        Case{"behind_the_first", "get_arg_val<uint32_t>(0) + 2048", true}}) {
    SCOPED_TRACE(each.name);
    std::string reader = kReads;
    const std::string first = "get_arg_val<uint32_t>(0)";
    reader.replace(reader.find(first), first.size(), each.address);
    const auto before = bench_->result(12, 2048), in = bench_->result(24, 2048),
               out = bench_->result(kPages, 2048);
    ASSERT_EQ(address(in), address(before) + 2048);
    const bool is_inside = std::string(each.name) == "inside";
    const auto table = each.reported || is_inside ? bench_->local(std::vector<std::uint32_t>(4))
                                                  : bench_->local({address(in), 0, 0, 0});
    const std::size_t earlier = warnings().size();
    Operation operation(*bench_);
    operation.buffer(0, 2).buffer(1, 2).buffer(16, 2);
    operation
        .reader(written(std::string("reads_") + each.name, reader),
                {.tensors = {in},
                 .run = {address(before), address(table), is_inside ? address(in) + 2048 : 0}})
        .compute(written("computes", kComputes), {})
        .writer(written("writes", kWrites), {.tensors = {out}, .run = {address(out), address(in)}})
        .run();
    const std::vector<std::string> all = warnings();
    ASSERT_EQ(all.size(), earlier + (each.reported ? 2 : 0)) << all.back();
    if (!each.reported) continue;
    EXPECT_NE(all.back().find("whose address is not among the arguments"), std::string::npos);
  }
}

// PACK writes the second half of a tile behind the page, over memory of another use.
TEST_F(StrayedPages, PagesThatAreSmallerThanTheirTilesAreReported) {
  for (const std::uint32_t page_bytes : {2048U, 4096U}) {
    const std::size_t before = warnings().size();
    const auto in = bench_->tensor(std::vector<std::uint32_t>(kPages * 512, 0x3F803F80), 2048),
               out = bench_->result(kPages, 4096);
    Operation operation(*bench_);
    operation.buffer(0, 2).buffer(1, 2).buffer(16, 1, page_bytes, runtime::DataFormat::Float32);
    operation.reader(written("reads", kReads), {.tensors = {in}, .run = {address(in)}})
        .compute(written("computes", kComputes), {.fp32_dst = true})
        .writer(written("writes", kWrites), {.tensors = {out}, .run = {address(out)}})
        .run();
    const std::vector<std::string> all = warnings();
    if (page_bytes == 4096) {
      EXPECT_EQ(all.size(), before) << all.back();
      continue;
    }
    const bool reported = std::any_of(all.begin(), all.end(), [](const std::string& text) {
      return text.find(".TRISC2: packs into circular buffer 16 (1024 bytes of L1 from 0x") !=
                 std::string::npos &&
             text.find("goes on behind its end") != std::string::npos &&
             text.find("computes.cpp:12)") != std::string::npos;
    });
    EXPECT_TRUE(reported) << all.back();
  }
}

// Inits of operations leave the formats of unpackers and packers as they are.
TEST_F(StrayedPages, FormatsThatNoCallSetsAreReported) {
  struct Init {
    const char* name;
    const char* text;
    std::string reported;  ///< empty: no warning
  };
  const Init inits[] = {
      {"srca", "unary_op_init_common(1, 16); copy_tile_to_dst_init_short(0);",
       ".TRISC0: circular buffer 0 is Float16_b, and the unpacker of SrcA is configured for "
       "Float16, so the numbers are wrong on silicon, too. Call reconfig_data_format_srca(0) "
       "before"},
      {"pack", "unary_op_init_common(0, 1);",
       ".TRISC2: circular buffer 16 is Float16_b, and the packers are configured for Float16, so "
       "the numbers are wrong on silicon, too. Call pack_reconfig_data_format(16) before"},
      {"right",
       "unary_op_init_common(1, 1); copy_tile_to_dst_init_short_with_dt(1, 0); "
       "pack_reconfig_data_format(16);",
       ""},
  };
  for (const Init& init : inits) {
    const std::size_t before = warnings().size();
    const auto in = bench_->tensor(std::vector<std::uint32_t>(kPages * 512, 0x3F803F80), 2048),
               out = bench_->result(kPages, 2048);
    const Way way{init.name, {{kCompute, "unary_op_init_common(0, 16);", init.text}}, {}};
    const auto [reader, compute, writer] = kernels(way);
    Operation operation(*bench_);
    operation.buffer(0, 2).buffer(1, 2, 2048, runtime::DataFormat::Float16).buffer(16, 2);
    operation.reader(reader, {.tensors = {in}, .run = {address(in)}})
        .compute(compute, {})
        .writer(writer, {.tensors = {out}, .run = {address(out)}})
        .run();
    const std::vector<std::string> all = warnings();
    if (init.reported.empty()) {
      EXPECT_EQ(all.size(), before) << all.back();
      continue;
    }
    ASSERT_GT(all.size(), before) << init.name;
    EXPECT_NE(all.at(before).find(init.reported), std::string::npos) << all.at(before);
    EXPECT_NE(all.at(before).find(std::string("computes_") + init.name + ".cpp:"),
              std::string::npos);
  }
}

/// Each test opens a new device, since a program finds the contents of Dst of the one before.
class DstSteps : public StrayedPages {
 protected:
  void SetUp() override {
    bench_.reset();
    bench_ = std::make_unique<OperationBench>();
  }
};

TEST_P(DstSteps, AreReported) { check(); }

const std::string kPack = "pack_tile(0, 16);", kCopy = "copy_tile(0, 0, 0)",
                  kSend = "noc_async_write_page(i, to, get_read_ptr(16));",
                  kRead = "noc_async_read_page(i, from, get_write_ptr(0));",
                  kPop = "cb_pop_front(16, 1);", kWait = "cb_wait_front(16, 1);";

INSTANTIATE_TEST_SUITE_P(
    Ways, StrayedPages,
    testing::Values(
        Way{"nothing", {}, {}},
        // The kernel waits for one page and reads the next one.
        Way{"unpacks_the_next",
            {{kCompute, kCopy, "copy_tile(0, 1, 0)"},
             {kReader, "cb_reserve_back(0, 1);", "riscv_wait(3000); cb_reserve_back(0, 1);"}},
            {"chip0.tensix(1,1).TRISC0: unpacks page 1 of circular buffer 0 (2048 bytes of L1 from "
             "0x",
             "before NCRISC pushes it", "cb_wait_front", "computes_unpacks_the_next.cpp:9)"}},
        Way{"unpacks_two",
            {{kCompute, "cb_wait_front(0, 1);", "if (i % 2 == 0) cb_wait_front(0, 2);"},
             {kCompute, kCopy, "copy_tile(0, i % 2, 0)"},
             {kCompute, "cb_pop_front(0, 1);", "if (i % 2 == 1) cb_pop_front(0, 2);"}},
            {}},
        Way{"unpacks_the_result",
            {{kCompute, kCopy, "copy_tile(16, 0, 0)"}},
            {".TRISC0: unpacks page 0 of circular buffer 16", "before PACK pushes it",
             "computes_unpacks_the_result.cpp:9)"}},
        Way{"unpacks_what_nobody_pushes",
            {{kCompute, kCopy, "copy_tile(17, 0, 0)"}},
            {".TRISC0: unpacks page 0 of circular buffer 17",
             "which no core pushes before the program ends",
             "computes_unpacks_what_nobody_pushes.cpp:9)"}},
        Way{"unpacks_nothing",
            {{kCompute, kCopy, "copy_tile(0, 40, 0)"}},
            {".TRISC0: unpacks ",
             "which are in no circular buffer of the program and which nothing has written",
             "computes_unpacks_nothing.cpp:9)"}},
        // The writer also sends the page before, which PACK fills again.
        Way{"sends_ahead",
            {{kWriter, kSend,
              kSend + " noc_async_write_page(i, to, get_read_ptr(16) + (i % 2 ? -2048 : 2048));"},
             {kReader, "cb_reserve_back(0, 1);", "riscv_wait(3000); cb_reserve_back(0, 1);"}},
            {".BRISC: sends page 1 of circular buffer 16", "before PACK pushes it",
             "writes_sends_ahead.cpp:6)"}},
        Way{"sends_before_it_waits",
            {{kWriter, kWait, ""},
             {kWriter, kPop, kWait + kPop},
             {kReader, "cb_reserve_back(0, 1);", "riscv_wait(3000); cb_reserve_back(0, 1);"}},
            {".BRISC: sends page 0 of circular buffer 16", "before PACK pushes it",
             "writes_sends_before_it_waits.cpp:6)"}},
        Way{"sends_what_it_popped",
            {{kWriter, kSend,
              "const uint32_t at = get_read_ptr(16); cb_pop_front(16, 1); "
              "noc_async_write_page(i, to, at);"},
             {kWriter, "noc_async_write_barrier();\n    cb_pop_front(16, 1);",
              "noc_async_write_barrier();"},
             {kReader, "cb_reserve_back(0, 1);", "riscv_wait(3000); cb_reserve_back(0, 1);"}},
            {".BRISC: sends page 0 of circular buffer 16", "or pop the page later",
             "writes_sends_what_it_popped.cpp:6)"}},
        // A kernel may use pages that no core pushes as scratch memory.
        Way{"scratch",
            {{kWriter, kSend,
              "noc_async_read(to.get_noc_addr(i), get_write_ptr(17), 2048); "
              "noc_async_read_barrier(); noc_async_write_page(i, to, get_write_ptr(17)); " +
                  kSend}},
            {}},
        Way{"reads_beyond_the_end",
            {{kReader, kRead,
              kRead +
                  " if (i == 1) noc_async_read(from.get_noc_addr(i), get_write_ptr(0), 4096);"}},
            {".NCRISC: reads into circular buffer 0 (4096 bytes of L1 from 0x",
             "behind its end, into circular buffer 1.", "reads_reads_beyond_the_end.cpp:7)"}},
        Way{"sends_beyond_the_end",
            {{kWriter, kSend,
              kSend + " if (i == 7) noc_async_write(get_read_ptr(16), to.get_noc_addr(i), 2064);"}},
            {".BRISC: sends circular buffer 16 (2064 bytes of L1 from 0x",
             "behind its end, into circular buffer 17.", "writes_sends_beyond_the_end.cpp:6)"}},
        Way{"packs_into_the_buffer_of_others",
            {{kCompute, kPack, kPack + " pack_tile<true>(0, 1, 1);"},
             {kReader, "cb_reserve_back(0, 1);", "riscv_wait(3000); cb_reserve_back(0, 1);"}},
            {".TRISC2: packs into page 1 of circular buffer 1 (", "which NCRISC fills and pushes",
             "computes_packs_into_the_buffer_of_others.cpp:12)"}},
        Way{"reads_page_of_others",
            {{kReader, kRead, kRead + " noc_async_read_page(i, from, get_write_ptr(0) + 8192);"}},
            {".NCRISC: reads into page ", "of circular buffer 16", "which PACK fills and pushes",
             "reads_reads_page_of_others.cpp:7)"}},
        Way{"reads_the_next_tensor",
            {{kReader, "noc_async_read_page(i,", "noc_async_read_page(i + (i == 7 ? 12 : 0),"}},
            {".NCRISC: reads 2048 bytes at address 0x", "in the buffer at 0x",
             "whose address is not among the arguments of its kernel. Expected an address in the "
             "buffer at 0x",
             "reads_reads_the_next_tensor.cpp:7)"}},
        Way{"writes_a_tensor_that_it_was_given",
            {{kWriter, "get_arg_val<uint32_t>(0)", "get_arg_val<uint32_t>(1)"}},
            {}}),
    [](const auto& way) { return std::string(way.param.name); });

const std::string kBarrier = "noc_async_write_barrier();",
                  kDelay = "for (volatile uint32_t k = 0; k < 1000; ++k) {}";

// All these programs get the right result, but only because another core was in time.
INSTANTIATE_TEST_SUITE_P(
    ByLuck, StrayedPages,
    testing::Values(
        Way{"slowly", {{kCompute, kCopy, kDelay + kCopy}}, {}},
        Way{"unpacks_without_waiting",
            {{kCompute, "cb_wait_front(0, 1);", kDelay}},
            {".TRISC0: unpacks page 0 of circular buffer 0",
             "which NCRISC has pushed in time only by luck", "Expected a cb_wait_front",
             "computes_unpacks_without_waiting.cpp:9)"}},
        Way{"sends_without_waiting",
            {{kWriter, kWait, "riscv_wait(20000);"}},
            {".BRISC: sends page 0 of circular buffer 16",
             "which PACK has pushed in time only by luck", "writes_sends_without_waiting.cpp:6)"}},
        // The kernel waits for the second buffer. Its page is pushed after that of the first one.
        Way{"unpacks_what_came_before",
            {{kCompute, "cb_wait_front(0, 1);", "cb_wait_front(1, i + 1);"}},
            {}},
        Way{"reads_without_reserving",
            {{kReader, "cb_reserve_back(0, 1);", "riscv_wait(3000);"}},
            {".NCRISC: reads into page 0 of circular buffer 0",
             "which UNPACK has popped in time only by luck", "Expected a cb_reserve_back",
             "reads_reads_without_reserving.cpp:7)"}},
        Way{"packs_without_reserving",
            {{kCompute, "cb_reserve_back(16, 1);", ""},
             {kReader, "cb_reserve_back(0, 1);", "riscv_wait(3000); cb_reserve_back(0, 1);"}},
            {".TRISC2: packs into page 0 of circular buffer 16",
             "which BRISC has popped in time only by luck",
             "computes_packs_without_reserving.cpp:12)"}},
        Way{"pushes_before_it_has_come",
            {{kReader, "noc_async_read_barrier();", ""},
             {kReader, "cb_push_back(1, 1);", "cb_push_back(1, 1); noc_async_read_barrier();"},
             {kReader, "cb_push_back(0, 1);\n    cb_push_back(1, 1);", "cb_push_back(1, 1);"},
             {kReader, "noc_async_read_barrier();",
              "noc_async_read_barrier(); cb_push_back(0, 1);"},
             {kWriter, "cb_wait_front(1, 1);",
              "cb_wait_front(1, 1); riscv_wait(3000); noc_async_write_page(i, to, "
              "get_read_ptr(1)); " +
                  kBarrier}},
            {".NCRISC: reads into page 0 of circular buffer 1",
             "pushes it to BRISC before the data has arrived", "Expected a noc_async_read_barrier",
             "reads_pushes_before_it_has_come.cpp:8)"}},
        Way{"pops_before_it_has_left",
            {{kWriter, kBarrier, ""}},
            {".BRISC: sends page 0 of circular buffer 16",
             "pops it for PACK to fill before the data has left",
             "Expected a noc_async_writes_flushed", "writes_pops_before_it_has_left.cpp:6)"}},
        Way{"pops_after_a_flush",
            {{kWriter, kBarrier, "noc_async_writes_flushed();"}},
            {".BRISC: its kernel ends before a write that it started on NoC 1 is answered",
             "Expected a noc_async_write_barrier", "writes_pops_after_a_flush.cpp:6)"}},
        Way{"counts_without_a_barrier",
            {{kWriter, "cb_pop_front(1, 1);",
              "cb_pop_front(1, 1); if (i == 7) noc_semaphore_inc(get_noc_addr(get_read_ptr(1)), 1);"
              ""}},
            {".BRISC: its kernel ends before an atomic operation that it started on NoC 1",
             "Expected a noc_async_atomic_barrier", "writes_counts_without_a_barrier.cpp:10)"}}),
    [](const auto& way) { return std::string(way.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Nothing, StrayedPages,
    testing::Values(Way{"packs_nothing",
                        {{kCompute, kPack, ""}},
                        {".BRISC: sends page 0 of circular buffer 16",
                         "which PACK has pushed and never packed into", "Expected a pack_tile",
                         "writes.cpp:6)", "\n  pushed in kernel_main (",
                         "computes_packs_nothing.cpp:14)"}},
                    Way{"packs_an_untouched_tile",
                        {{kCompute, kPack, "pack_tile(1, 16);"}},
                        {".PACK0: PACR packs a tile of zeros, to row 64 of Dst",
                         "nothing has written any of its rows since ZEROACC"}},
                    Way{"unpacks_behind_all_pushes",
                        {{kReader, "cb_push_back(1, 1);", "if (i == 0) cb_push_back(1, 1);"},
                         {kWriter, "cb_wait_front(1, 1);\n    cb_pop_front(1, 1);", ""},
                         {kReader, "cb_reserve_back(1, 1);", ""},
                         {kCompute, kCopy, "copy_tile(1, 1, 0)"}},
                        {".TRISC0: unpacks page 1 of circular buffer 1",
                         "which no core pushes before the program ends",
                         "computes_unpacks_behind_all_pushes.cpp:9)"}}),
    [](const auto& way) { return std::string(way.param.name); });

const std::string kReadToo = "noc_async_read_page(i, from, get_write_ptr(1));",
                  kStores =
                      "volatile uint32_t* to = reinterpret_cast<volatile uint32_t*>(get_write_ptr("
                      "0)); for (uint32_t k = 0; k < 512; ++k) to[k] = 0;",
                  kWroteNothing =
                      ".NCRISC: pushes page 0 of circular buffer 0, which UNPACK reads and nothing "
                      "has written since the program began. Expected data in the page. Add a "
                      "noc_async_read";

// Unwritten L1 contains zeros, so the contents of a page do not show whether it was written.
INSTANTIATE_TEST_SUITE_P(
    Unwritten, StrayedPages,
    testing::Values(
        Way{"reads_nothing",
            {{kReader, kRead, ""}},
            {kWroteNothing, "\n  in kernel_main (", "reads_reads_nothing.cpp:10): "}},
        Way{"reads_elsewhere",
            {{kReader, kRead, "noc_async_read_page(i, from, get_write_ptr(0) + 0x40000);"}},
            {kWroteNothing, "reads_reads_elsewhere.cpp:10): "}},
        // The kernel pushes a block whose last page is padding.
        Way{"pushes_a_block",
            {{kReader, "cb_reserve_back(0, 1);", "cb_reserve_back(0, i == 0 ? 2 : 1);"},
             {kReader, "cb_push_back(0, 1);", "cb_push_back(0, i == 0 ? 2 : 1);"},
             {kReader, "i < 8", "i < 7"},
             {kWriter, "cb_wait_front(1, 1);\n    cb_pop_front(1, 1);", ""},
             {kReader, "cb_reserve_back(1, 1);", ""},
             {kReader, "cb_push_back(1, 1);", ""}},
            {}},
        Way{"sends_nothing",
            {{kReader, kReadToo, ""},
             {kWriter, "cb_wait_front(1, 1);",
              "cb_wait_front(1, 1); noc_async_write_page(i, to, get_read_ptr(1)); "
              "noc_async_write_barrier();"}},
            {".NCRISC: pushes page 0 of circular buffer 1, which BRISC reads and nothing has "
             "written",
             "reads_sends_nothing.cpp:11): "}},
        Way{"pushes_tokens", {{kReader, kReadToo, ""}}, {}},
        Way{"stores_zeros", {{kReader, kRead, kStores}}, {}},
        Way{"sends_to_itself",
            {{kReader, kRead, ""},
             {kReader, "noc_async_read_barrier();",
              "noc_async_read_barrier(); noc_async_write(get_write_ptr(1), "
              "get_noc_addr(get_write_ptr(0)), 2048); noc_async_write_barrier();"}},
            {}},
        Way{"pushes_again_what_lies_there", {{kReader, kRead, "if (i < 2) " + kRead}}, {}}),
    [](const auto& way) { return std::string(way.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Ways, DstSteps,
    testing::Values(
        Way{"never_acquires",
            {{kCompute, "tile_regs_acquire();", ""}},
            {".coprocessor: SEMPOST", "of T1 commits a part of Dst that T1 did not wait for",
             "A tile_regs_acquire is missing", "computes_never_acquires.cpp:10): "}},
        Way{"acquires_late",
            {{kCompute, "tile_regs_acquire();", ""},
             {kCompute, kCopy + ";", kCopy + "; tile_regs_acquire();"}},
            {"of T1 commits a part of Dst that T1 did not wait for",
             "only because T2 had released the part by chance", "comes too late",
             "computes_acquires_late.cpp:10): "}},
        Way{"waits_for_nothing",
            {{kCompute, "tile_regs_wait();", ""}},
            {".coprocessor: SEMGET", "of T2 uses a part of Dst that T2 did not wait for",
             "A tile_regs_wait is missing", "computes_waits_for_nothing.cpp:13): "}},
        Way{"packs_behind_its_release",
            {{kCompute, kPack, ""},
             {kCompute, "tile_regs_release();", "tile_regs_release(); " + kDelay + kPack}},
            {".PACK0: PACR packs a tile of zeros, to row 0 of Dst",
             "computes_packs_behind_its_release.cpp:13): "}},
        Way{"keeps_the_last_part",
            {{kCompute, "tile_regs_release();", "if (i < 7) tile_regs_release();"}},
            {".coprocessor: the program has ended, but T2 has not released 1 part of Dst",
             "a tile_regs_release is missing", "computes_keeps_the_last_part.cpp:12): "}},
        Way{"never_releases",
            {{kCompute, "tile_regs_release();", ""},
             {kCompute, "i < 8", "i < 1"},
             {kReader, "i < 8", "i < 1"},
             {kWriter, "i < 8", "i < 1"}},
            {".coprocessor: the program has ended, but T2 has not released 1 part of Dst",
             "a tile_regs_release is missing", "computes_never_releases.cpp:12): "}},
        // T1 writes a tile in the half that T2 may be packing.
        Way{"fills_the_other_half",
            {{kCompute, kCopy, "copy_tile(0, 0, 8)"}, {kCompute, kPack, "pack_tile(8, 16);"}},
            {".coprocessor: MOVA2D", " of T1 writes Dst at row ",
             "outside the half that T1 owns now", "Use a smaller index of a tile",
             "computes_fills_the_other_half.cpp:9): "}},
        Way{"fills_the_last_tile_of_its_half",
            {{kCompute, kCopy, "copy_tile(0, 0, 7)"}, {kCompute, kPack, "pack_tile(7, 16);"}},
            {}},
        Way{"acquires_both_at_once",
            {{kCompute, "tile_regs_acquire();", "acquire_dst();"},
             {kCompute, "tile_regs_commit();\n    tile_regs_wait();", ""},
             {kCompute, "tile_regs_release();", "release_dst();"}},
            {}}),
    [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace tvp::test
