#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"
#include "tests/support/in_process_of_its_own.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::test {

namespace fs = std::filesystem;

/// Invalid uses of the host API. Each must be refused before a run, with what was wrong and what
/// was expected. Each runs in a separate process.
namespace hostile {

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMost64 = std::numeric_limits<std::uint64_t>::max();
inline const CoreCoord kCore{0, 0}, kOther{1, 0}, kOutside{99, 0};
inline const CoreRangeSet kNone;
inline const CoreRangeSet kBackward = CoreRange({3, 3}, {1, 1});
inline const CoreRangeSet kTwo = CoreRange({0, 0}, {1, 0});

/// Two unused chips.
struct Host {
  Host()
      : folder(fs::temp_directory_path() / ("tvp_hostile_" + std::to_string(getpid()))),
        library(FakeLibrary::functions(), "fake") {
    fs::create_directories(folder);
    kernel = (folder / "k.cpp").string();
    std::ofstream(kernel) << "void kernel_main() {}\n";
    MeshDevice::Options options;
    options.cache = (folder / "cache").string();
    mesh.emplace(library, options);
  }
  ~Host() { fs::remove_all(folder); }

  std::shared_ptr<MeshBuffer> dram(std::uint64_t size = 4096, std::uint64_t page = 2048) {
    return CreateBuffer(
        *mesh,
        InterleavedBufferConfig{.size = size, .page_size = page, .buffer_type = BufferType::DRAM});
  }
  std::shared_ptr<MeshBuffer> l1(const CoreRangeSet& cores = kTwo, std::uint32_t bytes = 2048) {
    return CreateBuffer(*mesh, ShardedBufferConfig{.cores = cores, .shard_bytes = bytes});
  }
  Program program(const CoreRangeSet& cores = kCore) const {
    Program made = CreateProgram();
    CreateKernel(made, kernel, cores, DataMovementConfig{});
    return made;
  }
  MeshCommandQueue& queue() { return mesh->mesh_command_queue(); }
  /// Checks rules that depend on the layout for a device.
  void lay_out(const Program& made) { mesh->cluster().prepare({{0U, &made}}); }
  experimental::PrefetcherPipe pipe() {
    return experimental::CreatePrefetcherPipe(*mesh, kCore, kOther, 1024);
  }

  fs::path folder;
  FakeLibrary fake;
  DeviceLibrary library;
  std::optional<MeshDevice> mesh;
  std::string kernel;
};

struct Use {
  const char* name;
  std::function<void(Host&)> use;
  const char* told;
};
class HostileUse : public testing::TestWithParam<Use> {
 protected:
  static void check() {
    static Host host;  // only changed in child processes
    const std::string told =
        tvp::test::refusal_in_process_of_its_own([&] { GetParam().use(host); });
    EXPECT_NE(told.find(GetParam().told), std::string::npos) << told;
  }
};

}  // namespace hostile
}  // namespace tvp::runtime::test
