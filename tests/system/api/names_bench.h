#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/system/benches/written_kernel.h"

namespace tvp::test {

/// Kernels that find arguments, buffers and tensors by name, on a chip for each test: one that
/// refuses a program serves no other.
class NamesBench : public testing::Test {
 protected:
  using Words = std::vector<std::uint32_t>;

  static constexpr runtime::CoreCoord kCore{0, 0};
  static constexpr std::uint32_t kPage = 2048;

  NamesBench() {
    library_->configure("system=single_chip");
    mesh_ = std::make_unique<runtime::MeshDevice>(*library_, runtime::MeshDevice::Options{});
  }
  ~NamesBench() override { mesh_.reset(); }

  static std::string source(const std::string& name, const std::string& text) {
    return written("names/" + name + ".cpp", text);
  }
  static Words read(const std::shared_ptr<runtime::MeshBuffer>& from) {
    const std::vector<std::uint8_t> bytes = from->read(0);
    Words words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  }
  static Words counting(std::uint32_t pages = 1) {
    Words words(pages * kPage / 4);
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 3 * i + 7;
    return words;
  }
  static std::vector<std::uint8_t> bytes_of(const Words& words) {
    std::vector<std::uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
  }
  std::shared_ptr<runtime::MeshBuffer> tensor(const Words& words) {
    auto made = runtime::MeshBuffer::create(
        *mesh_, runtime::InterleavedBufferConfig{.size = words.size() * 4, .page_size = kPage});
    made->write(0, bytes_of(words));
    return made;
  }
  static void add_buffer(runtime::Program& program, std::uint8_t index) {
    runtime::CircularBufferConfig config(2 * kPage, {{index, runtime::DataFormat::Float16_b}});
    CreateCircularBuffer(program, kCore, config.set_page_size(index, kPage));
  }
  static std::uint32_t address(const std::shared_ptr<runtime::MeshBuffer>& of) {
    return static_cast<std::uint32_t>(of->address());
  }
  /// The reason why a program is refused.
  std::string refusal(runtime::Program& program) {
    return fault_of([&] { mesh_->run(0, program); });
  }

  std::unique_ptr<runtime::DeviceLibrary> library_ = runtime::DeviceLibrary::open(TVP_LIBRARY);
  std::unique_ptr<runtime::MeshDevice> mesh_;
};

}  // namespace tvp::test
