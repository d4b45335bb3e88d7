#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "platform/checks/event_types.h"

namespace tvp::checks {

/// The last writers of a memory by granules. Hardware has no such record.
class LastWriters {
 public:
  /// Two rows of a face of a BF16 tile. If two writes share a granule, the later one counts.
  static constexpr std::uint32_t kUsualGranuleBytes = 64;
  explicit LastWriters(std::uint32_t granule_bytes = kUsualGranuleBytes)
      : granule_bytes_(granule_bytes) {}

  struct Write {
    static constexpr std::uint8_t kOwnTile = 0xFF;
    Cycle cycle = 0;
    std::uint32_t pc = 0;  ///< the core's pc; 0: not known
    /// The core that executed the instruction or command; kDebug: not known.
    BusMaster core = BusMaster::kDebug;
    BusMaster agent = BusMaster::kDebug;  ///< kDebug: the host
    /// Place of `core`, in coordinates of NoC 0.
    std::uint8_t x = kOwnTile, y = kOwnTile;

    bool is_foreign() const { return x != kOwnTile; }
  };

  void note(std::uint32_t address, std::uint32_t bytes, const Write& write) {
    if (bytes == 0) return;
    const std::uint32_t last = (address + bytes - 1) / granule_bytes_;
    for (std::uint32_t at = address / granule_bytes_; at <= last; ++at) {
      if (at / kGranules >= chunks_.size() || !chunks_[at / kGranules]) add_chunk(at / kGranules);
      chunks_[at / kGranules][at % kGranules] = write;
    }
  }
  /// Removes the writers of these bytes.
  void forget(std::uint32_t address, std::uint32_t bytes);
  /// The last write of the byte's granule; null if there was none.
  const Write* of(std::uint32_t address) const;

 private:
  static constexpr std::uint32_t kGranules =
      64;  ///< granules of a chunk; the first write allocates it
  static constexpr Cycle kUnwritten = kNever;
  void add_chunk(std::uint32_t chunk);

  std::uint32_t granule_bytes_;
  std::vector<std::unique_ptr<Write[]>> chunks_;
};

}  // namespace tvp::checks
