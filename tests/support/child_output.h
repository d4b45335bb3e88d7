#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <functional>
#include <string>

namespace tvp::test {

/// The text of a forked process, and its wait status.
struct ChildOutput {
  std::string text;
  int status = 0;
};

/// Runs `work` in a forked process, so that it changes nothing here and a crash is seen. The text
/// is what `work` returns.
inline ChildOutput output_of_child(const std::function<std::string()>& work) {
  ChildOutput output;
  int ends[2];
  if (pipe(ends) != 0) return {"no pipe", 1};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string text = work();
    std::size_t at = 0;
    for (ssize_t put = 0; at < text.size(); at += static_cast<std::size_t>(put))
      if ((put = write(ends[1], text.data() + at, text.size() - at)) <= 0) break;
    _exit(at == text.size() ? 0 : 1);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    output.text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, &output.status, 0);
  return output;
}

}  // namespace tvp::test
