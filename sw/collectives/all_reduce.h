#pragma once

#include "sw/collectives/collective.h"

namespace tvp::collectives {

/// Every rank ends with the reduction of the vectors of all.
class AllReduce : public Collective {
 public:
  std::string name() const override { return "allreduce"; }
  std::string summary() const override {
    return "all-reduce of vectors in the banks of a PIM system";
  }
  std::vector<std::string> algorithms() const override { return {"ring", "in_switch", "host"}; }
  bool reduces() const override { return true; }
  bool has_ring() const override { return true; }
  std::string document_algorithm() const override { return "ring"; }

  bool same_everywhere() const override { return true; }
  std::vector<Bytes> evaluate(const Request& request, const Vectors& vectors,
                              const std::vector<Bytes>& operands) const override;
  Vectors::Verdict judge(const Request& request, const Vectors& vectors, unsigned rank,
                         const Bytes& found) const override;
  std::string explain(const Request& request, const Vectors& vectors, unsigned rank,
                      const Vectors::Verdict& verdict, const Bytes& found) const override;

  std::vector<Phases> schedule(const Request& request, const Plan& plan,
                               PhaseTable& table) const override;
  Cost cost(const Request& request, const Plan& plan) const override;
  double bus_factor(unsigned ranks) const override;
  std::vector<std::string> halves(const Request& request) const override;
  void complete(const Request& request, firmware::collectives::Arguments& arguments) const override;
};

}  // namespace tvp::collectives
