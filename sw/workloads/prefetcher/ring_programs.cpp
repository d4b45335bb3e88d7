#include "sw/workloads/prefetcher/ring_programs.h"

#include <cstring>

#include "firmware/kernels/prefetcher/arguments.h"
#include "foundation/contract/memory_map.h"
#include "foundation/contract/prefetcher_control.h"
#include "foundation/fault.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/reads_times.h"

namespace tvp::workloads::prefetcher {

using namespace tvp::runtime;
namespace kernel = kernels::prefetcher;

namespace {

constexpr DataFormat kFormats[] = {DataFormat::Bfp4_b, DataFormat::Bfp8_b, DataFormat::Float16_b};
constexpr std::uint32_t kActivationTile = 2048;
constexpr std::uint32_t kControlBytes = sizeof(contract::PrefetcherControl);

std::uint32_t format_index(DataFormat format) {
  return format == kFormats[0] ? 0 : format == kFormats[1] ? 1 : 2;
}

std::string source_of(const char* name) {
  return std::string("firmware/kernels/prefetcher/") + name + ".cpp";
}

std::vector<CoreCoord> taken_by(const std::vector<Sender>& senders) {
  std::vector<CoreCoord> cores;
  for (const Sender& sender : senders) {
    cores.push_back(sender.core);
    cores.insert(cores.end(), sender.receivers.begin(), sender.receivers.end());
  }
  return cores;
}

/// Allocates in L1 with `make`. If L1 is full, the error names the key that determines the size.
template <typename Make>
auto fitted(const std::string& key, const std::string& what, Make make) {
  try {
    return make();
  } catch (const foundation::Fault& fault) {
    bad_use("prefetcher." + key,
            "asks for too much: " + what + " do not fit (" + std::string(fault.what()) + ")");
  }
}

std::shared_ptr<MeshBuffer> shards(MeshDevice& mesh, const CoreRangeSet& cores, std::uint32_t bytes,
                                   const std::string& key, const std::string& what) {
  return fitted(key, what, [&] {
    return MeshBuffer::create(mesh, ShardedBufferConfig{.cores = cores, .shard_bytes = bytes});
  });
}

std::span<const std::uint8_t> bytes_of(const std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4};
}

}  // namespace

RingPrograms::RingPrograms(MeshDevice& mesh, const PrefetchPlan& plan,
                           const std::vector<Sender>& senders, const Tensors& tensors,
                           const Options& options)
    : mesh_(mesh),
      plan_(plan),
      senders_(senders),
      options_(options),
      ring_(ring_of(senders)),
      hops_(mesh.device(0).layout(), ring_, taken_by(senders), options.hop_cores) {
  std::vector<CoreCoord> from, to;
  for (const Sender& sender : senders) from.push_back(sender.core);
  for (const RingCore& core : ring_) to.push_back(core.core);
  sender_cores_ = CoreRangeSet(from);
  receiver_cores_ = CoreRangeSet(to);
  const std::vector<CoreCoord> hops = hops_.cores();
  to.insert(to.end(), hops.begin(), hops.end());
  activation_cores_ = CoreRangeSet(to);
  make_buffers(tensors);
}

void RingPrograms::check_results_fit(MeshDevice& mesh, const PrefetchPlan& plan,
                                     const std::vector<Sender>& senders, const Options& options) {
  std::vector<CoreCoord> cores;
  for (const RingCore& core : ring_of(senders)) cores.push_back(core.core);
  shards(mesh, CoreRangeSet(cores), options.layers * plan.output_tiles() * kActivationTile,
         "layers", "the results of all layers");
}

void RingPrograms::make_buffers(const Tensors& tensors) {
  const std::vector<std::uint32_t> addresses = tensors.addresses();
  const auto& all = options_.direct ? receiver_cores_ : sender_cores_;
  addresses_ = MeshBuffer::create(
      mesh_, ShardedBufferConfig{.cores = all,
                                 .shard_bytes = static_cast<std::uint32_t>(4 * addresses.size())});
  for (const CoreCoord core : all.cores()) addresses_->write_shard(0, core, bytes_of(addresses));
  if (options_.consumer == kernel::kMatmul) make_ring_buffers(tensors);
  make_stats(static_cast<std::uint32_t>(2 * addresses.size()));

  if (options_.direct) {
    direct_memory_ = shards(mesh_, receiver_cores_, 2 * plan_.largest_block_bytes(), "tensor_kib",
                            "two blocks of the largest tensor");
    return;
  }
  GlobalCircularBuffer::Mapping mapping;
  for (const Sender& sender : senders_)
    mapping.emplace_back(sender.core, CoreRangeSet(sender.receivers));
  // Compact tensors may leave almost a block free before the end.
  const std::uint32_t spare = options_.compact ? plan_.largest_block_bytes() : 0;
  buffer_ = fitted("depth", std::to_string(options_.depth) + " tensors of the largest size", [&] {
    return std::make_unique<GlobalCircularBuffer>(
        mesh_, std::move(mapping), options_.depth * plan_.largest_core_bytes() + spare);
  });
}

