#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "platform/checks/event_types.h"
#include "platform/checks/record/page_order.h"

namespace tvp::checks {

/// Compares a tile's uses of circular buffer pages in L1 with its pushes and pops. Only software
/// follows these rules; hardware does not know them. Uses that occur in right programs are never
/// reported. A read of a page before its push is wrong if another core pushes the page later. A
/// core that fills a page and reads it without a push uses it as scratch memory.
///
/// Uses that are right only by luck of timing are reported as well. A core that uses a page must
/// have read the count that hands it over, or a later count of a core that has read it (PageOrder).
///
/// A pushed page must have been written since its program began: by a NIU for this tile or for
/// others, by units, or by stores of cores. Earlier writes of other tiles or the host count too.
/// Unwritten pages are legal tokens until a core unpacks or sends their content.
///
/// Buffers that share memory are not checked, nor buffers that are not counted page by page from
/// the first one on.
class PageUses {
 public:
  static constexpr unsigned kBuffers = 32;
  static constexpr unsigned kNone = ~0U;

  struct Buffer {
    std::uint32_t pages = 0;  ///< 0: it is not there
    std::uint32_t page_bytes = 0;
    std::uint32_t address = 0;
    bool is_tensor = false;  ///< others fill its memory, too, and it may be larger
  };
  /// A data-movement core, which lets a NIU read or write, or T0, T2, whose instructions do.
  struct User {
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;  ///< 0: not known
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    bool writes = false;
  };
  struct Misuse {
    enum class Kind : std::uint8_t {
      kNotPushed,    ///< reads a page that `other` pushes later
      kNeverPushed,  ///< unpacks a page of a buffer that nobody has pushed to the program's end
      kBehindEnd,    ///< begins in the buffer and ends behind it
      kOfOthers,     ///< writes a page that `other` pushes, and has nothing else to do with it
      kUnseenPush,   ///< reads a page that `other` has pushed, which it cannot know
      kUnseenPop,    ///< writes a page that `other` has popped, which it cannot know
      kPopsUnseen,   ///< pops a page that `other` has pushed, which it cannot know
      kNotArrived,   ///< what it reads was under way when the page was pushed; `other` reads it
      kNotSent,  ///< what it writes was still to be sent when the page was popped; `other` fills it
      kNeverPacked,  ///< reads a page that `other`, which is T2, has pushed without ever filling it
      kOverwritten,  ///< a NIU writes for others what `other` has pushed and nobody has popped
      kEmptyResult,  ///< T2 has pushed a page of a tensor, which nobody has filled to the end
      kNeverFilled,  ///< pushes a page that nobody has written, and `other` reads it
      kNothing,      ///< unpacks what is in no buffer, and nobody has written
    };
    Kind kind = Kind::kNotPushed;
    User user;
    unsigned buffer = kNone;
    std::uint32_t page = 0;
    BusMaster other = BusMaster::kDebug;
    unsigned behind = kNone;      ///< the buffer that lies there
    std::uint32_t pushed_at = 0;  ///< of kNeverPacked: the pc of the last push; 0: not known
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void misused(const Misuse& misuse) = 0;
  };

  /// The activity of the tile's cores and NIUs.
  class Tile {
   public:
    virtual ~Tile() = default;
    /// A command that is still to write, or read, some of [begin, end), or nobody has looked at
    /// whether it is; false if there is none.
    virtual bool has_command(std::uint32_t begin, std::uint32_t end, bool writes,
                             User& found) const = 0;
    virtual std::uint32_t pc_of(BusMaster core) const = 0;
    /// Nobody has written any of it since there is power.
    virtual bool is_unwritten(std::uint32_t /*address*/, std::uint32_t /*bytes*/) const {
      return false;
    }
    /// Other tiles have written something that nobody knows of.
    virtual bool has_arrivals() const { return false; }
    /// `core` pushes what lies in [begin, end), pages of that buffer.
    virtual void pushes(BusMaster /*core*/, std::uint32_t /*pc*/, unsigned /*buffer*/,
                        std::uint32_t /*begin*/, std::uint32_t /*end*/) {}
    /// Whatever other tiles have written is known to be there.
    virtual void announced_otherwise() {}
    virtual void host_writes(std::uint32_t /*address*/, std::uint32_t /*bytes*/) {}
    virtual void program_begins() {}
    virtual void program_ends() {}
  };

