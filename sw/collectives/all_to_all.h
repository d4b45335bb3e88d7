#pragma once

#include "sw/collectives/chunked_collective.h"

namespace tvp::collectives {

/// Every rank ends with the block that is meant for it of the vector of each.
class AllToAll : public ChunkedCollective {
 public:
  AllToAll() : ChunkedCollective(firmware::collectives::Kind::kAllToAll) {}

  std::string name() const override { return "all_to_all"; }
  std::string summary() const override {
    return "a block from each bank of a PIM system to each other";
  }
  std::vector<std::string> algorithms() const override { return {"exchange", "host"}; }

  std::uint64_t result_bytes(const Vectors& vectors, unsigned rank) const override;
  std::vector<Bytes> evaluate(const Request& request, const Vectors& vectors,
                              const std::vector<Bytes>& operands) const override;
  Vectors::Verdict judge(const Request& request, const Vectors& vectors, unsigned rank,
                         const Bytes& found) const override;

  std::vector<Phases> schedule(const Request& request, const Plan& plan,
                               PhaseTable& table) const override;
  Cost cost(const Request& request, const Plan& plan) const override;
};

}  // namespace tvp::collectives
