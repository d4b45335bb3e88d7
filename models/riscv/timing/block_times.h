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

/// Remembers the times of blocks of a core's code. A node is a block together with the state of the
/// pipeline before it. An edge stands for one possible end of the block, with its time and the next
/// node. The Pipeline itself computes each of them once.
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
  enum Kind : unsigned {  ///< before each: one label for each load and store
    kOfCode = 0,
    kOfL1 = static_cast<unsigned>(Code::kCount),
    kOfL1Checked = kOfL1 + kAccesses,
    kOfLocal = kOfL1Checked + kAccesses,
    kOfLocalChecked = kOfLocal + kAccesses,
    kVarying = kOfLocalChecked + kAccesses,
    kFalling = kVarying + kAccesses,
    kPageEnding,
    kCounting,    ///< before a node that may be translated
    kTranslated,  ///< replaces the operation of a translated node
    kLabels
  };

  static constexpr unsigned kMostQueued = 8;  ///< in stores
  /// Makes the next look_around() drop all blocks.
  void outdate() { generation_ = fetch_.generation() - 1; }
  /// Translates a frequently executed node.
  void translate(BlockNode& node) {
    node.ops = translator_.translate(node) ? &translated_ : node.rare->block->ops.data();
    if (!translator_.is_on()) [[unlikely]]
      interpret_all();
  }
  /// Target of an outcome; without a page if nothing can be fetched there.
  struct Target {
    PredecodedCode::Page* page;
    Op* op;
    std::uint32_t pc;
  };

  /// Must be called first when the core continues, since code may have changed. True if all blocks
  /// were dropped.
  bool look_around() {
    const bool outdated =
        generation_ != fetch_.generation() || bytes_ > kMostBytes || translator_.is_full();
    if (outdated) [[unlikely]]
      forget();
    return outdated;
  }

  /// The node of the block at `first` with the pipeline's state at cycle t; null if there is none.
  BlockNode* enter(PredecodedCode::Page& page, Op* first, Cycle t, Cycle leave);
  /// The same for that state; null until it is requested often.
  BlockNode* node_at(PredecodedCode::Page& page, Op* first, const PipelineState* state);
  /// True if blocks were learned since the beginning of the run: new ones, or places of accesses.
  bool warms() const { return warms_; }
  void begin_run() { warms_ = false; }
  /// Another node in place of one with a dead block.
  BlockNode* instead_of(const BlockNode& node);
  /// The part of the node before its access.
  BlockNode* cut(BlockNode& node, unsigned access);
  /// The place behind an outcome; `to` is the target of an indirect jump.
  Target target_of(const BlockNode& node, unsigned outcome, std::uint32_t to) const;
  /// Computes the time and the state behind an outcome.
  void find_out(BlockNode& node, unsigned outcome);
  /// Number of its first instructions whose lines are in the instruction cache.
  unsigned present(BlockNode& node) const;
  /// The part of the node with its first instructions, `count` of them.
  BlockNode* part(BlockNode& node, unsigned count);
  /// The node of the same block if its first instruction is fetched `delay` cycles later.
  BlockNode* delayed(BlockNode& node, Cycle delay);

  /// Leaves the node before operation `op`; the operations before it have been executed since cycle
  /// t. The core continues instruction by instruction, and its pipeline gets the state at that
  /// operation.
  void stop_inside(const BlockNode& node, unsigned op, Cycle t);
  /// The operation's access was not at the assumed place but at `address`, or it may be in the
  /// queue of stores.
  void misjudged(TimedBlock& block, unsigned op, std::uint32_t address, bool queued,
                 std::uint32_t local_bytes);

 private:
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  /// Start cycle of blocks that are only timed.
  static constexpr Cycle kOrigin = 1U << 20;
  /// Value of BlockNode::seen before the first check.
  static constexpr std::uint64_t kUnseen = BlockNode::kDead - 1;

  /// The known facts of an instruction when it is timed.
  struct Timed {
    Pipeline* pipeline;
    Cycle origin = kOrigin;
    Cycle t = kOrigin;
    Cycle leave = 0;
    Cycle access = 0;  ///< cycle of the last access of L1
    Cycle ahead = 0;
    Cycle stalled = 0;      ///< cycle at which the operands of the last one were there
    unsigned queued = 0;    ///< state of the queue at the last load
    bool asks = false;      ///< for the last access
    StreamAccess stream{};  ///< for the last access, if it asks
    std::array<std::uint16_t, kMostQueued> announced{};
    /// without other cores, `stream` describes the last access
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
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an element may be a pointer
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