void RingPrograms::make_ring_buffers(const Tensors& tensors) {
  activation_ = shards(mesh_, receiver_cores_, plan_.shard_tiles() * kActivationTile, "rows",
                       "the rows of the activation");
  for (std::uint32_t place = 0; place < ring_.size(); ++place)
    activation_->write_shard(0, ring_[place].core, tensors.activation_shard(place));
  outputs_ =
      shards(mesh_, receiver_cores_, options_.layers * plan_.output_tiles() * kActivationTile,
             "layers", "the results of all layers");

  if (options_.bias) {
    bias_ =
        shards(mesh_, receiver_cores_, options_.layers * plan_.output_columns() * kActivationTile,
               "layers", "the biases of all layers");
    for (const RingCore& core : ring_)
      bias_->write_shard(0, core.core, tensors.bias_tiles(tensors.slice_of(core)));
  }
}

void RingPrograms::make_stats(std::uint32_t tensor_words) {
  std::vector<CoreCoord> cores = sender_cores_.cores();
  for (const RingCore& core : ring_) cores.push_back(core.core);
  const std::uint32_t words =
      kernel::kSenderStats_ + options_.pausable + kernel::kTensorStats + tensor_words;
  stats_ = MeshBuffer::create(
      mesh_, ShardedBufferConfig{.cores = CoreRangeSet(cores),
                                 .shard_bytes = kControlBytes + (4 * words + 15) / 16 * 16});
  stats_->write(0, std::vector<std::uint8_t>(stats_->size()));
}

/// The launch places circular buffers below these.
void RingPrograms::check_room_for_shards() const {
  std::uint32_t end = address_of(activation_);
  for (const auto& memory : {outputs_, bias_, direct_memory_, stats_, addresses_})
    if (memory) end = std::min(end, address_of(memory));
  if (buffer_) end = std::min(end, std::min(buffer_->buffer_address(), buffer_->config_address()));
  constexpr std::uint32_t kSmallBuffers = 128;
  const std::uint32_t gathered = options_.gathered_shards * plan_.shard_tiles() * kActivationTile;
  const std::uint32_t free = end - contract::kL1UnreservedBase;
  if (end >= contract::kL1UnreservedBase && gathered + kSmallBuffers <= free) return;
  bad_use("prefetcher.gather_kib",
          "asks for too much: " + std::to_string(gathered) +
              " bytes of shards do not fit into the " + std::to_string(free) + " that " +
              (buffer_ ? "a global circular buffer of " + std::to_string(buffer_->size()) +
                             " bytes (prefetcher.depth) and results leave"
                       : "results leave"));
}

std::uint32_t RingPrograms::control() const { return address_of(stats_); }

std::uint32_t RingPrograms::stats_address() const { return control() + kControlBytes; }

std::vector<std::uint32_t> RingPrograms::switches() const {
  return {options_.performance_mode, options_.write_ids, options_.stream_credits, options_.compact,
          options_.pausable,         options_.direct,    options_.bias,           options_.function,
          options_.local_pops,       options_.consumer,  options_.consumer_pauses};
}

std::vector<std::uint32_t> RingPrograms::common_args() const {
  std::vector<std::uint32_t> args{
      options_.layers,      static_cast<std::uint32_t>(plan_.parts().size()),
      plan_.ring().cores(), plan_.ring().receivers,
      plan_.shard_tiles(),  options_.gathered_shards,
      options_.places,      plan_.ring().row_tiles};
  for (const Part& part : plan_.parts())
    args.insert(args.end(),
                {format_index(part.format), part.block_rows, part.width, part.tile_bytes,
                 part.page_bytes, part.pages, part.packet_bytes, part.packets});
  return args;
}

