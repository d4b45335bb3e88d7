#include "sw/workloads/prefetcher/elementwise_programs.h"

#include <algorithm>

#include "firmware/kernels/prefetcher/arguments.h"

namespace tvp::workloads::prefetcher {

using namespace tvp::runtime;
namespace kernel = kernels::prefetcher;

namespace {

constexpr std::uint32_t kResultTile = 2048;  ///< bytes, bfloat16
constexpr std::uint32_t kMostBuffered = 32;  ///< tiles of results in L1
constexpr std::uint32_t kLentBlocks = 2;     ///< blocks that the compute cores know of

}  // namespace

ElementwisePrograms::ElementwisePrograms(MeshDevice& mesh, const PrefetchPlan& plan,
                                         const std::vector<Sender>& senders, const Tensors& tensors,
                                         const Options& options)
    : RingPrograms(mesh, plan, senders, tensors, options) {
  for (const Part& part : plan.parts()) page_ += std::uint64_t{plan.core_tiles(part)} * kResultTile;
  page_ *= options.layers;
  results_ = MeshBuffer::create(mesh, InterleavedBufferConfig{.size = page_ * plan.ring().cores(),
                                                              .page_size = page_,
                                                              .buffer_type = BufferType::DRAM});
  if (options.consumer != kernel::kElementwiseChain) return;
  activation_ = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = receiver_cores_,
                                .shard_bytes = plan.largest_block_tiles() * kResultTile});
  for (const RingCore& core : ring_)
    activation_->write_shard(0, core.core, tensors.resident_tiles(slice_of(core)));
}

void ElementwisePrograms::add_buffers(Program& program) const {
  const auto add = [&](std::uint8_t index, std::uint32_t page, std::uint32_t pages,
                       const MeshBuffer* memory) {
    CircularBufferConfig cb(pages * page, {{index, DataFormat::Float16_b}});
    cb.set_page_size(index, page);
    if (memory != nullptr) cb.set_globally_allocated_address(*memory);
    CreateCircularBuffer(program, receiver_cores_, cb);
  };
  const std::uint32_t block = plan_.largest_block_tiles();
  if (activation_) add(kernel::kActivation, kResultTile, block, activation_.get());
  add(kernel::kReady, 16, kLentBlocks, nullptr);
  add(kernel::kDone, 16, kLentBlocks, nullptr);
  add(kernel::kOutput, kResultTile, std::min(2 * block, kMostBuffered), nullptr);
  add_weights_views(program);
  CircularBufferConfig remote(buffer_->size());
  remote.remote_index(kernel::kRemote).set_page_size(16);
  experimental::CreateCircularBuffer(program, receiver_cores_, remote, *buffer_);
}

std::vector<std::uint32_t> ElementwisePrograms::elementwise_args(const RingCore& core) const {
  const std::uint32_t banks = mesh_.device(0).layout().dram_banks();
  const std::uint32_t slice = slice_of(core);
  const CoreCoord sender =
      mesh_.device(0).worker_core_from_logical_core(senders_[core.sender].core);
  const std::uint64_t address = results_->address() + slice / banks * results_->aligned_page_size();
  std::vector<std::uint32_t> args(kernel::kElementwiseArguments);
  args[kernel::kResultsBank] = slice % banks;
  args[kernel::kElementwisePlace] = core.place_in_row;
  args[kernel::kResultsAddress] = static_cast<std::uint32_t>(address);
  args[kernel::kSenderX] = sender.x;
  args[kernel::kSenderY] = sender.y;
  args[kernel::kSenderControl] = control();
  args[kernel::kElementwiseStats] = stats_address();
  args[kernel::kPauseScratch] = control();
  return args;
}

Program ElementwisePrograms::receiver_program() const {
  Program program = CreateProgram();
  add_buffers(program);
  DataMovementConfig writes;
  writes.processor = DataMovementProcessor::RISCV_1;
  writes.noc = NOC::NOC_1;
  writes.compile_args = switches();
  DataMovementConfig waits = writes;
  waits.processor = DataMovementProcessor::RISCV_0;
  waits.noc = NOC::NOC_0;
  ComputeConfig computes;
  computes.math_fidelity = options_.fidelity;
  computes.fp32_dest_acc_en = true;
  computes.compile_args = switches();
  const KernelHandle kernels[] = {
      CreateKernel(program, "firmware/kernels/prefetcher/results.cpp", receiver_cores_, writes),
      CreateKernel(program, "firmware/kernels/prefetcher/weights.cpp", receiver_cores_, waits),
      CreateKernel(program, "firmware/kernels/prefetcher/elementwise.cpp", receiver_cores_,
                   computes)};
  for (const KernelHandle handle : kernels) {
    SetCommonRuntimeArgs(program, handle, common_args());
    for (const RingCore& core : ring_)
      SetRuntimeArgs(program, handle, core.core, elementwise_args(core));
  }
  return program;
}

std::uint64_t ElementwisePrograms::result_offset(const RingCore& core, std::uint32_t layer,
                                                 std::uint32_t part) const {
  std::uint64_t before = 0;
  for (std::uint32_t p = 0; p < part; ++p)
    before += std::uint64_t{plan_.core_tiles(plan_.parts()[p])} * kResultTile;
  return slice_of(core) * page_ + layer * (page_ / options_.layers) + before;
}

std::span<const std::uint8_t> ElementwisePrograms::results(const RingCore& core,
                                                           std::uint32_t layer,
                                                           std::uint32_t part) {
  if (content_.empty()) content_ = results_->read(0);
  return std::span<const std::uint8_t>(content_).subspan(
      result_offset(core, layer, part),
      std::size_t{plan_.core_tiles(plan_.parts()[part])} * kResultTile);
}

std::string ElementwisePrograms::results_origin(const RingCore& core, std::uint32_t layer,
                                                std::uint32_t part) const {
  return results_->origin(0, result_offset(core, layer, part));
}

}  // namespace tvp::workloads::prefetcher
