#pragma once

#include "sw/collectives/broadcast.h"

namespace tvp::collectives {

/// A broadcast along binomial trees only.
class Spread : public Broadcast {
 public:
  std::string name() const override { return "spread"; }
  std::string summary() const override { return "broadcast along binomial trees only"; }
  std::vector<std::string> algorithms() const override { return {"binomial"}; }
  std::string document_algorithm() const override { return ""; }
};

}  // namespace tvp::collectives
