#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about atomics on words of L1 that no core, NIU, unit or host has ever written, and on
/// semaphores that the tile's program has not created. Writes to the latter count, too.
class UnsetAtomics : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unset_atomics"; }
  const char* summary() const override {
    return "atomics on words that nothing has initialized or created";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  /// A word that the program does not use.
  struct Unused {
    std::uint32_t address = 0;
    std::uint32_t number = 0;  ///< index of TileContext::given
  };
  std::string name_of(const Unused& unused) const;
  void given(const ProbeEvent& event);
  void report(const ProbeEvent& request, const std::string& what);

  std::vector<Unused> unused_;
};

}  // namespace tvp::checks
