// Names of headers that published kernels include, and names of earlier releases.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fault_of.h"
#include "tests/system/benches/operation_bench.h"
#include "tests/system/benches/tile_matrix.h"
#include "tests/system/benches/written_kernel.h"

namespace tvp::test {
namespace {

TEST(ApiNames, ChecksThatThePlatformMakesAndABufferThatIsFinished) {
  OperationBench bench;
  const auto out = bench.result(1, 32);
  Operation operation(bench);
  operation.buffer(0, 4, 32);
  // The end of a buffer needs no wait on this chip.
  const std::string pushes = written("pushes.cpp", R"(
#include "debug/eth_link_status.h"
#include "experimental/circular_buffer.h"
#include "hostdevcommon/fabric_common.h"
#include "internal/debug/sanitize.h"
static_assert(tt::tt_fabric::FABRIC_CONNECTION_OBJECT_SIZE == 128);
static_assert(WATCHER_ETH_LINK_STATUS_ENABLED == 0);
static_assert(std::is_same_v<uint, uint32_t>);  // kernels compare and cast between them
void kernel_main() {
  DataflowBuffer buffer(0);
  DEBUG_SANITIZE_NOC_ADDR(noc_index, uint64_t{0}, 4);
  DEBUG_SANITIZE_NO_LINKED_TRANSACTION(noc_index, DEBUG_SANITIZE_NOC_UNICAST);
  WATCHER_CHECK_ETH_LINK_STATUS();
  buffer.reserve_back(2);
  buffer.push_back(2);
  buffer.finish();
  auto* const done = reinterpret_cast<volatile uint32_t*>(get_semaphore(get_arg_val<uint32_t>(0)));
  const uint32_t popped = *done;
  auto* const page = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
  page[0] = popped;
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(1), 32);
  noc_async_write_page(0, to, get_write_ptr(0));
  noc_async_write_barrier();
}
)");
  const std::string pops = written("pops.cpp", R"(
void kernel_main() {
  cb_wait_front(0, 2);
  for (volatile int i = 0; i < 500; ++i) {}
  auto* const done = reinterpret_cast<volatile uint32_t*>(get_semaphore(get_arg_val<uint32_t>(0)));
  *done = 7;
  cb_pop_front(0, 2);
}
)");
  const std::uint32_t done = operation.semaphore(0);
  operation.reader(pushes, {.tensors = {out}, .run = {done, address(out)}});
  operation.writer(pops, {.run = {done}});
  operation.run();
  EXPECT_EQ(bench.words(out)[0], 0U);  // the consumer answers with a delay
}

TEST(ApiNames, TheMailboxOfTheTile) {
  OperationBench bench;
  const auto out = bench.result(1, 64);
  Operation operation(bench);
  operation.buffer(3, 4, 64);
  operation.reader(written("mailbox.cpp", R"(
#include "hostdev/dev_msgs.h"
void kernel_main() {
  const auto* const mailboxes = reinterpret_cast<const mailboxes_t*>(MEM_MAILBOX_BASE);
  const auto& launch = mailboxes->launch[mailboxes->launch_msg_rd_ptr].kernel_config;
  const auto* const buffers = reinterpret_cast<const volatile uint32_t*>(
      launch.kernel_config_base[ProgrammableCoreType::TENSIX] + launch.local_cb_offset);
  auto* const page = reinterpret_cast<volatile uint32_t*>(get_write_ptr(3));
  page[0] = mailboxes->go_messages[mailboxes->go_message_index].signal;
  page[1] = buffers[4 * 3 + 3];
  page[2] = mailboxes->subordinate_sync.map[0];
  page[3] = mailboxes->core_info.absolute_logical_x;
  noc_async_write_page(0, TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 64),
                       get_write_ptr(3));
  noc_async_write_barrier();
}
)"),
                   {.tensors = {out}, .run = {address(out)}});
  operation.run();
  const auto words = bench.words(out);
  EXPECT_EQ(words[0], 0x80U);  // go
  EXPECT_EQ(words[1], 64U);
  EXPECT_EQ(words[2], 0x80U);  // NCRISC, which runs this kernel, has started
  EXPECT_EQ(words[3], 0U);
}

