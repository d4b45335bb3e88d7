#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "platform/cli/command_line.h"
#include "platform/cli/exit_code.h"

int main(int argc, char** argv) {
  // The kernel of the simulation greets on standard output otherwise.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  // A write beyond a limit of sizes is an error like that of a full disk, and not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  const int exit_code = tvp::cli::CommandLine().execute(argc, argv);
  // What was printed counts, too, e.g. where it was sent to a file.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  std::fprintf(stderr, "vp: standard output cannot be written to its end\n");
  return exit_code == 0 ? tvp::cli::kHost : exit_code;
}
