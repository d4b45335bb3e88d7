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
  /// `keeps_stores`: whether stores of cores have writers.
  Provenance(Chip& chip, const SymbolTable& symbols, bool keeps_stores)
      : chip_(chip), symbols_(symbols), keeps_stores_(keeps_stores) {}

  /// Of code: a core that has stored there, or whoever it was.
  std::string writer_of(tensix::TensixTile& tile, std::uint32_t address) const;
  /// "chip0.tensix(1,1).NCRISC has read it from elsewhere, which came in cycle 12395\n  in …"; of
  /// what the tile at (x, y) has.
  std::string written(unsigned x, unsigned y, const support::LastWriters::Write& write) const;
  std::string of_l1(tensix::TensixTile& tile, std::uint64_t address) const;
  std::string of_dram(const DramBuffers::Origin& origin) const;

 private:
  using Write = support::LastWriters::Write;

  std::string commanded(const DramBuffers::Command& command) const;
  /// Of what a tile has packed: who has written what its last program unpacked, a sentence on a
  /// line for each circular buffer that its compute kernel does not fill itself.
  std::string made_from(tensix::TensixTile& tile, const Write& write) const;
  /// What was odd in the last program of a tile, a sentence on a line each; right programs may
  /// leave it so, too.
  std::string left_at_end(tensix::TensixTile& tile) const;
  std::string core(unsigned x, unsigned y, support::BusMaster master) const;
  /// "\n  in kernel_main (…)", or ", at pc 0x…".
  std::string at(unsigned x, unsigned y, support::BusMaster core, std::uint32_t pc,
                 support::Cycle cycle) const;

  Chip& chip_;
  const SymbolTable& symbols_;
  bool keeps_stores_;
};

}  // namespace tvp::platform
