#pragma once

#include "sw/collectives/chunked_collective.h"

namespace tvp::collectives {

/// Every rank ends with the chunks of all, one behind the other.
class AllGather : public ChunkedCollective {
 public:
  AllGather() : ChunkedCollective(firmware::collectives::Kind::kAllGather) {}

  std::string name() const override { return "all_gather"; }
  std::string summary() const override {
    return "chunks in the banks of a PIM system, all of them to each";
  }
  std::vector<std::string> algorithms() const override { return {"ring", "host"}; }
  bool has_ring() const override { return true; }

  Bytes operand(const Request& request, const Vectors& vectors, unsigned rank) const override;
  bool same_everywhere() const override { return true; }
  std::vector<Bytes> evaluate(const Request& request, const Vectors& vectors,
                              const std::vector<Bytes>& operands) const override;
  Vectors::Verdict judge(const Request& request, const Vectors& vectors, unsigned rank,
                         const Bytes& found) const override;
};

}  // namespace tvp::collectives
