#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/unseen_arrivals.h"

namespace tvp::checks {

/// Uses of what another tile has written by cores that have not looked at what announces it, once
/// for each place in their code. Silicon does it without a word, and most of the time well.
class MissingSignals : public Check, public UnseenArrivals::Listener {
 public:
  explicit MissingSignals(const TileContext& tile);
  const char* name() const override { return "missing_signals"; }
  const char* summary() const override {
    return "uses of data of other tiles before the signal that announces it";
  }
  Probe::Kinds kinds() const override { return 0; }
  void on(const ProbeEvent& /*event*/) override {}
  void used_unannounced(const UnseenArrivals::Use& use, const UnseenArrivals::Arrival& arrival,
                        std::uint32_t signal) override;

 private:
  void report(const UnseenArrivals::Use& use, const UnseenArrivals::Arrival& arrival,
              std::uint32_t signal);
  std::vector<std::pair<BusMaster, std::uint32_t>> told_;  ///< core and pc
};

}  // namespace tvp::checks
