#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <string>

namespace tvp::test {

/// The output of a forked process, and its wait status.
struct ChildOutput {
  std::string text;
  int status = 0;
};

/// Reads until the child ends. Closes both ends of the pipe.
inline ChildOutput read_to_the_end(pid_t child, const int (&ends)[2]) {
  close(ends[1]);
  ChildOutput output;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    output.text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, &output.status, 0);
  return output;
}

}  // namespace tvp::test
