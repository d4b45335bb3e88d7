#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/workloads/prefetcher/model.h"

namespace tvp::workloads::prefetcher {

/// A unit of work: all rows of as many columns of a tensor as fit into Dst and the global circular
/// buffer. Rows are divided into one block for each core of the ring, and the cores share the
/// columns. Both are padded with zeros.
struct Part {
  std::string name;
  std::uint32_t tensor = 0;
  runtime::DataFormat format = runtime::DataFormat::Bfp8_b;
  std::uint32_t tile_bytes = 0;
  std::uint32_t block_rows = 0;                 ///< tiles
  std::uint32_t width = 0;                      ///< tiles in each core
  std::uint32_t first_column = 0;               ///< first column of the tensor, in tiles
  std::uint32_t page_bytes = 0, pages = 0;      ///< packets from DRAM of a sender's block
  std::uint32_t packet_bytes = 0, packets = 0;  ///< to a receiver, of each row of a block

  std::uint32_t block_bytes() const { return block_rows * width * tile_bytes; }  ///< in a core
};

/// Distribution of the tensors of a layer over the ring.
class PrefetchPlan {
 public:
  struct Ring {
    std::uint32_t senders = 12;
    std::uint32_t receivers = 2;  ///< receivers of each sender
    std::uint32_t row_tiles = 1;  ///< rows of the activation, which all cores have
    std::uint32_t cores() const { return senders * receivers; }
  };

  /// `most_bytes` limits a part in a core, unless a single column of tiles is larger. `dst_tiles`
  /// is the capacity of Dst, at least the activation's rows of tiles. `most_packet` limits the
  /// bytes of a packet.
  PrefetchPlan(std::vector<WeightShape> layer, const Ring& ring, std::uint32_t most_bytes,
               std::uint32_t dst_tiles, std::uint32_t most_packet);

  const std::vector<WeightShape>& layer() const { return layer_; }
  const std::vector<Part>& parts() const { return parts_; }
  const Ring& ring() const { return ring_; }
  /// Bytes of a part in a bank, with padding.
  std::uint64_t bank_bytes(const Part& part) const {
    return std::uint64_t{part.block_bytes()} * ring_.cores() * ring_.receivers;
  }
  /// Bytes of a part in a core.
  std::uint32_t core_bytes(const Part& part) const { return part.block_bytes() * ring_.cores(); }
  /// Bytes of all parts in all banks.
  std::uint64_t layer_bytes() const;
  /// Tiles of a part in a core.
  std::uint32_t core_tiles(const Part& part) const {
    return part.block_rows * part.width * ring_.cores();
  }
  std::uint32_t largest_block_bytes() const;  ///< in a core
  std::uint32_t largest_block_tiles() const;
  std::uint32_t largest_core_bytes() const;
  /// Tiles of the activation in a core: all rows of a column of tiles, column by column.
  std::uint32_t shard_tiles() const;
  /// Tiles of the outputs of a layer in a core.
  std::uint32_t output_tiles() const;
  std::uint32_t output_tiles(const Part& part) const { return part.width * ring_.row_tiles; }
  /// Tiles that its columns have in one row.
  std::uint32_t output_columns() const;

 private:
  std::vector<WeightShape> layer_;
  Ring ring_;
  std::vector<Part> parts_;
};

}  // namespace tvp::workloads::prefetcher
