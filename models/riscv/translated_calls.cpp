// What BlockRunner does for translated code.
#include "models/riscv/arithmetic.h"
#include "models/riscv/block_runner.h"
#include "models/riscv/instruction_meanings.h"

namespace tvp::riscv {

using support::Cycle;

namespace {

#define TVP_NO_DIVISION(...)
#define TVP_DIVISION(name, is_signed, expression)                        \
  case Code::k##name:                                                    \
    return std::uint64_t{static_cast<std::uint32_t>(expression)} << 32 | \
           pipeline.divide_step(is_signed, a, b);

/// The result, and in the lower half which of the times it takes.
std::uint64_t divide(const Pipeline& pipeline, Code code, std::uint32_t a, std::uint32_t b) {
  switch (code) {
    TVP_RISCV_MEANINGS(TVP_NO_DIVISION, TVP_NO_DIVISION, TVP_NO_DIVISION, TVP_DIVISION,
                       TVP_NO_DIVISION, TVP_NO_DIVISION, TVP_NO_DIVISION)
    default:
      return 0;
  }
}

#undef TVP_DIVISION
#undef TVP_NO_DIVISION

}  // namespace

BlockTranslator::Calls BlockRunner::calls() {
  return {.self = this,
          .load_passes =
              [](void* runner, const StreamAccess* load, std::uint32_t address, Cycle t) {
                return static_cast<BlockRunner*>(runner)->load_passes(*load, address, t);
              },
          .store_passes =
              [](void* runner, const StreamAccess* store, std::uint32_t address, Cycle t) {
                return static_cast<BlockRunner*>(runner)->store_passes(*store, address, t);
              },
          .is_watched =
              [](void* runner, std::uint32_t address, std::uint32_t bytes) {
                return static_cast<BlockRunner*>(runner)->is_watched(address, bytes);
              },
          .divide =
              [](void* runner, std::uint32_t code, std::uint32_t a, std::uint32_t b) {
                return divide(static_cast<BlockRunner*>(runner)->s_.pipeline,
                              static_cast<Code>(code), a, b);
              },
          .led =
              [](void* runner, const BlockEdge* edge, std::uint32_t to) {
                const Led& known = static_cast<BlockRunner*>(runner)->led(edge, to);
                return known.edge == edge && known.to == to ? known.node : nullptr;
              }};
}

}  // namespace tvp::riscv
