#pragma once
// The commands that a packet executes at its destination, one type each. A type has the fields of
// its header and the masks with which kernels select the fields that a call sets (kernel_api 3.3,
// linear/api.h).

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "debug/assert.h"
#include "fabric/fabric_edm_packet_header.hpp"
#include "internal/risc_attribs.h"

namespace tt::tt_fabric::common::experimental {

enum class UnicastWriteUpdateMask : uint32_t {
  None = 0,
  DstAddr = 1u << 0,
  PayloadSize = 1u << 1,
  All = DstAddr | PayloadSize,
};
enum class UnicastInlineWriteUpdateMask : uint32_t {
  None = 0,
  DstAddr = 1u << 0,
  Value = 1u << 1,
  All = DstAddr | Value,
};
enum class UnicastAtomicIncUpdateMask : uint32_t {
  None = 0,
  DstAddr = 1u << 0,
  Val = 1u << 1,
  Flush = 1u << 2,
  Wrap = 0,  ///< name of 2025; increments always wrap at 32 bits
  All = DstAddr | Val | Flush,
};
enum class UnicastScatterWriteUpdateMask : uint32_t {
  None = 0,
  DstAddrs = 1u << 0,
  ChunkSizes = 1u << 1,
  PayloadSize = 1u << 2,
  All = DstAddrs | ChunkSizes | PayloadSize,
};
enum class UnicastFusedAtomicIncUpdateMask : uint32_t {
  None = 0,
  WriteDstAddr = 1u << 0,
  SemaphoreAddr = 1u << 1,
  Val = 1u << 2,
  Flush = 1u << 3,
  PayloadSize = 1u << 4,
  Wrap = 0,  ///< name of 2025, as above
  All = WriteDstAddr | SemaphoreAddr | Val | Flush | PayloadSize,
};
enum class UnicastFusedScatterWriteAtomicIncUpdateMask : uint32_t {
  None = 0,
  WriteDstAddrs = 1u << 0,
  SemaphoreDstAddr = 1u << 1,
  WriteChunkSizes = 1u << 2,
  Val = 1u << 3,
  Flush = 1u << 4,
  PayloadSize = 1u << 5,
  All = WriteDstAddrs | SemaphoreDstAddr | WriteChunkSizes | Val | Flush | PayloadSize,
};

template <typename Mask>
concept UpdateMask = std::is_same_v<Mask, UnicastWriteUpdateMask> ||
    std::is_same_v<Mask, UnicastInlineWriteUpdateMask> ||
    std::is_same_v<Mask, UnicastAtomicIncUpdateMask> ||
    std::is_same_v<Mask, UnicastScatterWriteUpdateMask> ||
    std::is_same_v<Mask, UnicastFusedAtomicIncUpdateMask> ||
    std::is_same_v<Mask, UnicastFusedScatterWriteAtomicIncUpdateMask>;

template <UpdateMask Mask>
constexpr Mask operator|(Mask a, Mask b) {
  return static_cast<Mask>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
template <UpdateMask Mask>
constexpr Mask operator&(Mask a, Mask b) {
  return static_cast<Mask>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}
template <UpdateMask Mask>
constexpr bool has_flag(Mask mask, Mask bit) {
  return (mask & bit) != Mask::None;
}

}  // namespace tt::tt_fabric::common::experimental

namespace tvp::fabric {

namespace masks = tt::tt_fabric::common::experimental;
using PacketHeader = volatile PACKET_HEADER_TYPE;

/// A type of command: Fields, Mask, a flag for a payload, and update() of the fields in the mask.
struct UnicastWrite {
  using Fields = tt::tt_fabric::NocUnicastCommandHeader;
  using Mask = masks::UnicastWriteUpdateMask;
  static constexpr auto kType = tt::tt_fabric::NOC_UNICAST_WRITE;
  static constexpr bool kPayload = true;

  template <Mask mask, typename Given>
  FORCE_INLINE static void update(PacketHeader* header, const Given& given, uint16_t bytes) {
    if constexpr (has_flag(mask, Mask::DstAddr))
      header->command_fields.unicast_write.noc_address = given.noc_address;
    if constexpr (has_flag(mask, Mask::PayloadSize)) header->payload_size_bytes = bytes;
  }
};

struct UnicastInlineWrite {
  using Fields = tt::tt_fabric::NocUnicastInlineWriteCommandHeader;
  using Mask = masks::UnicastInlineWriteUpdateMask;
  static constexpr auto kType = tt::tt_fabric::NOC_UNICAST_INLINE_WRITE;
  static constexpr bool kPayload = false;

  template <Mask mask, typename Given>
  FORCE_INLINE static void update(PacketHeader* header, const Given& given, uint16_t) {
    auto& to = header->command_fields.unicast_inline_write;
    if constexpr (has_flag(mask, Mask::DstAddr)) to.noc_address = given.noc_address;
    if constexpr (has_flag(mask, Mask::Value)) to.value = given.value;
  }
};

struct UnicastAtomicInc {
  using Fields = tt::tt_fabric::NocUnicastAtomicIncCommandHeader;
  using Mask = masks::UnicastAtomicIncUpdateMask;
  static constexpr auto kType = tt::tt_fabric::NOC_UNICAST_ATOMIC_INC;
  static constexpr bool kPayload = false;

