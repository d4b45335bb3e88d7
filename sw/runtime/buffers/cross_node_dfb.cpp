#include "sw/runtime/buffers/cross_node_dfb.h"

#include <algorithm>
#include <limits>

#include "foundation/contract/remote_dfb.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

CrossNodeDFB::CrossNodeDFB(MeshDevice& mesh, Mapping mapping, std::uint32_t entry_size,
                           std::uint32_t num_entries, const MeshBuffer* data)
    : mapping_(std::move(mapping)), entry_size_(entry_size), num_entries_(num_entries) {
  check();
  std::vector<CoreCoord> cores;
  std::size_t most_receivers = 0;
  for (const auto& [sender, its] : mapping_) {
    cores.push_back(sender);
    const std::vector<CoreCoord> receivers = its.cores();
    cores.insert(cores.end(), receivers.begin(), receivers.end());
    most_receivers = std::max(most_receivers, receivers.size());
  }
  all_ = CoreRangeSet(cores);
  pages_ = RemoteDfbPages(most_receivers);
  if (data == nullptr) {
    ring_ =
        MeshBuffer::create(mesh, ShardedBufferConfig{.cores = all_, .shard_bytes = ring_size()});
    data = ring_.get();
  }
  if (data->buffer_type() != BufferType::L1 || data->bank_bytes() < ring_size())
    bad_use("cross-node buffer",
            "its memory is no shard of " + std::to_string(ring_size()) + " bytes in L1");
  if (data->sharded()) {
    const std::vector<CoreCoord>& has = data->shard_cores();
    for (const CoreCoord core : all_.cores())
      if (std::find(has.begin(), has.end(), core) == has.end())
        bad_use("cross-node buffer", "its memory has no shard on core " + core.str());
  }
  memory_ = data->life();
  address_ = static_cast<std::uint32_t>(data->address());
  config_ =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = all_, .shard_bytes = pages_.bytes()});
}

void CrossNodeDFB::check() const {
  const std::string where = "cross-node buffer";
  if (entry_size_ == 0 || entry_size_ % contract::kRemoteCbUnit != 0)
    bad_use(where, "has entries of " + std::to_string(entry_size_) +
                       " bytes; expected a positive multiple of 16");
  if (num_entries_ == 0) bad_use(where, "has no entries");
  const std::uint64_t bytes = std::uint64_t{entry_size_} * num_entries_;
  if (bytes > std::numeric_limits<std::uint32_t>::max())
    bad_use(where, "has rings of " + std::to_string(bytes) + " bytes, which no L1 holds");
  check_mapping(where, mapping_);
}

std::vector<std::uint32_t> CrossNodeDFB::configuration(const Device& device, CoreCoord core) const {
  const RemoteDfbPages::Ring ring{address_, ring_size(), entry_size_};
  for (const auto& [sender, its] : mapping_) {
    const std::vector<CoreCoord> receivers = its.cores();
    if (core == sender) return pages_.of_sender(device, config_address(), ring, receivers);
    const auto found = std::find(receivers.begin(), receivers.end(), core);
    if (found != receivers.end())
      return pages_.of_receiver(device, config_address(), ring, sender,
                                static_cast<std::size_t>(found - receivers.begin()));
  }
  bad_use("cross-node buffer", "core " + core.str() + " is not in its mapping");
}

namespace experimental {

namespace {

std::uint8_t add(Program& program, std::shared_ptr<const CrossNodeDFB> own) {
  RemoteEnd end;
  end.kind = RemoteEnd::Kind::kCrossNodeDFB;
  end.cores = own->all_cores();
  end.entry_size = own->entry_size();
  end.ring_address = own->buffer_address();
  end.ring_size = own->ring_size();
  end.config_address = own->config_address();
  end.memory = own->memory();
  end.own = std::move(own);
  return program.add_remote_end(std::move(end));
}

}  // namespace

std::uint8_t CreateCrossNodeDFB(Program& program, MeshDevice& mesh,
                                const CrossNodeDFB::Mapping& mapping, std::uint32_t entry_size,
                                std::uint32_t num_entries) {
  return add(program, std::make_shared<const CrossNodeDFB>(mesh, mapping, entry_size, num_entries));
}

std::uint8_t CreateCrossNodeDFB(Program& program, MeshDevice& mesh,
                                const CrossNodeDFB::Mapping& mapping, std::uint32_t entry_size,
                                std::uint32_t num_entries, const MeshBuffer& data) {
  return add(program,
             std::make_shared<const CrossNodeDFB>(mesh, mapping, entry_size, num_entries, &data));
}

std::uint8_t CreateCrossNodeDFB(Program& program, MeshDevice& mesh, CoreCoord sender,
                                const CoreRangeSet& receivers, std::uint32_t entry_size,
                                std::uint32_t num_entries) {
  return CreateCrossNodeDFB(program, mesh, CrossNodeDFB::Mapping{{sender, receivers}}, entry_size,
                            num_entries);
}

CBHandle CreateCrossNodeRelayDataflowBuffer(Program& program, const CoreRangeSet& cores,
                                            const CircularBufferConfig& config,
                                            std::uint8_t number) {
  return program.add_relay(RemoteEnd::Kind::kCrossNodeDFB, number, cores, config);
}

}  // namespace experimental
}  // namespace tvp::runtime
