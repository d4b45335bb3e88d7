#pragma once

#include <string>

namespace tvp::test {

/// Where the kernels lie that this test writes: beside its executable, a fixed place, so that the
/// compile cache knows them again. TVP_KERNEL_FOLDER, for code that several executables share.
std::string kernel_folder();

}  // namespace tvp::test