  /// Before anything happens; without one nothing is looked at.
  void set_listener(Listener* listener) { listener_ = listener; }
  void set_tile(Tile& tile) { tile_ = &tile; }
  /// Sets the probe from which written() gets the first write of each page by any agent.
  void set_probe(Probe& probe) { probe_ = &probe; }
  /// Where the pc is at which the instruction was pushed that units work at.
  void set_pushed_at(const std::uint32_t* pc) { pushed_at_ = pc; }
  /// 0: not known.
  std::uint32_t pushed_at() const { return pushed_at_ == nullptr ? 0 : *pushed_at_; }

  /// The buffers of the program that starts next, whose counts begin at none.
  void hold(std::span<const Buffer> buffers);
  /// Nothing more comes of the program.
  void end();
  bool on() const { return !places_.empty(); }
  /// The program has a circular buffer of this number.
  bool has(unsigned buffer) const { return buffer < kBuffers && states_[buffer].place.pages != 0; }
  /// Pages of a buffer that nobody had popped when the last program ended: of some that is meant.
  struct Left {
    unsigned buffer = 0;
    std::uint32_t pages = 0;
    User last_push;
    bool popped = false;  ///< others of that buffer
  };
  const std::vector<Left>& left() const { return left_; }
  /// Where UNPACK read last, in the last program: of buffers that PACK does not push.
  struct Input {
    unsigned buffer = 0;
    std::uint32_t address = 0;
  };
  const std::vector<Input>& inputs() const { return inputs_; }

