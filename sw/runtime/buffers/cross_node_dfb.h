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

/// Rings in the L1 of receivers that a program's senders fill, each those of its own (tt-metal
/// impl/dataflow_buffer/cross_node_dfb.hpp). Each launch begins with empty ones.
class CrossNodeDFB {
 public:
  using Mapping = SenderMapping;

  /// The ring is `data`'s where there is one, which has a shard of it on each core. Throws
  /// Fault(kDescription) for a core that has two parts in the mapping, and for what does not fit.
  CrossNodeDFB(MeshDevice& mesh, Mapping sender_receiver_core_mapping, std::uint32_t entry_size,
               std::uint32_t num_entries, const MeshBuffer* data = nullptr);

  std::uint32_t buffer_address() const { return address_; }
  std::uint32_t config_address() const { return static_cast<std::uint32_t>(config_->address()); }
  std::uint32_t entry_size() const { return entry_size_; }
  std::uint32_t num_entries() const { return num_entries_; }
  std::uint32_t ring_size() const { return entry_size_ * num_entries_; }
  const CoreRangeSet& all_cores() const { return all_; }
  /// Watches the memory of its rings, which may be another buffer's.
  const Life::Watch& memory() const { return memory_; }
  const Mapping& sender_receiver_core_mapping() const { return mapping_; }

  /// Words in a core's L1 when a program begins.
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

/// Returns the number by which kernels of the program find it, the lowest that is free on all its
/// cores.
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
/// A circular buffer over the rings of receivers, whose pages divide entries, through which compute
/// kernels read what has come. The receiver's kernel opens it (bind_relay).
CBHandle CreateCrossNodeRelayDataflowBuffer(Program& program, const CoreRangeSet& cores,
                                            const CircularBufferConfig& config,
                                            std::uint8_t number);

}  // namespace experimental
}  // namespace tvp::runtime
