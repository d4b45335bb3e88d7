#include "sw/runtime/buffers/global_circular_buffer.h"

#include <algorithm>
#include <span>

#include "foundation/contract/global_circular_buffer.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

namespace {

constexpr std::size_t kAligned = 16;

/// Bytes of the configuration in front of the counters.
std::size_t counters_offset(std::size_t most_receivers) {
  const std::size_t words = contract::kRemoteCbWords + 2 * most_receivers;
  return (words * 4 + kAligned - 1) / kAligned * kAligned;
}

std::span<const std::uint8_t> bytes_of(const std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4};
}

}  // namespace

GlobalCircularBuffer::GlobalCircularBuffer(MeshDevice& mesh, Mapping mapping, std::uint32_t size,
                                           BufferType buffer_type)
    : mapping_(std::move(mapping)), size_(size) {
  check(buffer_type);
  std::vector<CoreCoord> senders, receivers;
  for (const auto& [sender, its] : mapping_) {
    senders.push_back(sender);
    const std::vector<CoreCoord> cores = its.cores();
    receivers.insert(receivers.end(), cores.begin(), cores.end());
    most_receivers_ = std::max(most_receivers_, cores.size());
  }
  senders_ = CoreRangeSet(senders);
  receivers_ = CoreRangeSet(receivers);
  senders.insert(senders.end(), receivers.begin(), receivers.end());
  all_ = CoreRangeSet(senders);
  buffer_ = MeshBuffer::create(mesh, ShardedBufferConfig{.cores = all_, .shard_bytes = size_});
  const std::size_t counters = most_receivers_ * 2 * contract::kRemoteCbCounterStride;
  config_ = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = all_,
                                .shard_bytes = static_cast<std::uint32_t>(
                                    counters_offset(most_receivers_) + counters)});
  write_configurations(mesh);
}

void GlobalCircularBuffer::check(BufferType type) const {
  const std::string where = "global circular buffer";
  if (type != BufferType::L1) bad_use(where, "is in DRAM; expected L1");
  if (size_ == 0 || size_ % contract::kRemoteCbUnit != 0)
    bad_use(where, "has " + std::to_string(size_) + " bytes; expected a positive multiple of 16");
  check_mapping(where, mapping_);
}

void GlobalCircularBuffer::write_configurations(MeshDevice& mesh) const {
  const auto coordinates = config_address() + contract::kRemoteCbWords * 4;
  const auto counters =
      config_address() + static_cast<std::uint32_t>(counters_offset(most_receivers_));
  for (unsigned d = 0; d < mesh.num_devices(); ++d) {
    const auto write = [&](CoreCoord core, std::vector<std::uint32_t> words,
                           const std::vector<CoreCoord>& others) {
      for (const CoreCoord other : others) {
        const CoreCoord noc = mesh.device(d).worker_core_from_logical_core(other);
        words.insert(words.end(), {noc.x, noc.y});
      }
      words.resize(config_->bank_bytes() / 4);  // counters of zero
      config_->write_shard(d, core, bytes_of(words));
    };
    for (const auto& [sender, its] : mapping_) {
      const std::vector<CoreCoord> receivers = its.cores();
      const auto count = static_cast<std::uint32_t>(receivers.size());
      write(sender, {1, count, buffer_address(), size_, buffer_address(), coordinates, counters},
            receivers);
      for (std::uint32_t i = 0; i < count; ++i)
        write(receivers[i],
              {0, count, buffer_address(), size_, buffer_address(), coordinates,
               counters + i * 2 * contract::kRemoteCbCounterStride},
              {sender});
    }
  }
}

namespace experimental {

namespace {

void check(const CoreRangeSet& cores, const CircularBufferConfig& config,
           const GlobalCircularBuffer& buffer) {
  if (config.remote_indices().empty())
    bad_use("circular buffer", "has no remote index: its configuration needs remote_index()");
  for (const CoreCoord core : cores.cores())
    if (!buffer.all_cores().contains(core))
      bad_use("circular buffer",
              "core " + core.str() + " is no sender or receiver of the global circular buffer");
  if (config.total_bytes() > buffer.size())
    bad_use("circular buffer", std::to_string(config.total_bytes()) +
                                   " bytes are more than the global circular buffer's " +
                                   std::to_string(buffer.size()));
  for (const auto& [index, remote] : config.remote_indices()) {
    const std::string where = "remote circular buffer " + std::to_string(index);
    const std::uint32_t page = config.remote_page_bytes(index);
    if (page == 0 || page % contract::kRemoteCbUnit != 0)
      bad_use(where,
              "page size " + std::to_string(page) + " is not a positive multiple of 16 bytes");
    if (page > buffer.size())
      bad_use(where, "a page of " + std::to_string(page) +
                         " bytes does not fit into the global circular buffer's " +
                         std::to_string(buffer.size()));
  }
}

}  // namespace

GlobalCircularBuffer CreateGlobalCircularBuffer(
    MeshDevice& mesh, const GlobalCircularBuffer::Mapping& sender_receiver_core_mapping,
    std::uint32_t size, BufferType buffer_type) {
  return {mesh, sender_receiver_core_mapping, size, buffer_type};
}

CBHandle CreateCircularBuffer(Program& program, const CoreRangeSet& cores,
                              CircularBufferConfig config, const GlobalCircularBuffer& buffer) {
  check(cores, config, buffer);
  config.set_remote_ends(buffer.buffer_address(), buffer.config_address(),
                         buffer.cb_buffer().life());
  return program.add_circular_buffer(cores, std::move(config));
}

void UpdateDynamicCircularBufferAddress(Program& program, CBHandle cb,
                                        const GlobalCircularBuffer& buffer) {
  CircularBufferConfig& config = program.circular_buffer_config(cb);
  check(program.circular_buffers()[cb].cores, config, buffer);
  config.set_remote_ends(buffer.buffer_address(), buffer.config_address(),
                         buffer.cb_buffer().life());
}

}  // namespace experimental
}  // namespace tvp::runtime
