#pragma once

#include "foundation/warning_sink.h"
#include "models/support/unseen_answers.h"
#include "models/tensix/tile/tensix_tile.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Warns of kernels of a tile that ended before the NoC had answered what they asked of it: who is
/// back in the firmware, the first that was loaded, does not wait any more. Silicon does it without
/// a word; tt-metal's watcher calls it a failed assertion.
class MissingBarriers : public support::UnseenAnswers::Listener {
 public:
  MissingBarriers(tensix::TensixTile& tile, unsigned chip, const SymbolTable& symbols,
                  foundation::WarningSink& warnings);
  bool answered(unsigned noc, support::UnseenAnswers::Kind kind,
                const support::UnseenAnswers::Command& command) override;

 private:
  tensix::TensixTile& tile_;
  const unsigned chip_;
  const SymbolTable& symbols_;
  foundation::WarningSink& warnings_;
};

}  // namespace tvp::platform
