#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about tiles that packers read from rows of Dst that nothing has written since ZEROACC.
/// Such rows are zeros. A tile may contain some of them, but hardly consists only of them.
class ZeroTiles : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "zero_tiles"; }
  const char* summary() const override {
    return "packed tiles whose rows of Dst nothing has written since ZEROACC";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  void end_tile(const ProbeEvent& event);

  // The tile that is being packed.
  bool takes_rows_ = false;
  bool takes_written_ = false;  ///< something has written one of these rows
  unsigned row_ = 0;            ///< first row that packer 0 reads for the current instruction
};

}  // namespace tvp::checks
