#include "tests/system/benches/kernel_folder.h"

#include <filesystem>

namespace tvp::test {

std::string kernel_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").string() + "_kernels";
}

}  // namespace tvp::test
