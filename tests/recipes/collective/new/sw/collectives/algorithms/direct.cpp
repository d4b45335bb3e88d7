#include "sw/collectives/algorithms/direct.h"

#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

Schedule Direct::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_root(request.root);
  const std::uint32_t k = request.segments;
  const bool scatters = request.primitive == Primitive::kScatter;
  auto root = builder.at(request.root);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    const std::uint32_t first = scatters ? rank * k : 0;
    if (rank == request.root) {
      root.copy(input(first), output(0), k);
    } else {
      root.send(rank, input(first), k);
      builder.at(rank).receive(request.root, output(0), k);
    }
  }
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
