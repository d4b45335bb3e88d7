#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/buffers/sender_mapping.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// Memory of the same address in the L1 of senders and their receivers, and what firmware needs to
/// pass pages from one to the other (tt-metal tt-metalium/global_circular_buffer.hpp). It lives
/// over many programs: each goes on where the one before left its pointers.
class GlobalCircularBuffer {
 public:
  using Mapping = SenderMapping;

  /// `size` in bytes, a multiple of 16. Throws Fault(kDescription) for a core that has two parts in
  /// the mapping, a sender without receivers and a buffer that is not in L1.
  GlobalCircularBuffer(MeshDevice& mesh, Mapping sender_receiver_core_mapping, std::uint32_t size,
                       BufferType buffer_type = BufferType::L1);

  const Mapping& sender_receiver_core_mapping() const { return mapping_; }
  const CoreRangeSet& sender_cores() const { return senders_; }
  const CoreRangeSet& receiver_cores() const { return receivers_; }
  const CoreRangeSet& all_cores() const { return all_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t buffer_address() const { return static_cast<std::uint32_t>(buffer_->address()); }
  std::uint32_t config_address() const { return static_cast<std::uint32_t>(config_->address()); }
  const MeshBuffer& cb_buffer() const { return *buffer_; }

 private:
  void check(BufferType type) const;
  void write_configurations(MeshDevice& mesh) const;

  Mapping mapping_;
  std::uint32_t size_;
  std::size_t most_receivers_ = 0;
  CoreRangeSet senders_, receivers_, all_;
  std::shared_ptr<MeshBuffer> buffer_, config_;
};

namespace experimental {

using runtime::GlobalCircularBuffer;

GlobalCircularBuffer CreateGlobalCircularBuffer(
    MeshDevice& mesh, const GlobalCircularBuffer::Mapping& sender_receiver_core_mapping,
    std::uint32_t size, BufferType buffer_type = BufferType::L1);

/// The remote index of `config` becomes an end of `buffer` on all of `cores`; its local indices lie
/// over it. Throws Fault(kDescription) for cores that `buffer` does not have, and for pages that do
/// not fit.
CBHandle CreateCircularBuffer(Program& program, const CoreRangeSet& cores,
                              CircularBufferConfig config, const GlobalCircularBuffer& buffer);
/// The same circular buffer becomes an end of another global one.
void UpdateDynamicCircularBufferAddress(Program& program, CBHandle cb,
                                        const GlobalCircularBuffer& buffer);

}  // namespace experimental
}  // namespace tvp::runtime
