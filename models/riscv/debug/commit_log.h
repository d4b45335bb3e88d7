#pragma once

#include "foundation/output_file.h"
#include "models/riscv/debug/core_observer.h"

namespace tvp::riscv {

/// Writes the format of spike's --log-commits, so that the logs can be compared line by line.
class CommitLog : public CoreObserver {
 public:
  /// `hart` is the number after "core" in each line.
  explicit CommitLog(foundation::OutputFile& out, unsigned hart = 0) : out_(out), hart_(hart) {}
  void committed(const Core& core, const Commit& commit) override;

 private:
  foundation::OutputFile& out_;
  unsigned hart_;
};

}  // namespace tvp::riscv
