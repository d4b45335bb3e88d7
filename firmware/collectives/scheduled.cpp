// Any schedule on a unit: its program and all memory of the interpreter are in `arena`, which the
// host lays out. PIM_OP and PIM_TYPE name the reduction; PIM_SLICES=SwitchedSlices or RangedSlices
// where the schedule needs a switch.

#include "firmware/collectives/reductions.h"
#include "firmware/collectives/schedule_interpreter.h"
#include "firmware/collectives/transport/pim_unit.h"
#include "firmware/collectives/transport/switched_slices.h"
#include "firmware/collectives/transport/unit_slices.h"

#ifndef PIM_OP
#define PIM_OP kSum
#endif
#ifndef PIM_TYPE
#define PIM_TYPE float
#endif
#ifndef PIM_SLICES
#define PIM_SLICES UnitSlices
#endif
#ifndef PIM_ARENA_BYTES
#define PIM_ARENA_BYTES 57344
#endif

extern "C" {
alignas(8) std::uint8_t arena[PIM_ARENA_BYTES];
std::uint64_t times[2];  ///< begin: all have met; end
}

int main() {
  using namespace tvp::firmware::collectives;
  UnitTransport unit;
  PIM_SLICES<Reduction<Op::PIM_OP, PIM_TYPE>, UnitTransport> slices(unit, arena, sizeof arena);
  ScheduleInterpreter interpreter(slices, arena);
  unit.barrier();
  times[0] = unit.cycles();
  interpreter.run();
  times[1] = unit.cycles();
  return 0;
}