// With the watcher, kernels may read how many run-time arguments the host has set. Before they trip
// an assertion, they notify a dispatcher and set the tile's mailbox.
TEST(ApiNames, NumbersOfArguments) {
  OperationBench bench(true);
  const auto reader = bench.local(OperationBench::Words(8, 9)),
             compute = bench.local(OperationBench::Words(8, 9));
  const std::string counts = written("counts.cpp", R"(
#if defined(COMPILE_FOR_TRISC)
#include "compute_kernel_api/common.h"
#endif
extern uint32_t rta_count;
extern uint32_t crta_count;
void kernel_main() {
#if !defined(COMPILE_FOR_TRISC) || COMPILE_FOR_TRISC == 0
  auto* out = reinterpret_cast<volatile uint32_t*>(get_compile_time_arg_val(0));
  *out++ = rta_count;
  *out++ = crta_count;
  for (uint32_t i = 0; i < rta_count; ++i) *out++ = get_arg_val<uint32_t>(i);
  for (uint32_t i = 0; i < crta_count; ++i) *out++ = get_common_arg_val<uint32_t>(i);
  auto* const mailboxes = reinterpret_cast<mailboxes_t*>(MEM_MAILBOX_BASE);
#if defined(COMPILE_FOR_TRISC)
  *out = reinterpret_cast<volatile subordinate_map_t*>(&mailboxes->subordinate_sync)->trisc0;
#else
  // Notifies the dispatcher, which is this tile.
  const auto& go = mailboxes->go_messages[mailboxes->go_message_index];
  const uint64_t dispatcher = NOC_XY_ADDR(NOC_X(go.master_x), NOC_Y(go.master_y),
      DISPATCH_MESSAGE_ADDR + NOC_STREAM_REG_SPACE_SIZE * go.dispatch_message_offset);
  noc_inline_dw_write(dispatcher, 5 << REMOTE_DEST_BUF_WORDS_FREE_INC);
  noc_async_write_barrier();
  *out = NOC_STREAM_READ_REG(48, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX);
#endif
#endif
}
)");
  Operation operation(bench);
  operation.reader(counts, {.compile = {address(reader)}, .run = {11, 12, 13}, .common = {21, 22}});
  operation.compute(counts, {.compile = {address(compute)}, .common = {31}});
  operation.run();
  EXPECT_EQ(bench.local_words(reader), OperationBench::Words({3, 2, 11, 12, 13, 21, 22, 5}));
  EXPECT_EQ(bench.local_words(compute), OperationBench::Words({0, 1, 31, 0x80, 9, 9, 9, 9}));
}

// The kernel sets the mailbox to "done" before it trips an assertion.
TEST(ApiNames, AnAssertionOfACoreThatSeemsToHaveFinished) {
  OperationBench bench(true);
  Operation operation(bench);
  operation.compute(written("beyond.cpp", R"(
#include "compute_kernel_api/common.h"
void kernel_main() {
  UNPACK({
    auto* const mailboxes = reinterpret_cast<mailboxes_t*>(MEM_MAILBOX_BASE);
    auto* const sync = reinterpret_cast<volatile subordinate_map_t*>(&mailboxes->subordinate_sync);
    sync->trisc0 = RUN_SYNC_MSG_DONE;
    *reinterpret_cast<volatile uint32_t*>(0) = get_arg_val<uint32_t>(1);
  })
}
)"),
                    {.run = {41}});
  EXPECT_THAT(fault_of([&] { operation.run(); }),
              testing::HasSubstr("reads runtime argument 1, and the host has set fewer"));
}

