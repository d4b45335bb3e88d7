// Tests the report about a program with one broken kernel: core, kernel, function and line of the
// cause or of the waiting core.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "sw/runtime/errors.h"
#include "tests/system/benches/operation_bench.h"

namespace tvp::test {
namespace {

const char* const kReads = R"(
void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < 4; ++i) {
    cb_reserve_back(0, 1);
    noc_async_read_page(i, from, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  }
}
)";
const char* const kComputes = R"(
#include "api/compute/compute_kernel_api.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  for (uint32_t i = 0; i < 4; ++i) {
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
  for (uint32_t i = 0; i < 4; ++i) {
    cb_wait_front(16, 1);
    noc_async_write_page(i, to, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
)";

struct Way {
  const char* name;
  int kernel;  ///< the broken kernel: 0 the reader, 1 the compute kernel, 2 the writer
  const char* original;
  const char* broken;
  std::vector<const char*> reported;
  bool watcher = false;
};

struct PageCase {
  const char* name;
  const char* read;     ///< expression for the page to read, of 4 pages
  const char* written;  ///< expression for the page to write
  std::vector<std::string> reported;
};

class BrokenPrograms : public testing::TestWithParam<Way> {
 protected:
  static void copy_pages(OperationBench& bench, const PageCase& way);
  static std::string written(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(TVP_KERNEL_FOLDER) / (name + ".cpp");
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
};

TEST_P(BrokenPrograms, AreReported) {
  const Way& way = GetParam();
  std::string texts[3] = {kReads, kComputes, kWrites};
  std::string names[3] = {"reads", "computes", "writes"};
  std::string& text = texts[way.kernel];
  const std::size_t at = text.find(way.original);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(way.original).size(), way.broken);
  names[way.kernel] += std::string("_") + way.name;

  OperationBench bench(way.watcher);
  const auto in = bench.tensor(std::vector<std::uint32_t>(4 * 512, 0x3F803F80), 2048),
             out = bench.result(4, 2048);
  Operation operation(bench);
  operation.buffer(0, 2).buffer(16, 2);
  operation.semaphore(0);
  operation.reader(written(names[0], texts[0]), {.tensors = {in}, .run = {address(in)}})
      .compute(written(names[1], texts[1]), {})
      .writer(written(names[2], texts[2]), {.tensors = {out}, .after = {2}, .run = {address(out)}});
  try {
    operation.run();
    FAIL() << "finished";
  } catch (const std::exception& error) {
    const std::string reported = error.what();
    for (const char* part : way.reported)
      EXPECT_NE(reported.find(part), std::string::npos) << reported;
  }
}

// tt-metal accepts two kernels on one NoC, and its prefetcher has them: one kernel only reads, the
// other only writes. Two kernels that write use the same initiator. Two kernels that count wait for
// the requests of both.
TEST_F(BrokenPrograms, TwoOnOneNocAreReported) {
  const std::string kSends = R"(
void kernel_main() {
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < 4; ++i) {
    WAIT
    noc_async_write_page(i, to, get_write_ptr(0));
    noc_async_write_barrier();
  }
}
)";
  struct Case {
    const char* name;
    const char* wait;  ///< code of the second kernel before it sends: at once, or later
    const char* reported;
  };
  for (const Case& way : {Case{"at_once", "", "while its CMD_CTRL is still 1"},
                          Case{"in_turns", "riscv_wait(5000);", "waits for NoC 0 NIU"}}) {
    OperationBench bench;
    const auto out = bench.result(4, 2048);
    const auto text = [&](const char* wait) {
      std::string made = kSends;
      return made.replace(made.find("WAIT"), 4, wait);
    };
    const std::string first = std::string("sends_") + way.name, second = first + "_too";
    Operation operation(bench);
    operation.buffer(0, 2)
        .reader(written(first, text("")),
                {.tensors = {out}, .run = {address(out)}, .noc = runtime::NOC::NOC_0})
        .writer(written(second, text(way.wait)),
                {.tensors = {out}, .run = {address(out)}, .noc = runtime::NOC::NOC_0});
    try {
      operation.run();
      ADD_FAILURE() << way.name << " finished";
    } catch (const std::exception& error) {
      const std::string reported = error.what();
      for (const std::string& part :
           {std::string(way.reported), first + ".cpp and ",
            second + ".cpp of device 0 core (0, 0) both send and count on NoC 0"})
        EXPECT_NE(reported.find(part), std::string::npos) << reported;
    }
  }
}

