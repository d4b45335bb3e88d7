// Tensors that a kernel gets by name: the part in a core's own L1, on data-movement and compute
// cores, and several tensors as one sequence.

#include <gtest/gtest.h>

#include <array>

#include "foundation/fault.h"
#include "sw/runtime/host_api.h"
#include "tests/system/api/names_bench.h"

namespace tvp::runtime {
namespace {

class TensorNames : public test::NamesBench {
 protected:
  std::shared_ptr<MeshBuffer> pages(std::uint32_t count) {
    return tensor(Words(count * kPage / 4));
  }
};

TEST_F(TensorNames, TheLocalPartOfATensor) {
  const auto shard =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = kPage});
  shard->write_shard(0, kCore, bytes_of(counting()));
  const auto out = pages(2);
  Program program = CreateProgram();
  CircularBufferConfig buffer(2 * kPage, {{0, DataFormat::Float16_b}});
  CreateCircularBuffer(program, kCore, buffer.set_page_size(0, kPage));
  Words compile;
  TensorAccessorArgs(*shard).append_to(compile);
  const auto compute = CreateKernel(
      program, source("local_compute", R"(
#include "api/compute/common.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/tensor/local_tensor_accessor.h"
void kernel_main() {
  LocalTensorAccessor<volatile uint32_t> lut(tensor::lut);
  DataflowBuffer result(0);
  result.reserve_back(1);
#if defined(TRISC_PACK)
  auto* to = reinterpret_cast<volatile uint32_t*>(result.get_write_ptr() << 4);
  to[0] = lut[17] + lut.local_mem()[1];
#endif
  result.push_back(1);
}
)"),
      kCore, ComputeConfig{.compile_args = compile, .names = {.tensors = {{"lut", 0}}}});
  SetCommonRuntimeArgs(program, compute, {address(shard)});
  const auto second = static_cast<std::uint32_t>(compile.size());
  TensorAccessorArgs(*out).append_to(compile);
  const KernelNames names{.tensors = {{"lut", 0}, {"out", second}}};
  const auto mover =
      CreateKernel(program, source("local_mover", R"(
#include "api/dataflow/dataflow_buffer.h"
#include "api/dataflow/noc.h"
#include "api/tensor/local_tensor_accessor.h"
void kernel_main() {
  LocalTensorAccessor<volatile uint32_t> lut(tensor::lut);
  const TensorAccessor out(tensor::out);
  auto all = make_local_tensor_accessors<uint32_t>(std::make_tuple(tensor::lut));
  DataflowBuffer result(0);
  Noc noc;
  result.wait_front(1);
  noc.async_write(result, out, 64, {}, {.page_id = 1});
  noc.async_write_barrier();
  result.pop_front(1);
  lut[5] = lut[2] + all[0][4] + (lut.get_bank_base_address() == get_common_arg_val<uint32_t>(0));
  noc.async_write(lut, out, 64, {.offset_bytes = 16}, {.page_id = 0});
  noc.async_write_barrier();
}
)"),
                   kCore, DataMovementConfig{.compile_args = compile, .names = names});
  SetCommonRuntimeArgs(program, mover, {address(shard), address(out)});
  mesh_->run(0, program);
  const Words got = read(out);
  EXPECT_EQ(got[0], 19u);
  EXPECT_EQ(got[1], 13u + 19 + 1);
  EXPECT_EQ(got[2], 25u);
  EXPECT_EQ(got[kPage / 4], 58u + 10);

  Program wrong = CreateProgram();
  const auto in_dram =
      CreateKernel(wrong, source("local_dram", R"(
#include "api/tensor/local_tensor_accessor.h"
void kernel_main() { LocalTensorAccessor<volatile uint32_t>(tensor::out)[0] = 1; }
)"),
                   kCore, DataMovementConfig{.compile_args = compile, .names = names});
  SetCommonRuntimeArgs(wrong, in_dram, {address(shard), address(out)});
  const std::string said = refusal(wrong);
  EXPECT_NE(said.find("the tensor is in DRAM"), std::string::npos) << said;
}

