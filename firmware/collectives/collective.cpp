// A collective on a unit. PIM_OP and PIM_TYPE name the reduction; everything else is in
// `arguments`.

#include "firmware/collectives/collectives.h"
#include "firmware/collectives/transport/pim_unit.h"

#ifndef PIM_OP
#define PIM_OP kSum
#endif
#ifndef PIM_TYPE
#define PIM_TYPE std::int32_t
#endif

extern "C" {
tvp::firmware::collectives::Arguments arguments;
tvp::firmware::collectives::Times times;
}

namespace {
tvp::firmware::collectives::Memory memory;
}

int main() {
  using namespace tvp::firmware::collectives;
  UnitTransport transport;
  Collectives<Reduction<Op::PIM_OP, PIM_TYPE>, UnitTransport> collectives(transport, memory,
                                                                          arguments);
  collectives.run(times);
  return 0;
}
