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
  auto [result, status] = output_of_child([&]() -> std::string {
    alarm(seconds);
    try {
      use();
    } catch (const foundation::Fault& fault) {
      return fault.kind() == foundation::FaultKind::kDescription
                 ? fault.what()
                 : std::string("a fault of another kind: ") + fault.what();
    } catch (const std::exception& error) {
      return std::string("threw ") + typeid(error).name() + ": " + error.what();
    }
    return "accepted";
  });
  if (WIFSIGNALED(status)) result += "ended by signal " + std::to_string(WTERMSIG(status));
  return result;
}

}  // namespace tvp::test
