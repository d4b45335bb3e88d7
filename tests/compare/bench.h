#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "tests/compare/data.h"

namespace tvp::compare {

/// One operand of a compute kernel, complete when the kernel starts.
struct Operand {
  runtime::DataFormat format;
  Bytes tiles;
};

/// A compute kernel on one core. Operands are circular buffers 0, 1, …; the result is 16.
struct TileProgram {
  std::string source;  ///< text of the kernel
  bool fp32_dst = false;
  runtime::MathFidelity fidelity = runtime::MathFidelity::HiFi4;
  std::vector<Operand> operands;
  runtime::DataFormat result = runtime::DataFormat::Float16_b;
  std::uint32_t result_tiles = 1;
  std::vector<std::uint32_t> args;
};

/// A library with one chip that runs programs one after the other.
class Bench {
 public:
  /// Kernels are written to `folder`.
  Bench(const std::string& library, std::string folder);

  /// Returns the content of the result buffer.
  Bytes run(const TileProgram& program);
  runtime::MeshDevice& mesh() { return *mesh_; }
  /// Writes the text to a file, one per text, so that the kernel compiler can cache it.
  std::string file_of(const std::string& text) const;
  std::shared_ptr<runtime::MeshBuffer> in_l1(runtime::CoreCoord core, const Bytes& content);

 private:
  std::string folder_;
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
};

}  // namespace tvp::compare