  template <Mask mask, typename Given>
  FORCE_INLINE static void update(PacketHeader* header, const Given& given, uint16_t) {
    auto& to = header->command_fields.unicast_seminc;
    if constexpr (has_flag(mask, Mask::DstAddr)) to.noc_address = given.noc_address;
    if constexpr (has_flag(mask, Mask::Val)) to.val = given.val;
    if constexpr (has_flag(mask, Mask::Flush)) to.flush = given.flush;
  }
};

struct ScatterWrite {
  using Fields = tt::tt_fabric::NocUnicastScatterCommandHeader;
  using Mask = masks::UnicastScatterWriteUpdateMask;
  static constexpr auto kType = tt::tt_fabric::NOC_UNICAST_SCATTER_WRITE;
  static constexpr bool kPayload = true;

  template <Mask mask, typename Given>
  FORCE_INLINE static void update(PacketHeader* header, const Given& given, uint16_t bytes) {
    auto& to = header->command_fields.unicast_scatter_write;
    if constexpr (has_flag(mask, Mask::DstAddrs) || has_flag(mask, Mask::ChunkSizes)) {
      ASSERT(given.chunk_count >= 2 &&
             given.chunk_count <= tt::tt_fabric::NOC_SCATTER_WRITE_MAX_CHUNKS);
      to.chunk_count = given.chunk_count;
    }
    if constexpr (has_flag(mask, Mask::DstAddrs))
      for (uint32_t i = 0; i < given.chunk_count; ++i) to.noc_address[i] = given.noc_address[i];
    if constexpr (has_flag(mask, Mask::ChunkSizes))
      for (uint32_t i = 0; i + 1 < given.chunk_count; ++i) to.chunk_size[i] = given.chunk_size[i];
    if constexpr (has_flag(mask, Mask::PayloadSize)) header->payload_size_bytes = bytes;
  }
};

struct FusedWriteAtomicInc {
  using Fields = tt::tt_fabric::NocUnicastAtomicIncFusedCommandHeader;
  using Mask = masks::UnicastFusedAtomicIncUpdateMask;
  static constexpr auto kType = tt::tt_fabric::NOC_FUSED_UNICAST_ATOMIC_INC;
  static constexpr bool kPayload = true;

  template <Mask mask, typename Given>
  FORCE_INLINE static void update(PacketHeader* header, const Given& given, uint16_t bytes) {
    auto& to = header->command_fields.unicast_seminc_fused;
    if constexpr (has_flag(mask, Mask::WriteDstAddr)) to.noc_address = given.noc_address;
    if constexpr (has_flag(mask, Mask::SemaphoreAddr))
      to.semaphore_noc_address = given.semaphore_noc_address;
    if constexpr (has_flag(mask, Mask::Val)) to.val = given.val;
    if constexpr (has_flag(mask, Mask::Flush)) to.flush = given.flush;
    if constexpr (has_flag(mask, Mask::PayloadSize)) header->payload_size_bytes = bytes;
  }
};

struct FusedScatterWriteAtomicInc {
  using Fields = tt::tt_fabric::NocUnicastScatterAtomicIncFusedCommandHeader;
  using Mask = masks::UnicastFusedScatterWriteAtomicIncUpdateMask;
  static constexpr auto kType = tt::tt_fabric::NOC_FUSED_UNICAST_SCATTER_ATOMIC_INC;
  static constexpr bool kPayload = true;

  template <Mask mask, typename Given>
  FORCE_INLINE static void update(PacketHeader* header, const Given& given, uint16_t bytes) {
    auto& to = header->command_fields.unicast_scatter_seminc_fused;
    if constexpr (has_flag(mask, Mask::WriteDstAddrs))
      for (uint32_t i = 0; i < tt::tt_fabric::NOC_SCATTER_WRITE_ATOMIC_INC_FUSED_WRITE_CHUNKS; ++i)
        to.noc_address[i] = given.noc_address[i];
    if constexpr (has_flag(mask, Mask::SemaphoreDstAddr))
      to.semaphore_noc_address = given.semaphore_noc_address;
    if constexpr (has_flag(mask, Mask::WriteChunkSizes)) to.chunk_size[0] = given.chunk_size[0];
    if constexpr (has_flag(mask, Mask::Val)) to.val = given.val;
    if constexpr (has_flag(mask, Mask::Flush)) to.flush = given.flush;
    if constexpr (has_flag(mask, Mask::PayloadSize)) header->payload_size_bytes = bytes;
  }
};

}  // namespace tvp::fabric

// All of them, as the end of the names of the API's functions and as the type: `each(name, Type)`.
#define TVP_FABRIC_COMMANDS(each)                                                      \
  each(unicast_write, UnicastWrite) each(unicast_atomic_inc, UnicastAtomicInc)         \
      each(scatter_write, ScatterWrite) each(unicast_inline_write, UnicastInlineWrite) \
          each(fused_unicast_with_atomic_inc, FusedWriteAtomicInc)                     \
              each(fused_scatter_write_atomic_inc, FusedScatterWriteAtomicInc)
