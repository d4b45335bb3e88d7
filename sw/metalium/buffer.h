#pragma once
// Buffers by tt-metal's names (tt-metalium/buffer.hpp, mesh_buffer.hpp): of one device, or at one
// address on all devices of a mesh.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "sw/metalium/device.h"
#include "sw/metalium/mesh_shards.h"
#include "sw/runtime/buffers/tensor_accessor_args.h"

namespace tt::tt_metal {

using tvp::runtime::BufferType;
using tvp::runtime::ShardSpec;
using tvp::runtime::ShardSpecBuffer;
using tvp::runtime::TensorMemoryLayout;
using TensorBufferLayout = TensorMemoryLayout;

struct InterleavedBufferConfig {
  IDevice* device = nullptr;
  DeviceAddr size = 0;
  DeviceAddr page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
};

struct ShardedBufferConfig {
  IDevice* device = nullptr;
  DeviceAddr size = 0;
  DeviceAddr page_size = 0;
  BufferType buffer_type = BufferType::L1;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
  std::optional<ShardSpecBuffer> shard_parameters{};
};

/// How a buffer of one device is cut into shards; not at all by default.
struct BufferShardingArgs {
  BufferShardingArgs() = default;
  BufferShardingArgs(std::optional<ShardSpecBuffer> shards, TensorMemoryLayout of)  // NOLINT
      : spec(std::move(shards)), layout(of) {}
  std::optional<ShardSpecBuffer> spec;
  TensorMemoryLayout layout = TensorMemoryLayout::INTERLEAVED;
};

class Buffer {
 public:
  Buffer(IDevice* device, std::shared_ptr<tvp::runtime::MeshBuffer> memory);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  IDevice* device() const { return device_; }
  std::uint32_t address() const { return static_cast<std::uint32_t>(address_); }
  DeviceAddr size() const { return size_; }
  DeviceAddr page_size() const { return page_size_; }
  DeviceAddr aligned_page_size() const { return memory().aligned_page_size(); }
  std::uint32_t num_pages() const { return static_cast<std::uint32_t>(size_ / page_size_); }
  BufferType buffer_type() const { return type_; }
  bool is_dram() const { return type_ == BufferType::DRAM; }
  bool is_l1() const { return type_ == BufferType::L1; }
  /// Of a bank of DRAM, as kernels address it; of the first one, where all of a buffer of one page
  /// is.
  CoreCoord noc_coordinates(std::uint32_t bank = 0) const;
  bool is_allocated() const { return memory_ != nullptr; }

  // Of this library.
  /// Throws Fault(kDescription) when it is deallocated.
  tvp::runtime::MeshBuffer& memory() const;
  const std::shared_ptr<tvp::runtime::MeshBuffer>& shared_memory() const;
  /// Where a circular buffer is to lie on it.
  operator const tvp::runtime::MeshBuffer&() const { return memory(); }  // NOLINT
  void deallocate() { memory_.reset(); }

 private:
  IDevice* device_;
  std::shared_ptr<tvp::metalium::Machine> machine_;  ///< outlives the memory
  std::shared_ptr<tvp::runtime::MeshBuffer> memory_;
  DeviceAddr address_;
  DeviceAddr size_;
  DeviceAddr page_size_;
  BufferType type_;
};

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config);
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config);
/// In L1 of a sub-device's own, whose cores the shards are on.
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config, SubDeviceId sub_device);
inline void DeallocateBuffer(Buffer& buffer) { buffer.deallocate(); }

namespace distributed {

struct DeviceLocalBufferConfig {
  DeviceAddr page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  BufferShardingArgs sharding_args{};
  std::optional<bool> bottom_up{};
  std::optional<SubDeviceId> sub_device_id{};  ///< for shards in L1
};
/// The same on all devices.
struct ReplicatedBufferConfig {
  DeviceAddr size = 0;
};

enum class MeshBufferLayout : std::uint8_t { REPLICATED, SHARDED };
using MeshBufferConfig = std::variant<ReplicatedBufferConfig, ShardedBufferConfig>;

class MeshBuffer {
 public:
  /// The allocator chooses the address: one that is given is refused.
  static std::shared_ptr<MeshBuffer> create(const MeshBufferConfig& config,
                                            const DeviceLocalBufferConfig& local,
                                            MeshDevice* device,
                                            std::optional<DeviceAddr> address = std::nullopt);
  MeshBuffer(MeshDevice* device, std::shared_ptr<tvp::runtime::MeshBuffer> memory,
             std::optional<MeshShards> shards);

