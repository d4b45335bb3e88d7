#include "sw/workloads/recipe_answer/recipe_answer.h"

#include "sw/runtime/host_api.h"

namespace tvp::workloads {

void RecipeAnswer::run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const std::uint32_t bytes = config_.bytes;
  const auto buffer = runtime::CreateBuffer(runtime::InterleavedBufferConfig{&mesh, bytes, bytes});
  const std::vector<std::uint8_t> content(bytes, static_cast<std::uint8_t>(seed));
  buffer->write(0, content);
  result.passed = buffer->read(0) == content;
}

}  // namespace tvp::workloads
