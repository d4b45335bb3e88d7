#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sw/runtime/buffers/buffer.h"
#include "sw/runtime/mesh/mesh_coord.h"

namespace tt::tt_metal::distributed {

/// A buffer on a mesh (tt-metal's tt-metalium/mesh_buffer.hpp), and how buffers are made. Buffer
/// has what all of them can do.
class MeshBuffer : public Buffer, public std::enable_shared_from_this<MeshBuffer> {
 public:
  using DeviceLocalBufferConfig = tvp::runtime::DeviceLocalBufferConfig;
  using InterleavedBufferConfig = tvp::runtime::InterleavedBufferConfig;
  using MeshBufferConfig = tvp::runtime::MeshBufferConfig;
  using ShardedBufferConfig = tvp::runtime::ShardedBufferConfig;
  using SubDeviceId = tvp::runtime::SubDeviceId;

  // These throw Fault(kDescription) for sizes that do not divide or do not fit.
  /// The allocator chooses the address. An address in the configuration is refused.
  static std::shared_ptr<MeshBuffer> create(const MeshBufferConfig& config,
                                            const DeviceLocalBufferConfig& local,
                                            MeshDevice* device,
                                            std::optional<std::uint64_t> address = std::nullopt);
  static std::shared_ptr<MeshBuffer> create(MeshDevice& mesh,
                                            const InterleavedBufferConfig& config);
  /// With a sub-device the memory is in its L1, and all cores must belong to it.
  static std::shared_ptr<MeshBuffer> create(MeshDevice& mesh, const ShardedBufferConfig& config,
                                            std::optional<SubDeviceId> sub_device = std::nullopt);

  /// Layout on each device.
  const DeviceLocalBufferConfig& device_local_config() const { return local_; }
  /// The part of a device, at the same address on all of them.
  MeshBuffer* get_device_buffer(const tvp::runtime::MeshCoordinate&) {
    return get_reference_buffer();
  }
  MeshBuffer* get_reference_buffer() {
    return device_buffer_ != nullptr ? device_buffer_.get() : this;
  }
  MeshBuffer* get_backing_buffer() { return get_reference_buffer(); }

 private:
  MeshBuffer(MeshDevice& mesh, BankManager& bank_manager, BufferType type, std::uint64_t size,
             std::uint64_t page_size, std::uint64_t bank_bytes, std::optional<ShardLayout> shards)
      : Buffer(mesh, bank_manager, type, size, page_size, bank_bytes, std::move(shards)) {}
  explicit MeshBuffer(Buffer* whole) : Buffer(whole) {}

  DeviceLocalBufferConfig local_;
  std::unique_ptr<MeshBuffer> device_buffer_;
};

}  // namespace tt::tt_metal::distributed
