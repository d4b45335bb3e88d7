#pragma once

#include <unistd.h>

#include <exception>
#include <functional>
#include <string>
#include <typeinfo>

#include "foundation/fault.h"
#include "tests/support/child_output.h"

namespace tvp::test {

/// Runs `use` in a separate process, so that a crash is seen. Returns the text of a
/// Fault(kDescription), "accepted", or the other outcome. The limit is `seconds`.
inline std::string refusal_in_process_of_its_own(const std::function<void()>& use,
                                                 unsigned seconds = 60) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(seconds);
    std::string result = "accepted";
    try {
      use();
    } catch (const foundation::Fault& fault) {
      result = fault.kind() == foundation::FaultKind::kDescription
                   ? fault.what()
                   : std::string("a fault of another kind: ") + fault.what();
    } catch (const std::exception& error) {
      result = std::string("threw ") + typeid(error).name() + ": " + error.what();
    }
    const ssize_t written = write(ends[1], result.data(), result.size());
    _exit(written == static_cast<ssize_t>(result.size()) ? 0 : 1);
  }
  auto [result, status] = read_to_the_end(child, ends);
  if (WIFSIGNALED(status)) result += "ended by signal " + std::to_string(WTERMSIG(status));
  return result;
}

}  // namespace tvp::test
