#pragma once

#include "sw/collectives/collective.h"

namespace tvp::collectives {

/// A collective in which every rank has a chunk of its own in each vector, and all but that one
/// cross links.
class ChunkedCollective : public Collective {
 public:
  /// In rings, unless there is another way.
  std::vector<Phases> schedule(const Request& request, const Plan& plan,
                               PhaseTable& table) const override;
  Cost cost(const Request& request, const Plan& plan) const override;
  double bus_factor(unsigned ranks) const override;
  void complete(const Request& request, firmware::collectives::Arguments& arguments) const override;

 protected:
  explicit ChunkedCollective(firmware::collectives::Kind kind) : kind_(kind) {}

 private:
  const firmware::collectives::Kind kind_;
};

}  // namespace tvp::collectives
