#pragma once

#include <cstdint>
#include <string>

#include "platform/checks/chip_checks.h"
#include "platform/checks/record/dram_buffers.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

/// Who has written what lies in the memories of a chip, in words, for whoever has found a wrong
/// result there.
class Provenance {
 public:
  /// `keeps_stores`: whether stores of cores have writers.
  Provenance(const ChipChecks& checks, unsigned chip, const CodeNames& names, bool keeps_stores)
      : checks_(checks), text_(chip, names, keeps_stores) {}

  /// Of code: a core that has stored there, or whoever it was.
  std::string writer_of(unsigned x, unsigned y, std::uint32_t address) const;
  /// Of a byte in the L1 of the tile at (x, y).
  std::string of_l1(unsigned x, unsigned y, std::uint32_t address) const;
  std::string of_dram(const DramBuffers::Origin& origin) const;

 private:
  using Write = LastWriters::Write;

  const TileRecord* record_at(unsigned x, unsigned y) const;
  const Write* last_writer(unsigned x, unsigned y, std::uint32_t address) const;
  std::string commanded(const DramBuffers::Command& command) const;
  /// Of what a tile has packed: who has written what its last program unpacked, a sentence on a
  /// line for each circular buffer that its compute kernel does not fill itself.
  std::string made_from(unsigned x, unsigned y, const Write& write) const;
  /// What was odd in the last program of a tile, a sentence on a line each; right programs may
  /// leave it so, too.
  std::string left_at_end(unsigned x, unsigned y) const;

  const ChipChecks& checks_;
  const WriterText text_;
};

}  // namespace tvp::checks
