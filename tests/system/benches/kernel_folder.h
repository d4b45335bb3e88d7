#pragma once

#include <string>

namespace tvp::test {

/// Folder for kernels that this test writes. It is beside the executable, a fixed place, so that
/// the compile cache works. Code that several executables share sets TVP_KERNEL_FOLDER.
std::string kernel_folder();

}  // namespace tvp::test
