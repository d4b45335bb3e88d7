#include "sw/runtime/compiler/compile_progress.h"

#include <unistd.h>

#include <iostream>

#include "foundation/source_root.h"

namespace tvp::runtime {

std::ostream* CompileProgress::terminal() {
  return isatty(STDERR_FILENO) == 1 ? &std::cerr : nullptr;
}

void CompileProgress::made_one(Time now) {
  ++made_;
  if (out_ == nullptr || now - reported_ < kBetweenLines || made_ == images_) return;
  reported_ = now;
  *out_ << foundation::program_name() << ": compiling kernels for cores, " << made_ << " of "
        << images_ << " (kept for the next time)" << std::endl;
}

}  // namespace tvp::runtime