  MeshDevice* device() const { return mesh_; }
  DeviceAddr address() const { return buffer_.address(); }
  DeviceAddr size() const { return shards_ ? shards_->config().global_size : buffer_.size(); }
  DeviceAddr device_local_size() const { return buffer_.size(); }
  MeshBufferLayout global_layout() const {
    return shards_ ? MeshBufferLayout::SHARDED : MeshBufferLayout::REPLICATED;
  }
  /// Throws Fault(kDescription) for one that is the same on all devices; so do the next ones.
  const ShardedBufferConfig& global_shard_spec() const { return shards().config(); }
  std::uint32_t datum_size_bytes() const { return global_shard_spec().compute_datum_size_bytes(); }
  Shape2D physical_shard_shape() const { return global_shard_spec().physical_shard_shape(); }
  std::pair<bool, bool> replicated_dims() const { return global_shard_spec().replicated_dims(); }
  std::uint32_t page_size() const { return static_cast<std::uint32_t>(buffer_.page_size()); }
  std::uint32_t num_pages() const { return buffer_.num_pages(); }
  bool is_allocated() const { return buffer_.is_allocated(); }
  void deallocate() { buffer_.deallocate(); }
  /// They have the same address on all devices.
  Buffer* get_device_buffer(const MeshCoordinate&) { return &buffer_; }
  Buffer* get_reference_buffer() { return &buffer_; }
  Buffer* get_backing_buffer() { return &buffer_; }

  // Of this library.
  const Buffer& buffer() const { return buffer_; }
  const MeshShards& shards() const;

 private:
  MeshDevice* mesh_;
  Buffer buffer_;
  std::optional<MeshShards> shards_;
};

}  // namespace distributed

/// Words by which kernels find the pages of a tensor.
class TensorAccessorArgs : public tvp::runtime::TensorAccessorArgs {
 public:
  TensorAccessorArgs(const Buffer& buffer)  // NOLINT: as tt-metal's
      : tvp::runtime::TensorAccessorArgs(buffer.memory()) {}
  TensorAccessorArgs(const Buffer* buffer)  // NOLINT
      : TensorAccessorArgs(named(buffer, "TensorAccessorArgs", "a buffer")) {}
  TensorAccessorArgs(const std::shared_ptr<Buffer>& buffer)  // NOLINT
      : TensorAccessorArgs(buffer.get()) {}
  TensorAccessorArgs(const distributed::MeshBuffer& buffer)  // NOLINT
      : TensorAccessorArgs(buffer.buffer()) {}
  TensorAccessorArgs(const distributed::MeshBuffer* buffer)  // NOLINT
      : TensorAccessorArgs(named(buffer, "TensorAccessorArgs", "a buffer").buffer()) {}
  TensorAccessorArgs(const std::shared_ptr<distributed::MeshBuffer>& buffer)  // NOLINT
      : TensorAccessorArgs(buffer.get()) {}

  using tvp::runtime::TensorAccessorArgs::append_to;
  /// All is known when the kernel is compiled: no common arguments.
  void append_to(std::vector<std::uint32_t>& compile_time, std::vector<std::uint32_t>&) const {
    append_to(compile_time);
  }
};

namespace detail {

// In no simulated time.
void WriteToBuffer(Buffer& buffer, std::span<const std::uint8_t> bytes);
std::vector<std::uint8_t> ReadFromBuffer(Buffer& buffer);

template <typename Datum>
void WriteToBuffer(Buffer& buffer, const std::vector<Datum>& data) {
  WriteToBuffer(buffer, std::span(reinterpret_cast<const std::uint8_t*>(data.data()),
                                  data.size() * sizeof(Datum)));
}
template <typename Datum>
void WriteToBuffer(const std::shared_ptr<Buffer>& buffer, const std::vector<Datum>& data) {
  WriteToBuffer(named(buffer.get(), "WriteToBuffer", "a buffer"), data);
}
template <typename Datum>
void ReadFromBuffer(Buffer& buffer, std::vector<Datum>& data) {
  const std::vector<std::uint8_t> bytes = ReadFromBuffer(buffer);
  const auto* first = reinterpret_cast<const Datum*>(bytes.data());
  data.assign(first, first + bytes.size() / sizeof(Datum));
}
template <typename Datum>
void ReadFromBuffer(const std::shared_ptr<Buffer>& buffer, std::vector<Datum>& data) {
  ReadFromBuffer(named(buffer.get(), "ReadFromBuffer", "a buffer"), data);
}

}  // namespace detail

}  // namespace tt::tt_metal
