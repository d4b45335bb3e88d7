#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "foundation/warning_sink.h"
#include "models/support/unseen_arrivals.h"
#include "models/tensix/tile/tensix_tile.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Warns of a tile's cores that use what another tile has written without having looked at what
/// announces it, once for each place in their code. Silicon does it without a word, and most of the
/// time well.
class MissingSignals : public support::UnseenArrivals::Listener {
 public:
  MissingSignals(tensix::TensixTile& tile, unsigned chip, const SymbolTable& symbols,
                 foundation::WarningSink& warnings);
  void used_unannounced(const support::UnseenArrivals::Use& use,
                        const support::UnseenArrivals::Arrival& arrival,
                        std::uint32_t signal) override;

 private:
  using Told = std::tuple<support::BusMaster, std::uint32_t, std::uint32_t>;

  bool is_new(const Told& place);
  /// "\n  in kernel_main (…)", or ", at pc 0x…".
  std::string at(support::BusMaster core, std::uint32_t pc) const;
  void warn(support::BusMaster core, const std::string& text) const;

  tensix::TensixTile& tile_;
  const unsigned chip_;
  const SymbolTable& symbols_;
  foundation::WarningSink& warnings_;
  std::vector<Told> told_;
};

}  // namespace tvp::platform
