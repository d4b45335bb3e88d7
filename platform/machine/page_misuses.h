#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "foundation/warning_sink.h"
#include "models/support/page_uses.h"
#include "models/tensix/tile/tensix_tile.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Warns of what the cores of a tile do with pages of circular buffers that are not theirs, once
/// for each buffer and place in their code. Silicon does it without a word.
class PageMisuses : public support::PageUses::Listener {
 public:
  PageMisuses(tensix::TensixTile& tile, unsigned chip, const SymbolTable& symbols,
              foundation::WarningSink& warnings);
  void misused(const support::PageUses::Misuse& misuse) override;
  /// Of a program that starts next.
  void forget() { told_.clear(); }

 private:
  using Told = std::tuple<support::PageUses::Misuse::Kind, support::BusMaster, std::uint32_t,
                          unsigned>;  ///< what, who, where, and with which buffer

  tensix::TensixTile& tile_;
  const unsigned chip_;
  const SymbolTable& symbols_;
  foundation::WarningSink& warnings_;
  std::vector<Told> told_;
};

}  // namespace tvp::platform