/// Copies four pages, with the pages of this case.
void BrokenPrograms::copy_pages(OperationBench& bench, const PageCase& way) {
  const auto in = bench.tensor(std::vector<std::uint32_t>(4 * 512, 0x3F803F80), 2048),
             out = bench.result(4, 2048);
  const auto text = [&](std::string made, const char* call, const char* page) {
    const std::string whole = std::string(call) + "(i,";
    return made.replace(made.find(whole), whole.size(), std::string(call) + "(" + page + ",");
  };
  Operation operation(bench);
  operation.buffer(0, 2).buffer(16, 2);
  operation
      .reader(
          written(std::string("reads_") + way.name, text(kReads, "noc_async_read_page", way.read)),
          {.tensors = {in}, .run = {address(in)}})
      .compute(written("computes", kComputes), {})
      .writer(written(std::string("writes_") + way.name,
                      text(kWrites, "noc_async_write_page", way.written)),
              {.tensors = {out}, .run = {address(out)}});
  operation.run();
}

// Silicon reads and writes memory behind a tensor without an error, and so does this program. The
// report names the kernel. It contains each place in a kernel once.
TEST_F(BrokenPrograms, PagesBeyondATensorAreAmongTheWarnings) {
  const std::string core = "chip0.tensix(1,1).";
  OperationBench bench;
  for (const PageCase& way :
       {PageCase{"nothing", "i", "i", {}},
        PageCase{"next_bank",
                 "i + 4",
                 "i",
                 {core + "NCRISC: reads 2048 bytes at address 0x20 of DRAM bank 4, page 4 of the "
                         "buffer at 0x20, which has 4",
                  "reads_next_bank.cpp:6)"}},
        PageCase{"next_row",
                 "i",
                 "i + 8 * i",
                 {core + "BRISC: writes 2048 bytes at address 0x820 of DRAM bank 9, page 9 of the "
                         "buffer at 0x820, which has 4",
                  "writes_next_row.cpp:6)"}},
        PageCase{
            "nowhere",
            "i + 24 * i",
            "i",
            {core + "NCRISC: reads 2048 bytes at address 0x1020 of DRAM bank 1, where no buffer "
                    "is",
             "reads_nowhere.cpp:6)"}}}) {
    const auto warnings = [&] {
      return nlohmann::json::parse(bench.mesh().library().report())
          .at("warnings")
          .get<std::vector<std::string>>();
    };
    const std::size_t before = warnings().size();
    copy_pages(bench, way);
    const std::vector<std::string> all = warnings();
    ASSERT_EQ(all.size(), before + (way.reported.empty() ? 0 : 1)) << way.name;
    for (const std::string& part : way.reported)
      EXPECT_NE(all.back().find(part), std::string::npos) << all.back();
  }
}

