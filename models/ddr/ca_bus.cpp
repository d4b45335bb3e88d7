#include "models/ddr/ca_bus.h"

#include <algorithm>

namespace tvp::ddr {

unsigned CaBus::slots_of(Command command) const {
  switch (command) {
    case Command::kActivate:
      return timing_.activate_slots;
    case Command::kRead:
    case Command::kReadAutoPrecharge:
    case Command::kWrite:
    case Command::kWriteAutoPrecharge:
      return timing_.column_slots;
    case Command::kDeselect:
      return 0;
    default:
      return timing_.other_slots;
  }
}

MemCycle CaBus::take(unsigned slots, MemCycle earliest) {
  const MemCycle at = std::max(earliest, free_);
  stats_.waited += at - earliest;
  free_ = at + slots;
  return at;
}

MemCycle CaBus::issue(Command command, MemCycle earliest) {
  const unsigned slots = slots_of(command);
  if (command == Command::kPim) {
    stats_.pim_slots += slots;
  } else {
    stats_.normal_slots += slots;
  }
  return take(slots, earliest);
}

MemCycle CaBus::issue_pim(unsigned words, MemCycle earliest) {
  const unsigned slots = words * timing_.other_slots;
  stats_.pim_slots += slots;
  return take(slots, earliest);
}

}  // namespace tvp::ddr