  void used(const User& user);
  /// A use by an instruction of a Tensix thread.
  void used_by_thread(unsigned thread, std::uint32_t address, std::uint32_t bytes, bool writes) {
    used({.core = static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kT0) + thread),
          .pc = pushed_at(),
          .address = address,
          .bytes = bytes,
          .writes = writes});
  }
  void written(std::uint32_t address, std::uint32_t bytes);
  bool awaits(std::uint32_t first, std::uint32_t last) const;
  /// A write by the host at any time.
  void written_by_host(std::uint32_t address, std::uint32_t bytes) {
    if (listener_ == nullptr) return;
    note_foreign(address, bytes);
    if (tile_ != nullptr) tile_->host_writes(address, bytes);
  }
  /// NIU `niu` writes for another tile, whenever that is, or for a core of this one. Who has pushed
  /// a page that nobody pops may write there: it is memory of its own.
  void written_for_others(BusMaster niu, std::uint32_t address, std::uint32_t bytes,
                          BusMaster core_here = BusMaster::kDebug);
  /// The buffer's count of pages is `count` now, of which 16 bits are looked at.
  void pushed(unsigned buffer, std::uint32_t count, BusMaster by);
  void popped(unsigned buffer, std::uint32_t count, BusMaster by);
  /// `by` reads that count.
  void read_pushed(unsigned buffer, BusMaster by) { order_.read(states_[buffer].pushes, by); }
  void read_popped(unsigned buffer, BusMaster by) { order_.read(states_[buffer].pops, by); }

 private:
  /// A command that was not over when its page was handed over.
  struct Late {
    std::uint32_t page = 0;
    User command;
  };
  struct State {
    Buffer place;
    bool shared = false;
    bool counted = true;  ///< as is expected
    std::uint16_t pushed = 0;
    std::uint16_t popped = 0;
    std::uint32_t front = 0;  ///< the page that is popped next
    std::int32_t held = 0;
    /// For each page, true if PACK has filled it since it was popped. UNPACK may read such a page
    /// without a push, for example sums in the result. Empty until PACK fills one.
    std::vector<bool> packed;
    std::vector<bool> filled;   ///< by page: since the program began, or by others before
    std::uint32_t pushers = 0;  ///< bits of BusMaster
    std::uint32_t poppers = 0;
    PageOrder::Count pushes;
    PageOrder::Count pops;
    BusMaster last_pusher = BusMaster::kDebug;
    BusMaster last_popper = BusMaster::kDebug;
    std::vector<Late> late;
    std::uint32_t pushed_in_all = 0;
    std::optional<std::int32_t> left{};  ///< held at the end, before firmware sets counts back
    std::optional<std::uint32_t> unpacked_at{};  ///< where UNPACK read last
    User last_push;
    User empty_push;  ///< of a page that nobody had filled
  };
  /// Memory of one buffer, or of several that share it.
  struct Place {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    unsigned buffer = 0;  ///< the first of them
    bool is_tensor = false;
    std::uint32_t unfilled = 0;  ///< pages whose first write is awaited
  };
  /// A use that is wrong if somebody else pushes the page.
  struct Doubt {
    User user;
    unsigned buffer = 0;
    std::uint32_t page = 0;
  };
  static constexpr std::size_t kMostDoubts = 64;

  /// Memory of its own, whose uses can be distinguished.
  static bool is_watched(const State& state) {
    return state.counted && !state.shared && !state.place.is_tensor;
  }
  static std::uint32_t bit(BusMaster core) { return 1U << static_cast<unsigned>(core); }
  Place* place_of(std::uint32_t address);
  void use_page(Place& place, std::uint32_t page, const User& user);
  void fill(Place& place, std::uint32_t address, std::uint64_t end);
  void fill_page(Place& place, std::uint32_t page);
  void await_first_writes();
  void note_foreign(std::uint32_t address, std::uint32_t bytes);
  bool is_foreign(std::uint32_t address, std::uint32_t bytes) const;
  static bool is_held(const State& state, std::uint32_t page);
  void read_held(State& state, unsigned buffer, std::uint32_t page, const User& user);
  void report_unfilled(Misuse misuse);
  void use(const User& user);
  void report_given_away();
  void use_behind(const User& user);
  void write_free(State& state, unsigned buffer, std::uint32_t page, const User& user);
  void report_late(State& state, unsigned buffer, std::uint32_t page, const User& user);
  void note_late(State& state, std::uint32_t first, std::uint32_t count, bool writes);
  void report_push(const State& state, unsigned buffer, std::uint32_t first, std::uint32_t count,
                   BusMaster by);
  void look_at_pop(State& state, unsigned buffer, std::uint32_t count, BusMaster by);
  User now_of(BusMaster core) const;
  void report_empty_result(unsigned buffer);
  static void note_left(State& state);
  void gather_left();
  void decide(unsigned buffer, std::uint32_t first, std::uint32_t count, BusMaster by);

  Listener* listener_ = nullptr;
  Tile* tile_ = nullptr;
  Probe* probe_ = nullptr;
  const std::uint32_t* pushed_at_ = nullptr;
  PageOrder order_;
  std::array<State, kBuffers> states_{};
  std::vector<Left> left_;
  std::vector<Input> inputs_;
  std::vector<Place> places_;         ///< by address
  std::size_t last_ = 0;              ///< of places_, where the last use was
  const Place* packed_in_ = nullptr;  ///< where PACK wrote last,
  std::uint32_t packed_at_ = 0;       ///< and by which instruction
  std::vector<Doubt> doubts_;
  std::vector<Misuse> without_effect_;  ///< reads of pages nobody filled, of which nothing came yet
  std::uint32_t unfilled_ = 0;          ///< in all places
  /// Granule of L1 in which writes of the host or for others since power-on are recorded.
  static constexpr std::uint32_t kGranuleBytes = 16;
  std::vector<bool> foreign_;
};

}  // namespace tvp::checks