// The host reads the old contents, as on silicon, and the library warns. The kernels have the
// tensor's address, but leave out a page.
TEST_F(BrokenPrograms, UnwrittenPagesAreReportedWhenTheHostReadsThem) {
  OperationBench bench;
  const auto made = [&] {
    return runtime::MeshBuffer::create(
        bench.mesh(), runtime::InterleavedBufferConfig{.size = 4 * 2048, .page_size = 2048});
  };
  const auto in = bench.tensor(std::vector<std::uint32_t>(4 * 512, 0x3F803F80), 2048);
  const auto unused = made(), out = made(), whole = made();
  const auto copy = [&](const OperationBench::Tensor& to, const char* name, const char* pages) {
    std::string text = kWrites;
    const std::string send = "noc_async_write_page(";
    text.insert(text.find(send), pages);
    Operation operation(bench);
    operation.buffer(0, 2).buffer(16, 2);
    operation.reader(written("reads", kReads), {.tensors = {in}, .run = {address(in)}})
        .compute(written("computes", kComputes), {})
        .writer(written(name, text), {.tensors = {to}, .run = {address(to)}});
    operation.run();
  };
  copy(out, "writes_all_but_one", "if (i != 2) ");
  copy(whole, "writes_all", "");
  const auto warnings = [&] {
    return nlohmann::json::parse(bench.mesh().library().report())
        .at("warnings")
        .get<std::vector<std::string>>();
  };
  const std::size_t before = warnings().size();
  for (const auto& tensor : {in, whole, unused}) bench.words(tensor);
  EXPECT_EQ(warnings().size(), before);
  bench.words(out);
  bench.words(out);
  const std::vector<std::string> all = warnings();
  ASSERT_EQ(all.size(), before + 1);
  for (const char* part : {"chip0: the host reads page 2 of the buffer at 0x",
                           "of DRAM, which no kernel has written. Expected a result there.",
                           "has the address of the buffer: chip0.tensix(1,1).BRISC"})
    EXPECT_NE(all.back().find(part), std::string::npos) << all.back();
}

// The origin of a wrong result names the writer of the page, the cycle and the inputs, or the
// kernels that should have written it.
TEST_F(BrokenPrograms, TheWriterOfAWrongPageIsKnown) {
  OperationBench bench;
  std::vector<std::uint32_t> words;  // a different number in each page
  for (std::uint32_t i = 0; i < 4 * 512; ++i) words.push_back(0x3F80'3F80 + i / 512 * 0x0040'0040);
  const auto in = bench.tensor(words, 2048);
  const std::vector<std::uint8_t> expected = in->read(0);
  const auto run = [&](const std::string& name, int kernel, const std::string& original,
                       const std::string& broken) {
    std::string texts[3] = {kReads, kComputes, kWrites};
    texts[kernel].replace(texts[kernel].find(original), original.size(), broken);
    auto out = bench.result(4, 2048);
    Operation operation(bench);
    operation.buffer(0, 4).buffer(16, 4);
    operation.reader(written("reads_" + name, texts[0]), {.tensors = {in}, .run = {address(in)}})
        .compute(written("computes_" + name, texts[1]), {})
        .writer(written("writes_" + name, texts[2]), {.tensors = {out}, .run = {address(out)}});
    operation.run();
    return out;
  };
  constexpr int kReader = 0, kCompute = 1, kWriter = 2;
  const auto other = run("other_page", kReader, "(i, from", "(i == 2 ? 0 : i, from");
  const auto left_out =
      run("left_out", kWriter, "noc_async_write_page(", "if (i != 2) noc_async_write_page(");
  const auto half =
      run("half", kWriter, "noc_async_write_page(i, to, get_read_ptr(16))",
          "noc_async_write(get_read_ptr(16), to.get_noc_addr(i), i == 2 ? 1024 : 2048)");
  const auto expect = [&](const OperationBench::Tensor& out,
                          const std::vector<std::string>& parts) {
    const std::string reported = out->difference(0, expected);
    for (const std::string& part : parts)
      EXPECT_NE(reported.find(part), std::string::npos) << part << "\n" << reported;
  };
  // The platform records only the last program's unpacked data.
  const std::string input =
      "\nThe last page of circular buffer 0 that was unpacked there: "
      "chip0.tensix(1,1).NCRISC has read it from elsewhere, and it came in ";
  const auto last = run("last_page", kReader, "(i, from", "(i == 3 ? 0 : i, from");
  expect(last, {"1 of 4 pages differ, from byte 0 of page 3 on\n", input, "reads_last_page.cpp:"});
  EXPECT_EQ(half->difference(0, expected).find(input), std::string::npos);
  const auto unpopped = run("unpopped", kCompute, "cb_pop_front(0, 1);", "");
  expect(unpopped,
         {"3 of 4 pages differ, from byte 0 of page 1 on\n",
          "\nAt its end circular buffer 0 of chip0.tensix(1,1) held 4 pages, of which no core "
          "popped any; the last push was by NCRISC\n  in ",
          "reads_unpopped.cpp:8)"});
  EXPECT_EQ(run("right", kReader, "", "")->difference(0, expected), "");
  // The lines are right although later kernels have occupied the same addresses.
  const std::string page_2 = "1 of 4 pages differ, from byte 0 of page 2 on\n";
  expect(other,
         {page_2 + "chip0.tensix(1,1).BRISC has written it, by a command of 2048 bytes from 0x",
          "writes_other_page.cpp:6)", "\nThere chip0.tensix(1,1).TRISC2 has packed it in cycle ",
          "computes_other_page.cpp:12)"});
  expect(left_out,
         {page_2 + "no kernel has written it since its buffer was made; these kernels had "
                   "its address: chip0.tensix(1,1).BRISC"});
  expect(half,
         {"1 of 4 pages differ, from byte 1024 of page 2 on\nno kernel has written it since its "
          "buffer was made, only other bytes of its page: chip0.tensix(1,1).BRISC has written it, "
          "by a command of 1024 bytes",
          "writes_half.cpp:6)"});
}