// Writes only the changed registers of an initiator.
TEST(ApiNames, TransactionsByChangedRegisters) {
  OperationBench bench;
  OperationBench::Words numbers(64);
  for (std::uint32_t i = 0; i < 64; ++i) numbers[i] = 100 + i;
  const auto in = bench.tensor(numbers, 256), out = bench.result(1, 256);
  Operation operation(bench);
  operation.buffer(0, 2, 256);
  operation.reader(written("states.cpp", R"(
#include "noc_nonblocking_api.h"
void kernel_main() {
  const auto in = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 256);
  const auto out = TensorAccessor(
      TensorAccessorArgs<TensorAccessorArgs<0>().next_compile_time_args_offset()>(),
      get_arg_val<uint32_t>(1), 256);
  constexpr auto kDedicated = DM_DEDICATED_NOC;
  const uint64_t from = in.get_noc_addr(0), to = out.get_noc_addr(0);
  const uint32_t l1 = get_write_ptr(0);
  // The second half first, then the first half: node and length stay.
  noc_read_init_state<NCRISC_RD_CMD_BUF>(noc_index);
  noc_read_with_state<kDedicated, NCRISC_RD_CMD_BUF, CQ_NOC_SNDL>(noc_index, from + 128, l1 + 128,
                                                                  128);
  noc_read_with_state<kDedicated, NCRISC_RD_CMD_BUF, CQ_NOC_SnDl>(noc_index, from, l1, 0);
  noc_async_read_barrier();
  noc_write_init_state<NCRISC_WR_CMD_BUF>(noc_index, NOC_UNICAST_WRITE_VC);
  noc_write_with_state<kDedicated, NCRISC_WR_CMD_BUF, CQ_NOC_SNDL>(noc_index, l1, to, 128);
  noc_write_with_state<kDedicated, NCRISC_WR_CMD_BUF, CQ_NOC_SnDl, CQ_NOC_send>(
      noc_index, l1 + 128, to + 128);
  noc_wait_cmd_buf(noc_index, NCRISC_WR_CMD_BUF);
  NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
  noc_async_write_barrier();
  // Writes a word inline to this core's own L1 and reads it back.
  const uint64_t word = get_noc_addr(l1 + 256);
  auto* const there = reinterpret_cast<volatile uint32_t*>(l1 + 256);
  *there = 0;
  noc_inline_dw_write_init_state<NCRISC_WR_REG_CMD_BUF, CQ_NOC_mkP>(noc_index,
                                                                    NOC_UNICAST_WRITE_VC);
  noc_inline_dw_write_with_state<NCRISC_WR_REG_CMD_BUF, CQ_NOC_INLINE_NDVB>(noc_index, word, 7);
  while (*there != 7) {
  }
}
)"),
                   {.tensors = {in, out}, .run = {address(in), address(out)}});
  operation.run();
  EXPECT_EQ(bench.words(out), numbers);
}

