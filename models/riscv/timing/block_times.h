#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "models/riscv/execute/execution_state.h"
#include "models/riscv/timing/fetch_unit.h"
#include "models/riscv/timing/timed_block.h"
#include "models/riscv/translate/block_translator.h"

namespace tvp::riscv {

/// Remembers how long blocks of a core's code take. A node is a block together with the state of
/// the pipeline in front of it; an edge, one for each thing that can happen at the end of the
/// block, has the time and the next node. All are found out by the Pipeline itself, once.
class BlockTimes {
 public:
  using Cycle = support::Cycle;

  BlockTimes(ExecutionState& state, FetchUnit& fetch, BlockTranslator& translator)
      : s_(state), fetch_(fetch), translator_(translator) {}
  BlockTimes(const BlockTimes&) = delete;
  BlockTimes& operator=(const BlockTimes&) = delete;

  void set_labels(const void* const* labels) {
    labels_ = labels;
    counting_.label = labels[kCounting];
    translated_.label = labels[kTranslated];
  }
  /// Accesses have their own dispatch codes among these; other operations use their code.
  static constexpr unsigned kAccesses = 8;
  enum Kind : unsigned {  ///< in front of each: one label for each load and store
    kOfCode = 0,
    kOfL1 = static_cast<unsigned>(Code::kCount),
    kOfL1Checked = kOfL1 + kAccesses,
    kOfLocal = kOfL1Checked + kAccesses,
    kOfLocalChecked = kOfLocal + kAccesses,
    kVarying = kOfLocalChecked + kAccesses,
    kFalling = kVarying + kAccesses,
    kPageEnding,
    kCounting,    ///< in front of a node that is perhaps translated
    kTranslated,  ///< in the place of one that is
    kLabels
  };

  static constexpr unsigned kMostQueued = 8;  ///< stores
  /// The next look_around() forgets all.
  void outdate() { generation_ = fetch_.generation() - 1; }
  /// The node has been executed often.
  void translate(BlockNode& node) {
    node.ops = translator_.translate(node) ? &translated_ : node.rare->block->ops.data();
    if (!translator_.is_on()) [[unlikely]]
      interpret_all();
  }
  /// Where something leads; without a page where nothing can be fetched.
  struct Target {
    PredecodedCode::Page* page;
    Op* op;
    std::uint32_t pc;
  };

  /// To be called before anything else when the core goes on: code may have been forgotten.
  /// True when all is forgotten.
  bool look_around() {
    const bool outdated =
        generation_ != fetch_.generation() || bytes_ > kMostBytes || translator_.is_full();
    if (outdated) [[unlikely]]
      forget();
    return outdated;
  }

  /// The node of the block at `first` behind which the pipeline is as it is at cycle t, or null.
  BlockNode* enter(PredecodedCode::Page& page, Op* first, Cycle t, Cycle leave);
  /// Likewise, in that state; null as long as hardly anybody came by.
  BlockNode* node_at(PredecodedCode::Page& page, Op* first, const PipelineState* state);
  /// Since the beginning of the run something was learnt of a block: that it is come by often, or
  /// where it accesses.
  bool warms() const { return warms_; }
  void begin_run() { warms_ = false; }
  /// Another node for one of a block that is dead.
  BlockNode* instead_of(const BlockNode& node);
  /// From the beginning of the node to its access.
  BlockNode* cut(BlockNode& node, unsigned access);
  /// Behind an outcome; `to` is where an indirect jump leads.
  Target target_of(const BlockNode& node, unsigned outcome, std::uint32_t to) const;
  /// The time behind an outcome, and the state.
  void find_out(BlockNode& node, unsigned outcome);
  /// True if all lines of the block are in the instruction cache.
  bool is_present(BlockNode& node) const;

  /// The operations in front of that one have been executed since cycle t, that one has not, and
  /// the core goes on instruction by instruction: it and its pipeline become what they are there.
  void stop_inside(const BlockNode& node, unsigned op, Cycle t);
  /// The operation did not access what its block says, but that address; or one that may be in the
  /// queue of stores.
  void misjudged(TimedBlock& block, unsigned op, std::uint32_t address, bool queued,
                 std::uint32_t local_bytes);

 private:
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;
  /// Cycle at which blocks begin that are only timed.
  static constexpr Cycle kOrigin = 1U << 20;
  /// As BlockNode::seen: never looked at.
  static constexpr std::uint64_t kUnseen = BlockNode::kDead - 1;

  /// The known facts of an instruction when it is timed.
  struct Timed {
    Pipeline* pipeline;
    Cycle origin = kOrigin;
    Cycle t = kOrigin;
    Cycle leave = 0;
    Cycle access = 0;  ///< of the last access of L1
    Cycle ahead = 0;
    Cycle stalled = 0;      ///< when the operands of the last one were there
    unsigned queued = 0;    ///< of the last load
    bool asks = false;      ///< the last access
    StreamAccess stream{};  ///< likewise, if it does
    std::array<std::uint16_t, kMostQueued> told{};
    /// When nobody else is there, the last access comes as `stream` says.
    bool is_foreseen = true;
  };
  struct Pair {
    const void* a;
    const void* b;
    bool operator==(const Pair&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Pair& p) const;
    std::size_t operator()(const PipelineState* state) const;
  };
  struct Equal {
    bool operator()(const PipelineState* a, const PipelineState* b) const { return *a == *b; }
  };

  void forget();
  void interpret_all();
  void* allocate(std::size_t bytes);
  template <typename T>
  T* make_array(unsigned count) {
    return static_cast<T*>(allocate(count * sizeof(T)));
  }
  const PipelineState* remember(const PipelineState& state);
  TimedBlock* block_at(PredecodedCode::Page& page, Op* first);
  TimedBlock* make(PredecodedCode::Page& page, Op* first, unsigned most);
  bool add_ops(TimedBlock& block, unsigned most) const;
  static BlockEnd end_of(Code code, Place place);
  static void finish(TimedBlock& block, Op* last, BlockEnd end, bool counts);
  void kill(TimedBlock& block);
  Place judge(const Op* op, unsigned written) const;
  BlockNode* node_of(TimedBlock& block, const PipelineState* state);
  BlockNode* make_node(TimedBlock& block, const PipelineState* state);
  const void* label(const Op& op, Place place, bool checks) const;
  void begin(Timed& timed, const PipelineState& state) const;
  void time(Timed& timed, const Op& op, Place place, std::uint32_t address, unsigned found,
            unsigned step) const;
  void time_store(Timed& timed, std::uint32_t address) const;

  ExecutionState& s_;
  FetchUnit& fetch_;
  BlockTranslator& translator_;
  BlockOp counting_, translated_;
  const void* const* labels_ = nullptr;
  std::uint32_t generation_ = 0;
  std::size_t bytes_ = 0;
  bool warms_ = false;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* free_ = nullptr;
  std::size_t left_ = 0;
  std::vector<std::unique_ptr<TimedBlock>> blocks_;
  std::unordered_map<const Op*, TimedBlock*> block_of_;
  std::unordered_map<const Op*, Place> places_;
  std::unordered_set<const PipelineState*, Hash, Equal> states_;
  std::unordered_map<Pair, BlockNode*, Hash> nodes_;
  Pipeline alone_;
};

}  // namespace tvp::riscv
