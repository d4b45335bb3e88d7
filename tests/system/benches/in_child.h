#pragma once

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
  auto [result, status] = test::output_of_child([&] {
    std::string text;
    std::unique_ptr<runtime::DeviceLibrary> library;
    try {
      library = runtime::DeviceLibrary::open(TVP_LIBRARY);
      library->configure("system=pim_rank\n" + settings);
      text = body(*library);
      library->exit();  // checks that no packet was lost
      library->check();
    } catch (const std::exception& error) {
      text += stopped ? stopped(*library, error) : std::string("stopped: ") + error.what();
    }
    return text.empty() ? "right" : text;
  });
  if (status != 0) result += "child ended with status " + std::to_string(status);
  return result;
}

}  // namespace tvp::workloads