// The address of a semaphore is slightly wrong: it names a word that nothing has initialized.
TEST_F(BrokenPrograms, AWordThatIsCountedHasBeenSet) {
  const char* const counts = R"(
void kernel_main() {
  volatile uint32_t* const set = reinterpret_cast<volatile uint32_t*>(0x80000);
  const uint64_t there = get_noc_addr(my_x[noc_index], my_y[noc_index], 0x80000 + get_arg_val<uint32_t>(0));
  *set = 0;
  noc_semaphore_inc(there, 1);
  noc_semaphore_inc(there, 1);
  noc_async_atomic_barrier();
}
)";
  for (const std::uint32_t beside : {0U, 16U}) {
    OperationBench bench;
    Operation operation(bench);
    operation.reader(written("counts", counts), {.run = {beside}});
    operation.run();
    const auto warnings = nlohmann::json::parse(bench.mesh().library().report())
                              .at("warnings")
                              .get<std::vector<std::string>>();
    if (beside == 0) {
      EXPECT_TRUE(warnings.empty()) << warnings[0];
      continue;
    }
    ASSERT_EQ(warnings.size(), 1U);
    for (const char* part :
         {"chip0.tensix(1,1).niu0: an atomic changes the word at 0x80010 of L1, which nothing has "
          "initialized. ",
          " chip0.tensix(1,1).NCRISC sent it\n  in kernel_main (", "counts.cpp:6)"})
      EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
  }
}

constexpr const char* kPastTheTensor =
    "libtensix_vp: warning: chip0\\.tensix\\(1,1\\)\\.NCRISC: reads 2048 bytes at address 0x20 of "
    "DRAM "
    "bank 4, page 4 of the buffer";

// Programs of tt-metal end so when a check of theirs throws.
TEST_F(BrokenPrograms, AProgramThatAbortsHasItsWarnings) {
  EXPECT_DEATH(
      {
        OperationBench bench;
        copy_pages(bench, {"last_bank", "i + 4", "i", {}});
        std::abort();
      },
      kPastTheTensor);
}

