#pragma once

#include "models/dram/traffic/trace_format.h"

namespace tvp::dram {

/// Lines R|W VECTOR without times (Ramulator 2, README.md: ReadWriteTrace). The vector names a
/// column by the levels of the standard. Six numbers are channel, rank, group, bank, row, column.
/// Five numbers leave out the rank (GDDR6 has none), or else the group: the bank then counts over
/// all groups, as in DDR3.
class AddressVectorTrace : public TraceFormat {
 public:
  AddressVectorTrace(const AddressMapping& memory, bool has_ranks)
      : memory_(memory), has_ranks_(has_ranks) {}
  std::string form() const override;
  bool fits(const TraceLine& line) const override;
  void read(const TraceLine& line, std::vector<TraceEntry>& entries) const override;

 private:
  const AddressMapping& memory_;
  const bool has_ranks_;
};

}  // namespace tvp::dram
