#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/buffers/shard_layout.h"
#include "sw/runtime/devices/sub_device.h"
#include "sw/runtime/life.h"

namespace tvp::runtime {

class Allocator;
class Device;
class MeshDevice;

/// A buffer with one address on all devices of a mesh, so that a sender knows where its data goes
/// on another device.
class MeshBuffer {
 public:
  static std::shared_ptr<MeshBuffer> create(MeshDevice& mesh,
                                            const InterleavedBufferConfig& config);
  /// With a sub-device the memory is of its allocator, and all cores must be its own. These throw
  /// Fault(kDescription) for what does not divide or does not fit.
  static std::shared_ptr<MeshBuffer> create(MeshDevice& mesh, const ShardedBufferConfig& config,
                                            std::optional<SubDeviceId> sub_device = std::nullopt);
  ~MeshBuffer();
  MeshBuffer(const MeshBuffer&) = delete;
  MeshBuffer& operator=(const MeshBuffer&) = delete;

  /// Throws Fault(kDescription) when that is closed, as all that goes there.
  MeshDevice& device() const;
  /// For those who know its address.
  Life::Watch life() const { return life_.watch(); }
  std::uint64_t address() const { return address_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t page_size() const { return page_size_; }
  /// How far apart the pages of a bank are: pages start at multiples of 32 bytes in DRAM, 16 in L1.
  std::uint64_t aligned_page_size() const;
  BufferType type() const { return type_; }
  /// What the buffer takes in each bank: a shard, or the bank's part of the pages.
  std::uint64_t bank_bytes() const { return bank_bytes_; }
  bool sharded() const { return shards_.has_value(); }
  /// These throw Fault(kDescription) for a buffer that has no shards.
  const ShardLayout& shard_layout() const;
  /// Cores of a sharded buffer, in the order of the shards; of one in DRAM (bank, 0).
  const std::vector<CoreCoord>& shard_cores() const { return shard_layout().cores(); }
  /// Of the same cores, as kernels of all devices name them; banks keep their number.
  std::vector<CoreCoord> shard_noc_coordinates() const;

  /// Throws Fault(kDescription) when the content on a device has another size.
  void check_size(std::uint64_t bytes) const;
  // Host access, in no simulated time.
  /// Whole content on one device: pages in the order of the tensor, or shards one after the other
  /// where the buffer was made of shards.
  void write(unsigned device, std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> read(unsigned device);
  /// As write and read, without the whole content in one place: `piece` gives the bytes
  /// [offset, offset + bytes), which have to last until it is called again; `take` gets them.
  using Piece = std::function<const std::uint8_t*(std::uint64_t offset, std::uint64_t bytes)>;
  using Take = std::function<void(std::uint64_t offset, std::span<const std::uint8_t>)>;
  void write_pieces(unsigned device, const Piece& piece);
  void read_pieces(unsigned device, const Take& take);
  /// What a device has instead of the content that is expected of it: the first page that differs,
  /// how many do, and who has written it, as far as the library tells; "" when nothing differs.
  std::string difference(unsigned device, std::span<const std::uint8_t> expected);
  /// Who has written a byte of the content, or of a shard, on a device (DeviceLibrary::origin), as
  /// a part of a text that says what is wrong with it.
  std::string origin(unsigned device, std::uint64_t offset);
  std::string origin(unsigned device, CoreCoord core, std::uint32_t offset);
  void write_shard(unsigned device, CoreCoord core, std::span<const std::uint8_t> bytes,
                   std::uint32_t offset = 0);
  std::vector<std::uint8_t> read_shard(unsigned device, CoreCoord core);

 private:
  MeshBuffer(MeshDevice& mesh, Allocator& allocator, BufferType type, std::uint64_t size,
             std::uint64_t page_size, std::uint64_t bank_bytes, std::optional<ShardLayout> shards);
  /// Calls `visit(noc0 tile, address, offset in the content, bytes)` for each contiguous part.
  template <typename Visit>
  void for_each_part(unsigned device, Visit visit) const;
  Device& chip(unsigned number) const;
  /// The tile that has a bank of this buffer, and where the bank begins there.
  std::pair<CoreCoord, std::uint64_t> bank(unsigned device, CoreCoord core) const;
  /// To libraries that tell who reaches beyond it; `bank_bytes` 0: it is no more.
  void tell_library(std::uint64_t bank_bytes) const;
  std::string origin_of(unsigned device, CoreCoord tile, std::uint64_t address);
  void check_shard(CoreCoord core, std::uint64_t begin, std::uint64_t bytes) const;

  Life life_;
  Life::Watch mesh_life_;
  MeshDevice& mesh_;
  Allocator& allocator_;
  BufferType type_;
  std::uint64_t size_;
  std::uint64_t page_size_;
  std::uint64_t bank_bytes_;
  std::optional<ShardLayout> shards_;
  std::uint64_t address_ = 0;
};

}  // namespace tvp::runtime
