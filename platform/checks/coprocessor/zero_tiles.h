#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// Tiles that packers take from rows of Dst where nothing was written since ZEROACC. Such rows are
/// zeros, which is right for some of a tile, but hardly for all of it.
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
  bool takes_written_ = false;  ///< some of them from where something was written
  unsigned row_ = 0;            ///< of packer 0, in the instruction that is reported now
};

}  // namespace tvp::checks
