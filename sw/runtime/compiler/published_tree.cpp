#include "sw/runtime/compiler/published_tree.h"

#include <cstdlib>
#include <filesystem>

#include "foundation/read_file.h"

namespace tvp::runtime {

std::string metal_home() {
  const char* home = std::getenv("TT_METAL_HOME");
  return home == nullptr ? std::string() : std::string(home);
}

std::vector<std::string> metal_home_paths(const std::string& kernel) {
  const std::string home = metal_home();
  if (home.empty()) return {};
  return {home + "/" + kernel, home + "/tt_metal/programming_examples/" + kernel};
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

std::vector<std::string> metal_home_defines() {
  struct Difference {
    const char* file;
    const char* text;  ///< text that shows the version
    const char* define;
  };
  static constexpr Difference kDifferences[] = {
      // 2024: the result's buffer is the first argument.
      {"/tt_metal/include/compute_kernel_api/reduce.h", "reduce_init_delta(uint32_t ocb",
       "TVP_REDUCE_DELTA_OUT_FIRST"},
      // 2025: the written tile is the first argument.
      {"/tt_metal/include/compute_kernel_api/copy_dest_values.h", "copy_dest_values(uint32_t idst0",
       "TVP_COPY_DEST_TO_FIRST"},
      // Until November 2025 the list had no neighbor exchange at its beginning.
      {"/tt_metal/api/tt-metalium/fabric_edm_types.hpp", "enum class Topology { Ring = 0",
       "TVP_TOPOLOGIES_OF_2025"},
  };
  std::vector<std::string> defines;
  const std::string home = metal_home();
  if (home.empty()) return defines;
  for (const Difference& difference : kDifferences)
    if (foundation::read_file(home + difference.file).find(difference.text) != std::string::npos)
      defines.emplace_back(difference.define);
  return defines;
}

}  // namespace tvp::runtime
