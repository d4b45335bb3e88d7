#include "sw/collectives/all_gather.h"

namespace tvp::collectives {

Bytes AllGather::operand(const Request&, const Vectors& vectors, unsigned rank) const {
  return part(vectors.input(rank), vectors.chunk(rank));
}

std::vector<Bytes> AllGather::evaluate(const Request&, const Vectors&,
                                       const std::vector<Bytes>& operands) const {
  Bytes all;
  for (const Bytes& operand : operands) all.insert(all.end(), operand.begin(), operand.end());
  return std::vector<Bytes>(operands.size(), all);
}

Vectors::Verdict AllGather::judge(const Request&, const Vectors& vectors, unsigned,
                                  const Bytes& found) const {
  Vectors::Verdict verdict;
  for (unsigned source = 0; source < vectors.ranks(); ++source) {
    const Vectors::Chunk chunk = vectors.chunk(source);
    verdict.add(vectors.judge_copied(part(found, chunk), source, chunk.begin));
  }
  return verdict;
}

}  // namespace tvp::collectives
