#include "sw/collectives/pim/pim_collective.h"

#include "sw/runtime/errors.h"

namespace tvp::collectives {

const std::vector<PimCollective>& pim_collectives() {
  static const std::vector<PimCollective> all{
      {"allreduce",
       Primitive::kAllReduce,
       "all-reduce of vectors in the banks of a PIM system",
       {"ring", "in_switch", "host"},
       "ring"},
      {"broadcast",
       Primitive::kBroadcast,
       "broadcast of a vector to all banks of a PIM system",
       {"heap", "binomial", "in_switch", "host"},
       "heap"},
      {"reduce_scatter",
       Primitive::kReduceScatter,
       "reduce-scatter of vectors in the banks of a PIM system",
       {"ring", "host"}},
      {"all_gather",
       Primitive::kAllGather,
       "all-gather of chunks in the banks of a PIM system",
       {"ring", "host"}},
      {"all_to_all",
       Primitive::kAllToAll,
       "all-to-all of blocks between the banks of a PIM system",
       {"exchange", "host"}}};
  return all;
}

const PimCollective& pim_collective(const std::string& name) {
  std::string names;
  for (const PimCollective& each : pim_collectives()) {
    if (each.name == name) return each;
    names += (names.empty() ? "" : ", ") + each.name;
  }
  runtime::bad_use("collective " + name, "expected one of " + names);
}

}  // namespace tvp::collectives
