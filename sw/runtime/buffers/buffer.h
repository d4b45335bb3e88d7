#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/buffers/mesh_shards.h"
#include "sw/runtime/buffers/shard_layout.h"
#include "sw/runtime/devices/sub_device.h"
#include "sw/runtime/life.h"
#include "sw/runtime/metal_classes.h"

namespace tvp::runtime {

class Allocator;
class BankManager;
class Cluster;
class Device;

/// The same content on all devices.
struct ReplicatedBufferConfig {
  std::uint64_t size = 0;
};
enum class MeshBufferLayout : std::uint8_t { REPLICATED, SHARDED };
using MeshBufferConfig = std::variant<ReplicatedBufferConfig, distributed::ShardedBufferConfig>;

}  // namespace tvp::runtime

namespace tt::tt_metal {

/// A buffer (tt-metal's tt-metalium/buffer.hpp). Each is a distributed::MeshBuffer. It has one
/// address on all devices of a cluster, so that a sender knows the destination address on another
/// device. Device numbers are those of the cluster.
class Buffer {
 public:
  using Allocator = tvp::runtime::Allocator;
  using BankManager = tvp::runtime::BankManager;
  using BufferType = tvp::runtime::BufferType;
  using Cluster = tvp::runtime::Cluster;
  using CoreCoord = tvp::runtime::CoreCoord;
  using Device = tvp::runtime::Device;
  using Life = tvp::runtime::Life;
  using MeshBuffer = distributed::MeshBuffer;
  using MeshBufferLayout = tvp::runtime::MeshBufferLayout;
  using MeshDevice = distributed::MeshDevice;
  using MeshShards = tvp::runtime::distributed::MeshShards;
  using MeshShardedBufferConfig = tvp::runtime::distributed::ShardedBufferConfig;
  using Shape2D = tvp::runtime::Shape2D;
  using ShardLayout = tvp::runtime::ShardLayout;

  /// A buffer of one device, interleaved or in shards. The allocator chooses the address.
  static std::shared_ptr<Buffer> create(
      IDevice* device, std::uint64_t size, std::uint64_t page_size, BufferType type,
      const tvp::runtime::BufferShardingArgs& shards = {},
      std::optional<bool> bottom_up = std::nullopt,
      std::optional<tvp::runtime::SubDeviceId> sub_device = std::nullopt);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  MeshDevice* device() const { return mesh_; }
  /// The allocator of its mesh.
  const std::unique_ptr<Allocator>& allocator() const;
  /// Throws Fault(kDescription) if the cluster is closed or the buffer is deallocated.
  Cluster& cluster() const;
  /// Lifetime for users of its address: expires when the memory is free.
  Life::Watch life() const { return owner().memory_; }
  /// Keeps the memory allocated after deallocate().
  std::shared_ptr<const void> memory() const { return owner().memory_; }
  /// Shares this object, also the one that get_device_buffer() returns.
  std::shared_ptr<MeshBuffer> shared();
  std::uint32_t address() const { return address_; }
  /// Size of the whole buffer, also if it is cut over the mesh.
  std::uint64_t size() const { return mesh_shards_ ? mesh_shards_->config().global_size : size_; }
  std::uint64_t device_local_size() const { return size_; }
  std::uint64_t page_size() const { return page_size_; }
  /// Pages on each device.
  std::uint32_t num_pages() const { return static_cast<std::uint32_t>(size_ / page_size_); }
  /// Distance of the pages of a bank: pages start at multiples of 32 bytes in DRAM, 16 in L1.
  std::uint64_t aligned_page_size() const;
  BufferType buffer_type() const { return type_; }
  bool is_dram() const { return type_ == BufferType::DRAM; }
  bool is_l1() const { return type_ == BufferType::L1; }
  bool is_allocated() const { return owner().memory_ != nullptr; }
  /// Frees the memory when no command of a queue uses it any more.
  void deallocate() { owner().memory_.reset(); }
  /// Coordinates of a bank of DRAM for kernels. Bank 0 has a buffer of one page.
  CoreCoord noc_coordinates(std::uint32_t bank = 0) const;

  // Layout over the mesh. The functions after global_layout() throw Fault(kDescription) for a
  // buffer that is the same on all devices.
  MeshBufferLayout global_layout() const {
    return mesh_shards_ ? MeshBufferLayout::SHARDED : MeshBufferLayout::REPLICATED;
  }
  const MeshShards& mesh_shards() const;
  const MeshShardedBufferConfig& global_shard_spec() const { return mesh_shards().config(); }
  std::uint32_t datum_size_bytes() const { return global_shard_spec().compute_datum_size_bytes(); }
  Shape2D physical_shard_shape() const { return global_shard_spec().physical_shard_shape(); }
  std::pair<bool, bool> replicated_dims() const { return global_shard_spec().replicated_dims(); }

