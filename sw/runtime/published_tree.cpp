#include "sw/runtime/published_tree.h"

#include <cstdlib>
#include <filesystem>

#include "foundation/read_file.h"

namespace tvp::runtime {

std::string metal_home() {
  const char* home = std::getenv("TT_METAL_HOME");
  return home == nullptr ? std::string() : std::string(home);
}

bool metal_home_has_page_sizes() {
  const std::string home = metal_home();
  if (home.empty()) return false;
  return foundation::read_file(home + "/tt_metal/hw/inc/api/tensor/tensor_accessor_args.h")
             .find("AlignedPageSize") != std::string::npos;
}

bool metal_home_has_socket_addresses() {
  const std::string home = metal_home();
  if (home.empty()) return false;
  std::error_code error;
  for (const char* file : {"/tt_metal/hw/inc/api/socket_api.h", "/tt_metal/hw/inc/socket_api.h"})
    if (std::filesystem::is_regular_file(home + file, error))
      return foundation::read_file(home + file).find("is_d2h") == std::string::npos;
  return false;
}

bool metal_home_reduces_out_first() {
  const std::string home = metal_home();
  if (home.empty()) return false;
  return foundation::read_file(home + "/tt_metal/include/compute_kernel_api/reduce.h")
             .find("reduce_init_delta(uint32_t ocb") != std::string::npos;
}

}  // namespace tvp::runtime
