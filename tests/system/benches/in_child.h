#pragma once

#include <unistd.h>

#include <functional>
#include <string>

#include "sw/runtime/devices/device_library.h"
#include "tests/support/child_output.h"

namespace tvp::workloads {

/// Runs work on a system in a separate process, isolated from other tests. Returns its text, or
/// "right" if that is empty. `stopped` turns an exception into a text.
inline std::string in_child(
    const std::string& settings, const std::function<std::string(runtime::DeviceLibrary&)>& body,
    const std::function<std::string(runtime::DeviceLibrary&, const std::exception&)>& stopped =
        nullptr) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    std::string result;
    std::unique_ptr<runtime::DeviceLibrary> library;
    try {
      library = runtime::DeviceLibrary::open(TVP_LIBRARY);
      library->configure("system=pim_rank\n" + settings);
      result = body(*library);
      library->exit();  // checks that no packet was lost
      library->check();
    } catch (const std::exception& error) {
      result += stopped ? stopped(*library, error) : std::string("stopped: ") + error.what();
    }
    if (result.empty()) result = "right";
    const ssize_t written = write(ends[1], result.data(), result.size());
    _exit(written == static_cast<ssize_t>(result.size()) ? 0 : 1);
  }
  auto [result, status] = test::read_to_the_end(child, ends);
  if (status != 0) result += "child ended with status " + std::to_string(status);
  return result;
}

}  // namespace tvp::workloads