// Functions at register level with the mode first and options last, as in tt-metal.
TEST(ApiNames, TransactionsThatNameTheMode) {
  OperationBench bench;
  OperationBench::Words numbers(64);
  for (std::uint32_t i = 0; i < 64; ++i) numbers[i] = 100 + i;
  const auto in = bench.tensor(numbers, 256), out = bench.result(2, 256);
  Operation operation(bench);
  operation.buffer(0, 3, 256);
  operation.reader(written("modes.cpp", R"(
#include "api/dataflow/noc.h"
void kernel_main() {
  const auto in = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 256);
  const auto out = TensorAccessor(
      TensorAccessorArgs<TensorAccessorArgs<0>().next_compile_time_args_offset()>(),
      get_arg_val<uint32_t>(1), 256);
  const uint64_t from = in.get_noc_addr(0), to = out.get_noc_addr(0), other = out.get_noc_addr(1);
  const uint32_t l1 = get_write_ptr(0);
  // Four parts of 64 B, each with another function.
  ncrisc_noc_fast_read_any_len<noc_mode>(noc_index, read_cmd_buf, from, l1, 64);
  noc_wait_cmd_buf(noc_index, read_cmd_buf);
  ncrisc_noc_fast_read<DM_DEDICATED_NOC>(noc_index, read_cmd_buf, from + 64, l1 + 64, 64);
  ncrisc_noc_read_set_state<noc_mode, true>(noc_index, read_cmd_buf, from, 64);
  ncrisc_noc_read_with_state<noc_mode, true, true>(noc_index, read_cmd_buf,
                                                   static_cast<uint32_t>(from) + 128, l1 + 128);
  noc_async_read_barrier();
  noc_async_read_set_trid(3);
  noc_async_read(from + 192, l1 + 192, 64);
  while (!Noc().is_read_trid_flushed(3)) {
  }
  noc_async_read_barrier();
  noc_async_read_set_trid(0);

  ncrisc_noc_fast_write_any_len<noc_mode>(noc_index, write_cmd_buf, l1, to, 64,
                                          NOC_UNICAST_WRITE_VC, false, false, 1, true);
  ncrisc_noc_write_set_state<false, false>(noc_index, write_cmd_buf, to, 0, NOC_UNICAST_WRITE_VC);
  ncrisc_noc_write_with_state<noc_mode, false, true, false>(
      noc_index, write_cmd_buf, l1 + 64, static_cast<uint32_t>(to) + 64, 192);
  auto* const word = reinterpret_cast<volatile uint32_t*>(l1 + 512);
  word[0] = 0;
  noc_fast_write_dw_inline<DM_DEDICATED_NOC>(noc_index, NCRISC_AT_CMD_BUF, 7,
                                             get_noc_addr(l1 + 512), 0xF, NOC_UNICAST_WRITE_VC,
                                             false, false);
  noc_async_write_barrier();
  noc_fast_atomic_increment<DM_DEDICATED_NOC>(noc_index, write_at_cmd_buf, get_noc_addr(l1 + 512),
                                              NOC_UNICAST_WRITE_VC, 5, 31, false);
  noc_async_atomic_barrier();
  noc_async_write(l1 + 512, other, 64);
  noc_async_write_barrier();
}
)"),
                   {.tensors = {in, out}, .run = {address(in), address(out)}});
  operation.run();
  auto got = bench.words(out);
  EXPECT_EQ(got[64], 12U);
  got.resize(64);
  EXPECT_EQ(got, numbers);
}

