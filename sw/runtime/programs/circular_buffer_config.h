#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "sw/runtime/life.h"
#include "sw/runtime/metal_classes.h"
#include "sw/runtime/programs/kernel_types.h"

namespace tvp::runtime {

/// Geometry of a circular buffer; several indices may share the same memory.
class CircularBufferConfig {
 public:
  struct Index {
    DataFormat format = DataFormat::Float16_b;
    std::uint32_t page_bytes = 0;  ///< 0: one tile
    Tile tile;
    std::optional<FaceGeometry> faces{};
  };

  /// Sets the properties of an index.
  class Builder {
   public:
    Builder& set_data_format(DataFormat format);
    Builder& set_page_size(std::uint32_t bytes);
    Builder& set_tile_dims(const Tile& tile);
    Builder& set_unpack_face_geometry(std::uint32_t face_rows, std::uint32_t faces);
    Builder& set_total_size(std::uint32_t bytes);

   private:
    friend class CircularBufferConfig;
    Builder(CircularBufferConfig& config, Index& index) : config_(config), index_(index) {}

    CircularBufferConfig& config_;
    Index& index_;
  };

  /// index() and remote_index() add indices.
  explicit CircularBufferConfig(std::uint32_t total_bytes) : total_bytes_(total_bytes) {}
  CircularBufferConfig(std::uint32_t total_bytes,
                       const std::map<std::uint8_t, DataFormat>& formats);

  /// Adds an index.
  Builder index(std::uint8_t i);
  /// Adds an end of a global circular buffer (experimental::CreateCircularBuffer). Local indices of
  /// the same configuration overlie it.
  Builder remote_index(std::uint8_t i);

  CircularBufferConfig& set_page_size(std::uint8_t index, std::uint32_t bytes);
  /// Pages must divide it when the program runs, but not earlier.
  CircularBufferConfig& set_total_size(std::uint32_t bytes);
  CircularBufferConfig& set_tile_dims(std::uint8_t index, const Tile& tile);
  /// Kernels take this many faces of its tiles by default, and rows of each.
  CircularBufferConfig& set_unpack_face_geometry(std::uint8_t index, std::uint32_t face_rows,
                                                 std::uint32_t faces);
  /// Places the memory `offset` bytes into a core's shard of `buffer` instead of allocating it.
  CircularBufferConfig& set_globally_allocated_address(const Buffer& buffer,
                                                       std::uint32_t offset = 0);
  /// Places the memory at this address of L1, which the caller owns.
  CircularBufferConfig& set_address(std::uint32_t address);

  /// True if `i` is a local or a remote index.
  bool has(std::uint8_t i) const { return indices_.count(i) != 0 || remote_indices_.count(i) != 0; }
  std::uint32_t total_bytes() const { return total_bytes_; }
  const std::map<std::uint8_t, Index>& indices() const { return indices_; }
  std::optional<std::uint32_t> address() const { return address_; }
  /// Lifetime of the buffer that contains it, if any.
  const std::optional<Life::Watch>& memory() const { return memory_; }
  std::uint32_t page_bytes(std::uint8_t index) const;
  /// Throws Fault(kDescription) for a number that is not one of DataFormat's.
  static void check_format(std::uint8_t index, DataFormat format);
  /// Throws Fault(kDescription) if pages do not divide the total, or are too many to count.
  static void check_pages(std::uint8_t index, std::uint32_t page_bytes, std::uint32_t total_bytes);

  /// The memory and the configurations of a global circular buffer.
  CircularBufferConfig& set_remote_ends(std::uint32_t address, std::uint32_t config_address,
                                        Life::Watch memory);
  const std::map<std::uint8_t, Index>& remote_indices() const { return remote_indices_; }
  std::uint32_t remote_page_bytes(std::uint8_t index) const;
  std::uint32_t remote_config_address() const { return remote_config_address_; }

  /// Places it over a receiver's ring, of the pipe of that number if there is one. Kernels place it
  /// when they begin (experimental::CreateCircularBuffer of sw/runtime/buffers/prefetcher_pipe.h).
  CircularBufferConfig& set_relay(std::optional<std::uint8_t> pipe) {
    is_relay_ = true;
    relayed_pipe_ = pipe;
    return *this;
  }
  bool is_relay() const { return is_relay_; }
  std::optional<std::uint8_t> relayed_pipe() const { return relayed_pipe_; }

 private:
  Index& known_index(std::uint8_t i);
  static std::uint32_t page_bytes(const Index& index);

  std::uint32_t total_bytes_;
  std::map<std::uint8_t, Index> indices_;
  std::map<std::uint8_t, Index> remote_indices_;
  std::uint32_t remote_config_address_ = 0;
  bool is_relay_ = false;
  std::optional<std::uint8_t> relayed_pipe_;
  std::optional<std::uint32_t> address_;
  std::optional<Life::Watch> memory_;
  std::optional<std::uint64_t> room_;  ///< bytes at the address, if it is a buffer's
};

}  // namespace tvp::runtime
