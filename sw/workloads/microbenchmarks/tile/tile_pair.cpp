#include "sw/workloads/microbenchmarks/tile/tile_pair.h"

#include "sw/runtime/errors.h"

namespace tvp::workloads::microbenchmarks {

runtime::CoreCoord TilePair::there() const {
  if (distance_x == 0U && distance_y == 0U) runtime::bad_use(name(), "the two tiles are the same");
  return {distance_x, distance_y};
}

}  // namespace tvp::workloads::microbenchmarks