Program RingPrograms::sender_program() const {
  Program program = CreateProgram();
  if (options_.direct) return program;
  // Blocks in transit are in the sender's own part of the global buffer, which no other core
  // writes.
  const std::uint32_t block = plan_.largest_block_bytes() * plan_.ring().receivers;
  if (options_.places * block > buffer_->size())
    bad_use("prefetcher.places", std::to_string(options_.places) + " blocks of " +
                                     std::to_string(block) +
                                     " bytes do not fit into the global circular buffer of " +
                                     std::to_string(buffer_->size()));
  CircularBufferConfig blocks(options_.places * block, {{kernel::kBlocks, DataFormat::Float16_b}});
  blocks.set_page_size(kernel::kBlocks, block);
  blocks.set_globally_allocated_address(buffer_->cb_buffer());
  CreateCircularBuffer(program, sender_cores_, blocks);
  CircularBufferConfig remote(buffer_->size());
  // Units of credit: the launch skips no bytes, and the kernel sets the size of its pages.
  remote.remote_index(kernel::kRemote).set_page_size(16);
  experimental::CreateCircularBuffer(program, sender_cores_, remote, *buffer_);

  DataMovementConfig reads;
  reads.processor = DataMovementProcessor::RISCV_1;
  reads.noc = NOC::NOC_0;
  reads.compile_args = switches();
  DataMovementConfig writes = reads;
  writes.processor = DataMovementProcessor::RISCV_0;
  writes.noc = options_.write_noc;
  const KernelHandle kernels[] = {
      CreateKernel(program, source_of("reader"), sender_cores_, reads),
      CreateKernel(program, source_of("writer"), sender_cores_, writes)};
  for (const KernelHandle handle : kernels) {
    SetCommonRuntimeArgs(program, handle, common_args());
    for (const Sender& sender : senders_)
      SetRuntimeArgs(
          program, handle, sender.core,
          {sender.bank, sender.channel, address_of(addresses_), stats_address(), control()});
  }
  return program;
}

/// The unpackers read weights of each format through a separate buffer, whose pointer they set.
void RingPrograms::add_weights_views(Program& program) const {
  const MeshBuffer& memory = options_.direct ? *direct_memory_ : buffer_->cb_buffer();
  for (std::uint8_t i = 0; i < kernel::kFormats; ++i) {
    const auto index = static_cast<std::uint8_t>(kernel::kWeights + i);
    const std::uint32_t tile = Tile{}.bytes(kFormats[i]);
    CircularBufferConfig view(tile, {{index, kFormats[i]}});
    view.set_page_size(index, tile);
    view.set_address(static_cast<std::uint32_t>(memory.address()));
    CreateCircularBuffer(program, receiver_cores_, view);
  }
}

/// A core takes blocks i, i + 1, …, so it needs the shards in that order, and they travel
/// backwards.
CoreCoord RingPrograms::stop_behind(std::uint32_t place, std::uint32_t hop) const {
  const std::vector<CoreCoord>& hops = hops_.behind(place);
  const auto count = static_cast<std::uint32_t>(ring_.size());
  const CoreCoord core = hop < hops.size() ? hops[hop] : ring_[(place + count - 1) % count].core;
  return mesh_.device(0).worker_core_from_logical_core(core);
}

std::vector<std::uint32_t> RingPrograms::hop_args(std::uint32_t place, std::uint32_t hop) const {
  const CoreCoord next = stop_behind(place, hop + 1);
  const CoreCoord previous = hop == 0
                                 ? mesh_.device(0).worker_core_from_logical_core(ring_[place].core)
                                 : stop_behind(place, hop - 1);
  std::vector<std::uint32_t> args(kernel::kReceiverArguments);
  args[kernel::kNextX] = next.x;
  args[kernel::kNextY] = next.y;
  args[kernel::kPreviousX] = previous.x;
  args[kernel::kPreviousY] = previous.y;
  args[kernel::kIsHop] = 1;
  return args;
}

std::vector<std::uint32_t> RingPrograms::receiver_args(std::uint32_t place) const {
  const auto count = static_cast<std::uint32_t>(ring_.size());
  const std::uint32_t sending = (place + 1) % count;
  const std::size_t hops = hops_.behind(sending).size();
  const CoreCoord next = stop_behind(place, 0);
  const CoreCoord previous =
      hops == 0 ? mesh_.device(0).worker_core_from_logical_core(ring_[sending].core)
                : stop_behind(sending, static_cast<std::uint32_t>(hops - 1));
  const RingCore& core = ring_[place];
  const Sender& sender = senders_[core.sender];
  return {place,
          core.place_in_row,
          next.x,
          next.y,
          previous.x,
          previous.y,
          stats_address(),
          sender.bank,
          place & 3U,
          address_of(addresses_),
          options_.direct ? address_of(direct_memory_) : 0,
          plan_.largest_block_bytes(),
          0};
}

