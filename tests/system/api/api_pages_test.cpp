// Addresses of tensor pages, with the names of each release.

#include <gtest/gtest.h>

#include "tests/system/benches/operation_bench.h"
#include "tests/system/benches/written_kernel.h"

namespace tvp::test {
namespace {

// Kernels of 2025 read a clock of their own and the pages of an accessor (in June 2026, the part of
// a thread). They know their thread from the first line on.
TEST(ApiPages, AKernelsOwnClockAndPages) {
  OperationBench bench;
  const auto out = bench.result(3, 32);
  Operation operation(bench);
  operation.buffer(0, 1, 32).buffer(16, 1);
  const std::string moves = written("own_clock.cpp", R"(
inline uint64_t get_timestamp() { return 11; }
void kernel_main() {
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 32);
  auto* const word = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
  for (const auto& page : to.strided_pages(3)) {
    *word = get_timestamp() + page.page_id();
    noc_async_write(get_write_ptr(0), page.get_noc_addr(), 32);
    noc_async_write_barrier();
  }
}
)");
  const std::string computes = written("which_thread.cpp", R"(
#if defined(UCK_CHLKC_UNPACK) + defined(UCK_CHLKC_MATH) + defined(UCK_CHLKC_PACK) != 1
#error "a thread does not know which it is"
#endif
void kernel_main() {}
)");
  operation.writer(moves, {.tensors = {out}, .run = {address(out)}});
  operation.compute(computes, {});
  operation.run();
  const OperationBench::Words got = bench.words(out);
  for (std::size_t page = 0; page < 3; ++page) EXPECT_EQ(got[page * 8], 11 + page);
}

// Kernels that compute addresses of pages query the number of banks. The generator of early 2024
// writes tiles.
TEST(ApiPages, PagesByTheNumberOfBanks) {
  constexpr std::uint32_t kPages = 14;
  OperationBench bench;
  const auto out = bench.result(kPages, 2048);
  Operation operation(bench);
  operation.buffer(0, 1, 2048);
  operation.reader(written("banks.cpp", R"(
#include "debug/status.h"
#include "hostdev/dev_msgs.h"
void kernel_main() {
  const InterleavedAddrGenFast<true> out = {.bank_base_address = get_arg_val<uint32_t>(0),
                                            .page_size = 2048,
                                            .data_format = DataFormat::Float16_b};
  DEBUG_STATUS('P', 'A', 'G', 'E');
  const auto* const mailboxes = reinterpret_cast<const mailboxes_t*>(MEM_MAILBOX_BASE);
  auto* const page = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
  for (uint32_t id = 0; id < get_arg_val<uint32_t>(1); ++id) {
    page[0] = id;
#if defined(IS_NOT_POW2_NUM_DRAM_BANKS)
    page[1] = id - udivsi3_const_divisor<NUM_DRAM_BANKS>(id) * NUM_DRAM_BANKS;
#else
    page[1] = id & ((1u << LOG_BASE_2_OF_NUM_DRAM_BANKS) - 1);
#endif
    page[2] = GET_MAILBOX_ADDRESS_DEV(go_message_index) == &mailboxes->go_message_index;
    out.noc_async_write_tile(id, get_write_ptr(0));
    noc_async_write_barrier();
  }
}
)"),
                   {.run = {address(out), kPages}});
  operation.run();
  const auto words = bench.words(out);
  for (std::uint32_t id = 0; id < kPages; ++id) {
    EXPECT_EQ(words[512 * id], id);
    EXPECT_EQ(words[512 * id + 1], id % 12) << "bank of page " << id;
    EXPECT_EQ(words[512 * id + 2], 1U);
  }
}

// Bytes of pages by the generator of 2024, and buffers from a list of names.
TEST(ApiPages, PartsOfPagesAndAListOfNames) {
  OperationBench bench;
  OperationBench::Words words(3 * 512);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 7 * i;
  const auto in = bench.tensor(words, 2048), out = bench.result(3, 2048);
  Operation operation(bench);
  operation.buffer(0, 1, 2048);
  operation.reader(written("parts.cpp", R"(
constexpr const char* kNames[] = {"first", "second", "third"};
template <uint32_t N>
constexpr std::array<uint32_t, N> all(const char* const* names) {
  std::array<uint32_t, N> values{};
  for (uint32_t i = 0; i < N; ++i) values[i] = get_named_compile_time_arg_val(names[i]);
  return values;
}
void kernel_main() {
  static_assert(get_named_compile_time_arg_val("second") == 64);
  constexpr auto offsets = all<3>(kNames);
  const InterleavedPow2AddrGenFast<true> from = {.bank_base_address = get_arg_val<uint32_t>(0),
                                                 .log_base_2_of_page_size = 11};
  const InterleavedPow2AddrGenFast<true> to = {.bank_base_address = get_arg_val<uint32_t>(1),
                                               .log_base_2_of_page_size = 11};
  for (uint32_t page = 0; page < 3; ++page) {
    from.noc_async_read_partial_page(page, get_write_ptr(0), 96, offsets[page]);
    noc_async_read_barrier();
    to.noc_async_write_page(page, get_write_ptr(0), 96, 32);
    noc_async_write_barrier();
  }
}
)"),
                   {.run = {address(in), address(out)},
                    .named = {{"first", 0}, {"second", 64}, {"third", 1952}}});
  operation.run();
  const auto got = bench.words(out);
  const std::uint32_t offsets[] = {0, 64, 1952};
  for (std::uint32_t page = 0; page < 3; ++page)
    for (std::uint32_t i = 0; i < 512; ++i) {
      const bool written_to = i >= 8 && i < 8 + 24;
      EXPECT_EQ(got[512 * page + i],
                written_to ? 7 * (512 * page + offsets[page] / 4 + i - 8) : 0xEEEEEEEE)
          << page << ": " << i;
    }
}

// Whole pages by generators whose type holds the size, a power of two.
TEST(ApiPages, WholePagesOfAPowerOfTwo) {
  OperationBench bench;
  OperationBench::Words words(3 * 512);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 7 * i;
  const auto in = bench.tensor(words, 2048), out = bench.result(3, 2048);
  Operation operation(bench);
  operation.buffer(0, 1, 2048);
  operation.reader(written("pow2_pages.cpp", R"(
void kernel_main() {
  const auto from = get_interleaved_addr_gen<true, 2048>(get_arg_val<uint32_t>(0));
  const InterleavedPow2AddrGen<true> to = {.bank_base_address = get_arg_val<uint32_t>(1),
                                           .log_base_2_of_page_size = 11};
  for (uint32_t page = 0; page < 3; ++page) {
    noc_async_read_page(page, from, get_write_ptr(0));
    noc_async_read_barrier();
    noc_async_write_page(page, to, get_write_ptr(0));
    noc_async_write_barrier();
  }
}
)"),
                   {.run = {address(in), address(out)}});
  operation.run();
  EXPECT_EQ(bench.words(out), words);
}

// Names of 2025: address generators by page size, pages of a DRAM bank, selected NoC addresses.
TEST(ApiPages, PagesByTheNamesOf2025) {
  OperationBench bench;
  OperationBench::Words numbers(3 * 16);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = 500 + i;
  const auto in = bench.tensor(numbers, 64), out = bench.result(3, 64);
  Operation operation(bench);
  operation.buffer(0, 1, 64);
  operation.reader(written("pages.cpp", R"(
void kernel_main() {
  const uint32_t from = get_arg_val<uint32_t>(0), to = get_arg_val<uint32_t>(1);
  const auto fixed = get_interleaved_addr_gen<true, 64>(to);
  const auto power = get_interleaved_addr_gen<true, true>(to, 6);
  const auto any = get_interleaved_addr_gen<true, false>(to, 64);
  const uint64_t places[] = {get_noc_addr(0, fixed), get_noc_addr<true>(1, power),
                             get_noc_addr<true>(2, any)};
  const uint32_t l1 = get_write_ptr(0);
  for (uint32_t page = 0; page < 3; ++page) {
    const uint32_t begin = noc_async_read_tile_dram_sharded_set_state<true>(from, 64, page, 1);
    noc_async_read_tile_dram_sharded_with_state(begin, 0, l1);
    noc_async_read_barrier();
    noc_async_write(l1, places[page], 64);
    noc_async_write_barrier();
    noc_async_read_tile_dram_sharded_set_trid(2);
    noc_async_read_tile_dram_sharded_with_state_with_trid(begin, 0, l1, 2);
    noc_async_read_barrier_with_trid(2);
    noc_async_read_tile_dram_sharded_set_trid(0);
  }
}
)"),
                   {.run = {address(in), address(out)}});
  operation.run();
  EXPECT_EQ(bench.words(out), numbers);
}

// Addresses of tensors by generators and accessors without some arguments.
TEST(ApiPages, TensorsWithoutArgumentsOfTheirOwn) {
  OperationBench bench;
  OperationBench::Words numbers(4 * 512);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = 7 * i;
  const auto in = bench.tensor(numbers, 2048), out = bench.result(4, 2048);
  Operation operation(bench);
  operation.buffer(0, 4, 2048);
  operation.reader(written("generators.cpp", R"(
#include <tt-metalium/buffer_constants.hpp>
#include "common/constants.hpp"
constexpr auto in_args = TensorAccessorArgs<0>();
constexpr auto out_args = TensorAccessorArgs<in_args.next_compile_time_args_offset()>();
static_assert(static_cast<int>(tt::tt_metal::TensorMemoryLayout::SINGLE_BANK) == 1);
static_assert(static_cast<int>(tt::tt_metal::ShardMode::LOGICAL) == 1);
static_assert(NOC_XY_PCIE_ENCODING(1, 2, 0) == NOC_XY_PCIE_ENCODING(1, 2));
static_assert(min(3u, 2u) == 2);
static_assert(decltype(in_args)::AlignedPageSize == 2048);
void kernel_main() {
  const uint32_t from = get_arg_val<uint32_t>(0), l1 = get_write_ptr(0);
  const auto plain =
      TensorAccessor(tensor_accessor::make_interleaved_dspec</*is_dram=*/true>(), from, 2048);
  noc_async_read_page(0, plain, l1);
  const InterleavedAddrGenFast<true> tiles{from, 2048, DataFormat::Float16_b};
  tiles.noc_async_read_tile(1, l1 + 2048);
  const InterleavedAddrGen<true> pages{from, 2048};
  pages.noc_async_read_page(2, l1 + 2 * 2048);
  const auto both = make_tensor_accessor_tuple(std::make_tuple(in_args, out_args), 0);
  noc_async_read_page(3, std::get<0>(both), l1 + 3 * 2048);
  noc_async_read_barrier();
  for (uint32_t i = 0; i < 4; ++i)
    noc_async_write_page(i, std::get<1>(both), l1 + i * 2048);
  noc_async_write_barrier();
}
)"),
                   {.tensors = {in, out}, .run = {address(in), address(out)}});
  operation.run();
  EXPECT_EQ(bench.words(out), numbers);
}

}  // namespace
}  // namespace tvp::test
