#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/buffers/sender_mapping.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// Memory at the same address in the L1 of senders and their receivers, with the configuration for
/// firmware to pass pages (tt-metal tt-metalium/global_circular_buffer.hpp). It lives over several
/// programs: each continues at the pointers of the previous one.
class GlobalCircularBuffer {
 public:
  using Mapping = SenderMapping;

  /// `size` is in bytes, a multiple of 16. Throws Fault(kDescription) for a core that occurs twice
  /// in the mapping, a sender without receivers, and a buffer that is not in L1.
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

/// Makes the remote index of `config` an end of `buffer` on all of `cores`; its local indices
/// overlie it. Throws Fault(kDescription) for cores that `buffer` does not have, and for pages that
/// do not fit.
CBHandle CreateCircularBuffer(Program& program, const CoreRangeSet& cores,
                              CircularBufferConfig config, const GlobalCircularBuffer& buffer);
/// Makes the circular buffer an end of another global one.
void UpdateDynamicCircularBufferAddress(Program& program, CBHandle cb,
                                        const GlobalCircularBuffer& buffer);

}  // namespace experimental
}  // namespace tvp::runtime
