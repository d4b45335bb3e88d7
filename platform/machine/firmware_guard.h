#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "foundation/warning_sink.h"
#include "models/support/l1_in_flight.h"
#include "platform/machine/chip.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Warns of transfers that write where a tile's firmware and its mailboxes are, once for each place
/// in the code of whoever asked for them: an address is wrong, which silicon does not say.
class FirmwareGuard : public support::L1InFlight::Guard {
 public:
  FirmwareGuard(Chip& chip, tensix::TensixTile& tile, const SymbolTable& symbols,
                foundation::WarningSink& warnings);
  void trespassed(const support::LastWriters::Write& write, std::uint32_t address,
                  std::uint32_t bytes) override;

 private:
  using Told = std::tuple<unsigned, unsigned, support::BusMaster, std::uint32_t>;

  Chip& chip_;
  tensix::TensixTile& tile_;
  const SymbolTable& symbols_;
  foundation::WarningSink& warnings_;
  std::set<Told> told_;  ///< tile, core and pc
};

}  // namespace tvp::platform
