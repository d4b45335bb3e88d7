#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/buffers/remote_dfb_pages.h"
#include "sw/runtime/buffers/sender_mapping.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// Rings in the L1 of receivers, which a program's senders fill (tt-metal
/// impl/dataflow_buffer/cross_node_dfb.hpp). They are empty at each launch.
class CrossNodeDFB {
 public:
  using Mapping = SenderMapping;

  /// If there is `data`, the ring is in its shard on each core. Throws Fault(kDescription) for a
  /// core that occurs twice in the mapping, and for sizes that do not fit.
  CrossNodeDFB(MeshDevice& mesh, Mapping sender_receiver_core_mapping, std::uint32_t entry_size,
               std::uint32_t num_entries, const MeshBuffer* data = nullptr);

  std::uint32_t buffer_address() const { return address_; }
  std::uint32_t config_address() const { return static_cast<std::uint32_t>(config_->address()); }
  std::uint32_t entry_size() const { return entry_size_; }
  std::uint32_t num_entries() const { return num_entries_; }
  std::uint32_t ring_size() const { return entry_size_ * num_entries_; }
  const CoreRangeSet& all_cores() const { return all_; }
  /// Lifetime of the memory of its rings, which may be another buffer's.
  const Life::Watch& memory() const { return memory_; }
  const Mapping& sender_receiver_core_mapping() const { return mapping_; }

  /// Words in a core's L1 at the start of a program.
  std::vector<std::uint32_t> configuration(const Device& device, CoreCoord core) const;

 private:
  void check() const;

  Mapping mapping_;
  std::uint32_t entry_size_, num_entries_;
  CoreRangeSet all_;
  RemoteDfbPages pages_;
  std::shared_ptr<MeshBuffer> ring_, config_;
  std::uint32_t address_ = 0;
  Life::Watch memory_;
};

namespace experimental {

using runtime::CrossNodeDFB;

/// Returns the number of the buffer for kernels, the lowest that is free on all its cores.
std::uint8_t CreateCrossNodeDFB(Program& program, MeshDevice& mesh,
                                const CrossNodeDFB::Mapping& sender_receiver_core_mapping,
                                std::uint32_t entry_size, std::uint32_t num_entries);
std::uint8_t CreateCrossNodeDFB(Program& program, MeshDevice& mesh,
                                const CrossNodeDFB::Mapping& sender_receiver_core_mapping,
                                std::uint32_t entry_size, std::uint32_t num_entries,
                                const MeshBuffer& data);
std::uint8_t CreateCrossNodeDFB(Program& program, MeshDevice& mesh, CoreCoord sender,
                                const CoreRangeSet& receivers, std::uint32_t entry_size,
                                std::uint32_t num_entries);
/// Creates a circular buffer over the rings of receivers, for compute kernels. Its pages divide
/// entries. The receiver's kernel opens it (bind_relay).
CBHandle CreateCrossNodeRelayDataflowBuffer(Program& program, const CoreRangeSet& cores,
                                            const CircularBufferConfig& config,
                                            std::uint8_t number);

}  // namespace experimental
}  // namespace tvp::runtime
