#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "foundation/host_error.h"
#include "platform/cli/command_line.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/process/job_rank.h"
#include "platform/cli/process/stack_limit.h"

namespace {

int execute(int argc, char** argv) try {
  tvp::cli::end_on_interrupts();
  tvp::cli::raise_stack_limit();
  // SystemC would print its copyright on standard output.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  // A write beyond a file size limit is an error like a full disk, instead of ending the process.
  std::signal(SIGXFSZ, SIG_IGN);
  if (const auto served = tvp::cli::JobRank().take_part(argc, argv)) return *served;
  return tvp::cli::CommandLine().execute(argc, argv);
} catch (const std::exception& error) {
  const auto failure = tvp::foundation::host_failure(error);
  tvp::cli::complain(failure.value_or(error.what()));
  return failure ? tvp::cli::kHost : tvp::cli::kDefect;
}

}  // namespace

int main(int argc, char** argv) {
  const int exit_code = execute(argc, argv);
  // Standard output may be a file on a full disk.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  tvp::cli::complain("standard output cannot be written to its end");
  return exit_code == 0 ? tvp::cli::kHost : exit_code;
}
