#pragma once

#include <cstdint>

#include "foundation/random.h"
#include "models/ethernet/ethernet_config.h"

namespace tvp::ethernet {

/// Error injection of one direction of a link.
class LineErrors {
 public:
  enum class Fate { kWhole, kCorrupt, kDropped };

  /// `index` is the sending end: 0 or 1.
  LineErrors(const EthernetConfig& config, std::uint16_t link_number, unsigned index)
      : config_(config),
        random_(config.error_seed + 0x632BE59BD9B4E019ULL * (2U * link_number + index)) {}

  /// The fate of the next packet. The generator runs only if errors are configured, so that a run
  /// without errors does not depend on the seed.
  Fate next() {
    if (config_.drop_rate > 0.0 && random_.fraction() < config_.drop_rate) return Fate::kDropped;
    if (config_.corrupt_rate > 0.0 && random_.fraction() < config_.corrupt_rate)
      return Fate::kCorrupt;
    return Fate::kWhole;
  }

 private:
  const EthernetConfig& config_;
  foundation::Random random_;
};

}  // namespace tvp::ethernet
