#pragma once

#include "sw/collectives/chunked_collective.h"

namespace tvp::collectives {

/// Every rank ends with its chunk of the reduction of the vectors of all.
class ReduceScatter : public ChunkedCollective {
 public:
  ReduceScatter() : ChunkedCollective(firmware::collectives::Kind::kReduceScatter) {}

  std::string name() const override { return "reduce_scatter"; }
  std::string summary() const override {
    return "reduction of vectors in the banks of a PIM system, a chunk to each";
  }
  std::vector<std::string> algorithms() const override { return {"ring", "host"}; }
  bool reduces() const override { return true; }
  bool has_ring() const override { return true; }

  std::uint64_t result_bytes(const Vectors& vectors, unsigned rank) const override;
  std::vector<Bytes> evaluate(const Request& request, const Vectors& vectors,
                              const std::vector<Bytes>& operands) const override;
  Vectors::Verdict judge(const Request& request, const Vectors& vectors, unsigned rank,
                         const Bytes& found) const override;
};

}  // namespace tvp::collectives
