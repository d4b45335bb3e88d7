#include "sw/collectives/reduce_scatter.h"

namespace tvp::collectives {

std::uint64_t ReduceScatter::result_bytes(const Vectors& vectors, unsigned rank) const {
  const Vectors::Chunk chunk = vectors.chunk(rank);
  return chunk.end - chunk.begin;
}

std::vector<Bytes> ReduceScatter::evaluate(const Request&, const Vectors& vectors,
                                           const std::vector<Bytes>& operands) const {
  const Bytes all = vectors.reduce(operands);
  std::vector<Bytes> results;
  for (unsigned rank = 0; rank < operands.size(); ++rank)
    results.push_back(part(all, vectors.chunk(rank)));
  return results;
}

Vectors::Verdict ReduceScatter::judge(const Request&, const Vectors& vectors, unsigned rank,
                                      const Bytes& found) const {
  return vectors.judge_reduced(found, vectors.chunk(rank).begin);
}

}  // namespace tvp::collectives
