#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"

namespace tvp::test {

/// An input or output circular buffer of a compute kernel.
struct TileBuffer {
  std::uint8_t cb = 0;
  runtime::DataFormat format = runtime::DataFormat::Float16_b;
  std::uint32_t page_bytes = 2048;
  std::uint32_t pages = 1;
  std::vector<std::uint32_t> words{};  ///< contents of all pages; empty for a result
  runtime::Tile tile{};
  std::optional<runtime::FaceGeometry> faces{};
};

/// Runs compute kernels on one core of a chip. A reader fills the input buffers and a writer
/// empties the outputs, word by word.
class TileBench {
 public:
  explicit TileBench(std::string folder);
  ~TileBench();

  struct Options {
    bool fp32_dst = false;
    bool fp32_to_dst = false;  ///< for all buffers, past the sources of the matrix unit
    bool bfp8_pack_precise = false;
    std::vector<std::uint32_t> compile_args;
    std::vector<std::uint32_t> runtime_args;
    std::vector<std::pair<std::string, std::string>> defines;
    std::vector<TileBuffer> scratch;  ///< for the kernel only
  };
  /// Returns the results in the order of `out`. `text` is a kernel, or its path if it ends in .cpp.
  std::vector<std::vector<std::uint32_t>> run(const std::string& name, const std::string& text,
                                              const std::vector<TileBuffer>& in,
                                              const std::vector<TileBuffer>& out,
                                              const Options& options);
  std::vector<std::vector<std::uint32_t>> run(const std::string& name, const std::string& text,
                                              const std::vector<TileBuffer>& in,
                                              const std::vector<TileBuffer>& out) {
    return run(name, text, in, out, Options{});
  }

 private:
  std::string write(const std::string& name, const std::string& text) const;

  std::string folder_;
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
};

/// Index of datum (row, column) of a 32x32 tile: four faces of 16 x 16.
constexpr std::size_t place_in_tile(std::size_t row, std::size_t column) {
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}
/// Datum `i` of words that hold one or two datums each.
inline std::uint32_t datum16(const std::vector<std::uint32_t>& words, std::size_t i) {
  return words[i / 2] >> (16 * (i % 2)) & 0xFFFF;
}
inline void set_datum16(std::vector<std::uint32_t>& words, std::size_t i, std::uint32_t value) {
  words[i / 2] = (words[i / 2] & (i % 2 == 0 ? 0xFFFF0000U : 0xFFFFU)) | value << (16 * (i % 2));
}

}  // namespace tvp::test