// Names of 2025 in compute kernels: inits per thread, results that replace their operand, longer
// names of reductions and rows.
TEST(ApiNames, ComputeByTheNamesOf2025) {
  OperationBench bench;
  const auto number = [](std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<float>((3 * tile + 5 * r + 7 * c) % 11) - 4;
  };
  OperationBench::Words words;
  for (std::size_t tile = 0; tile < 2; ++tile) {
    const auto one =
        tile16(each([&](std::size_t r, std::size_t c) { return to_bf16(number(tile, r, c)); }));
    words.insert(words.end(), one.begin(), one.end());
  }
  const auto ones = tile16(each([](std::size_t, std::size_t) { return to_bf16(1); }));
  const auto in = bench.local(words), scaler = bench.local(ones),
             out = bench.local(OperationBench::Words(5 * 512, 0x7FC07FC0));
  Operation operation(bench);
  operation.buffer(0, in, runtime::DataFormat::Float16_b, 2048)
      .buffer(1, scaler, runtime::DataFormat::Float16_b, 2048)
      .buffer(16, out, runtime::DataFormat::Float16_b, 2048)
      .reader(written("gives.cpp", R"(
void kernel_main() {
  cb_reserve_back(0, 2);
  cb_push_back(0, 2);
  cb_reserve_back(1, 1);
  cb_push_back(1, 1);
}
)"),
              {})
      .compute(written("names.cpp", R"(
#define REDUCE_OP PoolType::SUM
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#include "compute_kernel_api.h"
static_assert(std::is_same_v<uint, uint32_t>);
#include "compute_kernel_api/sentinel/compute_kernel_sentinel.h"
#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/eltwise_binary_sfpu.h"
#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/matmul.h"
#include "compute_kernel_api/pack_untilize.h"
#include "compute_kernel_api/reduce.h"
#include "compute_kernel_api/tile_move_copy.h"
namespace NAMESPACE {
void copy_both() {
  copy_tile_to_dst_init_short(0);
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
}
void MAIN {
  UNPACK((llk_unpack_AB_hw_configure_disaggregated<DST_ACCUM_MODE>(0, 1)));
  MATH((llk_math_pack_sync_init<DST_ACCUM_MODE>()));
  MATH((llk_math_hw_configure_disaggregated(0, 1)));
  PACK((llk_pack_hw_configure_disaggregated<DST_ACCUM_MODE, false>(16)));
  PACK((llk_pack_init(16)));
  PACK((llk_pack_dest_init<DST_ACCUM_MODE, false>()));
  cb_wait_front(0, 2);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 5);
  acquire_dst();
  copy_both();
  mul_binary_tile_init();
  mul_binary_tile(0, 1);
  matmul_pack_tile(0, 16, 1);
  release_dst();
  acquire_dst();
  copy_both();
  max_tile_init();
  max_tile(0, 1);
  matmul_pack_tile(0, 16, 1);
  release_dst();
  acquire_dst();
  reduce_init_delta<false>(0, 1, 16);
  reduce_tile(0, 1, 1, 0, 0);
  pack_tile(0, 16);
  reduce_revert_delta(16);
  release_dst();
  acquire_dst();
  state_configure(0, 0, 16, __LINE__);
  add_tiles_init(0, 0);
  add_tiles(0, 0, 0, 1, 0);
  pack_tile(0, 16);
  release_dst();
  cb_push_back(16, 4);
  acquire_dst();
  copy_both();
  pack_untilize_dst_init_short<1, 1>(16);
  pack_untilize_dst<1, 1>(16);
  pack_untilize_uninit(16);
  release_dst();
  cb_push_back(16, 1);
}
}
)"),
               {});
  operation.run();
  const auto result = bench.local_words(out);
  const auto check = [&](const char* what, std::size_t tile, auto expected, std::size_t columns) {
    SCOPED_TRACE(what);
    const Matrix m = matrix(result, tile);
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        ASSERT_EQ(f(from_bf16(m[r][c])), expected(r, c)) << r << ", " << c;
  };
  check(
      "product", 0, [&](auto r, auto c) { return number(0, r, c) * number(1, r, c); }, 32);
  check(
      "maximum", 1, [&](auto r, auto c) { return std::max(number(0, r, c), number(1, r, c)); }, 32);
  check(
      "sum of rows", 2,
      [&](auto r, auto) {
        float sum = 0;
        for (std::size_t c = 0; c < 32; ++c) sum += number(1, r, c);
        return sum;
      },
      1);
  check(
      "sum", 3, [&](auto r, auto c) { return number(0, r, c) + number(1, r, c); }, 32);
  for (std::size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(f(from_bf16(datum16(result, 4 * 1024 + i))), number(0, i / 32, i % 32)) << i;
}

