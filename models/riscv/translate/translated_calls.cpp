// The functions of BlockRunner for a block's operations, dispatched or translated.
#include "models/riscv/decode/instruction_meanings.h"
#include "models/riscv/decode/multiply_divide.h"
#include "models/riscv/execute/block_runner.h"

namespace tvp::riscv {

using support::Cycle;

namespace {

#define TVP_NO_DIVISION(...)
#define TVP_DIVISION(name, is_signed, expression)                        \
  case Code::k##name:                                                    \
    return std::uint64_t{static_cast<std::uint32_t>(expression)} << 32 | \
           pipeline.divide_step(is_signed, a, b);

/// The result in the upper half, and the number of the divide time in the lower half.
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

/// 0 if no queued store has the address; else 1 + the number of newer ones.
unsigned BlockRunner::found_in_queue(const BlockNode& node, unsigned op,
                                     std::uint32_t address) const {
  for (unsigned queued = node.rare->queued[op], i = 0; queued != 0; queued >>= 1, ++i) {
    if ((queued & 1U) != 0 && s_.stores.newest(i) == address) return i + 1;
  }
  return 0;
}

bool BlockRunner::is_watched(std::uint32_t address, std::uint32_t bytes) const {
  return watches_.is_watched({address, address + bytes - 1});
}

bool BlockRunner::load_passes(const StreamAccess& load, std::uint32_t address, Cycle t) {
  return s_.pipeline.loads_alone(address, t + load.now);
}

/// The stores to L1 that are still queued when a stream begins pass at their currently expected
/// times.
bool BlockRunner::store_passes(const StreamAccess& store, std::uint32_t address, Cycle t) {
  if (!s_.pipeline.streams_alone(address, t + store.now, t + store.emitted)) return false;
  for (unsigned i = BlockTimes::kMostQueued; store.announced != nullptr && i-- > 0;) {
    if (store.announced[i] != 0) s_.pipeline.announce(s_.stores.newest(i), t + store.announced[i]);
  }
  return true;
}

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
              },
          .find_code =
              [](void* self, TranslatedRun* run) {
                auto* const runner = static_cast<BlockRunner*>(self);
                if (run->node->seen == BlockNode::kDead) return false;
                run->edge = nullptr;
                const bool found = runner->find_code(run->node, run->t, run->executed);
                run->evictions = runner->fetch_.evictions();
                return found;
              }};
}

}  // namespace tvp::riscv