// Three tensors with one name: each has its own accessor, and a number selects one.
TEST_F(TensorNames, SeveralTensorsAsASequence) {
  const std::array tensors{pages(1), pages(1), pages(2)};
  Program program = CreateProgram();
  CircularBufferConfig buffer(kPage, {{0, DataFormat::Float16_b}});
  CreateCircularBuffer(program, kCore, buffer.set_page_size(0, kPage));
  Words compile, common;
  KernelNames names;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    names.tensors.emplace_back("out" + std::to_string(i), compile.size());
    TensorAccessorArgs(*tensors[i]).append_to(compile);
    common.push_back(address(tensors[i]));
  }
  names.tensor_sequences = {{"outputs", {"out2", "out0", "out1"}}};
  const std::string path = source("sequence", R"(
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"
void kernel_main() {
  auto accessors = make_tensor_accessors(tensor::outputs);
  auto any = make_abstract_tensor_accessor_wrappers(accessors);
  static_assert(std::tuple_size_v<decltype(accessors)> == 3);
  auto* words = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
  for (uint32_t i = 0; i < 3; ++i) {
    words[0] = 100 + i;
    noc_async_write(get_write_ptr(0), any[i].get_noc_addr(0), 16);
    noc_async_write_barrier();
  }
  words[0] = 200;
  noc_async_write_page(1, std::get<0>(accessors), get_write_ptr(0));
  noc_async_write_barrier();
}
)");
  const auto kernel = CreateKernel(program, path, kCore,
                                   DataMovementConfig{.compile_args = compile, .names = names});
  SetCommonRuntimeArgs(program, kernel, common);
  mesh_->run(0, program);
  EXPECT_EQ(read(tensors[2])[0], 100u);
  EXPECT_EQ(read(tensors[0])[0], 101u);
  EXPECT_EQ(read(tensors[1])[0], 102u);
  EXPECT_EQ(read(tensors[2])[kPage / 4], 200u);

  names.tensor_sequences = {{"outputs", {"out0", "other"}}};
  Program wrong = CreateProgram();
  const auto unnamed =
      CreateKernel(wrong, path, kCore, DataMovementConfig{.compile_args = compile, .names = names});
  SetCommonRuntimeArgs(wrong, unnamed, common);
  const std::string said = refusal(wrong);
  EXPECT_NE(said.find("tensor::other in tensor::outputs"), std::string::npos) << said;
}

// A kernel queries whether the host gives it an optional name.
TEST_F(TensorNames, NamesThatTheHostMayNotGive) {
  const auto out = pages(1);
  Program program = CreateProgram();
  CircularBufferConfig buffer(kPage, {{0, DataFormat::Float16_b}});
  CreateCircularBuffer(program, kCore, buffer.set_page_size(0, kPage));
  Words compile;
  TensorAccessorArgs(*out).append_to(compile);
  const KernelNames names{.buffers = {{"words", 0}}, .tensors = {{"out", 0}}};
  const auto kernel =
      CreateKernel(program, source("optional", R"(
#include "api/dataflow/dataflow_buffer.h"
#include "api/dataflow/noc.h"
#include "api/scratchpad.h"
#include "api/tensor/noc_traits.h"
static_assert(dfb::get_token_if_present<"words">() == &dfb::words);
static_assert(dfb::get_token_if_present<"word">() == nullptr);
static_assert(tensor::get_token_if_present<"out">() == &tensor::out);
static_assert(tensor::get_token_if_present<"in">() == nullptr);
static_assert(scratch::get_token_if_present<"pad">() == nullptr);
static_assert(sem::get_token_if_present<"done">() == nullptr);
void kernel_main() {
  DataflowBuffer words(*dfb::get_token_if_present<"words">());
  const auto out = TensorAccessor(*tensor::get_token_if_present<"out">());
  Noc noc;
  CoreLocalMem<volatile uint32_t> to(words.get_write_ptr());
  to[0] = 11;
  if constexpr (tensor::get_token_if_present<"in">() != nullptr) {
    const auto in = TensorAccessor(*tensor::get_token_if_present<"in">());
    noc.async_read(in, words, 64, {.page_id = 0}, {});
  }
  if constexpr (scratch::get_token_if_present<"pad">() != nullptr)
    to[0] = Scratchpad<uint32_t>(*scratch::get_token_if_present<"pad">())[0];
  if constexpr (dfb::get_token_if_present<"more">() != nullptr)
    to[0] = DataflowBuffer(*dfb::get_token_if_present<"more">()).get_entry_size();
  noc.async_write(to, out, 64, {}, {.page_id = 0});
  noc.async_write_barrier();
}
)"),
                   kCore, DataMovementConfig{.compile_args = compile, .names = names});
  SetCommonRuntimeArgs(program, kernel, {address(out)});
  mesh_->run(0, program);
  EXPECT_EQ(read(out)[0], 11u);

  Program wrong = CreateProgram();
  const auto reaches =
      CreateKernel(wrong, source("reaches", R"(
void kernel_main() {
  const auto in = TensorAccessor(*tensor::get_token_if_present<"in">());
  noc_async_read(in.get_noc_addr(0), get_write_ptr(0), 64);
}
)"),
                   kCore, DataMovementConfig{.compile_args = compile, .names = names});
  SetCommonRuntimeArgs(wrong, reaches, {address(out)});
  const std::string said = refusal(wrong);
  EXPECT_NE(said.find("a name that the host does not give it"), std::string::npos) << said;
}

}  // namespace
}  // namespace tvp::runtime