// Inits of spring 2025 use buffers 0, 1 and 16 by default. A choice replaces its condition.
TEST(ApiNames, BuffersThatNobodyNames) {
  OperationBench bench;
  const auto number = [](std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<float>((3 * tile + 5 * r + 7 * c) % 11) - 4;
  };
  const auto tile = [&](std::size_t which) {
    return bench.local(
        tile16(each([&](std::size_t r, std::size_t c) { return to_bf16(number(which, r, c)); })));
  };
  const auto a = tile(0), b = tile(1), out = bench.local(OperationBench::Words(3 * 512));
  Operation operation(bench);
  operation.buffer(0, a, runtime::DataFormat::Float16_b, 2048)
      .buffer(1, b, runtime::DataFormat::Float16_b, 2048)
      .buffer(16, out, runtime::DataFormat::Float16_b, 2048)
      .compute(written("unnamed.cpp", R"(
#include "compute_kernel_api.h"
void kernel_main() {
  mm_init();
  acquire_dst();
  matmul_tiles(0, 1, 0, 0, 0);
  pack_tile(0, 16);
  release_dst();
  mul_tiles_init();
  acquire_dst();
  mul_tiles(0, 1, 0, 0, 0);
  pack_tile(0, 16);
  release_dst();
  unary_op_init_common(0);
  acquire_dst();
  copy_tile_to_dst_init_short();
  copy_tile(0, 0, 0);
  copy_tile(0, 0, 2);
  copy_tile_to_dst_init_short_with_dt(0, 1);
  copy_tile(1, 0, 1);
  where_tile_init();
  where_tile(0, 1, 2);
  pack_tile(0, 16);
  release_dst();
}
)"),
               {});
  operation.run();
  const auto result = bench.local_words(out);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 32; ++c) {
      const auto got = [&](std::size_t i) {
        return static_cast<double>(f(from_bf16(matrix(result, i)[r][c])));
      };
      double sum = 0;
      for (std::size_t k = 0; k < 32; ++k)
        sum += static_cast<double>(number(0, r, k)) * static_cast<double>(number(1, k, c));
      ASSERT_NEAR(got(0), sum, 2) << r << ", " << c;
      ASSERT_EQ(got(1), static_cast<double>(number(0, r, c) * number(1, r, c)));
      ASSERT_EQ(got(2), static_cast<double>(number(0, r, c) != 0 ? number(1, r, c) : 0));
    }
  }
}

