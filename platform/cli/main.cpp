#include <cstdlib>

#include "platform/cli/command_line.h"

int main(int argc, char** argv) {
  // The kernel of the simulation greets on standard output otherwise.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return tvp::cli::CommandLine().execute(argc, argv);
}
