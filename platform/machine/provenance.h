#pragma once

#include <cstdint>
#include <string>

#include "models/support/last_writers.h"
#include "platform/machine/chip.h"
#include "platform/machine/dram_buffers.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Who has written what lies in the memories of a chip, in words, for whoever has found a wrong
/// result there.
class Provenance {
 public:
  Provenance(Chip& chip, const SymbolTable& symbols) : chip_(chip), symbols_(symbols) {}

  std::string of_l1(tensix::TensixTile& tile, std::uint64_t address) const;
  std::string of_dram(const DramBuffers::Origin& origin) const;

 private:
  using Write = support::LastWriters::Write;

  std::string written(unsigned x, unsigned y, const Write& write) const;
  std::string commanded(const DramBuffers::Command& command) const;
  /// What was odd in the last program of a tile, a sentence on a line each; right programs may
  /// leave it so, too.
  std::string left_at_end(tensix::TensixTile& tile) const;
  std::string core(unsigned x, unsigned y, support::BusMaster master) const;
  /// "\n  in kernel_main (…)", or ", at pc 0x…".
  std::string at(unsigned x, unsigned y, support::BusMaster core, std::uint32_t pc,
                 support::Cycle cycle) const;

  Chip& chip_;
  const SymbolTable& symbols_;
};

}  // namespace tvp::platform
