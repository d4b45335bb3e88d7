#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "sw/runtime/host_api.h"

namespace tvp::test {

/// A test suite whose tests share one simulated system. SetUpTestSuite opens the system. `Base`:
/// testing::Test or testing::TestWithParam.
template <typename Base = testing::Test>
class SystemSuite : public Base {
 protected:
  /// `settings`: lines of a configuration. `kernels`: the folder for kernels of the suite.
  static void open(const std::string& settings, const std::string& kernels,
                   const runtime::MeshDevice::Options& options = {}) {
    library_ = runtime::DeviceLibrary::open(TVP_LIBRARY);
    library_->configure(settings);
    mesh_ = std::make_unique<runtime::MeshDevice>(*library_, options);
    folder_ = std::filesystem::path(TVP_KERNEL_FOLDER) / kernels;
    std::filesystem::create_directories(folder_);
  }
  static void TearDownTestSuite() {
    mesh_.reset();
    library_.reset();
  }
  /// Writes a kernel to the folder and returns its path.
  static std::string kernel(const std::string& file, const std::string& text) {
    std::ofstream(folder_ / file) << text;
    return (folder_ / file).string();
  }

  static inline std::unique_ptr<runtime::DeviceLibrary> library_;
  static inline std::unique_ptr<runtime::MeshDevice> mesh_;
  static inline std::filesystem::path folder_;
};

}  // namespace tvp::test
