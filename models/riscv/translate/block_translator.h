#pragma once

#include <cstdint>

#include "models/riscv/execute/execution_state.h"
#include "models/riscv/translate/host_code.h"
#include "models/riscv/translate/translated_run.h"

namespace tvp::riscv {

/// Turns nodes of BlockTimes into machine code of the host. The code does the same as BlockRunner
/// and goes from node to node. In rare cases it returns to BlockRunner before the operation:
/// unknown, mispredicted or delayed operations, and the end of a run. So it needs no code for
/// polls, misses and cuts. Only for x86-64; elsewhere nothing is translated.
class BlockTranslator {
 public:
  using Cycle = support::Cycle;

  /// The functions of BlockRunner that translated code calls.
  struct Calls {
    void* self;
    bool (*load_passes)(void* self, const StreamAccess* load, std::uint32_t address, Cycle t);
    bool (*store_passes)(void* self, const StreamAccess* store, std::uint32_t address, Cycle t);
    bool (*is_watched)(void* self, std::uint32_t address, std::uint32_t bytes);
    /// Pipeline::divide_step, with the result in the upper half.
    std::uint64_t (*divide)(void* self, std::uint32_t code, std::uint32_t a, std::uint32_t b);
    /// Among the edges of an indirect jump, finds the node behind the one to address `to`, if it is
    /// known.
    BlockNode* (*led)(void* self, const BlockEdge* edge, std::uint32_t to);
    /// Fetches absent code of run.node at run.t and changes both. False if BlockRunner must do it.
    bool (*find_code)(void* self, TranslatedRun* run);
  };

  BlockTranslator(ExecutionState& state, const Calls& calls) : s_(state), calls_(calls) {}

  void set_on(bool on) { on_ = on && !gives_up_; }
  /// True if new nodes are counted, and translated when they are hot. If the host once refuses
  /// executable memory, translation stays off and no translated code may run.
  bool is_on() const { return on_; }
  /// False if the node was not translated.
  bool translate(BlockNode& node);
  /// Entry address of nodes without translation, for translated ones.
  const void* leave() {
    begin();
    return leave_;
  }
  /// Runs from run.node, which is translated, to a node or operation that is not.
  void run(TranslatedRun& run) const { enter_(&run); }

  bool is_full() const { return code_.is_reserved() && code_.left() < kMostOfNode; }
  /// Drops all translated nodes.
  void forget();

 private:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  static constexpr std::size_t kMostOfNode = 32768;

  bool begin();
  bool give_up();
  std::size_t write(BlockNode& node, std::uint8_t* to);

  ExecutionState& s_;
  const Calls calls_;
  HostCode code_;
  bool on_ = false;
  bool gives_up_ = false;
  void (*enter_)(TranslatedRun*) = nullptr;
  const void* leave_ = nullptr;
  const std::uint8_t* exit_ = nullptr;
  const std::uint8_t* absent_ = nullptr;
  std::size_t common_ = 0;  ///< bytes before the nodes
};

}  // namespace tvp::riscv