Program RingPrograms::receiver_program() const {
  check_room_for_shards();
  Program program = CreateProgram();
  const auto add_buffer = [&](std::uint8_t index, std::uint32_t page, std::uint32_t pages,
                              const MeshBuffer* memory) {
    CircularBufferConfig cb(pages * page, {{index, DataFormat::Float16_b}});
    cb.set_page_size(index, page);
    if (memory != nullptr) cb.set_globally_allocated_address(*memory);
    CreateCircularBuffer(program, index == kernel::kGathered ? activation_cores_ : receiver_cores_,
                         cb);
  };
  add_buffer(kernel::kActivation, kActivationTile, plan_.shard_tiles(), activation_.get());
  add_buffer(kernel::kGathered, kActivationTile, options_.gathered_shards * plan_.shard_tiles(),
             nullptr);
  add_buffer(kernel::kReady, 16, options_.direct ? 2 : 1, nullptr);
  add_buffer(kernel::kDone, 16, 1, nullptr);
  add_buffer(kernel::kOutput, kActivationTile, options_.layers * plan_.output_tiles(),
             outputs_.get());
  if (options_.bias)
    add_buffer(kernel::kBias, kActivationTile, options_.layers * plan_.output_columns(),
               bias_.get());
  add_weights_views(program);
  if (!options_.direct) {
    CircularBufferConfig remote(buffer_->size());
    remote.remote_index(kernel::kRemote).set_page_size(16);
    experimental::CreateCircularBuffer(program, receiver_cores_, remote, *buffer_);
  }
  for (const std::uint32_t expected : {kernel::kArrived, kernel::kTaken})
    if (CreateSemaphore(program, activation_cores_, 0) != expected)
      bad_use("prefetcher", "the ring's semaphores are not the first ones");

  DataMovementConfig moves;
  moves.processor = DataMovementProcessor::RISCV_1;
  moves.noc = NOC::NOC_1;
  moves.compile_args = switches();
  DataMovementConfig waits = moves;
  waits.processor = DataMovementProcessor::RISCV_0;
  waits.noc = NOC::NOC_0;
  ComputeConfig computes;
  computes.math_fidelity = options_.fidelity;
  computes.fp32_dest_acc_en = true;
  computes.compile_args = switches();
  const KernelHandle kernels[] = {
      CreateKernel(program, source_of("activation"), activation_cores_, moves),
      CreateKernel(program, source_of(options_.direct ? "direct_weights" : "weights"),
                   receiver_cores_, waits),
      CreateKernel(program, source_of("compute"), receiver_cores_, computes)};
  for (const KernelHandle handle : kernels) {
    SetCommonRuntimeArgs(program, handle, common_args());
    for (std::uint32_t place = 0; place < ring_.size(); ++place)
      SetRuntimeArgs(program, handle, ring_[place].core, receiver_args(place));
  }
  for (std::uint32_t place = 0; place < ring_.size(); ++place)
    for (std::uint32_t hop = 0; hop < hops_.behind(place).size(); ++hop)
      SetRuntimeArgs(program, kernels[0], hops_.behind(place)[hop], hop_args(place, hop));
  return program;
}

std::vector<std::uint32_t> RingPrograms::stats(CoreCoord core) const {
  const runtime::ReadsTimes times(mesh_.library());
  const std::vector<std::uint8_t> bytes = stats_->read_shard(0, core);
  std::vector<std::uint32_t> words((bytes.size() - kControlBytes) / 4);
  std::memcpy(words.data(), bytes.data() + kControlBytes, words.size() * 4);
  return words;
}

std::uint32_t RingPrograms::first_tile(std::uint32_t layer, std::uint32_t part) const {
  std::uint32_t tile = layer * plan_.output_tiles();
  for (std::uint32_t p = 0; p < part; ++p) tile += plan_.output_tiles(plan_.parts()[p]);
  return tile;
}

std::string RingPrograms::origin(CoreCoord core, std::uint32_t layer, std::uint32_t part) const {
  return outputs_->origin(0, core, first_tile(layer, part) * kActivationTile);
}

std::vector<std::uint8_t> RingPrograms::output(CoreCoord core, std::uint32_t layer,
                                               std::uint32_t part) const {
  const std::uint32_t tile = first_tile(layer, part);
  const std::vector<std::uint8_t> all = outputs_->read_shard(0, core);
  const std::uint32_t tiles = plan_.output_tiles(plan_.parts()[part]);
  const auto at = [&](std::uint32_t number) {
    return all.begin() + std::ptrdiff_t{number} * kActivationTile;
  };
  return {at(tile), at(tile + tiles)};
}

}  // namespace tvp::workloads::prefetcher
