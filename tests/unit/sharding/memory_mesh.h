#pragma once

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "sw/runtime/mesh/mesh_device.h"
#include "tests/support/described_chips.h"
#include "tests/support/memory_chips.h"

namespace tvp::test {

/// Eight memory chips as a mesh of two rows of four, harvested like a t3000.
class MemoryMesh {
 public:
  MemoryMesh()
      : folder_(std::filesystem::temp_directory_path() /
                ("tvp_sharding_" + std::to_string(getpid()))),
        chips_(tests::wormhole(), {544, 513, 640, 513, 576, 513, 513, 528}),
        library_(MemoryChips::functions(), "memory") {
    runtime::MeshDevice::Options options;
    options.cache = folder_.string();
    mesh_ = std::make_unique<runtime::MeshDevice>(library_, options);
    mesh_->reshape({2, 4});
  }
  ~MemoryMesh() {
    mesh_.reset();
    std::filesystem::remove_all(folder_);
  }
  runtime::MeshDevice& operator*() { return *mesh_; }
  runtime::MeshDevice* operator->() { return mesh_.get(); }
  MemoryChips& chips() { return chips_; }

 private:
  std::filesystem::path folder_;
  MemoryChips chips_;
  runtime::DeviceLibrary library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
};

}  // namespace tvp::test
