// A collective on a unit. PIM_OP and PIM_TYPE name the reduction; everything else is in
// `arguments`.

#include "firmware/kernels/pim/collectives/collectives.h"
#include "firmware/kernels/pim/collectives/unit_transport.h"

#ifndef PIM_OP
#define PIM_OP kSum
#endif
#ifndef PIM_TYPE
#define PIM_TYPE std::int32_t
#endif

extern "C" {
pim::collectives::Arguments arguments;
pim::collectives::Times times;
}

namespace {
pim::collectives::Memory memory;
}

int main() {
  using namespace pim::collectives;
  UnitTransport transport;
  Collectives<Reduction<Op::PIM_OP, PIM_TYPE>, UnitTransport> collectives(transport, memory,
                                                                          arguments);
  collectives.run(times);
  return 0;
}
