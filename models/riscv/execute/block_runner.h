#pragma once

#include <array>
#include <cstdint>

#include "models/riscv/execute/block_worth.h"
#include "models/riscv/execute/execution_state.h"
#include "models/riscv/execute/load_store_unit.h"
#include "models/riscv/polls/poll_sleep.h"
#include "models/riscv/timing/block_times.h"
#include "models/riscv/timing/fetch_unit.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// Executes blocks of instructions whose times are remembered (BlockTimes). Inside a block it only
/// computes results and does loads and stores. The interpreter handles all other cases, one
/// instruction after the other.
class BlockRunner {
 public:
  using Cycle = support::Cycle;

  enum class Next : std::uint8_t {
    kReturn,    ///< the core next acts at later()
    kOneByOne,  ///< the interpreter continues at s.op
    kJumped,    ///< the same, behind a jump, where the core may stop
    kAsleep,
  };

  BlockRunner(ExecutionState& state, FetchUnit& fetch, LoadStoreUnit& memory, PollSleep& sleep,
              support::WatchHub& watches)
      : s_(state),
        fetch_(fetch),
        memory_(memory),
        sleep_(sleep),
        watches_(watches),
        translator_(state, calls()),
        times_(state, fetch, translator_),
        worth_(state) {}

  enum class Blocks : std::uint8_t {
    kOff,
    kInterpreted,
    kTranslated,  ///< frequently executed blocks
    kAlways,      ///< all blocks as soon as possible, for tests
  };
  void set(Blocks blocks) {
    if (blocks == blocks_) return;
    times_.outdate();
    blocks_ = blocks;
    on_ = blocks != Blocks::kOff;
    const bool eager = blocks == Blocks::kAlways;
    translator_.set_on(eager || blocks == Blocks::kTranslated);
    worth_.set_eager(eager);
  }
  /// The interpreter has executed enough jumps to try blocks again.
  void wake() { worth_.wake(); }
  /// True if the rest of the core's state allows blocks.
  bool may_run() const {
    constexpr unsigned kAllowed =
        ExecutionState::kLoaded | ExecutionState::kDirty | ExecutionState::kSuspect;
    return on_ && !worth_.rests() && (s_.activity & ~kAllowed) == 0 && s_.observer == nullptr &&
           s_.l1_direct != 0 && !s_.pipeline.is_heard(s_.time) &&
           memory_.local().direct_bytes() == memory_.local().size();
  }
  /// Executes from s.op on, as far as possible.
  Next run() {
    const Next next = run_nodes();
    fetch_.show_present();
    return next;
  }
  Cycle later() const { return later_; }
  /// Number of instructions executed as machine code of the host.
  std::uint64_t translated() const { return translated_; }

 private:
  /// The outcome of an indirect jump to that address.
  struct Led {
    const BlockEdge* edge = nullptr;
    std::uint32_t to = 0;
    BlockNode* node = nullptr;
  };

  Next run_nodes();
  [[gnu::noinline]] bool find_code(BlockNode*& node, Cycle& t, std::uint64_t executed);
  BlockTranslator::Calls calls();
  [[gnu::noinline]] unsigned resolve(Op& branch, bool taken);
  [[gnu::noinline]] unsigned found_in_queue(const BlockNode& node, unsigned op,
                                            std::uint32_t address) const;
  [[gnu::noinline]] bool is_watched(std::uint32_t address, std::uint32_t bytes) const;
  [[gnu::noinline]] bool load_passes(const StreamAccess& load, std::uint32_t address, Cycle t);
  [[gnu::noinline]] bool store_passes(const StreamAccess& store, std::uint32_t address, Cycle t);
  [[gnu::noinline]] void stop_at(const BlockTimes::Target& target, const PipelineState* state,
                                 Cycle t);
  [[gnu::noinline]] bool falls_asleep(const BlockNode& node);
  Led& led(const BlockEdge* edge, std::uint32_t to) {
    return led_[(reinterpret_cast<std::uintptr_t>(edge) / sizeof(BlockEdge) ^ to / 4) %
                led_.size()];
  }

  ExecutionState& s_;
  FetchUnit& fetch_;
  LoadStoreUnit& memory_;
  PollSleep& sleep_;
  support::WatchHub& watches_;
  BlockTranslator translator_;
  BlockTimes times_;
  BlockWorth worth_;
  bool on_ = true;
  Blocks blocks_ = Blocks::kInterpreted;
  std::uint64_t translated_ = 0;
  Cycle later_ = 0;
  std::array<Led, 64> led_{};
};

}  // namespace tvp::riscv