constexpr int kReader = 0, kCompute = 1, kWriter = 2;
INSTANTIATE_TEST_SUITE_P(
    Ways, BrokenPrograms,
    testing::Values(
        Way{"missing_init",
            kCompute,
            "unary_op_init_common(0, 16);",
            "",
            {"PACK0: PACR by a packer that nothing has configured", "an init function is missing",
             "inlined into pack_tile", "computes_missing_init.cpp:12)"}},
        Way{"missing_push",
            kReader,
            "cb_push_back(0, 1);",
            "",
            {"nothing moves any more: chip0.tensix(1,1).TRISC0 in kernel_main (",
             "computes.cpp:6) waits for 1 page of circular buffer 0 (cb_wait_front); 0 are there",
             "NCRISC (reads_missing_push.cpp) has reserved pages and pushed none, and has ended",
             "chip0.tensix(1,1).BRISC in kernel_main (",
             "writes.cpp:5) waits for 1 page of circular buffer 16 (cb_wait_front)",
             "on chip0.tensix(1,1) has not finished"}},
        Way{"missing_pop",
            kCompute,
            "cb_pop_front(0, 1);",
            "",
            {"NCRISC in kernel_main (",
             "reads.cpp:5) waits for room for 1 page in circular buffer 0 (cb_reserve_back)",
             "TRISC0 (computes_missing_pop.cpp) has waited for pages and popped none"}},
        Way{"missing_wait",
            kCompute,
            "cb_wait_front(0, 1);",
            "",
            {"a wait is missing", "a read that NCRISC started", "reads.cpp:6)",
             "inlined into copy_tile (", "computes_missing_wait.cpp:9)"}},
        Way{"missing_barrier",
            kReader,
            "noc_async_read_barrier();",
            "",
            {"a wait is missing", "reads_missing_barrier.cpp:6)", "computes.cpp:9)"}},
        Way{"too_many_pages",
            kReader,
            "cb_reserve_back(0, 1)",
            "cb_reserve_back(0, 3)",
            {"NCRISC in kernel_main (",
             "reads_too_many_pages.cpp:5) waits for room for 3 pages in circular buffer 0",
             "it has 2 pages, and 2 are free; the core waits for more than the buffer holds"}},
        Way{"packs_too_many",
            kCompute,
            "cb_reserve_back(16, 1)",
            "cb_reserve_back(16, 3)",
            {"TRISC2 in kernel_main (",
             "computes_packs_too_many.cpp:7) waits for room for 3 pages in circular buffer 16",
             "it has 2 pages, and 2 are free; the core waits for more than the buffer holds"}},
        Way{"waits_for_too_many",
            kCompute,
            "cb_wait_front(0, 1)",
            "cb_wait_front(0, 3)",
            {"TRISC0 in kernel_main (",
             "computes_waits_for_too_many.cpp:6) waits for 3 pages of circular buffer 0",
             "2 are there, and it has only 2 pages"}},
        Way{"pushes_too_many",
            kReader,
            "cb_push_back(0, 1)",
            "cb_push_back(0, 5)",
            {"chip0.tensix(1,1).NCRISC: store to",
             "circular buffer 0 holds 2 pages, and 5 are pushed",
             "Expected a cb_reserve_back in NCRISC", "\n  in kernel_main (",
             "reads_pushes_too_many.cpp:8): cb_push_back ("}},
        Way{"pushes_thrice",
            kReader,
            "cb_push_back(0, 1);",
            "for (int k = 0; k < 3; ++k) cb_push_back(0, 1);",
            {"a core pops although circular buffer 0 holds 2 pages, and 3 are pushed",
             "Expected a cb_reserve_back in NCRISC", "computes.cpp:15)"}},
        Way{"packs_without_room",
            kCompute,
            "cb_push_back(16, 1);",
            "for (int k = 0; k < 3; ++k) cb_push_back(16, 1);",
            {"a core pops although circular buffer 16 holds 2 pages, and 3 are pushed",
             "Expected a cb_reserve_back in PACK", "writes.cpp:8)"}},
        Way{"drains_without_a_wait",
            kWriter,
            "cb_wait_front(16, 1);\n    noc_async_write_page(i, to, get_read_ptr(16));\n    "
            "noc_async_write_barrier();",
            "",
            {"computes.cpp:7)", "0 were pushed and 4 popped",
             "has popped 4 pages, the last in kernel_main (",
             "it has popped pages that no core had pushed"}},
        Way{"pops_twice",
            kWriter,
            "cb_pop_front(16, 1)",
            "cb_pop_front(16, 2)",
            {"BRISC has popped a page of circular buffer 16 that is pushed only now",
             "thread T2, STOREREG", "computes.cpp:14)"}},
        Way{"another_buffer",
            kWriter,
            "cb_wait_front(16, 1)",
            "cb_wait_front(17, 1)",
            {"writes_another_buffer.cpp:5) waits for 1 page of circular buffer 17",
             "its program has no such buffer"}},
        Way{"semaphore_overshot",
            kWriter,
            "cb_wait_front(16, 1);",
            "noc_semaphore_inc(get_noc_addr(get_semaphore(0)), 2); noc_async_atomic_barrier(); "
            "noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);",
            {"writes_semaphore_overshot.cpp:5) waits for semaphore 0 to be 1 "
             "(noc_semaphore_wait); it is 2 and has passed it"}},
        Way{"another_semaphore",
            kWriter,
            "cb_wait_front(16, 1);",
            "noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(9)), 1);",
            {"writes_another_semaphore.cpp:5) waits for semaphore 9 (none of its program's) to be "
             "1 (noc_semaphore_wait)"}},
        Way{"pops_without_a_wait",
            kWriter,
            "cb_pop_front(16, 1)",
            "cb_pop_front(16, 2)",
            {"device 0 core (0, 0): processor 0 popped more pages of circular buffer 16 than were "
             "there, in kernel " TVP_KERNEL_FOLDER "/writes_pops_without_a_wait.cpp\n",
             "writes_pops_without_a_wait.cpp:8)"},
            true},
        Way{"computes_without_a_wait",
            kCompute,
            "cb_pop_front(0, 1)",
            "cb_pop_front(0, 3)",
            {"processor 2 popped more pages of circular buffer 0 than were there",
             "computes_computes_without_a_wait.cpp:15)"},
            true},
        Way{"unpacks_beyond",
            kCompute,
            "copy_tile(0, 0, 0)",
            "copy_tile(0, 2, 0)",
            {"device 0 core (0, 0): processor 2 unpacks a tile that lies behind the end of "
             "circular buffer 0, in kernel",
             "computes_unpacks_beyond.cpp:9)", "(copy_tile)"},
            true},
        Way{"argument_beyond",
            kWriter,
            "get_arg_val<uint32_t>(0)",
            "get_arg_val<uint32_t>(0) + 0 * get_arg_val<uint32_t>(1)",
            {"processor 0 reads runtime argument 1, and the host has set fewer, in kernel",
             "writes_argument_beyond.cpp:3)"},
            true},
        Way{"common_argument_beyond",
            kCompute,
            "cb_wait_front(0, 1);",
            "cb_wait_front(0, get_common_arg_val<uint32_t>(0));",
            {"reads common runtime argument 0, and the host has set fewer, in kernel",
             "computes_common_argument_beyond.cpp:6)"},
            true},
        Way{"pops_what_nobody_pushed",
            kWriter,
            "cb_pop_front(16, 1);",
            "cb_pop_front(16, 1); if (i == 3) { cb_pop_front(2, 1); cb_wait_front(3, 1); }",
            {"BRISC in kernel_main (",
             "writes_pops_what_nobody_pushed.cpp:8) waits for 1 page of circular buffer 3",
             "its program has no such buffer"},
            true},
        Way{"unaligned",
            kWriter,
            "get_read_ptr(16)",
            "get_read_ptr(16) + 4",
            {"tensix(1,1).BRISC: store to", "congruent modulo 16", "writes_unaligned.cpp:6)"}},
        Way{"beyond_dram",
            kReader,
            "noc_async_read_page(i,",
            "noc_async_read_page(i + 100000000,",
            {"TLM_ADDRESS_ERROR_RESPONSE", "of 2048 bytes that (1, 1) of NoC 0 sent",
             "sent, by NCRISC at pc 0x", " is in kernel_main (", "reads_beyond_dram.cpp:6)"}},
        Way{"beyond_own_l1",
            kReader,
            "get_write_ptr(0));",
            "0x16E000 - 1024);",
            {"chip0.tensix(1,1).niu0: write of ",
             "nothing is there (TLM_ADDRESS_ERROR_RESPONSE), by a "
             "command that NCRISC started at pc 0x",
             " is in kernel_main (", "reads_beyond_own_l1.cpp:6)"}},
        Way{"unpacks_beyond_l1",
            kCompute,
            "copy_tile(0, 0, 0)",
            "copy_tile(0, i == 0 ? 0 : 2000, 0)",
            {"UNPACR from beyond the end of L1; thread T0, UNPACR",
             "which its core pushed at pc 0x", "computes_unpacks_beyond_l1.cpp:9)"}},
        Way{"beyond_l1",
            kWriter,
            "noc_async_write_page(i, to, get_read_ptr(16));",
            "noc_async_write(get_read_ptr(16), get_noc_addr(18, 18, 0x200000), 16);",
            {"TLM_ADDRESS_ERROR_RESPONSE", "of 16 bytes that", "of NoC 1 sent",
             "sent, by BRISC at pc 0x", " is in kernel_main (", "writes_beyond_l1.cpp:6)"}},
        Way{"semaphore",
            kWriter,
            "cb_wait_front(16, 1);",
            "noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);",
            {"BRISC in kernel_main (",
             "writes_semaphore.cpp:5) waits for semaphore 0 to be 1 (noc_semaphore_wait); it is 0; "
             "no core of another tile has signalled it"}},
        Way{"no_commit",
            kCompute,
            "tile_regs_commit();",
            "",
            {"coprocessor.T2 in kernel_main (", "computes_no_commit.cpp:14) is stopped at PACR",
             "waits for SEMWAIT", "to become nonzero", "without another tile_regs_commit"}},
        Way{"no_release",
            kCompute,
            "tile_regs_release();",
            "",
            {"coprocessor.T1 in ", "computes_no_release.cpp is stopped at MOVA2D",
             "waits for SEMWAIT", "to fall below its maximum",
             "has ended without another tile_regs_release"}},
        Way{"beyond_dst",
            kCompute,
            "copy_tile(0, 0, 0)",
            "copy_tile(0, 0, i + 5)",
            {"processor 3 tripped the assertion", "computes_beyond_dst.cpp:9)", "(copy_tile)"},
            true},
        Way{"packs_beyond_dst",
            kCompute,
            "pack_tile(0, 16)",
            "pack_tile(17, 16)",
            {"processor 4 tripped the assertion", "computes_packs_beyond_dst.cpp:12)",
             "(pack_tile<>)"},
            true},
        Way{"stack",
            kReader,
            "cb_push_back(0, 1);",
            "volatile char big[9000]; for (int k = 0; k < 9000; ++k) big[k] = 1; "
            "cb_push_back(0, 1);",
            {"NCRISC: store to unmapped address", "its stack has no room", "reads_stack.cpp:"}},
        Way{"no_page_size",
            kWriter,
            "TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0)",
            "TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 0); const auto other = "
            "TensorAccessor(TensorAccessorArgs<1>(), 0",
            {"BRISC: ", "no_page_size_among_the_compile_time_arguments",
             "writes_no_page_size.cpp:3)"}}),
    [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace tvp::test