// Names of spring 2026: products by thread with their own fidelity, blocks per call, and headers of
// data-movement kernels.
TEST(ApiNames, OfSpring2026) {
  OperationBench bench;
  const auto number = [](std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<float>((3 * tile + 5 * r + 7 * c) % 11) - 4;
  };
  OperationBench::Words words;
  for (std::size_t tile = 0; tile < 2; ++tile) {
    const auto one =
        tile16(each([&](std::size_t r, std::size_t c) { return to_bf16(number(tile, r, c)); }));
    words.insert(words.end(), one.begin(), one.end());
  }
  const auto in = bench.local(words), out = bench.local(OperationBench::Words(5 * 512, 0x7FC07FC0)),
             seen = bench.result(1, 32);
  Operation operation(bench);
  operation.buffer(0, in, runtime::DataFormat::Float16_b, 2048)
      .buffer(1, 1, 32)
      .buffer(16, out, runtime::DataFormat::Float16_b, 2048)
      .reader(written("gives_2026.cpp", R"(
#include "api/core_local_mem.h"
#include "api/debug/checkpoint.h"
#include "api/debug/dump.h"
#include "api/kernel_thread_globals.h"
#include "llk_defs.h"
static_assert(ckernel::PoolType::MAX != ckernel::PoolType::SUM);
void kernel_main() {
  DEBUG_CHECKPOINT("begin");
  cb_reserve_back(0, 2);
  cb_push_back(0, 2);
  debug_dump_cb(0, 4);
  const auto here = get_virtual_coord_from_worker_logical_coord(0, 0);
  const CoreLocalMem<volatile uint32_t> page(get_write_ptr(1));
  page[0] = here.x == my_x[noc_index] && here.y == my_y[noc_index];
  page[1] = get_num_threads() + get_my_thread_id();
  sync_threads();
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  static_assert(has_get_aligned_page_size_v<decltype(to)>);
  Noc().async_write(page, to, 32, {}, {.page_id = 0});
  Noc().async_write_barrier();
}
)"),
              {.tensors = {seen}, .run = {address(seen)}})
      .compute(written("names_of_2026.cpp", R"(
#include "api/compute/bcast.h"
#include "api/compute/experimental/matmul_custom.h"
#include "api/compute/experimental/pack_block.h"
#include "api/compute/experimental/sdpa_sub_custom.h"
void kernel_main() {
  mm_init(0, 0, 16);
  cb_wait_front(0, 2);
  cb_reserve_back(16, 5);
  state_configure(0, __LINE__);
  acquire_dst();
  MATH((llk_math_matmul_init<ckernel::MathFidelity::HiFi4, 0>(0, 0)));
  UNPACK((llk_unpack_AB_matmul_init(0, 0)));
  UNPACK((llk_unpack_AB_matmul(0, 0, 0, 1)));
  MATH((llk_math_matmul<ckernel::MathFidelity::HiFi4, 0>(0)));
  mm_no_mop_init_short(0, 0, false, 2, 1, 1);
  matmul_block_no_mop(0, 0, 0, 0, 1, false, 2, 1, 1);
  pack_block_contiguous_init(16);
  pack_block_contiguous(0, 16, 3);
  release_dst();
  acquire_dst();
  sub_bcast_cols_init_short_custom(0, 0, 2);
  sub_tiles_bcast_cols_custom(0, 0, 0, 1, 0, 2);
  pack_block_contiguous(0, 16, 2);
  release_dst();
  cb_push_back(16, 5);
}
)"),
               {});
  operation.run();
  EXPECT_EQ(bench.words(seen)[0], 1U);
  EXPECT_EQ(bench.words(seen)[1], 1U);
  const auto result = bench.local_words(out);
  const auto product = [&](std::size_t a, std::size_t b, std::size_t r, std::size_t c) {
    double sum = 0;
    for (std::size_t k = 0; k < 32; ++k)
      sum += static_cast<double>(number(a, r, k)) * static_cast<double>(number(b, k, c));
    return sum;
  };
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 32; ++c) {
      const auto got = [&](std::size_t tile) {
        return static_cast<double>(f(from_bf16(matrix(result, tile)[r][c])));
      };
      ASSERT_NEAR(got(0), product(0, 1, r, c), 2) << r << ", " << c;
      ASSERT_NEAR(got(1), product(0, 0, r, c), 2) << r << ", " << c;
      ASSERT_EQ(got(2), got(0)) << r << ", " << c;
      for (std::size_t tile = 0; tile < 2; ++tile)
        ASSERT_EQ(got(3 + tile), static_cast<double>(number(tile, r, c) - number(1, r, 0)));
    }
  }
}

// Clients of mid-2025 whose packets routers pull.
TEST(ApiNames, ClientsOfTheFabricThatNoRouterServes) {
  constexpr const char* kUses[][2] = {
      {"pulls", "auto* const client = (volatile fabric_pull_client_interface_t*)0x20000;"},
      {"pushes", "auto* const client = (volatile fabric_push_client_interface_t*)0x20000;"},
      {"raw", "constexpr auto mode = (ClientDataMode)1;"},
      {"asks", "constexpr auto mode = (AsyncWriteMode)2;"},
      {"begins", "fabric_endpoint_init((volatile uint32_t*)0x20000, 8);"}};
  for (const auto& [name, use] : kUses) {
    OperationBench bench;
    Operation operation(bench);
    operation.reader(written(std::string(name) + ".cpp",
                             "#include \"tt_metal/fabric/hw/inc/tt_fabric_interface.h\"\n"
                             "#include \"tt_metal/fabric/hw/inc/tt_fabric_api.h\"\n"
                             "void kernel_main() {\n" +
                                 std::string(use) + "\n}\n"),
                     {});
    EXPECT_THAT(fault_of([&] { operation.run(); }),
                testing::HasSubstr("is unavailable: no router here serves clients without packet "
                                   "headers; send with WorkerToFabricEdmSender"))
        << use;
  }
}

}  // namespace
}  // namespace tvp::test