  /// Bytes in each bank: a shard, or the bank's part of the pages.
  std::uint64_t bank_bytes() const { return bank_bytes_; }
  bool sharded() const { return shards_.has_value(); }
  /// These throw Fault(kDescription) for a buffer without shards.
  const ShardLayout& shard_layout() const;
  /// Cores of a sharded buffer in the order of the shards; for DRAM (bank, 0).
  const std::vector<CoreCoord>& shard_cores() const { return shard_layout().cores(); }
  /// Coordinates of the same cores in kernels of all devices; banks keep their number.
  std::vector<CoreCoord> shard_noc_coordinates() const;

  /// Throws Fault(kDescription) if the content on a device is smaller.
  void check_size(std::uint64_t bytes) const;
  // Host access, in no simulated time.
  /// Accesses the whole content on one device: pages in the order of the tensor, or shards one
  /// after the other if the buffer was created from shards. Fewer bytes than the content has are
  /// written to its beginning; the rest keeps its bytes.
  void write(unsigned device, std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> read(unsigned device);
  /// As write and read, but in pieces. A Piece returns the bytes [offset, offset + bytes), which
  /// must stay valid until the next call. A Take receives them.
  using Piece = std::function<const std::uint8_t*(std::uint64_t offset, std::uint64_t bytes)>;
  using Take = std::function<void(std::uint64_t offset, std::span<const std::uint8_t>)>;
  void write_pieces(unsigned device, const Piece& piece);
  void read_pieces(unsigned device, const Take& take);
  /// Describes how a device's content differs from the expected content: the first different page
  /// and the number of different pages. If the library reports it, also the core that wrote the
  /// first one. Returns "" if nothing differs.
  std::string difference(unsigned device, std::span<const std::uint8_t> expected);
  /// Describes which core wrote a byte of the content, or of a shard (DeviceLibrary::origin), as a
  /// part of an error message.
  std::string origin(unsigned device, std::uint64_t offset);
  std::string origin(unsigned device, CoreCoord core, std::uint32_t offset);
  void write_shard(unsigned device, CoreCoord core, std::span<const std::uint8_t> bytes,
                   std::uint32_t offset = 0);
  std::vector<std::uint8_t> read_shard(unsigned device, CoreCoord core);

 protected:
  Buffer(MeshDevice& mesh, BankManager& bank_manager, BufferType type, std::uint64_t size,
         std::uint64_t page_size, std::uint64_t bank_bytes, std::optional<ShardLayout> shards);
  /// One device's part of a buffer that is cut over the mesh.
  explicit Buffer(Buffer* whole);
  ~Buffer() = default;
  /// Rounds up to the alignment of pages in `banks`.
  static std::uint64_t aligned(std::uint64_t bytes, BufferType type, const BankManager& banks);
  /// Makes this the whole of a buffer that is cut over the mesh.
  void cut(MeshShards shards) { mesh_shards_ = std::move(shards); }

 private:
  const Buffer& owner() const { return whole_ != nullptr ? *whole_ : *this; }
  Buffer& owner() { return whole_ != nullptr ? *whole_ : *this; }
  /// Calls `visit(noc0 tile, address, offset in the content, bytes)` for each contiguous part.
  template <typename Visit>
  void for_each_part(unsigned device, Visit visit) const;
  Device& chip(unsigned number) const;
  /// The tile with a bank of this buffer, and the bank's address there.
  std::pair<CoreCoord, std::uint64_t> bank(unsigned device, CoreCoord core) const;
  std::string origin_of(unsigned device, CoreCoord tile, std::uint64_t address);
  void check_shard(CoreCoord core, std::uint64_t begin, std::uint64_t bytes) const;

  std::shared_ptr<const void> library_;  ///< kept open, for programs that do not open it themselves
  MeshDevice* mesh_;
  Cluster& cluster_;
  Life::Watch cluster_life_;
  BufferType type_;
  std::uint64_t size_;
  std::uint64_t page_size_;
  std::uint64_t bank_bytes_;
  std::optional<ShardLayout> shards_;
  std::optional<MeshShards> mesh_shards_;
  std::uint32_t address_ = 0;
  std::shared_ptr<const void> memory_;  ///< its destructor frees the memory
  Buffer* whole_ = nullptr;
};

}  // namespace tt::tt_metal
