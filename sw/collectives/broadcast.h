#pragma once

#include "sw/collectives/collective.h"

namespace tvp::collectives {

/// Every rank ends with the vector of one, the root.
class Broadcast : public Collective {
 public:
  std::string name() const override { return "broadcast"; }
  std::string summary() const override {
    return "broadcast of a vector to all banks of a PIM system";
  }
  std::vector<std::string> algorithms() const override {
    return {"heap", "binomial", "in_switch", "host"};
  }
  bool has_root() const override { return true; }
  std::string document_algorithm() const override { return "heap"; }

  bool has_operand(const Request& request, unsigned rank) const override;
  Bytes operand(const Request& request, const Vectors& vectors, unsigned rank) const override;
  bool same_everywhere() const override { return true; }
  std::vector<Bytes> evaluate(const Request& request, const Vectors& vectors,
                              const std::vector<Bytes>& operands) const override;
  Vectors::Verdict judge(const Request& request, const Vectors& vectors, unsigned rank,
                         const Bytes& found) const override;

  TreeFlow tree_flow(const Request& request) const override;
  std::vector<Phases> schedule(const Request& request, const Plan& plan,
                               PhaseTable& table) const override;
  Cost cost(const Request& request, const Plan& plan) const override;
  double bus_factor(unsigned ranks) const override;
  void complete(const Request& request, firmware::collectives::Arguments& arguments) const override;
};

}  // namespace tvp::collectives
