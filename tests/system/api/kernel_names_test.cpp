// Kernels that get arguments, buffers, semaphores and tensors by name, and zeros through the NoC
// object. Also tt-metal's own kernels of this kind, if TT_METAL_HOME has them.

#include <gtest/gtest.h>

#include "firmware/api/numeric/bfloat16.h"
#include "foundation/fault.h"
#include "sw/runtime/host_api.h"
#include "tests/system/api/names_bench.h"

namespace tvp::runtime {
namespace {

class KernelNamesTest : public test::NamesBench {};

TEST_F(KernelNamesTest, LeadToWhatTheHostSays) {
  constexpr std::uint32_t kPages = 5;
  const Words words = counting(kPages);
  const auto in = tensor(words);
  const auto out = tensor(Words(words.size()));
  Program program = CreateProgram();
  add_buffer(program, 3);
  const std::uint32_t done = CreateSemaphore(program, kCore, 0);
  Words compile{kPages};
  TensorAccessorArgs(*in).append_to(compile);
  const auto reader = CreateKernel(program, source("reader", R"(
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc_semaphore.h"
#include "experimental/kernel_args.h"
void kernel_main() {
  static_assert(std::is_same_v<decltype(ta::weights), decltype(tensor::weights)>);
  TensorAccessor in(tensor::weights);
  DataflowBuffer pages(dfb::pages);
  const uint32_t more = get_arg(args::more) ^ get_arg(args::all) ^ get_vararg(0) ^ get_vararg(1) ^
                        get_common_vararg(0);
  for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {
    pages.reserve_back(1);
    noc_async_read(in.get_noc_addr(i), pages.get_write_ptr(), pages.get_stride_size());
    noc_async_read_barrier();
    *reinterpret_cast<volatile uint32_t*>(pages.get_write_ptr()) += more;
    pages.push_back(1);
  }
  Semaphore(sem::done).up(1);
}
)"),
                                   kCore,
                                   DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                                      .noc = NOC::RISCV_1_default,
                                                      .compile_args = compile,
                                                      .names = {.runtime_args = {"unused", "more"},
                                                                .common_runtime_args = {"all"},
                                                                .buffers = {{"pages", 3}},
                                                                .semaphores = {{"done", done}},
                                                                .tensors = {{"weights", 1}}}});
  SetRuntimeArgs(program, reader, kCore, {0, 0x100, 0x10, 0x20});
  SetCommonRuntimeArgs(program, reader, {0x400, address(in), 0x1000});
  compile = {};
  TensorAccessorArgs(*out).append_to(compile);
  const auto writer = CreateKernel(program, source("writer", R"(
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
#include "api/tensor/noc_traits.h"
#include "experimental/kernel_args.h"
void kernel_main() {
  constexpr uint32_t count = get_arg(args::count);
  const TensorAccessor out(TensorAccessorArgs<0>(), get_arg(args::to));
  CircularBuffer pages(dfb::pages);
  Noc noc;
  for (uint32_t i = 0; i < count; ++i) {
    pages.wait_front(1);
    noc.async_write(pages, out, pages.get_entry_size(), {}, {.page_id = i});
    pages.write_barrier(noc);
    pages.pop_front(1);
  }
  Semaphore(sem::done).wait(1);
}
)"),
                                   kCore,
                                   DataMovementConfig{.compile_args = compile,
                                                      .names = {.runtime_args = {"to"},
                                                                .compile_args = {{"count", kPages}},
                                                                .buffers = {{"pages", 3}},
                                                                .semaphores = {{"done", done}}}});
  SetRuntimeArgs(program, writer, kCore, {address(out)});
  mesh_->run(0, program);
  const Words got = read(out);
  for (std::uint32_t i = 0; i < words.size(); ++i)
    ASSERT_EQ(got[i], words[i] + (i % (kPage / 4) == 0 ? 0x1530 : 0)) << i;
}

TEST_F(KernelNamesTest, OnComputeCores) {
  const auto out = tensor(Words(3 * kPage / 4, 0xABCD));
  Program program = CreateProgram();
  for (std::uint8_t buffer = 0; buffer < 3; ++buffer) add_buffer(program, buffer);
  const auto compute = CreateKernel(
      program, source("compute", R"(
#include "api/compute/common.h"
#include "experimental/kernel_args.h"
void kernel_main() {
  DataflowBuffer out(dfb::out), words(dfb::words);
  words.wait_front(1);
  // UNPACK reads a word, and each core uses it with its place.
  const uint32_t word = words.read_tile_value(0, get_arg(args::place));
  const uint32_t place = words.get_tile_address(0);
  out.reserve_back(1);
#if defined(TRISC_PACK)
  auto* to = reinterpret_cast<volatile uint32_t*>(out.get_write_ptr() << 4);
  to[0] = word + get_vararg(0);
  to[1] = out.get_entry_size();
  to[2] = *reinterpret_cast<volatile uint32_t*>(place + 8);
#endif
  out.push_back(1);
  words.pop_front(1);
}
)"),
      kCore,
      ComputeConfig{.names = {.runtime_args = {"place"}, .buffers = {{"words", 0}, {"out", 1}}}});
  SetRuntimeArgs(program, compute, kCore, {17, 5});
  Words compile;
  TensorAccessorArgs(*out).append_to(compile);
  const auto mover = CreateKernel(program, source("mover", R"(
#include "api/dataflow/circular_buffer.h"
void kernel_main() {
  const TensorAccessor out(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  CircularBuffer words(0), result(1), zeros(2);
  Noc noc;
  words.reserve_back(1);
  auto* to = reinterpret_cast<volatile uint32_t*>(words.get_write_ptr());
  for (uint32_t i = 0; i < 512; ++i) to[i] = 1000 + i;
  words.push_back(1);
  result.wait_front(1);
  noc.async_write(result, out, 16, {}, {.page_id = 0});
  // Part of a page in L1, then the whole page, then from there to part of a page in DRAM.
  zeros.reserve_back(1);
  to = reinterpret_cast<volatile uint32_t*>(zeros.get_write_ptr());
  for (uint32_t i = 0; i < 512; ++i) to[i] = i;
  noc.async_write_zeros(zeros, 1200, {.offset_bytes = 16});
  noc.write_zeros_l1_barrier();
  noc.async_write(use<CircularBuffer::AddrSelector::WRITE_PTR>(zeros), out, 2048, {},
                  {.page_id = 1});
  noc.async_write_barrier();
  noc.async_write_zeros(zeros, 2048);
  noc.write_zeros_l1_barrier();
  zeros.push_back(1);
  noc.async_write_zeros(out, 1024, {.page_id = 2, .offset_bytes = 32}, zeros);
  noc.write_zeros_dram_barrier();
  result.pop_front(1);
}
)"),
                                  kCore, DataMovementConfig{.compile_args = compile});
  SetRuntimeArgs(program, mover, kCore, {address(out)});
  mesh_->run(0, program);
  const Words got = read(out);
  EXPECT_EQ(got[0], 1017u + 5);
  EXPECT_EQ(got[1], kPage);
  EXPECT_EQ(got[2], 1002u);
  EXPECT_EQ(got[4], 0xABCDu);
  for (std::uint32_t i = 0; i < 512; ++i) EXPECT_EQ(got[512 + i], i >= 4 && i < 304 ? 0 : i) << i;
  for (std::uint32_t i = 0; i < 512; ++i)
    EXPECT_EQ(got[1024 + i], i >= 8 && i < 264 ? 0u : 0xABCDu) << i;
}

// The entry is a function. Its template parameters are compile-time arguments, its parameters
// run-time arguments of one core or of all cores.
TEST_F(KernelNamesTest, ParametersOfTheEntry) {
  const auto out = tensor(Words(kPage / 4));
  Program program = CreateProgram();
  const std::string path = source("entry", R"(
#include "api/dataflow/dataflow_api.h"
#include "experimental/kernel_args.h"
// TT_KERNEL void not_this(uint32_t one);
namespace { uint32_t twice(uint32_t x) { return 2 * x; } }
template <uint32_t count /* words */, uint32_t step>
TT_KERNEL void writer(uint32_t first, [[maybe_unused]] uint32_t unused,
                      const uint32_t scale) {
  static_assert(count == 5 && step == 3);
  static_assert(decltype(tensor::out)::cta_offset == 0);
  const uint32_t base = get_common_arg_val<uint32_t>(decltype(tensor::out)::addr_crta_offset / 4);
  TensorAccessor out(decltype(tensor::out)::args, base, 2048);
  Scratchpad<volatile uint32_t> words(scratch::words);
  ASSERT(words.size() == count + 3 && words.size_in_bytes() == 4 * words.size());
  for (uint32_t i = 0; i < count; ++i) words[i] = twice(first + i * step) * scale;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += words.begin()[i];
  Noc noc;
  noc.async_write(words, out, 4 * count, {}, {.page_id = 0});
  noc.async_write(words, out, 4, {.offset_bytes = 16}, {.page_id = 0, .offset_bytes = 64});
  noc.async_write_barrier();
  words[4] = sum ^ get_common_vararg(0);
  noc.async_write(words, out, 4, {.offset_bytes = 16}, {.page_id = 0, .offset_bytes = 128});
  noc.async_write_barrier();
}
)");
  Words compile;
  TensorAccessorArgs(*out).append_to(compile);
  DataMovementConfig config{.compile_args = compile,
                            .names = {.runtime_args = {"unused", "first"},
                                      .common_runtime_args = {"scale"},
                                      .compile_args = {{"count", 5}, {"step", 3}},
                                      .tensors = {{"out", 0}},
                                      .scratchpads = {{"words", 32}}}};
  const auto writer = CreateKernel(program, path, kCore, config);
  SetRuntimeArgs(program, writer, kCore, {99, 7});
  const auto l1 = MeshBuffer::create(
      *mesh_,
      InterleavedBufferConfig{.size = kPage, .page_size = kPage, .buffer_type = BufferType::L1});
  SetCommonRuntimeArgs(program, writer, {10, address(out), address(l1), 1});
  mesh_->run(0, program);
  const Words got = read(out);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(got[i], 20 * (7 + 3 * i)) << i;
  EXPECT_EQ(got[5], 0u);
  EXPECT_EQ(got[16], 20u * 19);
  EXPECT_EQ(got[32], 20u * (7 + 10 + 13 + 16 + 19) ^ 1);

  config.names.common_runtime_args = {"other"};
  Program wrong = CreateProgram();
  const auto unnamed = CreateKernel(wrong, path, kCore, config);
  SetRuntimeArgs(wrong, unnamed, kCore, {99, 7});
  SetCommonRuntimeArgs(wrong, unnamed, {10, address(out), address(l1)});
  const std::string said = refusal(wrong);
  EXPECT_NE(said.find("parameter scale of writer"), std::string::npos) << said;
  EXPECT_NE(said.find("entry.cpp"), std::string::npos) << said;
}

// Tiles of 16 x 32 in BF16: the properties that all cores get, the amount of data, and numbers of a
// tile by type.
TEST_F(KernelNamesTest, WhatABufferSaysOfItself) {
  constexpr std::uint32_t kTile = 1024;
  const auto out = tensor(Words(2 * kPage / 4));
  Program program = CreateProgram();
  for (std::uint8_t index = 0; index < 2; ++index) {
    CircularBufferConfig buffer(3 * kTile, {{index, DataFormat::Float16_b}});
    buffer.set_page_size(index, kTile);
    buffer.set_tile_dims(index, Tile{.height = 16, .width = 32});
    CreateCircularBuffer(program, kCore, buffer);
  }
  const auto compute = CreateKernel(program, source("says_compute", R"(
#include "api/compute/common.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/scratchpad.h"
void kernel_main() {
  DataflowBuffer in(0), out(1);
  static_assert(DataflowBuffer(0).get_tile_size() == 1024);
  in.wait_front(1);
  const uint16_t half = in.read_tile_value<uint16_t>(0, 5);
  const int8_t byte = in.read_tile_value<int8_t>(0, 6);
  const uint32_t word = in.read_tile_value<uint32_t>(0, 0);
  out.reserve_back(1);
  {
    [[maybe_unused]] auto lock = out.scoped_write_lock();
    [[maybe_unused]] auto to = lock.get_ptr<volatile uint32_t>();
#if defined(TRISC_PACK)
    to[0] = half;
    to[1] = static_cast<uint32_t>(byte);
    to[2] = word;
    to[3] = out.get_total_size_bytes();
    to[4] = out.get_total_num_entries();
    to[5] = out.get_tile_hw();
    to[6] = static_cast<uint32_t>(out.get_pack_dst_format());
    Scratchpad<uint32_t> pad(scratch::pad);
    to[7] = pad.size();
#endif
  }
  out.push_back(1);
  in.pop_front(1);
}
)"),
                                    kCore, ComputeConfig{.names = {.scratchpads = {{"pad", 64}}}});
  SetCommonRuntimeArgs(program, compute, {0x1000});
  Words compile;
  TensorAccessorArgs(*out).append_to(compile);
  const auto mover = CreateKernel(program, source("says_mover", R"(
#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_buffer.h"
void kernel_main() {
  const TensorAccessor out(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  DataflowBuffer to(0), from(1);
  Noc noc;
  to.reserve_back(1);
  {
    auto lock = to.scoped_write_lock();
    auto words = lock.get_ptr<volatile uint32_t>();
    words[0] = 7;
    words[1] = 0xCAFE80AA;
    words[2] = 0xBEEF1234;
  }
  to.push_back(1);
  from.wait_front(1);
  noc.async_write(from, out, 64, {}, {.page_id = 0});
  noc.async_write_barrier();
  from.pop_front(1);
  to.reserve_back(2);
  CoreLocalMem<volatile uint32_t> says(to.get_write_ptr());
  says[0] = to.get_tile_r_dim() << 16 | to.get_tile_c_dim();
  says[1] = to.get_tile_num_faces() << 16 | to.get_face_r_dim();
  says[2] = to.get_num_faces_r_dim() << 16 | to.get_num_faces_c_dim();
  says[3] = to.get_total_size_bytes();
  says[4] = to.get_ring_span_num_entries() + to.get_local_num_entries();
  says[5] = to.get_local_size_bytes() - to.get_ring_span_bytes();
  says[6] = static_cast<uint32_t>(to.get_dataformat());
  const uint32_t before = to.get_write_ptr();
  to.evil_set_write_ptr(before + 512);
  says[7] = to.get_write_ptr() - before;
  to.evil_set_write_ptr(before);
  noc.async_write(CoreLocalMem<uint32_t>(before), out, 64, {}, {.page_id = 1});
  noc.async_write_barrier();
  to.finish();
}
)"),
                                  kCore, DataMovementConfig{.compile_args = compile});
  SetRuntimeArgs(program, mover, kCore, {address(out)});
  mesh_->run(0, program);
  const Words got = read(out);
  const auto bf16 = static_cast<std::uint32_t>(DataFormat::Float16_b);
  const Words compute_says{0xBEEF, 0xFFFFFFFE, 7, 3 * kTile, 3, 512, bf16, 16};
  const Words mover_says{16 << 16 | 32, 2 << 16 | 16, 1 << 16 | 2, 3 * kTile, 6, 0, bf16, 512};
  for (std::size_t i = 0; i < compute_says.size(); ++i) {
    EXPECT_EQ(got[i], compute_says[i]) << i;
    EXPECT_EQ(got[kPage / 4 + i], mover_says[i]) << i;
  }
}

// A semaphore's value goes to another semaphore on one core and on all cores of a rectangle. An
// iterator's pages are read in a scope of their own.
TEST_F(KernelNamesTest, RelaysAndPages) {
  constexpr std::uint32_t kPages = 3;
  const CoreCoord other{1, 0};
  const CoreRange both(kCore, other);
  const Words words = counting(kPages);
  const auto in = tensor(words);
  const auto out = tensor(Words(words.size()));
  Program program = CreateProgram();
  for (const CoreCoord core : {kCore, other}) {
    CircularBufferConfig config(2 * kPage, {{0, DataFormat::Float16_b}});
    CreateCircularBuffer(program, core, config.set_page_size(0, kPage));
  }
  const std::uint32_t from = CreateSemaphore(program, both, 7);
  const std::uint32_t one = CreateSemaphore(program, both, 0);
  const std::uint32_t all = CreateSemaphore(program, both, 0);
  const CoreCoord first = mesh_->device(0).worker_core_from_logical_core(kCore);
  const CoreCoord second = mesh_->device(0).worker_core_from_logical_core(other);
  CreateKernel(
      program, source("relays", R"(
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
void kernel_main() {
  Noc noc;
  Semaphore from(get_compile_time_arg_val(0));
  from.relay_unicast(noc, Semaphore(get_compile_time_arg_val(1)), get_compile_time_arg_val(5),
                     get_compile_time_arg_val(6));
  from.relay_multicast<NocOptions::MCAST_INCL_SRC>(
      noc, Semaphore(get_compile_time_arg_val(2)), get_compile_time_arg_val(3),
      get_compile_time_arg_val(4), get_compile_time_arg_val(5), get_compile_time_arg_val(6), 2);
  noc.async_write_barrier();
  Semaphore(get_compile_time_arg_val(2)).wait(7);
}
)"),
      kCore,
      DataMovementConfig{.compile_args = {from, one, all, first.x, first.y, second.x, second.y}});
  Words compile{one, all, kPages};
  TensorAccessorArgs(*in).append_to(compile);
  TensorAccessorArgs(*out).append_to(compile);
  const auto copies = CreateKernel(program, source("copies", R"(
#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/noc_semaphore.h"
#include "internal/hw_thread.h"
void kernel_main() {
  Semaphore(get_compile_time_arg_val(0)).wait(7);
  Semaphore(get_compile_time_arg_val(1)).wait(7);
  constexpr auto in_args = TensorAccessorArgs<3>();
  const TensorAccessor in(in_args, get_arg_val<uint32_t>(0));
  const TensorAccessor out(TensorAccessorArgs<in_args.next_compile_time_args_offset()>(),
                           get_arg_val<uint32_t>(1));
  CircularBuffer buffer(internal_::get_hw_thread_idx());
  Noc noc;
  auto to = out.pages(0, get_compile_time_arg_val(2)).begin();
  for (const auto& page : in.pages(0, get_compile_time_arg_val(2))) {
    auto lock = buffer.scoped_lock();
    buffer.reserve_back(1);
    noc.async_read(page, buffer, 2048 - 32, {.offset_bytes = 32}, {.offset_bytes = 0});
    noc.async_read_barrier();
    buffer.push_back(1);
    noc.async_write(buffer, *to++, 2048 - 32, {}, {.offset_bytes = 32});
    noc.async_write_barrier();
    buffer.pop_front(1);
  }
}
)"),
                                   other, DataMovementConfig{.compile_args = compile});
  SetRuntimeArgs(program, copies, other, {address(in), address(out)});
  mesh_->run(0, program);
  const Words got = read(out);
  for (std::uint32_t i = 0; i < words.size(); ++i)
    ASSERT_EQ(got[i], i % 512 < 8 ? 0 : words[i]) << i;
}

// Kernels of spring 2025 use compile-time arguments in #if, mostly through a macro.
TEST_F(KernelNamesTest, ArgumentsInConditions) {
  for (const std::uint32_t wide : {0U, 1U}) {
    const auto out = tensor(Words(512));
    Program program = CreateProgram();
    CircularBufferConfig config(kPage, {{0, DataFormat::Float16_b}});
    CreateCircularBuffer(program, kCore, config.set_page_size(0, kPage));
    Words compile{7, wide};
    TensorAccessorArgs(*out).append_to(compile);
    const auto kernel = CreateKernel(program, source("conditions", R"(
#include "hostdevcommon/common_runtime_address_map.h"
#include "dataflow_api.h"
#define wide get_compile_time_arg_val(1) == 1
#if (wide)
constexpr uint32_t kWidth = 32;
#else
constexpr uint32_t kWidth = 16;
#endif
#if get_compile_time_arg_val(0) > 6 && !(wide)
constexpr uint32_t kBoth = 1;
#else
constexpr uint32_t kBoth = 2;
#endif
void kernel_main() {
  const TensorAccessor to(TensorAccessorArgs<2>(), get_arg_val<uint32_t>(0));
  volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
  words[0] = kWidth + get_compile_time_arg_val(0);
  words[1] = kBoth;
  words[2] = L1_KERNEL_CONFIG_SIZE > 0 &&
             get_arg_addr(0) >= L1_KERNEL_CONFIG_BASE &&
             get_arg_addr(0) < L1_KERNEL_CONFIG_BASE + L1_KERNEL_CONFIG_SIZE;
  noc_async_write_tile(0, to, get_write_ptr(0));
  noc_async_write_barrier();
}
)"),
                                     kCore, DataMovementConfig{.compile_args = compile});
    SetRuntimeArgs(program, kernel, kCore, {address(out)});
    mesh_->run(0, program);
    const Words got = read(out);
    EXPECT_EQ(got[0], (wide ? 32U : 16U) + 7);
    EXPECT_EQ(got[1], wide ? 2U : 1U);
    EXPECT_EQ(got[2], 1U);
  }
}

static_assert(fp32_to_bf16(1.00390625F) == 0x3F80 && fp32_to_bf16(1.01171875F) == 0x3F82 &&
              fp32_to_bf16(-3.4e38F) == 0xFF80 && fp32_to_bf16(1.005F) == 0x3F81 &&
              fp32_to_bf16(__builtin_nanf("1")) == 0x7FC0);

/// The kernels include no operation's header.
TEST_F(KernelNamesTest, ThatWaitForACoresCoprocessor) {
  const auto result =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = 16});
  Program program = CreateProgram();
  const auto kernel = CreateKernel(program, source("core_sync", R"(
#include "api/compute/common.h"
void kernel_main() {
  constexpr uint32_t kPushed = 24;
  const auto cycles_of = [](auto wait) {
    const uint32_t begin = get_timestamp_32b();
    for (uint32_t i = 0; i < kPushed; ++i) TTI_ADDDMAREG(0, 60, 60, 60);
    wait();
    return get_timestamp_32b() - begin;
  };
  MATH({
    auto* to = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
    ckernel::tensix_sync();
    cycles_of([] {});  // loads its code into the instruction cache
    ckernel::tensix_sync();
    to[0] = cycles_of([] {});
    ckernel::tensix_sync();
    to[1] = cycles_of([] { ckernel::mop_sync(); });
    ckernel::tensix_sync();
    to[2] = cycles_of([] { ckernel::tensix_sync(); });
  })
}
)"),
                                   kCore, ComputeConfig{});
  SetRuntimeArgs(program, kernel, kCore, {address(result)});
  mesh_->run(0, program);
  const Words cycles = read(result);
  // An ADDDMAREG takes the scalar unit three cycles (ISA ADDDMAREG.md). More wait than are pushed.
  EXPECT_GE(cycles[2], 3 * 24U);
  EXPECT_GT(cycles[2], cycles[0]);
  EXPECT_LE(cycles[1], cycles[2]);
}

TEST_F(KernelNamesTest, AreCheckedByTheHost) {
  const auto complaint = [](const KernelNames& names) -> std::string {
    return tvp::test::fault_of([&] { names.header("kernel.cpp"); }, {}, "");
  };
  EXPECT_EQ(complaint({.runtime_args = {"a", "b_2"}, .compile_args = {{"c", 1}}}), "");
  EXPECT_NE(complaint({.runtime_args = {"a b"}}).find("args::a b"), std::string::npos);
  EXPECT_NE(complaint({.buffers = {{"2in", 1}}}).find("dfb::2in"), std::string::npos);
  EXPECT_NE(complaint({.runtime_args = {"n"}, .compile_args = {{"n", 1}}}).find("twice"),
            std::string::npos);
}

}  // namespace
}  // namespace tvp::runtime
